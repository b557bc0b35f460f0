/** Runs the steps of a check, as many at once as are wanted, each after those that it builds on. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Outcome, root, runTool } from '../run-command';

export interface Step {
  name: string;
  /** What it makes sure of. */
  what: string;
  /** A program of `node_modules/.bin` and its arguments; a function where they are found when it is run. */
  command: readonly string[] | (() => readonly string[]);
  env?: NodeJS.ProcessEnv;
  /** A file that it adds to, and that is to be empty before. */
  writes?: string;
  /** The step whose result it reads. */
  after?: string;
  /** Whether the last line of what it says is worth telling also when all is well. */
  says?: boolean;
  /** What to do about a failure. */
  mend: string;
}

export interface Result extends Outcome {
  step: Step;
}

/** Runs all steps in their order, up to `atOnce` at a time; none stops another. `done` is told of each as it ends. */
export async function runSteps(
  steps: readonly Step[],
  atOnce: number,
  done: (result: Result) => void,
): Promise<Result[]> {
  const ended = new Map<string, Promise<unknown>>();
  const waiting = [...steps];
  const results: Result[] = [];

  const runStep = async (step: Step): Promise<void> => {
    await ended.get(step.after ?? '');
    if (step.writes !== undefined) rmSync(join(root, step.writes), { force: true });
    const command = typeof step.command === 'function' ? step.command() : step.command;
    const result = { step, ...(await runTool(command, step.env)) };
    results.push(result);
    done(result);
  };
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const running = runStep(step);
      ended.set(step.name, running);
      await running;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}
