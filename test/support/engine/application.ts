/** What the engine's tests serve, in their process or, where this file is the main one, as a program of its own. */
import { join } from 'node:path';
import { bearer } from '../../../src/engine/auth/bearer';
import { digestOf } from '../../../src/engine/contract/digest';
import { readYaml } from '../../../src/engine/contract/source';
import { type Application, main } from '../../../src/main';
import { EnginePlants, TAKEN } from './plants';

/** The contract beside this file, with its handlers on these plants. */
export function engineApplication(plants = new EnginePlants()): Application {
  const contract = join(__dirname, 'openapi.yaml');
  return {
    contract,
    digest: digestOf(readYaml(contract).value),
    handlersOn: () => plants.handlers,
    errorCodes: { PlantIdTaken: TAKEN },
    verifiersOn: (tokens) => ({ bearerAuth: bearer(tokens) }),
  };
}

if (require.main === module) main(engineApplication());
