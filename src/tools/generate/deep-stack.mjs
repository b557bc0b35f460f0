/** Runs a program of Node in a thread whose stack is large: redocly calls itself for each schema that refers to another. */
import { Worker } from 'node:worker_threads';

const [program, ...argv] = process.argv.slice(2);
new Worker(program, { argv, resourceLimits: { stackSizeMb: 256 } }).once('exit', (code) => {
  process.exitCode = code;
});
