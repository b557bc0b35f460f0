/**
 * Loaded by Node before redocly, which follows every reference of a contract, those in examples and extensions too, wherever it leads: files
 * are read only where CONTRACT_FOLDERS says, beside the LINT_RULES, and no other host is asked. It holds examples to patterns by V8, which
 * may take exponential time: those that are slow are matched for a few seconds in all.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { delimiter, sep } from 'node:path';
import { Script } from 'node:vm';

const BYTES_MAX = 32 * 1024 * 1024;
const folders = (process.env.CONTRACT_FOLDERS ?? '').split(delimiter).filter(Boolean);
const roots = folders.map((folder) => fs.realpathSync(folder) + sep);
const rules = fs.realpathSync(process.env.LINT_RULES);
const { readFile } = fs.promises;

function refuseOthers(file) {
  const real = fs.realpathSync(file);
  const isKnown = real === rules || roots.some((root) => real.startsWith(root));
  if (!isKnown || !/\.(?:json|ya?ml|md|markdown)$/i.test(real))
    throw new Error(`${file} is not read: it is no YAML, JSON or Markdown in the folder of the contract`);
  const stat = fs.statSync(real);
  if (!stat.isFile() || stat.size > BYTES_MAX)
    throw new Error(`${file} is not read: expected a file of 32 MiB at most`);
}

// Node's own loader, which uses the same function, names files by URL.
fs.promises.readFile = async (file, ...options) => {
  if (typeof file === 'string') refuseOthers(file);
  return readFile(file, ...options);
};
syncBuiltinESMExports();

const refuseHosts = () => {
  throw new Error('other hosts are not asked');
};
globalThis.fetch = async () => refuseHosts(); // with a better message than that of a connection
Socket.prototype.connect = refuseHosts;

/** The time for all that is matched slowly, and the least for each text when it is used up. */
const SLOW_MS_MAX = 5_000;
const EACH_MS_MIN = 20;
let slowMs = 0;
const tooSlow = new Set();
const matching = new Script('matchPattern()');

/** What `test` is for a pattern; redocly reports what it throws as a mistake of the example, at its place. */
function testForAWhile(text) {
  const { source } = this;
  if (!tooSlow.has(source)) {
    globalThis.matchPattern = () => RegExp.prototype.test.call(this, text);
    const start = performance.now();
    try {
      return matching.runInThisContext({ timeout: Math.max(EACH_MS_MIN, SLOW_MS_MAX - Math.floor(slowMs)) });
    } catch (error) {
      if (error.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      tooSlow.add(source);
    } finally {
      const ms = performance.now() - start;
      if (ms > EACH_MS_MIN) slowMs += ms;
    }
  }
  throw new Error(`pattern ${source} takes too long for an example: expected no repetition in another, as in (a+)*`);
}

// Those of contracts are in Unicode mode.
globalThis.RegExp = new Proxy(RegExp, {
  construct(Own, args) {
    const expression = new Own(...args);
    return expression.unicode ? Object.assign(expression, { test: testForAWhile }) : expression;
  },
});
