/** Parameters of a request, from their schemas and from values that the server is known to have. */
import fc, { type Arbitrary } from 'fast-check';
import { type Document, isJson, isSchema, type Parameter } from '../../../engine/reading';
import { type Contract, schemaOf } from '../contract';
import type { Oracle } from '../../samples/oracle';
import { isObject, type Json, JsonNumber, type JsonObject } from '../../samples/json';
import { fitting } from '../../samples/arbitraries';
import { flatten } from '../../samples/flatten';
import { isInReach } from '../../samples/numbers';
import { typesIn } from '../../samples/types';
import { examplesOf } from './examples';
import type { KnownValues } from './known-values';
import { nearlyNumbers } from './near-numbers';
import { percentEncoded, readings, serialize, type Serialized, styleOf, textOf } from '../../samples/serialize';
import { valuesOf } from '../../samples/values';
import { changedIn, type Limit, type Made, type Making, Unmakeable, type Variant, type Variants } from './variants';

export interface ParameterValue extends Made<ParameterValue> {
  value: Json;
  serialized: Serialized;
}

export interface ParameterVariants extends Variants<ParameterValue> {
  /** Values that the server has accepted or answered, if there are some; else any valid ones. */
  known: Arbitrary<ParameterValue>;
  /** A query parameter that is sent twice, though it is no list: many readers take it for one. Undefined for any other parameter. */
  twice: Arbitrary<ParameterValue> | undefined;
}

export class Parameters {
  constructor(
    private readonly contract: Contract,
    private readonly oracle: Oracle,
    private readonly known: KnownValues,
    private readonly limit: Limit,
  ) {}

  /** `path` is that of the operation. Throws Unmakeable. */
  variants(parameter: Parameter, path: string): ParameterVariants {
    const { document } = this.contract;
    const { schema, mediaType } = schemaOf(parameter);
    const fits = (value: Json): boolean => this.oracle.accepts(schema, value);
    const flats = flatten(document, schema);
    const isText = mediaType === undefined || !isJson(mediaType);
    const takesText = isText && flats.some((flat) => typesIn(flat)?.includes('string') ?? true);
    // Properties may be parameters of their own, and of other names they would be undeclared ones.
    const takesAny = flats.some(({ type, properties }) => type === 'object' && !properties);
    const names = new Set(flats.flatMap(({ properties = {} }) => Object.keys(properties)));
    const { style, explode } = styleOf(parameter);
    const areOwn = explode && /^(?:form|cookie|matrix)$/.test(style);
    const isClosed = !areOwn && flats.some(({ additionalProperties: rest }) => rest === false || isSchema(rest));
    const readingsOf = (value: Json): Json[] => {
      const member = { [parameter.name]: value };
      return [...readings(value), ...(isObject(value) ? [] : [member, ...readings(member).filter(isObject)])];
    };
    // Many readers take one of the values of a name that comes several times, unless it can only be a list.
    const isList = flats.every((flat) => typesIn(flat)?.join() === 'array');
    const readingsOfAny = ({ value, serialized: { query = [] } }: ParameterValue): Json[] =>
      [value, ...(Array.isArray(value) && query.length > 1 && !isList ? value : [])].flatMap(readingsOf);
    const making: Making<ParameterValue> = {
      make(value) {
        const isOther = isObject(value) && mediaType === undefined && names.size === 0 && !takesAny;
        const isOpen = mediaType !== undefined || names.size === 0 || isClosed;
        const own = isObject(value) && !isOpen ? only(value, names) : value;
        const serialized = isOther ? undefined : serialize(parameter, own);
        return serialized && { value: own, serialized };
      },
      // A text that may be a string is one.
      isValid: ({ value }) =>
        fits(value) && (!takesText || readings(value).every((each) => typeof each !== 'string' || fits(each))),
      // A text that a reader could take for a valid value, or for the property of one, is not wrong. Nor is a path of which many frameworks
      // make another, because they decode it before they route, and make one slash of two.
      isWrong: (given) =>
        !fits(given.value) &&
        !(isText && readingsOfAny(given).some(fits)) &&
        !(parameter.in === 'path' && /^(?:%2F|\/)|(?:%2F|\/){2}|(?:%2F|\/)$/i.test(given.serialized.text ?? '')),
      accepts: (each, value) => this.oracle.accepts(each, value),
    };
    const valuesAmong = (given: readonly Json[]): ParameterValue[] =>
      given.flatMap((value) => making.make(value) ?? []).filter(making.isValid);
    // A body may have had a number with the name of an integer.
    const isKnownInteger = (value: Json): boolean =>
      !(value instanceof JsonNumber) ||
      flats.some((flat) => typesIn(flat)?.join() !== 'integer' || isInReach(flat, value));
    const known = valuesAmong(this.known.find(path, parameter.name).filter(isKnownInteger));
    const kept = [...known, ...valuesAmong(examplesOf(document, parameter, schema))];
    const values = valuesOf(document, schema)?.map(making.make);
    const made =
      values && fitting(values, (each): each is ParameterValue => each !== undefined && making.isValid(each));
    const valid = [made ?? [], kept.length === 0 ? [] : fc.constantFrom(...kept)].flat();
    if (valid.length === 0) throw new Unmakeable(`no value can be made for ${nameOf(parameter)}: give it an example`);
    const any = fc.oneof(...valid);
    const isSingle = ({ value, serialized }: ParameterValue): boolean =>
      serialized.query?.length === 1 &&
      !Array.isArray(value) &&
      !isObject(value) &&
      !readings([value, value]).some((each) => Array.isArray(each) && fits(each));
    const near = isText
      ? [...nearlyNumbers(nameOf(parameter), document, schema, making, any), ...nearlyGiven(parameter, making, any)]
      : [];
    const { edges, wrongs, constraints } = changedIn(nameOf(parameter), document, schema, making, any, this.limit);
    return {
      valid: any,
      edges,
      wrongs: [...wrongs, ...near],
      constraints: [...constraints, ...near.flatMap(({ breaks }) => breaks ?? [])],
      twice: fitting(any, isSingle)?.map(({ value, serialized: { query = [] } }) => ({
        value,
        serialized: { query: [...query, ...query] },
      })),
      known: known.length === 0 ? any : fc.constantFrom(...known),
    };
  }
}

