/** Before the slow tests: compiles the program, and starts a PostgreSQL. */
import compileProgram from './compile-program';
import startPostgres from './postgres-setup';

export default async function setup(): Promise<void> {
  compileProgram();
  console.error('starting PostgreSQL ...');
  await startPostgres();
}
