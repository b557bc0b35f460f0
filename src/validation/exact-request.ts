/**
 * The integers of one operation's requests: shown to the validator as stand-ins, given to the handler as they were
 * written (`integers.ts` says why).
 */
import type { Request } from 'express';
import type { Json } from '../http/json';
import type { ContractOperation } from '../contract/operations';
import { exactInteger, isNumberText, noInteger, standIn } from './integers';
import { type IntegerPlaces, integerPlaces } from './integer-places';
import type { Document, Parameter } from '../contract/document';
import { applicableSchemas, isInt64, typesOf } from '../contract/walk';

/** Puts stand-ins into a matched request whose body is read; what it gives puts the exact values back, after validation. */
export type ShowStandIns = (request: Request) => () => void;

/** How the integers of an operation's bodies and parameters are read; where they are is worked out once. */
export function exactRequests(document: Document, operation: ContractOperation): ShowStandIns {
  const bodies = new Map<string, IntegerPlaces>();
  for (const [mediaType, { schema }] of Object.entries(operation.requestBody?.content ?? {})) {
    const places = schema && integerPlaces(document, schema);
    if (places) bodies.set(mediaType, places);
  }
  const parameters = operation.parameters.flatMap((parameter) => numericParameter(document, parameter));
  const inQuery = parameters.some(({ field }) => field === 'query');

  return function showStandIns(request) {
    const { json, mediaType } = request;
    const places = mediaType === undefined ? undefined : bodies.get(mediaType);
    if (places && json?.sources) request.body = standInBody(places, json);
    if (inQuery) keepQuery(request);
    const exact = parameters.map((parameter) => standInParameter(parameter, request));
    return function restoreExact() {
      if (places && json) request.body = exactBody(places, json);
      for (const restore of exact) restore();
    };
  };
}

function standInBody(places: IntegerPlaces, json: Json): unknown {
  places.visit(json, 'value', (holder, key, int64) => {
    const source = json.sources?.get(holder)?.get(key);
    if (source !== undefined) holder[key] = standInOf(source, int64);
  });
  return json.value;
}

function exactBody(places: IntegerPlaces, json: Json): unknown {
  places.visit(json, 'value', (holder, key, int64) => {
    const source = json.sources?.get(holder)?.get(key);
    if (source !== undefined) holder[key] = exactOf(source, int64);
    else if (int64) holder[key] = BigInt(Number(holder[key]));
  });
  return json.value;
}

/** Handlers get an integer that is not int64 as a number, so it must be one that a number says exactly. */
function standInOf(source: string, int64: boolean): number {
  const exact = exactInteger(source);
  return int64 || Number.isSafeInteger(Number(exact)) ? standIn(exact) : noInteger(source);
}

/** A fraction stays what it is, where the contract allows it beside an integer. */
function exactOf(source: string, int64: boolean): bigint | number {
  const exact = exactInteger(source);
  return int64 && typeof exact === 'bigint' ? exact : Number(source);
}

/** A parameter of numbers: one, or a list of them, and how the list is written. */
interface NumericParameter {
  field: 'params' | 'query' | 'headers';
  name: string;
  integer: boolean;
  int64: boolean;
  /** What stands between the members of a list; undefined where each is a parameter of its own. */
  delimiter: string | undefined;
}

const FIELDS = { path: 'params', query: 'query', header: 'headers' } as const;
const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

function numericParameter(document: Document, parameter: Parameter): NumericParameter[] {
  if (parameter.schema === undefined || parameter.in === 'cookie') return [];
  const schemas = applicableSchemas(document, parameter.schema);
  const isList = typesOf(schemas).has('array');
  const members = isList ? [...schemas].flatMap(({ items }) => [...applicableSchemas(document, items)]) : [...schemas];
  const types = typesOf(members);
  if (types.has('string') || !(types.has('integer') || types.has('number'))) return [];
  const { in: where, name, style = '', explode = where === 'query' } = parameter;
  return [
    {
      field: FIELDS[where],
      name: where === 'header' ? name.toLowerCase() : name,
      integer: types.has('integer') && !types.has('number'),
      int64: isInt64(members),
      delimiter: isList && !explode ? (DELIMITERS[style] ?? ',') : undefined,
    },
  ];
}

/** Not a number in any grammar, so that the validator's looser one (`0x10`, ` 5 `) does not take it for one either. */
const NO_NUMBER = '#';

function standInParameter({ field, name, integer, int64, delimiter }: NumericParameter, request: Request): () => void {
  // Before the validator has run, path parameters stand where it put them when it matched the operation.
  const holder: Record<string, unknown> = field === 'params' ? (request.openapi?.pathParams ?? {}) : request[field];
  const raw = holder[name];
  if (typeof raw !== 'string' && !isTextList(raw)) return () => undefined;
  const texts = typeof raw === 'string' ? (delimiter === undefined ? [raw] : raw.split(delimiter)) : raw;
  const shown = texts.map((text) => {
    if (!isNumberText(text)) return NO_NUMBER;
    if (integer) return String(standInOf(text, int64));
    return Number.isFinite(Number(text)) ? text : NO_NUMBER;
  });
  holder[name] = typeof raw !== 'string' ? shown : shown.join(delimiter);
  return function restoreParameter() {
    if (!int64) return;
    const validated = holder[name];
    holder[name] = Array.isArray(validated)
      ? texts.map((text) => exactOf(text, int64))
      : exactOf(texts[0] ?? '', int64);
  };
}

/** Express parses the query anew for everyone who asks; what is put into it here is to be seen by those who come after. */
function keepQuery(request: Request): void {
  Object.defineProperty(request, 'query', {
    value: request.query,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
