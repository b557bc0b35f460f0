/** Bodies of a request, of every media type that is declared and of others. */
import fc, { type Arbitrary } from 'fast-check';
import {
  applicableSchemas,
  canRead,
  conjoinedSchemas,
  type Content,
  type Document,
  isBytes,
  isFile,
  isForm,
  isJson,
  isMultipart,
  isReferenceAlone,
  isWithin,
  isXml,
  type MediaType,
  type Schema,
  unreadForms,
  withoutParameters,
} from '../../../engine/reading';
import type { Contract } from '../contract';
import type { Oracle } from '../../samples/oracle';
import { isObject, type Json, jsonIn, JsonNumber, writeJson } from '../../samples/json';
import { fitting } from '../../samples/arbitraries';
import { examplesOf } from './examples';
import { applied, memberAt } from './changes';
import { formsOf, noForms, unlistedTypes } from './forms';
import { nearlyNumbers } from './near-numbers';
import { type Place, placesOf } from './places';
import { flatten } from '../../samples/flatten';
import { typesIn } from '../../samples/types';
import { valuesOf } from '../../samples/values';
import { isXmlNamed, isXmlText, xmlOf } from '../xml';
import { changedIn, type Limit, type Made, type Making, Unmakeable, type Variant, type Variants } from './variants';

export interface Body extends Made<Body> {
  mediaType: string | undefined;
  text: string;
  /** Sent in place of the text if they are none: a lenient reader takes them for it. */
  bytes?: Buffer;
  /** The value of the text, if it is JSON, XML, a form or plain text. */
  value?: Json;
}

export interface Bodies extends Variants<Body> {
  /** Valid, but without a media type: a server may find out which it is (RFC 9110 section 8.3). */
  untyped: Variant<Body>[];
  /** Valid, but of a media type that is not declared. */
  otherTypes: Variant<Body>[];
  /** Empty texts of media types that have none. */
  empty: Variant<Body>[];
  /** Valid JSON, but for a byte that is no UTF-8. */
  mangled: Variant<Body>[];
  /** Valid forms, but for a field that is there twice, though it is no list: many readers take one of the two. */
  repeated: Variant<Body>[];
}

/** Calls `skip` for media types that no body can be made for; throws Unmakeable if that is all of them. */
export function bodiesOf(
  { document }: Contract,
  oracle: Oracle,
  content: Content,
  limit: Limit,
  skip: (why: string) => void,
): Bodies {
  const unread = unreadForms(document, content);
  const types = Object.entries(content).flatMap(([mediaType, each]) => {
    const fault = unread.get(mediaType);
    if (fault !== undefined) {
      skip(`a body of ${mediaType} is not sent: ${fault}`);
      return [];
    }
    if (isXmlValue(document, mediaType, each) && !isXmlNamed(document, each.schema ?? {})) {
      skip(`the element of ${mediaType} has no name: give its schema xml.name, or make it a component`);
      return [];
    }
    if (each.itemSchema !== undefined) {
      skip(`a body of ${mediaType} has items, which are not sent`);
      return [];
    }
    const variants = variantsOf(document, oracle, mediaType, each, limit);
    if (!variants) skip(`no value can be made for a body of ${mediaType}: give it an example`);
    return variants ?? [];
  });
  if (types.length === 0) throw new Unmakeable('no value can be made for its body');
  const valid = fc.oneof(...types.map((each) => each.valid));
  const declared = Object.keys(content).map((mediaType) => mediaType.toLowerCase());
  const isOther = (mediaType: string): boolean =>
    !declared.some((each) => isWithin(withoutParameters(mediaType), each));
  const of = (mediaType: string | undefined): Variant<Body> => ({
    what: `a body of ${mediaType ?? 'no media type'}`,
    made: valid.map((body) => ({ ...body, mediaType })),
  });
  return {
    valid,
    edges: types.flatMap(({ edges }) => edges),
    wrongs: types.flatMap(({ wrongs }) => wrongs),
    constraints: types.flatMap(({ constraints }) => constraints),
    empty: types.flatMap(({ empty }) => empty),
    mangled: types.flatMap(({ mangled }) => mangled),
    repeated: types.flatMap(({ repeated }) => repeated),
    untyped: declared.includes('*/*') ? [] : [of(undefined)],
    otherTypes: declared.includes('*/*') ? [] : OTHER_TYPES.filter(isOther).map(of),
  };
}

