/** The service on PostgreSQL, as a client sees it. */
import { describeOnPostgres } from '../../support/postgres';

process.env.TEST_STORE = 'postgres';

describeOnPostgres('on PostgreSQL', () => {
  /* eslint-disable @typescript-eslint/no-require-imports -- only where there is a PostgreSQL */
  require('../create-plant.test');
  require('../../conformance/conformance.test');
});
