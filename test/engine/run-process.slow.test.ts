/** A service as a process: what its signals do, and what it says of a fault. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually';
import { messagesIn, startEngine, stopProcess } from '../support/process';
import { lastAnswer, plantRequest, RawConnection } from '../support/raw';
import { temporaryFolder } from '../support/temporary-folder';

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

it('says what Node warns of, and a fault that ends it, in a line of JSON each', async () => {
  const preload = join(temporaryFolder(), 'preload.js');
  const fault = "process.emitWarning('an old way'); setImmediate(() => { throw new Error('a fault'); });";
  writeFileSync(preload, `process.on('SIGUSR2', () => { ${fault} });`);
  const service = await startEngine({ NODE_OPTIONS: `--require=${preload}` });
  service.kill('SIGUSR2');
  const { code, stderr } = await service.exited;
  const lines = stderr.trim().split('\n');
  expect(code).toBe(1);
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 'warn', err: expect.objectContaining({ message: 'an old way' }) as unknown }),
    expect.objectContaining({
      level: 'fatal',
      err: expect.objectContaining({ message: 'a fault', stack: expect.any(String) as unknown }) as unknown,
    }),
  ]);
});

it('reads HTTP strictly, whatever NODE_OPTIONS says', async () => {
  const service = await startEngine({ NODE_OPTIONS: '--insecure-http-parser' });
  const bytes = 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
  expect(await lastAnswer(Number(new URL(service.baseUrl).port), bytes)).toMatchObject({ status: 400 });
  service.kill('SIGTERM');
  await service.exited;
});

it('starts no debugger on SIGUSR1, by which other users of the machine could run code, and goes on', async () => {
  const service = await startEngine({});
  service.kill('SIGUSR1');
  await eventually(() => expect(service.stderr).not.toBe(''));
  const { stderr } = await stopProcess(service);
  expect(messagesIn(stderr)).toBe('SIGUSR1 does nothing here: no debugger is started\n');
});

it('starts also if it is asked to read its tokens again meanwhile', async () => {
  const preload = join(temporaryFolder(), 'preload.js');
  const kill = "(name) => name === 'SIGTERM' && process.kill(process.pid, 'SIGHUP')";
  writeFileSync(preload, `process.on('newListener', ${kill});`);
  const service = await startEngine({ NODE_OPTIONS: `--require=${preload}` });
  expect(await stopProcess(service)).toMatchObject({ code: 0 });
});
