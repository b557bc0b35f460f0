/** The modules of the project, which commands load to try it. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Outputs, Running, Service } from '../../engine';
import { root } from './run-command';

/** What `src/main.ts` of a project exports. */
export interface ProjectProgram {
  start: (env: NodeJS.ProcessEnv, outputs: Outputs, change?: (service: Service) => Service) => Promise<Running>;
}

/** Loads `src/main.ts` of the project, and does not start it. */
export async function loadProgram(): Promise<ProjectProgram> {
  return (await loadModule('main.ts')) as ProjectProgram;
}

/** What `src/config.ts` of a project exports for those who only try it. */
interface ProjectConfig {
  trialVariables: (folder: string) => NodeJS.ProcessEnv;
}

/** The variables with which the program touches nothing but the folder. */
export async function trialVariables(folder: string): Promise<NodeJS.ProcessEnv> {
  return ((await loadModule('config.ts')) as ProjectConfig).trialVariables(folder);
}

/** Loads a module of `src`, which is TypeScript, whether this process has been started for that or not. */
export async function loadModule(name: string): Promise<unknown> {
  if (!process.execArgv.some((argument) => argument.includes('tsx'))) (await import('tsx/cjs/api')).register();
  return createRequire(join(root, 'package.json'))(join(root, 'src', name)) as unknown;
}
