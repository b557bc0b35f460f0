/**
 * What the contract asks of a handler, as types that come from `generated/` alone: a missing handler, a superfluous one, an
 * undeclared status or a wrong field is a compile error.
 */
import type { operations } from '../../generated/openapi';

export type OperationId = keyof operations;

/** Who sent the request, where the operation is secured. */
export interface Principal {
  name: string;
}

/** A request that was matched, authenticated and validated; every int64 in it is a `bigint`. */
export interface OperationRequest<Id extends OperationId> {
  body: RequestBody<operations[Id]>;
  /** The media type of the body, as the contract writes it. */
  mediaType: RequestMediaType<operations[Id]>;
  path: Parameters<operations[Id], 'path'>;
  query: Parameters<operations[Id], 'query'>;
  header: Parameters<operations[Id], 'header'>;
  principal: Principal | undefined;
}

/** One of the answers that the contract declares for the operation. */
export type OperationAnswer<Id extends OperationId> = AnswerOf<operations[Id]['responses']>;

/** A handler: takes what the contract gives, resolves to what the contract declares, throws an ApiError otherwise. */
export type Operation<Id extends OperationId> = (request: OperationRequest<Id>) => Promise<OperationAnswer<Id>>;

/** One handler for every operation of the contract, and none besides. */
export type Operations = { readonly [Id in OperationId]: Operation<Id> };

type Parameters<O, In extends string> = O extends { parameters: Partial<Record<In, infer P>> }
  ? [NonNullable<P>] extends [never]
    ? object
    : NonNullable<P>
  : never;

type BodyContent<O> = O extends { requestBody?: infer B }
  ? B extends { content: infer C }
    ? C
    : undefined
  : undefined;
type RequestBody<O> = BodyContent<O> extends infer C ? (C extends object ? C[keyof C] : undefined) : never;
type RequestMediaType<O> = BodyContent<O> extends infer C ? (C extends object ? keyof C : undefined) : never;

type AnswerOf<Responses> = {
  [Status in keyof Responses]: StatusOf<Status> & HeadersOf<Responses[Status]> & PayloadOf<Responses[Status]>;
}[keyof Responses];

/** `default` and ranges such as `4XX` leave the status to the handler. */
type StatusOf<Status> = { status: Status extends number ? Status : number };

type KnownKeys<T> = keyof { [K in keyof T as string extends K ? never : K]: T[K] };
type HeadersOf<R> = R extends { headers: infer H }
  ? [KnownKeys<H>] extends [never]
    ? { headers?: undefined }
    : { headers: { [K in KnownKeys<H> & keyof H]: H[K] } }
  : { headers?: undefined };

/** With one media type it goes without saying; with several the answer says which. */
type PayloadOf<R> = R extends { content: infer C extends object }
  ? {
      [Type in keyof C]: IsUnion<keyof C> extends true
        ? { mediaType: Type; body: C[Type] }
        : { mediaType?: Type; body: C[Type] };
    }[keyof C]
  : { mediaType?: undefined; body?: undefined };

type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never;
