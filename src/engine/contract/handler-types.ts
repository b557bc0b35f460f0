/**
 * The types of a contract's handlers, made from the `operations` that openapi-typescript generates: a missing handler, a superfluous
 * one, an undeclared status, or a field that is missing or of another type is a compile error.
 */
import type { Logger } from 'pino';

/**
 * The sender of a request to a secured operation.
 *
 * @example
 * const gardener: Principal = { name: 'ada', scopes: ['beds:write'] };
 */
export interface Principal {
  /**
   * A name that is unique to the caller, across all sources: the NAME of a line of the tokens file, `jwt/` and the
   * `sub` of a JWT, or a name from a custom store.
   */
  name: string;
  /** The scopes of the credential; without scopes it allows no operation that requires one. */
  scopes?: readonly string[] | 'every';
}

/**
 * A body of bytes, which comes while its handler reads it, once: in pieces, or by one of its methods. All of them reject with an ApiError
 * for one that is too large or does not arrive in time. What the handler does not read stays with the client. The files of a form are read in
 * the same way, but have come before the handler is called.
 *
 * @example
 * async function savePhoto(body: Upload, name: string): Promise<void> {
 *   if (body.mediaType === 'image/png') await body.saveTo(join(folder, `${name}.png`));
 * }
 */
export interface Upload extends AsyncIterable<Buffer> {
  /** The media type as it was sent, in lower case and without parameters. */
  readonly mediaType: string;
  /** The name of a file of a form as its client gives it, without folders; undefined if it gives none. It is no path to save to: any client may choose any name. */
  readonly filename: string | undefined;
  /** The number of bytes; undefined if the client does not announce it. */
  readonly size: number | undefined;
  /** Resolves to all bytes; rejects with an ApiError of 503 if there is no room for them in memory. */
  bytes(): Promise<Buffer>;
  /** Resolves to all bytes as text, like `bytes`; rejects with an ApiError of 400 if they are not UTF-8. */
  text(): Promise<string>;
  /** Resolves when all bytes are on disk, in a file that is there whole or not at all; replaces one that is there. */
  saveTo(path: string): Promise<void>;
}

/** A request of an operation, matched, authenticated and validated; every int64 is a `bigint`. */
export type RequestOf<O> = RequestBody<O> & RequestParameters<O>;

interface RequestParameters<O> {
  path: Parameters<O, 'path'>;
  query: Parameters<O, 'query'>;
  header: Parameters<O, 'header'>;
  cookie: Parameters<O, 'cookie'>;
  principal: Principal | undefined;
}

/**
 * The surroundings of a request, which its handler gets as a second argument.
 *
 * @example
 * const describeBed = async ({ path }: { path: { id: bigint } }, { log, signal }: RequestContext) => {
 *   log.info({ bed: path.id }, 'described');
 *   return { status: 200, body: await beds.find(path.id, { signal }) };
 * };
 */
export interface RequestContext {
  /** The id of the request, as in its answer and the access log. */
  readonly requestId: string;
  /** A log whose lines have the id, the operation and the principal of the request. */
  readonly log: Logger;
  /** Aborted if the client goes before it has its whole answer. */
  readonly signal: AbortSignal;
  /** The IP address of the client, behind the proxies that are trusted; undefined once its connection is closed. */
  readonly client: string | undefined;
  /** The address of the service, without a slash at its end. */
  readonly baseUrl: string;
  /** The principals by security scheme, of all schemes that were satisfied. */
  readonly principals: Readonly<Record<string, Principal>>;
  /** The first of these media types in the client's order of preference (`Accept`); undefined if it takes none of them. */
  readonly accepts: (...mediaTypes: string[]) => string | undefined;
}

/**
 * A handler: returns or resolves to an answer that the contract declares, or throws an ApiError. `Own` has the media types that the service
 * has writers for: `HandlerOf<operations[Id], keyof typeof writers>`.
 *
 * @example
 * type Operation<Id extends keyof operations> = HandlerOf<operations[Id]>;
 * const getBed: Operation<'getBed'> = async ({ path }) => ({ status: 200, body: await beds.find(path.id) });
 */
export type HandlerOf<O extends Answering, Own extends string = never> = (
  request: RequestOf<O>,
  context: RequestContext,
) => AnswerOf<O['responses'], Own> | Promise<AnswerOf<O['responses'], Own>>;

interface Answering {
  responses: unknown;
}

/** A handler for every operation of a contract, and no others. */
export type HandlersOf<Operations extends { [Id in keyof Operations]: Answering }, Own extends string = never> = {
  readonly [Id in keyof Operations]: HandlerOf<Operations[Id], Own>;
};

