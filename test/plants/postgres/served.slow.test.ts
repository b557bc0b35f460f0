/** The service on PostgreSQL, held to its contract. */
import { describeOnPostgres, freshDatabase, type TestDatabase } from '../../support/postgres';

describeOnPostgres('on PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
    process.env.CONFORMANCE_STORE = database.url;
  });
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only where there is a PostgreSQL
  require('../../conformance/conformance.test');
  // After those of the tests: hooks run in their order.
  afterAll(() => database.drop());
});
