import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { cancel, isAboutContent } from '../../../src/plants/postgres/driver';
import { table } from '../../support/table';

it.each(table`
  a number that is too large | 22003 out of range | true
  a CHECK | 23514 violates check constraint | true
  a check that raises | P0001 a name of at most 200 characters | true
  a check that raises with a code of its own | ZX001 a name of at most 200 characters | true
  a table that is not there | 42P01 relation "plants" does not exist | false
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

it('a request to cancel leaves its end to the server: PgBouncer drops one whose client has gone', async () => {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = Object.assign(new Client({ host: '127.0.0.1', port }), { processID: 7, secretKey: 11 });
  const cancelled = cancel(client, 60_000);
  const [socket] = (await once(server, 'connection')) as [Socket];
  const seen: string[] = [];
  const ended = once(
    socket.on('end', () => seen.push('its end')),
    'end',
  );
  const [message] = (await once(socket, 'data')) as [Buffer];
  await sleep(50); // its end would come with the message
  seen.push('the end of the server');
  socket.end();
  await ended;
  expect([message.toString('hex'), seen]).toEqual([
    '0000001004d2162e000000070000000b',
    ['the end of the server', 'its end'],
  ]);
  client.emit('end');
  await cancelled;
  server.close();
});
