/** The program of the project, which commands start to try it. */
import { join } from 'node:path';
import type { Outputs, Running, Service } from '../../engine';
import { root } from './run-command';

/** What `src/main.ts` of a project exports. */
export interface ProjectProgram {
  start: (env: NodeJS.ProcessEnv, outputs: Outputs, change?: (service: Service) => Service) => Promise<Running>;
}

/** Loads `src/main.ts` of the project, and does not start it. */
export async function loadProgram(): Promise<ProjectProgram> {
  return (await import(join(root, 'src', 'main.ts'))) as ProjectProgram;
}

/** What `src/config.ts` of a project exports for those who only try it. */
interface ProjectConfig {
  trialVariables: (folder: string) => NodeJS.ProcessEnv;
}

/** The variables with which the program touches nothing but the folder. */
export async function trialVariables(folder: string): Promise<NodeJS.ProcessEnv> {
  return ((await import(join(root, 'src', 'config.ts'))) as ProjectConfig).trialVariables(folder);
}
