/** Chooses at startup how errors are written: a shape for each declared response, which its schema accepts. */
import { ApiError } from '../errors/api-error';
import type { ErrorBodies, WriteBody } from '../errors/error-body';
import { NotWrittenCode } from '../errors/not-written';
import type { Schemas } from '../schema/schemas';
import type { Path } from '../contract/document';
import type { ContractOperation } from '../contract/operations';
import type { Problem } from '../contract/problems';
import { declaredKey, keyFor } from '../contract/statuses';
import type { PlacedSchema } from '../contract/traverse';
import { Chooser } from './error-choice';
import { type ErrorOptions, serverErrors } from './error-rules';

/** An error that handlers throw. */
interface Thrown {
  name: string;
  error: ApiError;
  /** The first place that declares its status. */
  at?: Path;
  /** A response that declares its status accepts it. */
  isAllowed?: boolean;
  /** The reason why the first response that declares its status accepts no error. */
  why?: string;
}

/** The shapes of a contract's errors, the responses that no shape fits, and the rows of a table that are for no response. */
export function chooseErrorBodies(
  schemas: Schemas,
  placed: readonly PlacedSchema[],
  operations: readonly ContractOperation[],
  options: ErrorOptions,
): { errorBodies: ErrorBodies; problems: Problem[]; warnings: Problem[] } {
  const { errorCodes = {}, rateLimit } = options;
  const problems: Problem[] = [];
  const chooser = new Chooser(schemas, placed, options.errorsOf?.(schemas, operations) ?? options.errorBody);
  const ofHandlers = Object.entries(errorCodes)
    .filter(([, code]) => code !== NotWrittenCode.NotImplemented) // which need not be declared
    .map(([name, code]): Thrown => ({ name, error: new ApiError(code, 'message') }));
  const chosen = new Map<string, ReadonlyMap<string, WriteBody>>();
  for (const operation of operations) {
    const ofServer = serverErrors(operation, rateLimit !== undefined);
    const ofStatus = new Map<string, WriteBody>();
    for (const [key, response] of Object.entries(operation.responses)) {
      if (/^[123]/.test(key)) continue;
      const errors = ofServer.filter(({ status }) => declaredKey(operation, status) === key);
      const thrown = ofHandlers.filter(({ error }) => declaredKey(operation, error.status) === key);
      const at = [...operation.at, 'responses', key];
      // A response that the server does not answer with is for handlers, and need not accept all that they throw.
      const attempts = errors.length > 0 || thrown.length === 0 ? [errors] : thrown.map(({ error }) => [error]);
      const choices = attempts.map((each) => chooser.choose(response, each));
      const choice = choices.find((each) => typeof each !== 'string') ?? choices[0] ?? '';
      for (const each of thrown) {
        each.at ??= at;
        if (typeof choice === 'string') each.why ??= choice;
        else if (choice.accepts(each.error)) each.isAllowed = true;
      }
      if (typeof choice !== 'string') ofStatus.set(key, choice.write);
      else if (errors.length > 0) problems.push([at, choice]);
    }
    chosen.set(operation.id, ofStatus);
  }
  for (const { name, error, at, isAllowed, why = `no response of ${error.status} allows it` } of ofHandlers)
    if (at && !isAllowed) problems.push([at, `handlers throw ${name}, error ${error.code}: ${why}`]);
  const undeclared = chooser.undeclared();
  return {
    problems,
    warnings: chooser
      .unusedRows()
      .map((name) => [[], 'errorBody has a row for a schema that no error is declared with', name]),
    errorBodies: {
      of(operation) {
        const ofStatus = operation && chosen.get(operation.id);
        if (!ofStatus) return undeclared;
        return (error) => {
          const key = keyFor(error.status, (each) => ofStatus.has(each));
          return ((key !== undefined && ofStatus.get(key)) || undeclared)(error);
        };
      },
    },
  };
}
