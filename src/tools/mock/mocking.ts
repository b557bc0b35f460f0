/** What stands in for handlers that are not written yet: answers, errors and a line to try them, all made from the contract. */
import type { Mocking } from '../../engine';
import { answersOf } from './answers';
import { curlFor } from './curl';
import { Samples } from './samples';

/** Answers that are the same for the same request; another seed makes other values if the contract gives no examples. */
export function mockingOf(seed: number): Mocking {
  return {
    answersOf: (contract) => answersOf(contract.answerSchemas, seed),
    errorSample(schemas) {
      const samples = new Samples(schemas);
      return (schema) => samples.valueOf(schema, seed);
    },
    curl: (contract, baseUrl, token) => curlFor(contract, baseUrl, token),
  };
}
