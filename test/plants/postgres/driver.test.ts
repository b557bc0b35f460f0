import { isAboutContent } from '../../../src/plants/postgres/driver';
import { table } from '../../support/table';

it.each(table`
  a number that is too large | 22003 out of range | true
  a CHECK | 23514 violates check constraint | true
  a row that is too large | 54000 row is too big: size 9000, maximum size 8160 | true
  values that are nested too deeply | 54001 stack depth limit exceeded | true
  transaction ids that run out, in German | 54000 nimmt keine Befehle an (GetNewTransactionId) | false
  those of a worker of Citus
    | 54000 database is not accepting commands to avoid wraparound data loss in database "postgres" | false
  a disk that is full | 53100 No space left on device: 22003 | false
`)('an error about %s is of one plant, rather than of the server', (_what, failure, answer) => {
  const [, code, message, routine] = /^(\S+) (.*?)(?: \((.*)\))?$/.exec(failure) ?? [];
  expect(String(isAboutContent(Object.assign(new Error(message), { code, routine })))).toBe(answer);
});
