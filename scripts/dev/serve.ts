/** The program under `npm run dev`: loaded at once, and started when it is told that its types are right. */
import { runProcess } from '../../src/engine/run-process';
import { start } from '../../src/main';

process.once('message', () => void runProcess({ usage: '', version: '', start }));
process.send?.('loaded');
