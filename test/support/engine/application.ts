/** What the engine's tests serve, in their process or, where this file is the main one, as a program of its own. */
import { join } from 'node:path';
import { runProcess } from '../../../src/engine/run-process';
import { type Outputs, type Running, serve } from '../../../src/engine/serve';
import type { Service } from '../../../src/engine/service-interface';
import { engineVariables, settingsOf } from '../../../src/engine/settings';
import { helpOn, readVariables } from '../../../src/engine/process/variables';
import { EnginePlants, TAKEN } from './plants';

/** The contract beside this file, with its handlers on these plants. */
export function engineService(plants = new EnginePlants()): Service {
  return {
    contract: join(__dirname, 'openapi.yaml'),
    version: '1.0.0',
    handlers: plants.handlers,
    errorCodes: { PlantIdTaken: TAKEN },
  };
}

/** Starts a service from environment variables, as a program would. */
export async function serveEngine(
  env: NodeJS.ProcessEnv,
  outputs: Partial<Outputs> = {},
  service = engineService(),
): Promise<Running> {
  const settings = readVariables(engineVariables, env, settingsOf);
  return serve(service, settings, { print: () => undefined, logTo: process.stderr, ...outputs });
}

if (require.main === module)
  void runProcess({ usage: `variables:\n${helpOn(engineVariables)}`, version: '1.0.0', start: serveEngine });
