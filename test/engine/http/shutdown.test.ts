/** The end of a server: what is under way is answered, and nothing else is waited for. */
import { once } from 'node:events';
import { plantRequest, RawConnection, stopsAccepting, usedConnection } from '../../support/raw';
import { startService, type TestService } from '../../support/service';

describe('a server that is closed', () => {
  let service: TestService;
  let connection: RawConnection;
  beforeEach(async () => {
    service = await startService();
    connection = await usedConnection(service.port);
  });

  const ficus = (): Buffer => plantRequest(service, { body: '{"id":1,"name":"Ficus"}' });

  it('answers a request that arrives on an idle connection, and closes it', async () => {
    const closed = service.close(10_000);
    await stopsAccepting(service.port);
    connection.send(ficus());
    const whole = { status: 200, headers: { connection: 'close' }, body: '{"name":"Ficus"}' };
    expect(await connection.answer()).toMatchObject(whole);
    expect(await connection.closed()).toBe('');
    await closed;
    expect(service.rows()).toEqual([{ id: 1n, name: 'Ficus', tag: null }]);
  });

  it('answers a request that waits for 100 Continue', async () => {
    const closed = service.close(10_000);
    await stopsAccepting(service.port);
    const body = '{"id":1,"name":"Ficus"}';
    connection.send(
      plantRequest(service, { headers: { Expect: '100-continue', 'Content-Length': String(body.length) } }),
    );
    expect(await connection.answer()).toMatchObject({ status: 100 });
    connection.send(body);
    expect(await connection.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(await connection.closed()).toBe('');
    await closed;
  });

  it('answers a request that had arrived in part', async () => {
    connection.send(ficus().subarray(0, -10));
    await once(service.server, 'request');
    const closed = service.close(10_000);
    connection.send(ficus().subarray(-10));
    expect(await connection.answer()).toMatchObject({ status: 200, body: '{"name":"Ficus"}' });
    expect(await connection.closed()).toBe('');
    await closed;
    expect(service.rows()).toEqual([{ id: 1n, name: 'Ficus', tag: null }]);
  });

  it('does not wait for connections that are idle or unused', async () => {
    const [silent] = await Promise.all([RawConnection.open(service.port), once(service.server, 'connection')]);
    await service.close(10_000);
    expect(await connection.closed()).toBe('');
    expect(await silent.closed()).toBe('');
  });

  it('answers 408 to a request whose headers are incomplete', async () => {
    connection.send('POST /plants HT');
    await service.close(10_000);
    expect(await connection.answer()).toMatchObject({
      status: 408,
      headers: { connection: 'close' },
      body: '{"error":40801,"message":"the request did not arrive in time"}',
    });
    expect(await connection.closed()).toBe('');
  });

  it('destroys connections that are still busy after the grace period', async () => {
    connection.send(ficus().subarray(0, -10));
    await once(service.server, 'request');
    await service.close(50);
    expect(await connection.closed()).toBe('');
    expect(service.rows()).toEqual([]);
  });
});
