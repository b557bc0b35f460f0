/** Runs the steps of a check: gates one after the other, then all other steps side by side. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Outcome, root, runTool } from '../run-command';

export interface Step {
  name: string;
  /** What it makes sure of. */
  what: string;
  /** A program of `node_modules/.bin` and its arguments. */
  command: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** No later step is run where it fails: all of them would fail for the same reason. */
  gate?: boolean;
  /** A file that it appends to, removed before the step. */
  appendsTo?: string;
  /** The step whose result it reads. */
  after?: string;
  /** What of its output is shown also on success. */
  shows?: 'everything' | 'last line';
  /** How to fix a failure. */
  fix: string;
}

export interface Result extends Outcome {
  step: Step;
}

/** Runs up to `atOnce` steps at a time, each after the one it names; calls `done` as each ends. */
export async function runSteps(
  steps: readonly Step[],
  atOnce: number,
  done: (result: Result) => void,
): Promise<{ results: Result[]; notRun: Step[] }> {
  const results: Result[] = [];
  const runStep = async (step: Step): Promise<boolean> => {
    if (step.appendsTo !== undefined) rmSync(join(root, step.appendsTo), { force: true });
    const result = { step, ...(await runTool(step.command, step.env)) };
    results.push(result);
    done(result);
    return result.ok;
  };
  for (const gate of steps.filter((step) => step.gate))
    if (!(await runStep(gate)))
      return { results, notRun: steps.filter((step) => results.every((result) => result.step !== step)) };

  const waiting = steps.filter((step) => !step.gate);
  const started = new Map<string, Promise<unknown>>();
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const running = Promise.resolve(started.get(step.after ?? '')).then(runStep.bind(undefined, step));
      started.set(step.name, running);
      await running;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { results, notRun: [] };
}
