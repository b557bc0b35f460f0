/** The door of the tools: what the tests of a service import of them. */
export { holdToContract, startService, type TestService } from './project/test-service';
