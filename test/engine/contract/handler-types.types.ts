/** What the compiler refuses, each on its own; `npm run types` fails where it no longer does. */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { ErrorCode } from '../../../src/engine/errors/error-codes';
import type { DeclaredErrorBody, HandlerOf, HandlersOf, RequestOf } from '../../../src/engine/contract/handler-types';
import type { Service } from '../../../src/engine/service-interface';

/** The operations of a contract of this test, as openapi-typescript writes them. */
interface Operations {
  createPlant: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: { content: { 'application/json': { id: bigint; name: string; tag?: string } } };
    responses: {
      200: {
        headers: { 'X-Request-Id'?: string; [name: string]: unknown };
        content: { 'application/json': { name: string; tag?: string } };
      };
      503: {
        headers: { 'Retry-After': number; [name: string]: unknown };
        content: { 'application/json': { error: number; message: string } };
      };
    };
  };
}
/** Answers of other media types than JSON. */
type Answers<Type extends string, Body, Headers = object> = HandlerOf<{
  responses: { 200: { headers: Headers & Record<string, unknown>; content: Record<Type, Body> } };
}>;
type Own<Type extends string, Body> = HandlerOf<{ responses: { 200: { content: Record<Type, Body> } } }, Type>;
type Handlers = HandlersOf<Operations>;
type CreatePlant = HandlerOf<Operations['createPlant']>;
type CreateRequest = RequestOf<Operations['createPlant']>;

const name = 'Ficus';
const createPlant: CreatePlant = () => Promise.resolve({ status: 200, body: { name } });

export const complete: Handlers = { createPlant };

// @ts-expect-error -- a missing handler
export const missing: Handlers = {};

// @ts-expect-error -- a superfluous handler
export const superfluous: Handlers = { createPlant, waterPlant: createPlant };

// @ts-expect-error -- an undeclared status
export const undeclared: CreatePlant = () => Promise.resolve({ status: 201, body: { name } });

// @ts-expect-error -- a wrong field of the body
export const wrong: CreatePlant = () => Promise.resolve({ status: 200, body: { name: 1 } });

// @ts-expect-error -- a missing field of the body
export const lacking: CreatePlant = () => Promise.resolve({ status: 200, body: {} });

// @ts-expect-error -- a missing body
export const empty: CreatePlant = () => Promise.resolve({ status: 200 });

/** Of several returns each is an answer of its own, also beside a status without a body. */
type FindBed = HandlerOf<{
  responses: {
    200: { headers: { 'X-Total': number }; content: { 'application/json': { id: string } } };
    404: { headers: object; content: { 'application/json': { error: string } } };
    400: { headers: object; content?: never };
  };
}>;
declare const isThere: boolean;
const found = { status: 200, headers: { 'X-Total': 1 }, body: { id: name } } as const;
export const find: FindBed = () => (isThere ? found : { status: 404, body: { error: name } });
export const refuse: FindBed = () => (isThere ? found : { status: 400 });

// @ts-expect-error -- no body in one of two
export const findNone: FindBed = () => {
  if (!isThere) return { status: 404 };
  return { status: 200, headers: { 'X-Total': 1 }, body: { id: name } };
};

// @ts-expect-error -- no required header in one of two
export const findAll: FindBed = () => {
  if (isThere) return { status: 200, body: { id: name } };
  return { status: 200, headers: { 'X-Total': 1 }, body: { id: name } };
};

// @ts-expect-error -- no body in one of two that are awaited
export const findLater: FindBed = async () => {
  await Promise.resolve();
  return isThere ? { status: 200, headers: { 'X-Total': 1 }, body: { id: name } } : { status: 404 };
};

/** HTTP has no body for a 204, whatever is declared. */
type Remove = HandlerOf<{ responses: { 204: { content: { 'application/json': object } } } }>;
export const remove: Remove = () => ({ status: 204 });

