/** The process: configuration -> our service -> serve -> signals. */
import './node-version';
import { readConfig, usage } from './config';
import { type Outputs, runProcess, type Running, serve, type Service } from './engine';
import { project, serviceOf } from './service';

/**
 * Starts our service from environment variables; rejects, and leaves nothing open, if the configuration, the contract or the store is
 * wrong. `npm run dev` changes the service: it mocks the handlers that are not written yet.
 */
export async function start(
  env: NodeJS.ProcessEnv,
  outputs: Outputs,
  change: (service: Service) => Service = (service) => service,
): Promise<Running> {
  const config = readConfig(env);
  return serve(change(serviceOf(config)), config, outputs);
}

/** Serves until the process is asked to stop, and ends it. */
export function run(args?: string[]): Promise<never> {
  return runProcess({ usage, version: project.version, start: (env, outputs) => start(env, outputs) }, args);
}

if (require.main === module) void run();
