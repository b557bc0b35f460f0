import { killAndRestart, seed } from './kill';

it(`SIGKILL, again and again, loses no acknowledged plant and invents none (seed ${seed})`, () => killAndRestart(10));
