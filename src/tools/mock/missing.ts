/** Mocks missing handlers during development. */
import { type Service, writtenOf } from '../../engine';
import { mockingOf } from './mocking';

/** The service, with mock answers in place of the handlers that are not written yet. */
export function mockMissing(service: Service): Service {
  const { errorsOf: _, ...mock } = mockingOf(0); // errors stay the service's own
  const warning = 'no handler yet, answered with examples of the contract and `Mock: true`';
  return { ...service, handlers: writtenOf(service.handlers), mock: { ...mock, warning } };
}
