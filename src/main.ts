/** The process: configuration -> our service -> serve -> signals. */
import './node-version';
import { readConfig, usage } from './config';
import { mockMissing } from './engine/mock/missing';
import { runProcess } from './engine/run-process';
import { type Outputs, type Running, serve } from './engine/serve';
import { programVersion } from './project-root';
import { serviceOf } from './service';

/** Starts our service from environment variables; rejects, with nothing left open, if anything is not as it must be. */
export async function start(env: NodeJS.ProcessEnv, outputs: Outputs): Promise<Running> {
  const config = readConfig(env);
  return serve(await mockMissing(serviceOf(config), config), config, outputs);
}

/** Serves until the process is asked to stop, and ends it. */
export function run(args?: string[]): Promise<never> {
  return runProcess({ usage, version: programVersion(), start }, args);
}

if (require.main === module) void run();
