import { killAndRestart, seed } from './kill';

it(`SIGKILL loses no acknowledged plant and invents none (seed ${seed})`, () => killAndRestart(1));
