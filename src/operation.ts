/** The types of our handlers, made of `generated/openapi.ts`; the compiler's messages use these names. */
import type { operations } from '../generated/openapi';
import type { HandlerOf } from './engine';

/** The handler of an operation of `openapi.yaml`. */
export type Operation<Id extends keyof operations> = HandlerOf<operations[Id]>;

/** One handler for every operation of `openapi.yaml`, and none besides. */
export type Handlers = { readonly [Id in keyof operations]: Operation<Id> };
