/**
 * Reads an operation's parameters: converts the texts of path, query, headers and cookies to the types of their
 * schemas. Values are validated later.
 */
import type { IncomingHttpHeaders } from 'node:http';
import {
  type Document,
  isIgnored,
  type Parameter,
  type ParameterPlace,
  placeOf,
  pointerOf,
} from '../contract/document';
import type { ContractOperation } from '../contract/operations';
import type { Violation } from '../errors/api-error';
import { nearest } from '../errors/misspelt';
import { malformed } from '../http/errors';
import { OneReader } from './parameter-reader';
import { asItIs, decodeForm, pairsOf, record, type Sent, take } from './parameter-texts';
import { collected, HINTS_MAX, violationAt, VIOLATIONS_MAX } from '../schema/violation';

/** The parts of a request that have parameters. */
export interface ParameterTexts {
  /** Path parameters by name, percent-encoded. */
  path: Readonly<Record<string, string>>;
  /** The query as it was sent, without the question mark. */
  query: string;
  headers: IncomingHttpHeaders;
  /** Names and values of the headers in turn, as they were sent. */
  rawHeaders: readonly string[];
}

/** The declared parameters that were sent, by place and name. */
export type ParameterValues = Record<ParameterPlace, Readonly<Record<string, unknown>>>;

/**
 * Reads parameters. Adds violations for unreadable and undeclared ones to `found`; throws an ApiError for requests that
 * HTTP does not allow.
 */
export type ParameterReader = (texts: ParameterTexts, found: Violation[]) => ParameterValues;

/** The parameters of an operation that are read. */
export function readableParameters({ parameters }: ContractOperation): Parameter[] {
  return parameters.filter((parameter) => !isIgnored(parameter));
}

const NONE: Readonly<Record<string, unknown>> = Object.freeze({});
const NO_VALUES: ParameterValues = { path: NONE, query: NONE, header: NONE, cookie: NONE };

/** Creates the function that reads the parameters of an operation. */
export function parameterReader(document: Document, operation: ContractOperation): ParameterReader {
  const readers = readableParameters(operation).map((parameter) => new OneReader(document, parameter));
  // An object with properties of any name comes last: it gets the parameters that no other one takes.
  readers.sort((a, b) => Number(a.takesRest) - Number(b.takesRest));
  const keys = { query: keyNames(document, operation, 'query'), cookie: keyNames(document, operation, 'cookie') };
  const takesQuery = keys.query.size > 0 || readers.some((reader) => placeOf({ in: reader.where }) === 'query');
  const isOneValue = readers.some(({ where }) => where === 'querystring');
  const takesCookies = readers.some(({ where }) => where === 'cookie');
  const single = readers.filter(({ where, name }) => where === 'header' && SINGLE.has(name.toLowerCase()));

  const names = readers.filter(({ where }) => where === 'query').map(({ name }) => name);
  const meantBy = (name: string): string => {
    const meant = nearest(name, names);
    return meant === undefined ? '' : `; ${meant} may be meant`;
  };

  return function readParameters({ path, query, headers, rawHeaders }, found) {
    if (readers.length === 0 && query === '') return NO_VALUES;
    for (const { name } of single) refuseRepeated(name.toLowerCase(), rawHeaders);
    const pairs = {
      query: pairsOf(isOneValue ? '' : query, '&', decodeForm),
      cookie: takesCookies ? pairsOf(headers.cookie ?? '', /;[ \t]*/, asItIs) : new Map<string, Sent>(),
    };
    const values = { path: record(), query: record(), header: record(), cookie: record() };
    for (const reader of readers) {
      const { where, name } = reader;
      const value = collected(found, () => {
        if (where === 'query' || where === 'cookie') {
          if (reader.takesRest) for (const key of keys[where]) take(pairs[where].get(key)); // no data
          return reader.fromPairs(pairs[where]);
        }
        const text = where === 'path' ? path[name] : where === 'header' ? headers[name.toLowerCase()] : query;
        return text === undefined || (where === 'querystring' && query === '')
          ? undefined
          : reader.fromText(String(text));
      });
      if (value !== undefined) values[placeOf({ in: where })][name] = value;
    }
    for (const [name, { isRead }] of pairs.query) {
      if (isRead || keys.query.has(name)) continue;
      found.push(
        violationAt(
          pointerOf(['query', name]),
          `${NOT_DECLARED}${found.length < HINTS_MAX ? meantBy(name) : ''}`,
          'one',
        ),
      );
      if (found.length >= VIOLATIONS_MAX) break; // a query has room for thousands
    }
    // A query of ampersands only has no parameter, and is accepted.
    if (!takesQuery && query !== '' && pairs.query.size === 0) found.push(violationAt('/query/', NOT_DECLARED, 'one'));
    return values;
  };
}

/** The headers of which Node keeps the first and drops the others; it joins those of other names with commas. */
const SINGLE: ReadonlySet<string> = new Set([
  ...['age', 'etag', 'expires', 'from', 'if-modified-since', 'if-unmodified-since', 'last-modified', 'location'],
  ...['max-forwards', 'proxy-authorization', 'referer', 'retry-after', 'server', 'user-agent'],
]);

function refuseRepeated(lower: string, rawHeaders: readonly string[]): void {
  const sent = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === lower);
  if (sent.length > 1) throw malformed(`one ${lower} header, got several`);
}

const NOT_DECLARED = 'expected no parameter of this name';

/** The query parameters or cookies that are credentials, which `auth/` reads. */
function keyNames(
  { components = {} }: Document,
  { security }: ContractOperation,
  place: 'query' | 'cookie',
): ReadonlySet<string> {
  const schemes = security.flatMap((alternative) => Object.keys(alternative));
  return new Set(
    schemes.flatMap((scheme) => {
      const { in: where, name } = components.securitySchemes?.[scheme] ?? {};
      return where === place && name !== undefined ? [name] : [];
    }),
  );
}
