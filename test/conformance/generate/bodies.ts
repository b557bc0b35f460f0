/** Bodies of a request, of every media type that is declared and of others. */
import fc, { type Arbitrary } from 'fast-check';
import type { Content, Schema } from '../../../src/contract/document';
import type { Contract } from '../contract';
import type { Oracle } from '../judge/oracle';
import { type Json, writeJson } from '../json';
import { fitting } from './arbitraries';
import { valuesOf } from './values';
import { changedIn, Unmakeable, type Variant, type Variants } from './variants';

export interface Body {
  mediaType: string | undefined;
  text: string;
  /** What the text says, where it is JSON or plain text. */
  value?: Json;
}

export interface Bodies extends Variants<Body> {
  /** Valid, but of a media type that is not declared. */
  otherTypes: Variant<Body>[];
}

export function bodiesOf(contract: Contract, oracle: Oracle, content: Content): Bodies {
  const types = Object.entries(content).map(([mediaType, { schema = {} }]) =>
    variantsOf(contract, oracle, mediaType, schema),
  );
  const valid = fc.oneof(...types.map((each) => each.valid));
  const declared = Object.keys(content).map((mediaType) => mediaType.toLowerCase());
  const others = [undefined, ...OTHER_TYPES.filter((mediaType) => !declared.includes(mediaType))];
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

function variantsOf({ document }: Contract, oracle: Oracle, mediaType: string, schema: Schema): Variants<Body> {
  const isValid = (value: Json): boolean => oracle.accepts(schema, value);
  const values = valuesOf(document, schema);
  const valid = values && bodies(mediaType, values, isValid);
  if (!valid) throw new Unmakeable(`no value can be made for a body of ${mediaType}`);
  const changed = (fits: (value: Json) => boolean): Variant<Body>[] =>
    changedIn('body', document, schema, (changes) => bodies(mediaType, changes, fits));
  const otherLetters = valid.map((body) => ({ ...body, mediaType: mediaType.toUpperCase() }));
  const malformed = isJson(mediaType) ? MALFORMED.map((text) => fc.constant({ mediaType, text })) : [];
  return {
    valid,
    edges: [...changed(isValid), { what: 'media type in upper case', made: otherLetters }],
    wrongs: [
      ...changed((value) => !isValid(value)),
      ...malformed.map((made): Variant<Body> => ({ what: 'JSON syntax', made })),
    ],
  };
}

/** Those values that fit, as far as the media type can say them. */
function bodies(
  mediaType: string,
  values: Arbitrary<Json | undefined>,
  fits: (value: Json) => boolean,
): Arbitrary<Body> | undefined {
  const all = values.map((value): Body | undefined => {
    if (value === undefined || !fits(value)) return undefined;
    if (isJson(mediaType)) return { mediaType, value, text: writeJson(value) };
    return typeof value === 'string' && value !== '' ? { mediaType, value, text: value } : undefined;
  });
  return fitting(all, (body) => body !== undefined);
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
