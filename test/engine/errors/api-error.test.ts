/** Errors that are sent to clients, of whichever copy of the engine: a mock of the tools throws its own. */
import { ApiError } from '../../../src/engine/errors/api-error';
import type * as Errors from '../../../src/engine/errors/api-error';

it('is known as one by another copy of the module, and nothing else is', () => {
  let other: typeof Errors | undefined;
  jest.isolateModules(() => {
    other = jest.requireActual<typeof Errors>('../../../src/engine/errors/api-error');
  });
  expect(other?.ApiError).not.toBe(ApiError);
  expect(other && new other.ApiError(404_01, 'no') instanceof ApiError).toBe(true);
  for (const each of [new Error('no'), { code: 404_01 }, undefined]) expect(each instanceof ApiError).toBe(false);
});
