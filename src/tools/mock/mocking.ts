/**
 * Stand-ins for handlers that are not written yet: answers, errors and a line to try them, all made from the contract.
 */
import type { Mocking } from '../../engine';
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
