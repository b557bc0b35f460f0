/** A server for scripts: on a free port of this machine, without a word. */
import { engineVariables, readVariables, settingsOf } from '../src/engine';

export const quietSettings = readVariables(
  engineVariables,
  { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', DOCS: 'off' },
  settingsOf,
);
export const quietOutputs = { print: () => undefined, logTo: { write: () => undefined } };
