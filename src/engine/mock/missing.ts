/** Development: operations that have no handler yet are answered with examples. */
import { writtenOf } from '../http/not-written';
import type { Service } from '../service-interface';
import type { Settings } from '../settings';

/** The service, with mock answers in place of the handlers that are not written yet if `MOCK_MISSING_HANDLERS` asks for that. */
export async function mockMissing(service: Service, settings: Pick<Settings, 'mockMissing'>): Promise<Service> {
  if (!settings.mockMissing) return service;
  // Imported only if needed: what makes values takes a while to load.
  const { mockingOf } = await import('./mocking.js');
  const { errorSample: _, ...mock } = mockingOf(0); // errors stay the service's own
  return { ...service, handlers: writtenOf(service.handlers), mock };
}
