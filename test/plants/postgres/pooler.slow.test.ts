/** The store behind PgBouncer: works where it can, and says at the start what to set where it cannot. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { PostgresServer } from '../../../scripts/postgres-server';
import { openPostgresStore } from '../../../src/plants/postgres/store';
import { eventually } from '../../support/eventually';
import { describeWith } from '../../support/needs';
import { freePort } from '../../support/ports';
import { query } from '../../support/postgres';

jest.setTimeout(120_000);

const PROGRAM = '/usr/sbin/pgbouncer';
const version = existsSync(PROGRAM) ? execFileSync(PROGRAM, ['--version'], { encoding: 'utf8' }) : '';
const [, minor] = / 1\.(\d+)/.exec(version) ?? [];
const keepsPrepared = Number(minor) >= 21;

/** What README.md shows, without its names. */
const TRANSACTIONS = [
  'pool_mode = transaction',
  'ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout',
];

describeWith(PROGRAM, 'behind PgBouncer', () => {
  let server: PostgresServer;
  let stop: () => Promise<void> = () => Promise.resolve();
  beforeAll(async () => {
    server = await (await PostgresServer.create()).start();
  });
  afterEach(() => stop());
  afterAll(() => server.dispose());

  /** Starts PgBouncer with these settings; resolves to the URL of the store behind it. */
  async function pooled(settings: readonly string[]): Promise<string> {
    const url = new URL(server.url());
    const [port, file, users] = [await freePort(), join(server.data, 'pgbouncer.ini'), join(server.data, 'users')];
    writeFileSync(users, `"${url.username}" "${url.password}"\n`);
    writeFileSync(
      file,
      ['[databases]', `* = host=127.0.0.1 port=${server.port}`, '[pgbouncer]', 'listen_addr = 127.0.0.1']
        .concat(`listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = scram-sha-256', `auth_file = ${users}`)
        .concat(settings, '')
        .join('\n'),
    );
    const { uid, gid } = server.identity;
    for (const each of [file, users]) chownSync(each, uid, gid);
    const child = spawn(PROGRAM, ['-q', file], { uid, gid, stdio: 'ignore' });
    const ended = once(child, 'exit');
    stop = async () => {
      child.kill('SIGKILL');
      await ended;
    };
    await eventually(async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.destroy();
    });
    url.port = String(port);
    return url.href;
  }

  /** Stores batches that overlap, of many sizes, on two stores at once; each plant is there afterwards, once. */
  async function works(url: string): Promise<void> {
    const [one, other] = [await openPostgresStore(url), await openPostgresStore(url)];
    const sent = new Set<bigint>();
    const batch = (first: number): { id: bigint; name: string }[] => {
      const ids = Array.from({ length: (first % 40) + 1 }, (_, index) => BigInt(first + index));
      for (const id of ids) sent.add(id);
      return ids.map((id) => ({ id, name: 'Ficus' }));
    };
    for (let first = 0; first < 400; first += 20) {
      const outcomes = await Promise.all(
        [0, 1, 2, 3].map((each) => (each % 2 === 0 ? one : other).addAll(batch(first + 5 * each))),
      );
      expect(outcomes.flat()).not.toContain('taken');
    }
    const ids = (await other.page(0n, 1_000)).map(({ id }) => id);
    expect(ids).toEqual([...sent].sort((a, b) => Number(a - b)));
    for (const store of [one, other]) await store.close();
  }

  it('works in session mode', async () => {
    await works(await pooled(['pool_mode = session', ...TRANSACTIONS.slice(1)]));
  });

  (keepsPrepared ? it : it.skip)('works in transaction mode, with prepared statements (from 1.21 on)', async () => {
    await works(await pooled([...TRANSACTIONS, 'max_prepared_statements = 100']));
  });

  it('is refused in transaction mode without prepared statements, and says what to set', async () => {
    const url = await pooled([...TRANSACTIONS, ...(keepsPrepared ? ['max_prepared_statements = 0'] : [])]);
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(openPostgresStore(url)).rejects.toThrow(
        'a connection pooler is in front of it that loses prepared statements. Let it pool sessions, or, from PgBouncer ' +
          '1.21 on, set max_prepared_statements to 100 (src/plants/postgres/README.md)',
      );
    }
  });

  it('is refused after a while where it has no second connection', async () => {
    const url = await pooled(['pool_mode = session', 'default_pool_size = 1', ...TRANSACTIONS.slice(1)]);
    await expect(openPostgresStore(url, { openWaitMs: 300 })).rejects.toThrow(
      'it does not answer (Query read timeout). See its load, pg_stat_activity for what is waited for, and that no pooler in front of it is full',
    );
  });

  it('is refused where it has passed over the search path of the address, and what is set for the role will do', async () => {
    const pooler = await pooled(['pool_mode = session', `${TRANSACTIONS[1]}, options`]);
    const url = `${pooler}?options=-c%20search_path%3Dgarden`;
    await query(server.url(), 'CREATE SCHEMA garden');
    await expect(openPostgresStore(url)).rejects.toThrow(
      'its search_path is "$user", public, and the options of DATABASE_URL ask for garden: a pooler has passed over them. Take them out',
    );
    await query(server.url(), 'ALTER ROLE CURRENT_USER SET search_path = garden');
    // The pooler keeps the connection that it had.
    await query(server.url(), 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
    for (const each of [url, pooler]) {
      const store = await openPostgresStore(each);
      await store.addAll([{ id: 1n, name: 'Ficus' }]);
      await store.close();
    }
    expect(await query(server.url(), 'SELECT name FROM garden.plants')).toEqual([{ name: 'Ficus' }]);
    await query(server.url(), 'ALTER ROLE CURRENT_USER RESET search_path');
  });

  it('is refused at once where it does not take the options of the address, with what to set in their place', async () => {
    const pooler = await pooled(['pool_mode = session', ...TRANSACTIONS.slice(1)]);
    await expect(openPostgresStore(`${pooler}?options=-c%20search_path%3Dgarden`)).rejects.toThrow(
      /unsupported startup parameter.*\. Take them out of DATABASE_URL, and set what they say for the role/,
    );
  });

  it('is refused at once where it does not take the parameters of a connection', async () => {
    await expect(openPostgresStore(await pooled(TRANSACTIONS.slice(0, 1)))).rejects.toThrow(
      /unsupported startup parameter: \w+\. Have PgBouncer ignore it \(ignore_startup_parameters, src/,
    );
  });
});