/**
 * An answer of any operation, as a handler gives it.
 *
 * @example
 * const answer: HandlerAnswer = { status: 201, headers: { Location: '/beds/7' }, body: { id: 7n } };
 */
export interface HandlerAnswer {
  status: number;
  headers?: Readonly<Record<string, unknown>> | undefined;
  mediaType?: string | undefined;
  body?: unknown;
}

/**
 * Handlers by operation, as the engine calls them: without types, because the operation is known at run time only;
 * validation ensures the types.
 */
export type AnyHandlers = Readonly<
  Record<string, (request: never, context: RequestContext) => HandlerAnswer | Promise<HandlerAnswer>>
>;

type Parameters<O, In extends string> = O extends { parameters: Partial<Record<In, infer P>> }
  ? [NonNullable<P>] extends [never]
    ? object
    : NonNullable<P>
  : never;

/** The body, with its media type as the contract writes it: a union that `mediaType` discriminates. */
type RequestBody<O> = O extends { requestBody: { content: infer C } }
  ? OneOf<C>
  : O extends { requestBody?: { content: infer C } }
    ? OneOf<C> | { mediaType: undefined; body: undefined }
    : never;
type OneOf<Content> = {
  [Type in keyof Content]: { mediaType: Type; body: Received<Type, Sent<Type, Content[Type]>> };
}[keyof Content];

/** A body as handlers get it: bytes as an upload, and item by item in a sequential media type. */
type Received<Type, Body> = [Body] extends [Uint8Array]
  ? Upload
  : Type extends EventStream
    ? Body
    : [Body] extends [string | Uint8Array]
      ? Body
      : [ItemsOf<Type, Body>] extends [never]
        ? Body
        : ItemsOf<Type, Body>;

/** A body as clients send it: without `readOnly` properties, which openapi-typescript marks with `$read`; files of forms are uploads. */
type Sent<Type, T> = Without<
  T,
  '$read',
  '$write',
  Uint8Array,
  Type extends 'multipart/form-data' ? Upload : Uint8Array
>;
/** A body as the server sends it: without `writeOnly` properties, and without a null that only requests may have. */
type Answered<T> = Without<T, '$write', '$read', Uint8Array, Uint8Array>;
/**
 * A body without the properties that are marked with `Left`, and with `New` in place of `Old`. Lists may contain themselves: the compiler
 * makes the type of their items only when it is asked for. That of a tuple it makes at once, so that one with itself in it has to be plain.
 */
type Without<T, Left extends string, Kept extends string, Old, New> =
  T extends Readonly<Record<Kept, infer Value>>
    ? Without<Value, Left, Kept, Old, New>
    : T extends Readonly<Record<Left, unknown>>
      ? never
      : T extends Plain<Old>
        ? T
        : T extends Old
          ? New
          : T extends readonly (infer Item)[]
            ? Item[] extends T
              ? Without<Item, Left, Kept, Old, New>[]
              : { [Index in keyof T]: Without<T[Index], Left, Kept, Old, New> }
            : T extends object
              ? {
                  [Key in keyof T as IsLeft<NonNullable<T[Key]>, Left> extends true ? never : Key]: Without<
                    T[Key],
                    Left,
                    Kept,
                    Old,
                    New
                  >;
                } & Absent<T, Left>
              : T;
/**
 * Refuses the properties that are left out of answers: to leave them out of the type is not enough, as an object may have more than its type.
 * `unknown` where there are none: beside `{}` the compiler would take anything for an object whose properties are all optional.
 */
type Absent<T, Left extends string> = Left extends '$write'
  ? [LeftKeys<T, Left>] extends [never]
    ? unknown
    : Partial<Record<LeftKeys<T, Left>, OnlyInRequests>>
  : unknown;
type LeftKeys<T, Left extends string> = keyof {
  [Key in keyof T as IsLeft<NonNullable<T[Key]>, Left> extends true ? Key : never]: true;
};
/** A body in which there is nothing to leave out or to replace: it stays as it is, and keeps its name in the compiler's messages. */
type Plain<Old> =
  | Exclude<string | number | bigint | boolean | null | undefined, Old>
  | readonly Plain<Old>[]
  | { readonly [name: string]: Plain<Old>; readonly $read?: never; readonly $write?: never };
/** Whether a property is left out; one that is always null is not. */
type IsLeft<Value, Left extends string> = [Value] extends [never]
  ? false
  : Value extends Readonly<Record<Left, unknown>>
    ? true
    : false;

/**
 * The bodies that a contract declares for errors, of all operations; `unknown` if it declares none.
 *
 * @example
 * const body = ({ code, message }: ApiError) => ({ error: code, message }) satisfies DeclaredErrorBody<operations>;
 */
