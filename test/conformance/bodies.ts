/** Bodies as a request gives them: of every media type that is declared, valid and wrong, and of those that are not. */
import fc, { type Arbitrary } from 'fast-check';
import type { Content, Schema } from '../../src/contract/document';
import { type Json, writeJson } from './json';
import type { Oracle } from './oracle';
import { fitting, Unmakeable, type Variant, variants } from './samples';
import type { Values } from './values';

export interface GivenBody {
  mediaType: string | undefined;
  text: string;
  /** What the text says, where it is meant to be something. */
  value?: Json;
}

/** The bodies of an operation. */
export interface GivenBodies {
  valid: Arbitrary<GivenBody>;
  edges: Variant<GivenBody>[];
  /** Of a declared type, but not what the schema says. */
  wrongs: Variant<GivenBody>[];
  /** What would be right, if it were of a type that is declared. */
  otherTypes: Variant<GivenBody>[];
}

export class Bodies {
  private readonly made = new Map<Content, GivenBodies>();

  constructor(
    private readonly values: Values,
    private readonly oracle: Oracle,
  ) {}

  of(content: Content): GivenBodies {
    const known = this.made.get(content);
    if (known) return known;
    const types = Object.entries(content).map(([mediaType, { schema = {} }]) => this.ofType(mediaType, schema));
    const valid = fc.oneof(...types.map((each) => each.valid));
    const bodies = {
      valid,
      edges: types.flatMap(({ edges }) => edges),
      wrongs: types.flatMap(({ wrongs }) => wrongs),
      otherTypes: otherTypes(Object.keys(content)).map((mediaType) => ({
        what: `a body of ${mediaType ?? 'no media type'}`,
        made: valid.map((body) => ({ ...body, mediaType })),
      })),
    };
    this.made.set(content, bodies);
    return bodies;
  }

  private ofType(mediaType: string, schema: Schema): Omit<GivenBodies, 'otherTypes'> {
    const values = this.values.valid(schema);
    const valid = values && this.written(mediaType, schema, values, true);
    if (!valid) throw new Unmakeable(`no value can be made for a body of ${mediaType}`);
    return {
      valid,
      edges: [
        ...variants('body', this.values.edges(schema), (edge) => this.written(mediaType, schema, edge, true)),
        {
          what: 'its media type in other letters',
          made: valid.map((body) => ({ ...body, mediaType: mediaType.toUpperCase() })),
        },
      ],
      wrongs: [
        ...variants('body', this.values.wrongs(schema), (wrong) => this.written(mediaType, schema, wrong, false)),
        ...(isJson(mediaType) ? MALFORMED.map((text) => malformed(mediaType, text)) : []),
      ],
    };
  }

  /** Those values that are valid, or those that are not, as far as the media type can say them. */
  private written(
    mediaType: string,
    schema: Schema,
    values: Arbitrary<Json>,
    valid: boolean,
  ): Arbitrary<GivenBody> | undefined {
    const sayable = isJson(mediaType) ? values : fitting(values, (value) => typeof value === 'string' && value !== '');
    const fits = (value: Json): boolean => (this.oracle.problem(schema, value) === undefined) === valid;
    const fit = sayable && fitting(sayable, fits);
    return fit?.map((value) => ({
      mediaType,
      value,
      text: typeof value === 'string' && !isJson(mediaType) ? value : writeJson(value),
    }));
  }
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

function otherTypes(declared: readonly string[]): (string | undefined)[] {
  const names = declared.map((mediaType) => mediaType.toLowerCase());
  return [undefined, ...OTHER_TYPES.filter((mediaType) => !names.includes(mediaType))];
}

const MALFORMED = ['{', '{"a":1', '{"a":1,}', "{'a':1}", '{a:1}', '[1', 'undefined', '{} {}', '01', 'nulL', '"\t"'];

function malformed(mediaType: string, text: string): Variant<GivenBody> {
  return { what: `a body that is no JSON: ${JSON.stringify(text)}`, made: fc.constant({ mediaType, text }) };
}

function isJson(mediaType: string): boolean {
  return /[/+]json$/i.test(mediaType);
}