// @ts-expect-error -- a body that HTTP does not have
export const removeWithBody: Remove = () => ({ status: 204, body: {} });
type RemoveIn = HandlerOf<{ responses: { '2XX': { headers: object; content: { 'application/json': object } } } }>;
export const removeIn: RemoveIn = () => (name ? { status: 200, body: {} } : { status: 204 });

// @ts-expect-error -- a body that HTTP does not have, of a range
export const removeInWithBody: RemoveIn = () => ({ status: 204, body: {} });

/** Ranges and `default` are of the statuses that have no response of their own. */
interface Loosely {
  headers: object;
  content: { 'application/json': { message?: string; [field: string]: unknown } };
}
interface Named {
  headers: object;
  content: { 'application/json': { name: string } };
}
type Water = HandlerOf<{ responses: { 200: Named; '4XX': Loosely; default: NoBody } }>;
const message = 'dry';
export const water: Water = () => (isThere ? { status: 200, body: { name } } : { status: 404, body: { message } });
export const waterLater: Water = () => ({ status: isThere ? 202 : 503 });
export const waterWithout: Water = () => ({ status: isThere ? 204 : 503 });

// @ts-expect-error -- the body of a range, of a status that is declared by itself
export const waterAsRefused: Water = () => ({ status: 200, body: { message } });

// @ts-expect-error -- no body, as `default` has none, of a status that is declared by itself
export const waterAsOther: Water = () => ({ status: 200 });

// @ts-expect-error -- no body, as `default` has none, of a status in a declared range
export const refuseAsOther: Water = () => ({ status: 404 });

// @ts-expect-error -- the body of a range, of a status that is in none
export const failAsRefused: Water = () => ({ status: 503, body: { message } });

declare const anyStatus: number;
// @ts-expect-error -- any status beside declared ones, of which it may be
export const waterAsAny: Water = () => ({ status: anyStatus });
export const relay: HandlerOf<{ responses: { default: Loosely } }> = () => ({ status: anyStatus, body: { message } });

/** Answers that are not final, which no handler gives, beside others. */
type Upgrade = HandlerOf<{ responses: { 101: NoBody; '1XX': NoBody; 200: Named; default: NoBody } }>;
interface NoBody {
  headers: object;
  content?: never;
}
export const upgrade: Upgrade = () => (isThere ? { status: 200, body: { name } } : { status: 426 });

// @ts-expect-error -- a status that is declared, and not final
export const upgraded: Upgrade = () => ({ status: 101 });

// @ts-expect-error -- a status of a range that is not final
export const hinted: Upgrade = () => ({ status: 103 });

type Limits = NonNullable<Service<keyof Operations>['limits']>;
export const limits: Limits = { createPlant: { bytes: 1e6, seconds: 60 } };

// @ts-expect-error -- limits of an operation that the contract does not have
export const foreignLimits: Limits = { waterPlant: { bytes: 1e6 } };

const body = { error: ErrorCode.Overloaded, message: '' };
export const headed: CreatePlant = () => Promise.resolve({ status: 503, headers: { 'Retry-After': 1 }, body });

// @ts-expect-error -- a missing header
export const headless: CreatePlant = () => Promise.resolve({ status: 503, body });

/** An int64 is a bigint, and nothing else. */
export const id = ({ body }: CreateRequest): bigint => body.id;

// @ts-expect-error -- an int64 is no number
export const number = ({ body }: CreateRequest): number => body.id;

// @ts-expect-error -- a field that the contract does not name
export const colour = ({ body }: CreateRequest): unknown => body.colour;

export const xml: Answers<'application/xml', { name: string }> = () => ({ status: 200, body: { name } });
export const xmlBytes: Answers<'application/xml', { name: string }> = () => ({
  status: 200,
  body: Buffer.from('<a/>'),
});

// @ts-expect-error -- an object is not written as CSV
export const csv: Answers<'text/csv', { name: string }> = () => ({ status: 200, body: { name } });
export const ownCsv: Own<'text/csv', { name: string }> = () => ({ status: 200, body: { name } });

