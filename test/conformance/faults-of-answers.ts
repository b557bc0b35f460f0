/** What may be wrong with the answers of a server, and what is then to be found. */
import type { Json } from './json';
import { altering, alteringBody, type Middle } from './middle';

/** A change of the contract that the server is judged by: a place in it, and what is to stand there. */
export type Edit = [path: string[], value: unknown];

export interface Fault {
  /** The server answers … */
  fault: string;
  middle: Middle;
  found: string[];
  edits?: Edit[];
}

const OPERATION = ['paths', '/plants', 'post'];
const OK = [...OPERATION, 'responses', '200'];
const COUNTED: Edit = [[...OK, 'headers'], { 'X-Count': { required: true, schema: { type: 'integer' } } }];
const NO_CONTENT: Edit = [[...OPERATION, 'responses', '204'], { description: 'The plant is stored.' }];
const ID_SHOWN: Edit = [[...OK, 'content', 'application/json', 'schema', '$ref'], '#/components/schemas/NewPlant'];

export const faultsOfAnswers: Fault[] = [
  {
    fault: 'nothing',
    middle: altering(200, () => {
      throw new Error('the answer is lost');
    }),
    found: ['gives no answer in HTTP'],
  },
  {
    fault: 'an internal error',
    middle: altering(200, () => ({ status: 500 })),
    found: ['answers 500'],
  },
  {
    fault: 'a status that is not declared',
    middle: altering(200, () => ({ status: 202 })),
    found: ['answers 202, which is not declared'],
  },
  {
    fault: 'another media type',
    middle: withHeader(200, 'content-type', 'text/plain'),
    found: ['answers 200 of text/plain, which is not declared'],
  },
  {
    fault: 'no media type',
    middle: withoutHeader(200, 'content-type'),
    found: ['answers 200 of no media type, which is not declared'],
  },
  {
    fault: 'something that is no JSON',
    middle: altering(200, () => ({ body: '{"name":' })),
    found: ['answers 200 with a body that is no JSON'],
  },
  {
    fault: 'without a required property',
    middle: alteringBody(200, () => ({})),
    found: ["answers 200 with a wrong body: must have required property 'name'"],
  },
  {
    fault: 'with a property of another type',
    middle: alteringBody(200, () => ({ name: 5n })),
    found: ['answers 200 with a wrong body: /name must be string'],
  },
  {
    fault: 'with a header that is not declared',
    middle: withHeader(200, 'x-powered-by', 'a framework'),
    found: ['answers 200 with x-powered-by, which is not declared'],
  },
  {
    fault: 'without a required header',
    middle: (request, forward) => forward(request),
    edits: [COUNTED],
    found: ['answers 200 without x-count'],
  },
  {
    fault: 'with a header of another type',
    middle: withHeader(200, 'x-count', 'many'),
    edits: [COUNTED],
    found: ['answers 200 with a wrong x-count'],
  },
  {
    fault: 'with a body where there is none',
    middle: altering(200, () => ({ status: 204, headers: { 'content-length': '2' }, body: '{}' })),
    edits: [NO_CONTENT],
    found: ['answers 204 with a body, which is not declared'],
  },
  {
    fault: 'an int64 that was rounded',
    middle: alteringBody(200, (plant, { id = null }) => ({ ...plant, id: isNearGreatest(id) ? id : rounded(id) })),
    edits: [ID_SHOWN],
    found: ['answers with a number of the request, rounded'],
  },
  {
    fault: 'an int64 that is none',
    middle: alteringBody(200, (plant, { id = null }) => ({ ...plant, id: isNearGreatest(id) ? rounded(id) : id })),
    edits: [ID_SHOWN],
    found: ['answers 200 with a wrong body: /id must match format "int64"'],
  },
  {
    fault: 'that everything is taken',
    middle: altering(200, () => ({ status: 409, body: '{"error":40901,"message":"taken"}' })),
    found: ['accepts no valid request'],
  },
  {
    fault: 'without a challenge',
    middle: withoutHeader(401, 'www-authenticate'),
    found: ['answers 401 without www-authenticate'],
  },
  {
    fault: 'with a page',
    middle: altering(400, () => ({ headers: { 'content-type': 'text/html' }, body: '<h1>Bad Request</h1>' })),
    found: ['answers 400 of text/html, which is not declared'],
  },
  {
    fault: 'with an error that does not say what is wrong',
    middle: alteringBody(400, ({ error = null }) => ({ error })),
    found: ["answers 400 with a wrong body: must have required property 'message'"],
  },
  {
    fault: 'with an error that is not listed',
    middle: alteringBody(400, (body) => ({ ...body, error: 40099n })),
    found: ['answers 400 with a wrong body: /error must be equal to one of the allowed values'],
  },
  {
    fault: 'with an error of another status',
    middle: alteringBody(400, (body) => ({ ...body, error: 40901n })),
    found: ['answers 400 with an error of another status'],
  },
];

function withHeader(status: number, name: string, value: string): Middle {
  return altering(status, ({ headers }) => ({ headers: { ...headers, [name]: value } }));
}

function withoutHeader(status: number, name: string): Middle {
  return altering(status, ({ headers: { [name]: _, ...headers } }) => ({ headers }));
}

/** Where the nearest double is out of range. */
function isNearGreatest(id: Json): boolean {
  return typeof id === 'bigint' && id > 2n ** 63n - 512n;
}

/** As a program says it that keeps it in a double. */
function rounded(id: Json): Json {
  return typeof id === 'bigint' ? BigInt(Number(id)) : id;
}