export type DeclaredErrorBody<Operations extends { [Id in keyof Operations]: Answering }> = [
  ErrorBodies<Operations>,
] extends [never]
  ? unknown
  : AnyNumber<ErrorBodies<Operations>>;
/** An answer with codes widened to `number`; startup compares the codes that are thrown with those that the contract lists. */
type AnyNumber<T> = Without<T, '$write', '$read', number, number>;
type ErrorBodies<Operations extends { [Id in keyof Operations]: Answering }> = {
  [Id in keyof Operations]: ErrorBodyOf<Operations[Id]['responses']>;
}[keyof Operations];
type ErrorBodyOf<Responses> = {
  [Status in ErrorStatus<keyof Responses>]: Responses[Status] extends { content: infer C } ? C[keyof C] : never;
}[ErrorStatus<keyof Responses>];

/** Successes come last, because the compiler's message is about the last answer if none fits. */
type AnswerOf<Responses, Own extends string> =
  | AnswerWith<Responses, ErrorStatus<keyof Responses>, Own>
  | AnswerWith<Responses, Exclude<keyof Responses, ErrorStatus<keyof Responses>>, Own>;
type AnswerWith<Responses, Declared extends keyof Responses, Own extends string> = {
  [Status in Declared]: SortedByBody<StatusOf<Status, keyof Responses>, Responses[Status], Own>;
}[Declared];
type SortedByBody<Status, R, Own extends string> =
  | AnswerOfStatus<Exclude<Status, WithoutBody>, R, PayloadOf<R, Own>>
  | AnswerOfStatus<Extract<Status, WithoutBody>, R, NoPayload>;
type AnswerOfStatus<Status, R, Payload> = [Status] extends [never]
  ? never
  : Flat<{ status: Status } & HeadersOf<R> & Payload>;

/** HTTP has no body for them, whatever is declared (`statuses.ts`). */
type WithoutBody = 204 | 205 | 304;
interface NoPayload {
  mediaType?: (string & NotDeclared) | undefined;
  body?: NotDeclared | undefined;
}
interface NoHeaders {
  headers?: (Readonly<Record<string, unknown>> & NotDeclared) | undefined;
}
/**
 * What no handler has. With `undefined` alone in its place the compiler would tell answers by it, and under `exactOptionalPropertyTypes` take
 * one without a body that is required, of a handler with several returns.
 */
interface NotDeclared {
  readonly [notDeclared]: never;
}
/** What no answer has in a `writeOnly` property; the compiler names it in its message. */
interface OnlyInRequests {
  readonly [notDeclared]: never;
}
declare const notDeclared: unique symbol;

/** The statuses that are errors, including `4XX` and `default`. */
export type ErrorStatus<Status> = Status extends string | number
  ? `${Status}` extends `${4 | 5}${string}` | 'default'
    ? Status
    : never
  : never;

/** The same type as a single object, which is easier to read in the compiler's messages. */
export type Flat<T> = T extends unknown ? { [Key in keyof T]: T[Key] } : never;

/**
 * The statuses that are declared under a key: a range such as `4XX` and `default` leave the choice of one that has no response of its own to
 * the handler. A `default` alone takes any number, also one that is known at run time only.
 */
type StatusOf<Key, All> = [All] extends ['default']
  ? number
  : Key extends number
    ? StatusesOf<Key>
    : Exclude<StatusesOf<Key>, StatusesOf<Exclude<All, Key | 'default'>>>;
type StatusesOf<Key> = Key extends Interim
  ? never
  : Key extends number
    ? Key
    : Key extends `${infer First extends FirstDigit}XX`
      ? NumberOf<`${First}${Digit}${Digit}`>
      : NumberOf<`${FirstDigit}${Digit}${Digit}`>;
/** No answer has them: a final one comes after them (RFC 9110 section 15.2). */
type Interim = '1XX' | NumberOf<`1${Digit}${Digit}`>;
type NumberOf<Text> = Text extends `${infer Value extends number}` ? Value : never;
type FirstDigit = 2 | 3 | 4 | 5;
type Digit = 0 | 1 | FirstDigit | 6 | 7 | 8 | 9;

type KnownKeys<T> = keyof { [K in keyof T as string extends K ? never : K]: T[K] };
type HeadersOf<R> = R extends { headers: infer H }
  ? [KnownKeys<H>] extends [never]
    ? NoHeaders
    : object extends Pick<H, KnownKeys<H> & keyof H>
      ? { headers?: Cookies<Pick<H, KnownKeys<H> & keyof H>> }
      : { headers: Cookies<Pick<H, KnownKeys<H> & keyof H>> }
  : NoHeaders;
