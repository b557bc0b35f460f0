/** Bodies of a request, of every media type that is declared and of others. */
import fc, { type Arbitrary } from 'fast-check';
import type { Content, Document, MediaType } from '../../contract/document';
import type { Contract } from '../contract';
import type { Oracle } from '../../samples/oracle';
import { type Json, writeJson } from '../../samples/json';
import { fitting } from '../../samples/arbitraries';
import { formsOf, isForm, noForms } from './forms';
import { valuesOf } from '../../samples/values';
import { changedIn, Unmakeable, type Variant, type Variants } from './variants';

export interface Body {
  mediaType: string | undefined;
  text: string;
  /** What the text says, where it is JSON, a form or plain text. */
  value?: Json;
}

export interface Bodies extends Variants<Body> {
  /** Valid, but of a media type that is not declared. */
  otherTypes: Variant<Body>[];
}

export function bodiesOf(contract: Contract, oracle: Oracle, content: Content): Bodies {
  const types = Object.entries(content).map(([mediaType, each]) => variantsOf(contract, oracle, mediaType, each));
  const valid = fc.oneof(...types.map((each) => each.valid));
  const declared = Object.keys(content).map((mediaType) => mediaType.toLowerCase());
  const others = [
    undefined,
    ...OTHER_TYPES.filter((mediaType) => !declared.includes(mediaType.replace(/; boundary=.*/, ''))),
  ];
  return {
    valid,
    edges: types.flatMap(({ edges }) => edges),
    wrongs: types.flatMap(({ wrongs }) => wrongs),
    otherTypes: others.map((mediaType) => ({
      what: `a body of ${mediaType ?? 'no media type'}`,
      made: valid.map((body) => ({ ...body, mediaType })),
    })),
  };
}

function variantsOf({ document }: Contract, oracle: Oracle, mediaType: string, content: MediaType): Variants<Body> {
  const { schema = {} } = content;
  const isValid = (value: Json): boolean => oracle.accepts(schema, value);
  const bodyOf = bodiesFor(document, mediaType, content);
  const bodies = (made: Arbitrary<Json | undefined>, fits: (value: Json) => boolean): Arbitrary<Body> | undefined => {
    const all = made.map((value) => (value === undefined ? undefined : bodyOf(value)));
    return fitting(all, (body): body is Body => body?.value !== undefined && fits(body.value));
  };
  const values = valuesOf(document, schema);
  const valid = values && bodies(values, isValid);
  if (!valid) throw new Unmakeable(`no value can be made for a body of ${mediaType}`);
  const changed = (fits: (value: Json) => boolean): Variant<Body>[] =>
    changedIn('body', document, schema, (changes) => bodies(changes, fits));
  const inUpperCase = (body: Body): Body => ({
    ...body,
    mediaType: body.mediaType?.replace(/^[^;]*/, (type) => type.toUpperCase()),
  });
  const json = isJson(mediaType) ? MALFORMED.map((text) => ({ mediaType, text })) : [];
  const malformed = isForm(mediaType) ? noForms(mediaType) : json;
  return {
    valid,
    edges: [...changed(isValid), { what: 'media type in upper case', made: valid.map(inUpperCase) }],
    wrongs: [
      ...changed((value) => !isValid(value)),
      ...malformed.map((body): Variant<Body> => ({ what: 'syntax of a body', made: fc.constant(body) })),
    ],
  };
}

/** Makes bodies of values, as far as the media type can say them; undefined where it cannot. */
function bodiesFor(document: Document, mediaType: string, content: MediaType): (value: Json) => Body | undefined {
  if (isForm(mediaType)) return formsOf(document, mediaType, content);
  if (isJson(mediaType)) return (value) => ({ mediaType, value, text: writeJson(value) });
  return (value) => (typeof value === 'string' && value !== '' ? { mediaType, value, text: value } : undefined);
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

const MALFORMED = ['{', '{"a":1', '{"a":1,}', "{'a':1}", '{a:1}', '[1', 'undefined', '{} {}', '01', 'nulL', '"\t"'];

function isJson(mediaType: string): boolean {
  return /[/+]json$/i.test(mediaType);
}
