/** The service on PostgreSQL, as a client sees it. */
import { describeOnPostgres, freshDatabase, type TestDatabase } from '../../support/postgres';

process.env.TEST_STORE = 'postgres';

describeOnPostgres('on PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
    process.env.CONFORMANCE_STORE = database.url;
  });
  /* eslint-disable @typescript-eslint/no-require-imports -- only where there is a PostgreSQL */
  require('../create-plant.test');
  require('../../conformance/conformance.test');
  // After those of the tests: hooks run in their order.
  afterAll(() => database.drop());
});
