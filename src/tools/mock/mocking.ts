/**
 * Stand-ins for handlers that are not written yet: answers, errors and a line to try them, all made from the contract.
 */
import { type Mocking, type Service, writtenOf } from '../../engine';
import { errorBodyOf, guessErrors } from '../errors/shapes';
import { answersOf } from './answers';
import { curlFor } from './curl';
import { Samples } from './samples';

/**
 * Answers that are the same for the same request; another seed gives other values where the contract has no examples. Between the items of
 * a sequence are `intervalMs`.
 */
export function mockingOf(seed: number, intervalMs = 0): Mocking {
  return {
    answersOf: (contract) => answersOf(contract.answerSchemas, seed, intervalMs),
    errorsOf(schemas, operations) {
      const samples = new Samples(schemas);
      return errorBodyOf(guessErrors(schemas, operations, (schema) => samples.valueOf(schema, seed)));
    },
    curl: (contract, baseUrl, token) => curlFor(contract, baseUrl, token),
  };
}

/** The service, with mock answers in place of the handlers that are not written yet. */
export function mockMissing(service: Service): Service {
  const { errorsOf: _, ...mock } = mockingOf(0); // errors stay the service's own
  const warning = 'no handler yet, answered with examples of the contract and `Mock: true`';
  return { ...service, handlers: writtenOf(service.handlers), mock: { ...mock, warning } };
}
