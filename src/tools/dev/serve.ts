/** The program under `npm run dev`: loaded at once, started when it is told that its types are right, and opened when the previous one is gone. */
import { runProcess, type Service } from '../../engine';
import { mockMissing } from '../mock/mocking';
import { loadProgram } from '../project/program';
import type { Asked, Told } from './server';

/** Resolves when the development server says so. */
function told(what: Asked): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', (said) => {
      if (said === what) resolve();
    });
  });
}

async function load(): Promise<void> {
  const { start } = await loadProgram();
  // A graceful stop, by a message: other systems than Unix have no such signal. It must not count as a second one, which cuts the stop short.
  let isEnding = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isEnding = true));
  void told('stop').then(() => isEnding || process.emit('SIGTERM', 'SIGTERM'));
  const change = (service: Service): Service => openedInTurn(mockMissing(service));
  void told('serve').then(() =>
    runProcess({
      usage: '',
      version: '',
      start: (env, outputs) => start(env, { ...outputs, printsJson: true, print: tell }, change),
    }),
  );
  tell('loaded');
}

/** Tells the development server how far it has come; at last with the line of its address. */
function tell(text: string): void {
  const message: Told = { told: text };
  process.send?.(message);
}

/** The service, which opens its store when it is told to: the previous one has the same open until it has written what it holds. */
function openedInTurn(service: Service): Service {
  return {
    ...service,
    async open(context) {
      tell('proven');
      await told('open');
      return (await service.open?.(context)) ?? { close: () => Promise.resolve() };
    },
  };
}

void load();
