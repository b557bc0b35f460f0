/** After all tests: ends the PostgreSQL that was started before them. */
export { teardown as default } from './postgres-setup';