// @ts-expect-error -- an object is not written as text
export const text: Answers<'text/plain', { name: string }> = () => ({ status: 200, body: { name } });
export const count: Answers<'text/plain; charset=utf-8', bigint> = () => ({ status: 200, body: 1n });

// @ts-expect-error -- an object is no event
export const events: Answers<'text/event-stream', unknown> = () => ({ status: 200, body: { name } });
export const eventText: Answers<'text/event-stream', unknown> = () => ({ status: 200, body: 'data: 1\n\n' });

/** Items one after the other. */
async function* each<Item>(...items: Item[]): AsyncGenerator<Item> {
  await Promise.resolve();
  yield* items;
}
type Names = Answers<'application/jsonl', { name: string }[]>;
export const lines: Names = () => ({ status: 200, body: each({ name }) });
export const readable: Names = () => ({ status: 200, body: Readable.from([{ name }]) });

// @ts-expect-error -- an item with a wrong field
export const wrongLines: Names = () => ({ status: 200, body: each({ name: 1 }) });

/** A schema that is of one item. */
export const record: Answers<'application/json-seq', { name: string }> = () => ({ status: 200, body: each({ name }) });

// @ts-expect-error -- bytes are no items
export const byteLines: Names = () => ({ status: 200, body: each(Buffer.from('{}')) });

/** A handler that counts what it is sent, item by item. */
type TakeNames = HandlerOf<{
  requestBody: {
    content: {
      'application/jsonl': { name: string }[];
      'application/json-seq': { name: string };
      'application/x-ndjson': string;
    };
  };
  responses: { 204: object };
}>;
export const take: TakeNames = async ({ body }) => {
  if (typeof body !== 'string') for await (const item of body) item.name satisfies string;
  return { status: 204 };
};

/** Parts without names: items of a list, with bytes as they are; a form is none. */
type Parts = ({ name: string } | Uint8Array)[];
export const parts: Answers<'multipart/mixed', Parts> = () => ({
  status: 200,
  body: each<Parts[number]>({ name }, Buffer.from(name)),
});
export const partBytes: Answers<'multipart/mixed', unknown> = () => ({ status: 200, body: each(Buffer.from(name)) });
export const takeParts: HandlerOf<{
  requestBody: { content: { 'multipart/related': Parts; 'multipart/mixed': Uint8Array } };
  responses: { 204: object };
}> = async ({ mediaType, body }) => {
  if (mediaType === 'multipart/mixed') await body.saveTo(name);
  else for await (const part of body) (part instanceof Uint8Array ? part.length : part.name) satisfies number | string;
  return { status: 204 };
};

// @ts-expect-error -- a part of another type
export const wrongParts: Answers<'multipart/mixed', Parts> = () => ({ status: 200, body: each(1) });

/** Bytes come as an upload. */
type TakePhoto = HandlerOf<{ requestBody: { content: { 'image/png': Uint8Array } }; responses: { 204: object } }>;
export const takePhoto: TakePhoto = async ({ body }) => {
  await body.saveTo(name);
  return { status: 204 };
};

/** Files of forms come as uploads, and other fields as they are. */
type TakeForm = HandlerOf<{
  requestBody: {
    content: { 'multipart/form-data': { title: string; id: bigint; photo: Uint8Array; scans?: Uint8Array[] } };
  };
  responses: { 204: object };
}>;
export const takeForm: TakeForm = async ({ body }) => {
  for (const scan of body.scans ?? []) await scan.saveTo(`${body.id satisfies bigint}-${scan.filename ?? body.title}`);
  await body.photo.bytes();
  return { status: 204 };
};

// @ts-expect-error -- a file is no bytes
export const takeBytes: TakeForm = ({ body }) => ({ status: body.photo.length === 0 ? 204 : 204 });

// @ts-expect-error -- items are no list
export const takeList: TakeNames = ({ body }) => ({ status: body.length === 0 ? 204 : 204 });

type Events = Answers<'text/event-stream', { event?: 'named'; data: { name: string } }[]>;
export const typedEvents: Events = () => ({ status: 200, body: each({ event: 'named' as const, data: { name } }) });

