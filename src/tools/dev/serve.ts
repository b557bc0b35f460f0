/** The program under `npm run dev`: loaded at once, and started when it is told that its types are right. */
import { runProcess } from '../../engine';
import { mockMissing } from '../mock/mocking';
import { loadProgram } from '../project/program';

async function load(): Promise<void> {
  const { start } = await loadProgram();
  process.once('message', () => {
    void runProcess({ usage: '', version: '', start: (env, outputs) => start(env, outputs, mockMissing) });
  });
  process.send?.('loaded');
}

void load();
