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
      start: (env, outputs) =>
        start(env, { ...outputs, printsJson: true, print: tell }, (service) => openedInTurn(mockMissing(service))),
    });
  });
  tell('loaded');
}

/** Tells the development server how far it has come; at last with the line of its address. */
function tell(text: string): void {
  process.send?.(text);
}

/** The service, which opens its store when it is told to: the previous one has the same open until it has written what it holds. */
function openedInTurn(service: Service): Service {
  return {
    ...service,
    async open(context) {
      tell('proven');
      await once(process, 'message');
      return (await service.open?.(context)) ?? { close: () => Promise.resolve() };
    },
  };
}

void load();