/** Several cookies are a list, also where the schema describes one. */
type Cookies<H> = {
  [Name in keyof H]: Name extends string
    ? Lowercase<Name> extends 'set-cookie'
      ? H[Name] | readonly Exclude<H[Name], undefined>[]
      : H[Name]
    : H[Name];
};

/** An answer names its media type if several are declared, or leaves the choice to `Accept`. */
type PayloadOf<R, Own extends string> = R extends { content: infer C extends object }
  ? | Chosen<C, Own>
    | {
        [Type in keyof C]: IsUnion<keyof C> extends true
          ? { mediaType: Type; body: Written<Type, Answered<C[Type]>, Own> }
          : { mediaType?: Type; body: Written<Type, Answered<C[Type]>, Own> };
      }[keyof C]
  : NoPayload;

/** An object that can be written in each of several media types. */
type Chosen<C, Own extends string> =
  IsUnion<keyof C> extends true
    ? [keyof C] extends [Own | Json | Structured]
      ? {
          mediaType?: (string & NotDeclared) | undefined;
          body: InEach<{ [Type in keyof C]: Fields<Answered<C[Type]>> }>;
        }
      : never
    : never;
type Fields<Body> = unknown extends Body ? object : Extract<Body, object>;
/** The values that are of each of the types. */
type InEach<Types> = { [Type in keyof Types]: (box: { value: Types[Type] }) => void }[keyof Types] extends (
  box: infer Box extends { value: unknown },
) => void
  ? Box['value']
  : never;

/**
 * The values that can be written in a media type: any value in JSON, which is also written for a range; objects and lists in XML and
 * YAML, and objects in a form; text and bytes in any other, or an iterable of them; an iterable of items in a sequential one.
 */
type Written<Type, Body, Own extends string> = Type extends Own | Json
  ? Body
  : Type extends `${string}*${string}`
    ? Body | Bytes
    : Type extends Structured
      ? Data<Body> | Bytes
      : Text<Type, Body> | ([ItemsOf<Type, Body>] extends [never] ? Bytes : ItemsOf<Type, Body>);
type Json = `${string}/${'' | `${string}+`}json${'' | `;${string}`}`;
type Structured =
  | `${string}/${'' | `${string}+`}xml${'' | `;${string}`}`
  | `${string}/${'' | 'x-' | `${string}+`}yaml${'' | `;${string}`}`
  | 'application/x-www-form-urlencoded';
type Data<Body> = unknown extends Body ? object | string : Extract<Body, object | string> | Uint8Array;
type Text<Type, Body> = unknown extends Body
  ? string | Uint8Array
  : Body extends string | Uint8Array
    ? Body
    : Type extends `text/plain${string}`
      ? Extract<Body, number | bigint | boolean> | Uint8Array
      : Uint8Array;

/** Bytes and text in pieces: a generator, a Readable, a web stream; or a Blob. */
type Bytes = AsyncIterable<Uint8Array | string> | Blob;

/** The items of a body: of a list, where they are parts without names; never under a media type without items. */
type ItemsOf<Type, Body> =
  Type extends Sequential<string>
    ? AsyncIterable<ItemOf<Type, Body>>
    : Type extends `multipart/form-data${string}`
      ? never
      : Type extends `multipart/${string}`
        ? [Body] extends [readonly (infer Item)[]]
          ? AsyncIterable<Exclude<Item, undefined>> // of optional ones
          : never
        : never;

/** The sequential media types (`sequences.ts`). */
type Sequential<Any extends string> =
  | `${EventStream | 'application/jsonl' | 'application/x-ndjson'}${'' | `;${Any}`}`
  | `application/${'' | `${Any}+`}json-seq${'' | `;${Any}`}`;
type EventStream = 'text/event-stream';

/** An item: of a list, or as the schema itself has it. In an event stream the schema is of the event, or of its data. */
type ItemOf<Type, Body> = Body extends readonly (infer Item)[]
  ? Framed<Type, Exclude<Item, undefined>>
  : Framed<Type, Body>;
type Framed<Type, Item> = Type extends `${EventStream}${string}` ? EventOf<Item> : Item;
type EventOf<Item> = IsEvent<Item> extends true ? Item : Event<Item>;
type IsEvent<Item> = Item extends object
  ? 'data' extends KnownKeys<Item>
    ? [KnownKeys<Item>] extends [keyof Event<unknown>]
      ? true
      : false
    : false
  : false;
interface Event<Data> {
  event?: string;
  id?: string;
  retry?: number | bigint;
  data: Data;
}

type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never;