function variantsOf(
  document: Document,
  oracle: Oracle,
  mediaType: string,
  content: MediaType,
  limit: Limit,
): (Variants<Body> & Pick<Bodies, 'empty' | 'mangled' | 'repeated'>) | undefined {
  const { schema = {} } = content;
  const makeOfAnySize = bodiesFor(document, mediaType, content);
  const make = (value: Json): Body | undefined => {
    const body = makeOfAnySize(value);
    return body && Buffer.byteLength(body.text) <= limit.bodyBytesMax ? body : undefined;
  };
  const isValid = (body: Body): boolean => body.value !== undefined && oracle.accepts(schema, body.value);
  const held = heldTo(document, mediaType, schema);
  const making: Making<Body> = {
    make,
    isValid,
    isWrong: (body) => body.value !== undefined && !oracle.accepts(held, body.value),
    accepts: (each, value) => oracle.accepts(each, value),
  };
  const examples = examplesOf(document, content, schema)
    .flatMap((value) => make(value) ?? [])
    .filter(isValid);
  const made = valuesOf(document, schema)?.map(make);
  const fit = made && fitting(made, (body): body is Body => body !== undefined && isValid(body));
  const all = [fit ?? [], examples.length === 0 ? [] : fc.constantFrom(...examples)].flat();
  if (all.length === 0) return undefined;
  const valid = fc.oneof(...all);
  const inUpperCase = (body: Body): Body => ({
    ...body,
    mediaType: body.mediaType?.replace(/^[^;]*/, (type) => type.toUpperCase()),
  });
  const texts = isXmlValue(document, mediaType, content) ? MALFORMED_XML : isJson(mediaType) ? MALFORMED : [];
  const malformed = isForm(mediaType) ? noForms(mediaType) : texts.map((text) => ({ mediaType, text }));
  const nearNumbers = isForm(mediaType) ? nearlyNumbers('body', document, schema, making, valid) : [];
  const places = isJson(mediaType) ? placesOf(document, schema) : [];
  const near = isJson(mediaType)
    ? nearlyJson(places, making, valid)
    : [...nearNumbers, ...(isMultipart(mediaType) ? withOtherFiles(document, mediaType, content, valid) : [])];
  const { edges, wrongs, constraints } = changedIn('body', document, held, making, valid, limit);
  return {
    valid,
    edges: [...edges, { what: 'media type in upper case', made: valid.map(inUpperCase) }],
    wrongs: [
      ...wrongs,
      ...near,
      ...malformed.map((body): Variant<Body> => ({ what: 'syntax of a body', made: fc.constant(body) })),
    ],
    constraints: [...constraints, ...near.flatMap(({ breaks }) => breaks ?? [])],
    empty: texts.length === 0 ? [] : [emptyOf(mediaType, valid)],
    mangled: isJson(mediaType) ? mangledOf(mediaType, places, making, valid) : [],
    repeated: isForm(mediaType) ? repeatedOf(mediaType, schema, making, valid) : [],
  };
}

/** The schema by which a body is wrong: bytes are only if they are too many, whatever else it says, for no schema describes them. */
function heldTo(document: Document, mediaType: string, schema: Schema): Schema {
  const isOfBytes = isBytes(mediaType) || (!canRead(mediaType) && flatten(document, schema).some(isFile));
  if (!isOfBytes) return schema;
  const maxima = [...conjoinedSchemas(document, schema)].flatMap(({ maxLength }) => maxLength ?? []).map(Number);
  return { type: 'string', format: 'binary', ...(maxima.length > 0 && { maxLength: Math.min(...maxima) }) };
}

