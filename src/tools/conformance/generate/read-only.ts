/** Requests that set a property which is `readOnly`: a server may refuse them or leave it out, but not take it. */
import fc from 'fast-check';
import { type Content, type Document, isAnnotated, isJson, type Schema } from '../../../engine/reading';
import { fitting } from '../../samples/arbitraries';
import { flatten } from '../../samples/flatten';
import { isObject, type Json, JsonNumber, writeJson } from '../../samples/json';
import { listedIn } from '../../samples/types';
import { valuesOf } from '../../samples/values';
import type { Contract, Operation } from '../contract';
import { memberAt } from './changes';
import type { KnownValues } from './known-values';
import type { Case, Cases } from './requests';

/** The shortest JSON of a value that a server hardly has by itself; and the number of values that show which of a list it has. */
const LENGTH_MIN = 7;
const KNOWN_MIN = 20;

/** Of objects of JSON, for each property that is `readOnly` in them and in every success; after valid requests, whose values are `known`. */
export function settingReadOnly(
  { answers }: Contract,
  { path, fullBody, responses }: Operation,
  { known: requests }: Pick<Cases, 'known'>,
  known: KnownValues,
): Case[] {
  const successes = [...responses].flatMap(([status, { content }]) =>
    status.startsWith('2') && Object.keys(content).length > 0 ? [content] : [],
  );
  const [sent, ...others] = [fullBody, ...successes].map((content) => readOnlyIn(answers, content));
  const bodies = fitting(
    requests,
    ({ request, body }) => isObject(body) && isJson(request.headers['Content-Type'] ?? ''),
  );
  const names = [...(sent?.keys() ?? [])].filter((name) => others.length > 0 && others.every((each) => each.has(name)));
  return names.flatMap((name): Case[] => {
    const before = known.find(path, name).map(writeJson);
    const isListed = flatten(answers, sent?.get(name)).some((flat) => listedIn(flat) !== undefined);
    const isDistinct = (value: Json): boolean => {
      const isScalar = typeof value === 'string' || value instanceof JsonNumber;
      const isOther = isListed ? before.length >= KNOWN_MIN : writeJson(value).length >= LENGTH_MIN;
      return isScalar && isOther && !before.includes(writeJson(value));
    };
    const values = fitting(valuesOf(answers, sent?.get(name), 'full') ?? fc.constant(null), isDistinct);
    if (!bodies || !values) return [];
    return [
      {
        expected: { request: `a readOnly body/${name}`, wanted: '400', isRefusal: true, met: () => 'yes' },
        requests: fc.tuple(bodies, values).map(([{ request, body: others, ...rest }, value]) => {
          const body = { ...(isObject(others) ? others : {}), [name]: value };
          return { ...rest, body, request: { ...request, body: writeJson(body) } };
        }),
        problemOf({ body = null }, received) {
          const [value, came] = [memberAt(body, [name]) ?? null, memberAt(received, [name]) ?? null];
          const isTaken = came !== null && writeJson(value) === writeJson(came);
          return isTaken ? `takes a readOnly body/${name}, expected it to be refused or left out` : undefined;
        },
      },
    ];
  });
}

/** The properties that are `readOnly` in every object of the content's JSON. */
function readOnlyIn(document: Document, content: Content): ReadonlyMap<string, Schema> {
  const flats = Object.entries(content).flatMap(([type, { schema }]) =>
    isJson(type) ? flatten(document, schema) : [],
  );
  const [first = {}, ...others] = flats.map(({ properties = {} }) => properties);
  const isReadOnly = (property: unknown): boolean => isAnnotated(document, property, 'readOnly');
  return new Map(
    Object.entries(first).filter(([name, each]) => [each, ...others.map((other) => other[name])].every(isReadOnly)),
  );
}
