/** What a server may let pass, or refuse, that it should not: it mends the request, or spoils it, before it looks. */
import type { Fault } from './faults-of-answers';
import { NumberText } from './json';
import { mending, mendingBody, mendingHeader, mendingProperty, type Middle } from './middle';

const PAST_INT64 = 2n ** 63n;
const FAR_BELOW_INT64 = -(2n ** 64n);

/** The server lets pass … */
export const leniences: Fault[] = [
  {
    fault: 'a plant without its name',
    middle: mendingBody((plant) => ({ name: '', ...plant })),
    found: ['lets pass a request with body/name missing, expected 400'],
  },
  {
    fault: 'null for a name',
    middle: mendingProperty('name', (name) => name ?? ''),
    found: ['lets pass a request with body/name null, expected 400'],
  },
  {
    fault: 'a list for a name',
    middle: mendingProperty('name', (name) => (Array.isArray(name) ? '' : name)),
    found: ['lets pass a request with body/name of type array, expected 400'],
  },
  {
    fault: 'a name that is not of its pattern',
    middle: mendingProperty('name', (name) => (typeof name === 'string' ? name.replaceAll('\0', '') : name)),
    found: ['lets pass a request with body/name not of its pattern, expected 400'],
  },
  {
    fault: 'an id in quotes',
    middle: mendingProperty('id', (id) => (id === '5' ? fresh() : id)),
    found: ['lets pass a request with body/id of type string that says a number, expected 400'],
  },
  {
    fault: 'an id that is a truth value',
    middle: mendingProperty('id', (id) => (typeof id === 'boolean' ? fresh() : id)),
    found: ['lets pass a request with body/id of type boolean, expected 400'],
  },
  {
    fault: 'an id just past int64',
    middle: mendingProperty('id', (id) => (id === PAST_INT64 ? fresh() : id)),
    found: ['lets pass a request with body/id just above the greatest, expected 400'],
  },
  {
    fault: 'an id that only a double holds',
    middle: mendingProperty('id', (id) => (typeof id === 'bigint' && id < FAR_BELOW_INT64 ? fresh() : id)),
    found: ['lets pass a request with body/id far below the least, expected 400'],
  },
  {
    fault: 'a fraction of an id',
    middle: mendingProperty('id', (id) => (id instanceof NumberText ? fresh() : id)),
    found: ['lets pass a request with body/id a fraction, expected 400'],
  },
  {
    fault: 'a list for a plant',
    middle: mendingText((text) => (/^\[(?:1,2|"text")?\]$/.test(text) ? plant() : text)),
    found: ['lets pass a request with body of type array, expected 400'],
  },
  {
    fault: 'a comma too many',
    middle: mendingText((text) => (text === '{"a":1,}' ? plant() : text)),
    found: ['lets pass a request with a body that is no JSON: "{\\"a\\":1,}", expected 400'],
  },
  {
    fault: 'no plant at all',
    middle: mending(({ body = '', headers, ...request }) =>
      body === ''
        ? { ...request, headers: { ...headers, 'content-type': 'application/json' }, body: plant() }
        : { ...request, headers, body },
    ),
    found: ['lets pass a request with no body, expected 400'],
  },
  {
    fault: 'a query that is not declared',
    middle: mending((request) => ({ ...request, target: request.target.replace('?undeclared=1', '') })),
    found: ['lets pass a request with an undeclared query parameter, expected 400'],
  },
  {
    fault: 'a body of another media type',
    middle: mendingHeader('content-type', (type) => type.replace('text/plain', 'application/json')),
    found: ['lets pass a request with a body of text/plain, expected 415'],
  },
  {
    fault: 'a body of another charset',
    middle: mendingHeader('content-type', (type) => type.replace('latin1', 'utf-8')),
    found: ['lets pass a request with a body of application/json; charset=latin1, expected 415'],
  },
];

/** The server refuses … */
export const severities: Fault[] = [
  {
    fault: 'a number that is spelt otherwise',
    middle: mendingText((text) => text.replace(/"id":-?[\d.]+(?:\.0\b|e\d+)/, '"id":null')),
    found: [
      'answers 400 to a valid request with body/id with a fraction or an exponent of zero, expected it to be accepted',
    ],
  },
  {
    fault: 'what the contract does not name',
    middle: mendingBody((body) => ('undeclared0' in body ? {} : body)),
    found: ['answers 400 to a valid request with body with more than is declared, expected it to be accepted'],
  },
  {
    fault: 'a media type in other letters',
    middle: mendingHeader('content-type', (type) => type.replace('JSON', 'x')),
    found: ['answers 415 to a valid request with its media type in other letters, expected it to be accepted'],
  },
  {
    fault: 'whoever has no token, where none is asked for',
    middle: (request, forward) => forward(request),
    edits: [[['security'], []]],
    found: ['answers 401 to who may come in'],
  },
  {
    fault: 'whoever has a token',
    middle: mendingHeader('authorization', () => 'Bearer unknown'),
    found: ['answers 401 to who may come in'],
  },
];

function mendingText(mend: (text: string) => string): Middle {
  return mending(({ body, ...request }) => ({ ...request, ...(body !== undefined && { body: mend(body) }) }));
}

let last = 1_000_000n;

/** An id that no plant has, so that it is not found to be taken. */
function fresh(): bigint {
  return last++;
}

function plant(): string {
  return `{"id":${fresh()},"name":""}`;
}