/** Bodies with U+FFFD at the end of a text, in place of which a byte is sent that every lenient reader takes for it. */
function mangledOf(
  mediaType: string,
  places: readonly Place[],
  making: Making<Body>,
  valid: Arbitrary<Body>,
): Variant<Body>[] {
  const mangled = (before: Body): Body | undefined => {
    const body = lengthened(places, making, before, '\ufffd');
    const bytes = body && Buffer.from(body.text).toString('latin1').replaceAll('\xef\xbf\xbd', '\xff');
    return body && { ...body, bytes: Buffer.from(bytes ?? '', 'latin1') };
  };
  const made = fitting(valid.map(mangled), (body): body is Body => body !== undefined);
  return made ? [{ what: `a body of ${mediaType} that is no UTF-8`, made }] : [];
}

/** Valid forms, but for a field that is there twice, and that may not be a list. */
function repeatedOf(
  mediaType: string,
  schema: Schema,
  { make, accepts }: Making<Body>,
  valid: Arbitrary<Body>,
): Variant<Body>[] {
  const repeated = ({ value = null }: Body): Body | undefined =>
    Object.entries(isObject(value) ? value : {})
      .flatMap(([name, member]) => applied(value, { path: [name], value: [member, member] }) ?? [])
      .filter((twice) => !accepts(schema, twice))
      .flatMap((twice) => make(twice) ?? [])
      .find((body) => body.value === undefined);
  const made = fitting(valid.map(repeated), (body): body is Body => body !== undefined);
  return made ? [{ what: `a field of ${mediaType} twice`, made }] : [];
}

/** Valid forms, but for a file of a media type that its field does not take. */
function withOtherFiles(
  document: Document,
  mediaType: string,
  content: MediaType,
  valid: Arbitrary<Body>,
): Variant<Body>[] {
  return unlistedTypes(content).flatMap(([name, other]) => {
    const make = formsOf(document, mediaType, content, { [name]: other });
    const changed = valid.map((faultless): Body | undefined => {
      const form = make(faultless.value ?? null);
      return form && form.text !== faultless.text
        ? { mediaType: form.mediaType, text: form.text, faultless }
        : undefined;
    });
    const made = fitting(changed, (body): body is Body => body !== undefined);
    return made ? [{ what: `body/${name}`, made, breaks: `body/${name} contentType, got ${other}` }] : [];
  });
}

/** The body with a character more at the end of a text that may have it; undefined if there is none. */
function lengthened(
  places: readonly Place[],
  { make, isValid }: Making<Body>,
  { value = null }: Body,
  more: string,
): Body | undefined {
  const changed = places.flatMap(({ path }) => {
    const text = memberAt(value, path);
    const after = typeof text === 'string' ? applied(value, { path, value: `${text}${more}` }) : undefined;
    return after === undefined ? [] : [after]; // which may be a list itself
  });
  return changed.flatMap((each) => make(each) ?? []).find(isValid);
}

function emptyOf(mediaType: string, valid: Arbitrary<Body>): Variant<Body> {
  const what = `an empty body of ${mediaType}`;
  const made = valid.map((faultless) => ({ mediaType, text: '', faultless }));
  return { what, made, breaks: `body required, got ${what}` };
}

/** Valid bodies with a slip, over which a reader that is not strict passes. */
function nearlyJson(places: readonly Place[], making: Making<Body>, valid: Arbitrary<Body>): Variant<Body>[] {
  const withTab = (body: Body): string | undefined => {
    const { text } = lengthened(places, making, body, '\t') ?? {};
    return text?.replaceAll(/\\(.)/g, (escape, letter) => (letter === 't' ? '\t' : escape));
  };
  const slips: Record<string, (body: Body) => string | undefined> = {
    ...SLIPS,
    'a tab in a text': withTab,
    'NaN for a number': (body) => withNaN(places, body),
  };
  return Object.entries(slips).flatMap(([slip, written]) => {
    const bodies = valid.map((faultless): Body | undefined => {
      const text = written(faultless);
      return text === undefined ? undefined : { mediaType: faultless.mediaType, text, faultless };
    });
    const made = fitting(bodies, (body): body is Body => body !== undefined && jsonIn(body.text) === undefined);
    return made ? [{ what: 'syntax of a body', made, breaks: `body syntax, got ${slip}` }] : [];
  });
}

