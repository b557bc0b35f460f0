/** What the compiler refuses, each on its own; `npm run types` fails where it no longer does. */
import { ErrorCode } from '../../src/error-codes';
import type { Operation, OperationRequest, Handlers } from '../../src/contract/handler-types';

const name = 'Ficus';
const createPlant: Operation<'createPlant'> = () => Promise.resolve({ status: 200, body: { name } });

export const complete: Handlers = { createPlant };

// @ts-expect-error -- a missing handler
export const missing: Handlers = {};

// @ts-expect-error -- a superfluous handler
export const superfluous: Handlers = { createPlant, waterPlant: createPlant };

// @ts-expect-error -- an undeclared status
export const undeclared: Operation<'createPlant'> = () => Promise.resolve({ status: 201, body: { name } });

// @ts-expect-error -- a wrong field of the body
export const wrong: Operation<'createPlant'> = () => Promise.resolve({ status: 200, body: { name: 1 } });

// @ts-expect-error -- a missing field of the body
export const lacking: Operation<'createPlant'> = () => Promise.resolve({ status: 200, body: {} });

// @ts-expect-error -- a missing body
export const empty: Operation<'createPlant'> = () => Promise.resolve({ status: 200 });

const body = { error: ErrorCode.Overloaded, message: '' };
// @ts-expect-error -- a missing header
export const headless: Operation<'createPlant'> = () => Promise.resolve({ status: 503, body });

/** An int64 is a bigint, and nothing else. */
export const id = ({ body }: OperationRequest<'createPlant'>): bigint => body.id;

// @ts-expect-error -- an int64 is no number
export const number = ({ body }: OperationRequest<'createPlant'>): number => body.id;

// @ts-expect-error -- a field that the contract does not name
export const colour = ({ body }: OperationRequest<'createPlant'>): unknown => body.colour;