// @ts-expect-error -- data of another shape
export const wrongEvents: Events = () => ({ status: 200, body: each({ data: name }) });

/** A schema that is of the data of events. */
type Payloads = Answers<'text/event-stream; charset=utf-8', { name: string } | { id: bigint }>;
export const payloads: Payloads = () => ({ status: 200, body: each({ id: '1', data: { name } }) });

// @ts-expect-error -- data without its event
export const bare: Payloads = () => ({ status: 200, body: each({ name }) });
export const texts: Answers<'text/event-stream', string> = () => ({ status: 200, body: each({ data: name }) });

type File = Answers<'application/pdf', Uint8Array>;
export const pieces: File = () => ({ status: 200, body: each<Uint8Array | string>(Buffer.from('%'), 'PDF') });
export const file: File = () => ({ status: 200, body: createReadStream('a.pdf') });
export const web: File = () => ({ status: 200, body: new Blob([]).stream() });
export const blob: File = () => ({ status: 200, body: new Blob([]) });
export const anyBytes: Answers<'*/*', unknown> = () => ({ status: 200, body: each('a') });

// @ts-expect-error -- a number is no bytes
export const noBytes: File = () => ({ status: 200, body: each(1) });

// @ts-expect-error -- JSON is a value
export const jsonStream: CreatePlant = () => ({ status: 200, body: each({ name }) });

export const problem: Answers<'application/problem+json', { name: string }> = () => ({ status: 200, body: { name } });
export const anything: Answers<'application/*', { name: string }> = () => ({ status: 200, body: { name } });

export const cookies: Answers<'text/plain', string, { 'Set-Cookie'?: string }> = () => {
  return { status: 200, headers: { 'Set-Cookie': ['a=1', 'b=2'] }, body: '' };
};

/** A null that the contract allows in requests alone. */
interface Noted {
  note: string | { readonly $write: null };
}
type PutNote = HandlerOf<{
  requestBody: { content: { 'application/json': Noted } };
  responses: { 200: { content: { 'application/json': Noted } } };
}>;
export const noted: PutNote = ({ body: { note } }) => ({ status: 200, body: { note: note ?? '' } });

/** A property that is always null. */
interface Deleted {
  deletedAt: null;
}
type PutDeleted = HandlerOf<{
  requestBody: { content: { 'application/json': Deleted } };
  responses: { 200: { content: { 'application/json': Deleted } } };
}>;
export const deleted: PutDeleted = ({ body: { deletedAt } }) => ({ status: 200, body: { deletedAt } });

// @ts-expect-error -- without the property
export const notDeleted: PutDeleted = () => ({ status: 200, body: {} });

// @ts-expect-error -- a null in an answer
export const notNoted: PutNote = ({ body }) => ({ status: 200, body });

/** A field that only requests have. */
interface Account {
  name: string;
  password: { readonly $write: string };
  before?: Account;
}
export const account: Echo<Account> = ({ body: { password, before: _before, ...others } }) => {
  password satisfies string;
  return { status: 200, body: { ...others, before: { name } } };
};

// @ts-expect-error -- with the field
export const echoed: Echo<Account> = ({ body }) => ({ status: 200, body });

// @ts-expect-error -- with the field in an object within
export const within: Echo<Account> = ({ body: { password: _password, ...others } }) => ({ status: 200, body: others });

/** Values that contain themselves in lists. */
type Nested<Value> = Value | Nested<Value>[];
type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };
type Couple = [string, Couple?];
type Echo<Body, Type extends string = 'application/json'> = HandlerOf<{
  requestBody: { content: Record<Type, Body> };
  responses: { 200: { content: { 'application/json': Body } } };
}>;
export const json: Echo<JsonValue> = ({ body }) => ({ status: 200, body: [{ [name]: body satisfies JsonValue }, 1] });
export const ids: Echo<Nested<bigint>> = ({ body }) => ({ status: 200, body: [body satisfies Nested<bigint>, [1n]] });
export const couple: Echo<Couple> = ({ body: [first, second] }) => ({ status: 200, body: [first, second ?? [name]] });