/**
 * JSON with NaN for a number: for one without bounds, if there is one, as it is within none; not for an integer, as few languages have one
 * that is NaN.
 */
function withNaN(places: readonly Place[], { value = null }: Body): string | undefined {
  const numbers = places.flatMap(({ path, flats }) => {
    const alternatives = flats.filter((flat) => typesIn(flat)?.includes('number'));
    const isThere = alternatives.length > 0 && memberAt(value, path) instanceof JsonNumber;
    return isThere ? [{ path, isFree: alternatives.some((flat) => BOUNDS.every((each) => !(each in flat))) }] : [];
  });
  const { path } = numbers.find(({ isFree }) => isFree) ?? numbers[0] ?? {};
  return path && writeJson(applied(value, { path, value: new JsonNumber('NaN') }) ?? null);
}

const BOUNDS = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf', 'enum'];

/** Makes bodies from values; undefined for a value that the media type cannot express. */
function bodiesFor(document: Document, declared: string, content: MediaType): (value: Json) => Body | undefined {
  // A range stands for a media type in it.
  const mediaType = declared === '*/*' ? typeOfAny(document, content) : declared.replace('*', 'x');
  if (isForm(mediaType)) return formsOf(document, mediaType, content);
  if (isJson(mediaType)) return (value) => ({ mediaType, value, text: writeJson(value) });
  if (isXmlValue(document, mediaType, content)) {
    const xml = xmlOf(document, content.schema ?? {});
    return (value) => {
      const made = xml(value);
      return made && { mediaType, ...made };
    };
  }
  // A body that is no text is ASCII, so that it has as many bytes as characters.
  const isText = mediaType.startsWith('text/') && !flatten(document, content.schema).some(isFile);
  const fits = (text: string): boolean => text !== '' && (isText || !/[^\0-\x7f]/.test(text));
  return (value) => (typeof value === 'string' && fits(value) ? { mediaType, value, text: value } : undefined);
}

/** A media type for a body of any: of bytes or text if its schema says no more than that. */
function typeOfAny(document: Document, { schema = {} }: MediaType): string {
  const flats = flatten(document, schema);
  if (flats.some(isFile)) return 'application/octet-stream';
  return flats.every((flat) => typesIn(flat)?.join() === 'string') ? 'text/plain' : 'application/json';
}

/** True for XML that has a value by its schema, and not only a text. */
function isXmlValue(document: Document, mediaType: string, { schema = {} }: MediaType): boolean {
  if (!isXml(mediaType) || isXmlText(document, schema)) return false;
  return ![...applicableSchemas(document, schema)].every(isReferenceAlone);
}

const OTHER_TYPES = [
  'text/plain',
  'text/html',
  'application/xml',
  'application/jsonx',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=latin1',
  'json',
];

const MALFORMED_XML = ['<', '<a', '<a>', '<a></b>', '<a/><a/>', '<a b="1" b="2"/>', '<a>&b;</a>', '{}'];

const MALFORMED = ['{', '{"a":1', '{a:1}', '[1', 'undefined', '01', 'nulL', '"\t"'];

/** Not every text has room for each: a number has no quotes. */
const SLIPS: Readonly<Record<string, (body: Body) => string>> = {
  'a comma at the end': ({ text }) => text.replace(/[\]}]$/, ',$&'),
  'single quotes': ({ text }) => text.replaceAll('"', "'"),
  'keys without quotes': ({ text }) =>
    text.replaceAll(/"((?:[^"\\]|\\.)*)"(:?)/g, (token, key: string, colon) =>
      colon !== '' && /^[a-z]\w*$/i.test(key) ? `${key}:` : token,
    ),
  'a comment': ({ text }) => `${text} // the end`,
  'a comment before it': ({ text }) => `/* the body */ ${text}`,
  'a second value': ({ text }) => `${text} {}`,
};
