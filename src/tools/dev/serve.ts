/** The program under `npm run dev`: loaded at once, started when it is told that its types are right, and opened when the previous one is gone. */
import { once } from 'node:events';
import { runProcess, type Service } from '../../engine';
import { mockMissing } from '../mock/mocking';
import { loadProgram } from '../project/program';

async function load(): Promise<void> {
  const { start } = await loadProgram();
  process.once('message', () => {
    void runProcess({
      usage: '',
      version: '',
      start: (env, outputs) => start(env, outputs, (service) => openedInTurn(mockMissing(service))),
    });
  });
  process.send?.('loaded');
}

/** The service, which opens its store when it is told to: the previous one has the same open until it has written what it holds. */
function openedInTurn(service: Service): Service {
  return {
    ...service,
    async open(context) {
      process.send?.('proven');
      await once(process, 'message');
      return (await service.open?.(context)) ?? { close: () => Promise.resolve() };
    },
  };
}

void load();
