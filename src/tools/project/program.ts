/** The modules of the project, which commands load to try it. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Outputs, Running, Service } from '../../engine';
import { root } from './run-command';

/** The exports of a project's `src/main.ts`. */
export interface ProjectProgram {
  start: (env: NodeJS.ProcessEnv, outputs: Outputs, change?: (service: Service) => Service) => Promise<Running>;
}

/** Loads `src/main.ts` of the project without starting it. */
export async function loadProgram(): Promise<ProjectProgram> {
  return (await loadModule('main.ts')) as ProjectProgram;
}

/** The exports of a project's `src/config.ts` for trial runs. */
interface ProjectConfig {
  trialVariables: (folder: string) => NodeJS.ProcessEnv;
}

/** The environment variables for a trial run that touches nothing but the folder. */
export async function trialVariables(folder: string): Promise<NodeJS.ProcessEnv> {
  return ((await loadModule('config.ts')) as ProjectConfig).trialVariables(folder);
}

/** Loads a module of `src`, which is TypeScript; registers tsx unless this process was started with it. If the module ends the process, that is a failure. */
export async function loadModule(name: string): Promise<unknown> {
  return withoutExit(`src/${name}, or what it imports, ends the process while it is loaded`, () => loadSource(name));
}

/** Does some work of the project's; if that ends the process, with whatever code, says so and makes it a failure. */
export async function withoutExit<T>(says: string, work: () => Promise<T>): Promise<T> {
  const fail = (): void => {
    console.error(says);
    process.exitCode = 1;
  };
  process.once('exit', fail);
  try {
    return await work();
  } finally {
    process.off('exit', fail);
  }
}

async function loadSource(name: string): Promise<unknown> {
  if (!process.execArgv.some((argument) => argument.includes('tsx'))) (await import('tsx/cjs/api')).register();
  return createRequire(join(root, 'package.json'))(join(root, 'src', name)) as unknown;
}
