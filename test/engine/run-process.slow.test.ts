/** A service as a process: what its signals do. */
import { eventually } from '../support/eventually';
import { startEngine } from '../support/process';
import { plantRequest, RawConnection } from '../support/raw';

it('takes two signals at once for one, as from a terminal and from npm, and answers what is under way', async () => {
  const service = await startEngine({ LOG_LEVEL: 'info' });
  const connection = await RawConnection.open(Number(new URL(service.baseUrl).port));
  const body = '{"id":1,"name":"Ficus"}';
  const bytes = plantRequest({ token: service.token }, { headers: { Expect: '100-continue' }, body });
  connection.send(bytes.subarray(0, bytes.length - body.length));
  expect(await connection.answer()).toMatchObject({ status: 100 });

  service.kill('SIGINT');
  service.kill('SIGTERM');
  await eventually(() => expect(service.stderr).toContain('"msg":"stopping'));
  connection.send(body);
  expect(await connection.answer()).toMatchObject({ status: 200, body: '{"name":"Ficus"}' });
  expect(await service.exited).toMatchObject({ code: 0, signal: null });
});
