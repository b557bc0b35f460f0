/** What the compiler says of an operation that has no handler; `generated/handlers.ts` asks it about each. */
import type { operations } from '../../generated/openapi';
import type { ErrorStatus, Flat, Operation, OperationId, OperationRequest } from './operations';

/** Compiles where the table has a handler for the operation. Where it has none, the error says what it must be. */
export type Handled<
  Id extends OperationId,
  Table extends { [Each in Id]: Handler<Takes<Each>, Gives<Each>, Each> }, // named, it would not be spelled out
> = Table;

/** An operation; what it takes and gives is said for the message alone. */
type Handler<_Takes, _Gives, Id extends OperationId> = Operation<Id>;

/** The parts of the request that have something in them. */
type Takes<Id extends OperationId, Request = OperationRequest<Id>> = Flat<{
  [
    Part in Exclude<keyof Request, 'principal' | 'mediaType'> as IsEmpty<Request[Part]> extends true ? never : Part
  ]: Request[Part];
}>;
type IsEmpty<Part> = Part extends undefined ? true : keyof Part extends never ? true : false;

/** The bodies of its answers by their statuses; errors are thrown. */
type Gives<Id extends OperationId, Responses = operations[Id]['responses']> = Flat<{
  [Status in Exclude<keyof Responses, ErrorStatus<keyof Responses>>]: Responses[Status] extends {
    content: infer Content;
  }
    ? Content[keyof Content]
    : undefined;
}>;