/** In a query, nothing for a number or boolean, which many readers take for none, and one text for a list, which they split at its commas. */
function nearlyGiven(
  { in: where, name, style = 'form', explode = true, allowEmptyValue }: Parameter,
  { isWrong }: Making<ParameterValue>,
  valid: Arbitrary<ParameterValue>,
): Variant<ParameterValue>[] {
  if (where !== 'query' || style !== 'form') return [];
  const texts: Record<string, (value: Json) => string[] | undefined> = {
    'an empty value': (value) =>
      allowEmptyValue !== true && (value instanceof JsonNumber || typeof value === 'boolean') ? [''] : undefined,
    'a list with commas': (value) =>
      explode && Array.isArray(value) && value.length > 1 ? value.map((each) => textOf(each) ?? '') : undefined,
  };
  return Object.entries(texts).flatMap(([what, textsOf]) => {
    const given = valid.map((faultless): ParameterValue | undefined => {
      const items = textsOf(faultless.value);
      if (!items) return undefined;
      const query = [`${percentEncoded(name)}=${items.map(percentEncoded).join()}`];
      return { value: items.join(), serialized: { query }, faultless };
    });
    const made = fitting(given, (each): each is ParameterValue => each !== undefined && isWrong(each));
    const place = nameOf({ in: where, name });
    return made ? [{ what: place, made, breaks: `${place}, got ${what}` }] : [];
  });
}

/** True for an object whose properties, of any name, are query parameters of their own. */
export function takesAnyName(document: Document, parameter: Parameter): boolean {
  const { in: where, style = 'form', explode = true } = parameter;
  const { schema, mediaType } = schemaOf(parameter);
  if (where !== 'query' || style !== 'form' || !explode || mediaType !== undefined) return false;
  return flatten(document, schema).some((flat) => {
    const { properties, patternProperties, additionalProperties = properties === undefined } = flat;
    const isOpen = additionalProperties !== false || patternProperties !== undefined;
    return isOpen && typesIn(flat)?.includes('object') === true;
  });
}

function only(object: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.has(name)));
}

/** `query limit` */
export function nameOf({ in: location, name }: Parameter): string {
  return `${location} ${name}`;
}