// @ts-expect-error -- an int64 within JSON without one
export const wrongJson: Echo<JsonValue> = () => ({ status: 200, body: [{ [name]: [1n] }] });

// @ts-expect-error -- a number among lists of int64s
export const wrongIds: Echo<Nested<bigint>> = () => ({ status: 200, body: [[1]] });

// @ts-expect-error -- one value too many
export const triple: Echo<Couple> = () => ({ status: 200, body: [name, [name], name] });

/** A field that only answers have, and one that only requests have, in such lists. */
type Cuttings = Nested<{ id: { readonly $read: bigint }; secret: { readonly $write: string }; of?: Cuttings }>;
export const cuttings: Echo<Cuttings> = ({ body }) => {
  const [first] = [body].flat();
  if (first && 'secret' in first) first.secret satisfies string;
  return { status: 200, body: [[{ id: 1n, of: [[{ id: 2n }]] }]] };
};

// @ts-expect-error -- without the field that answers have
export const sentCuttings: Echo<Cuttings> = ({ body }) => ({ status: 200, body });

// @ts-expect-error -- a field that only answers have
export const cuttingId = ({ body }: Parameters<Echo<Cuttings>>[0]): unknown => 'secret' in body && body.id;

/** A field of any value among fields that are all optional, of which none is only in requests, and one is. */
interface Loose {
  id?: bigint;
  more?: unknown;
}
type Closed = Loose & { secret?: { readonly $write: string } };
export const loose: Echo<Loose> = () => ({ status: 200, body: { id: 1n, more: name } });

// @ts-expect-error -- a text for an object
export const looseText: Echo<Loose> = () => ({ status: 200, body: name });

const tray = { name };
// @ts-expect-error -- an object that has none of the fields
export const looseOther: Echo<Loose> = () => ({ status: 200, body: tray });

// @ts-expect-error -- a list of several things
export const looseList: Echo<Loose[]> = () => ({ status: 200, body: [true, name, []] });

// @ts-expect-error -- a text, where a field is only in requests
export const closedText: Echo<Closed> = () => ({ status: 200, body: name });

// @ts-expect-error -- an object that has none of the fields, where one is only in requests
export const closedOther: Echo<Closed> = () => ({ status: 200, body: tray });

/** Such a value in a form, whose files come as uploads. */
export const takeNested: Echo<{ files: Nested<Uint8Array>; notes: JsonValue }, 'multipart/form-data'> = async ({
  body,
}) => {
  if ('saveTo' in body.files) await body.files.saveTo(name);
  return { status: 200, body: { files: [Buffer.from(name)], notes: body.notes } };
};

/** Such a value in an error, beside a code and a field that only answers have. */
interface Refusing {
  refuse: {
    responses: {
      400: { content: { 'application/json': { code: 1 | 2; id: { readonly $read: string }; details?: JsonValue } } };
    };
  };
}
export const refusal = (code: number) => ({ code, id: name, details: [[name]] }) satisfies DeclaredErrorBody<Refusing>;

// @ts-expect-error -- an int64 in the details, which have none
export const wrongRefusal = { code: 1, id: name, details: [[1n]] } satisfies DeclaredErrorBody<Refusing>;

/** A plant in several media types, among which `Accept` chooses unless the handler names one. */
type GetPlant<Type extends string> = Answers<Type, { name: string }>;
type Data = 'application/json' | 'application/xml' | 'application/x-yaml';
export const chosen: GetPlant<Data> = () => ({ status: 200, body: { name } });
export const named: GetPlant<Data> = () => ({ status: 200, mediaType: 'application/xml', body: { name } });

// @ts-expect-error -- a wrong field in all of them
export const notChosen: GetPlant<Data> = () => ({ status: 200, body: { name: 1 } });

// @ts-expect-error -- an object that not all of them can be written from
export const unnamed: GetPlant<Data | 'text/csv'> = () => ({ status: 200, body: { name } });
