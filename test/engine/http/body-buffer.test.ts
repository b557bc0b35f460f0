import { bearer } from '../../../src/engine/auth/bearer';
import { makeToken, tokens } from '../../../src/engine/auth/tokens';
import { BodyBudget, BodyBuffer } from '../../../src/engine/http/body-buffer';
import { type AnyRequest, contractOf, handlersOf } from '../../support/contracts';
import { expectError } from '../../support/errors';
import { eventually } from '../../support/eventually';
import { ask, plantRequest } from '../../support/raw';
import { startService } from '../../support/service';

describe('the bytes of a body', () => {
  it.each([
    ['none', []],
    ['one chunk', [5]],
    ['chunks of one byte', Array<number>(3_000).fill(1)],
    ['chunks of many sizes', [1, 2_000, 3, 1, 1_024, 7, 900]],
  ])('are those that came, in %s', (_what, lengths) => {
    const buffer = new BodyBuffer(4_000, new BodyBudget(4_000), 'a');
    const chunks = lengths.map((length, index) => Buffer.alloc(length, index + 1));
    for (const chunk of chunks) expect(buffer.add(chunk)).toBeUndefined();
    expect(buffer.bytes()).toEqual(Buffer.concat(chunks));
  });

  it('are refused where they are more than allowed', () => {
    const buffer = new BodyBuffer(10, new BodyBudget(10), 'a');
    expect(buffer.add(Buffer.alloc(10))).toBeUndefined();
    expect(buffer.add(Buffer.alloc(1))).toMatchObject({ code: 41301, message: 'expected a body of at most 10 bytes' });
  });
});

it('the bytes of a body are refused while they arrive, where all bodies together have no room', () => {
  const budget = new BodyBudget(1);
  budget.take(Math.floor((64 * 1024 * 1024 * 8) / 9) - 10, 'a'); // but ten of those of one principal
  const buffer = new BodyBuffer(100, budget, 'a');
  expect(buffer.add(Buffer.alloc(10))).toBeUndefined();
  expect(buffer.add(Buffer.alloc(1))).toMatchObject({
    code: 50302,
    message: 'too many bytes of request bodies are held at once',
  });
  expect(new BodyBuffer(100, budget, 'b').add(Buffer.alloc(1))).toBeUndefined();
});

it('the room of bytes that are cut off, or released, is there again, and no more', () => {
  const budget = new BodyBudget(1);
  for (let round = 0; round < 5; round++) {
    const buffer = new BodyBuffer(100, budget, 'a');
    buffer.add(Buffer.alloc(100));
    buffer.cut(30);
    buffer.release();
  }
  const most = Math.floor((64 * 1024 * 1024 * 8) / 9); // of one principal
  expect(budget.take(most + 1, 'a')).toBe(false);
  expect(budget.take(most, 'a')).toBe(true);
});

describe('all bodies together', () => {
  const BODY_BYTES_MAX = 8_000_000;
  /** Nine times this is what all may take together. Most of it is a property that no pattern is matched with. */
  const large = (id: number): string => `{"id":${id},"name":"Ficus","filler":"${'x'.repeat(BODY_BYTES_MAX - 100)}"}`;
  const medium = (id: number): string => `{"id":${id},"name":"${'x'.repeat(100_000)}"}`;

  it('have a bound: beyond it the answer is 503, until some are answered, and one principal leaves room for others', async () => {
    let [reach, letGo] = [(): void => undefined, (): void => undefined];
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const [one, other] = [makeToken('one'), makeToken('other')];
    const service = await startService({
      verifiers: { bearerAuth: bearer({ tokens: tokens(`${one.line}\n${other.line}\n`, 'the test'), realm: 'test' }) },
      bodyBytesMax: BODY_BYTES_MAX,
      handlers: ({ handlers }) =>
        handlersOf({
          async createPlant(request: AnyRequest) {
            if ((request.body as { id: bigint }).id === 1n) {
              const held = new Promise<void>((resolve) => (letGo = resolve));
              reach();
              await held;
            }
            return handlers.createPlant(request);
          },
        })(),
    });
    const post = (body: string, { token } = one) => ask(service.port, plantRequest({ token }, { body }));
    const first = post(large(1));
    await Promise.race([reached, first.then(({ status }) => Promise.reject(new Error(`answered ${status} at once`)))]);
    const refused = await post(medium(2));
    expectError(refused, 50302, 'too many bytes of request bodies are held at once');
    expect(refused.headers['retry-after']).toBe('1');
    expect(await post('{"id":3,"name":"Ficus"}')).toMatchObject({ status: 200 });
    expect(await post(medium(4), other)).toMatchObject({ status: 200 });
    letGo();
    expect(await first).toMatchObject({ status: 200 });
    expect(await post(medium(2))).toMatchObject({ status: 200 });
    expect(service.rows().map(({ id }) => id)).toEqual([1n, 2n, 3n, 4n]);
  });

  it.each<[whose: string, one: string, same: string, other: string]>([
    ['address', '192.0.2.1', '192.0.2.1', '192.0.2.2'],
    ['address that is written in IPv6', '::ffff:192.0.2.1', '192.0.2.1', '::ffff:192.0.2.2'],
    ['address, whatever its port', '192.0.2.1:4711', '192.0.2.1:4712', '192.0.2.2:4711'],
    ['network of IPv6 behind a proxy that writes ports', '[2001:db8::1]:1', '[2001:db8::2]:2', '[2001:db8:0:1::1]:1'],
    ['network of IPv6', '2001:db8::1', '2001:db8:0:0:ffff::1', '2001:db8:0:1::1'],
  ])('leave room for clients without a credential of another %s', async (_whose, one, same, other) => {
    const service = await startService({
      contract: contractOf(`
paths: { /logins: { post: { operationId: logIn, requestBody: { content: { application/json: {} } }, responses: { '204': { description: In. }, default: { description: Any other., content: { application/json: {} } } } } } }`),
      bodyBytesMax: BODY_BYTES_MAX,
      trustProxy: ['loopback'],
      handlers: handlersOf({
        async logIn({ body }) {
          if ((body as { id: number }).id !== 1) return { status: 204 };
          isHeld = true;
          await new Promise<void>((resolve) => (letGo = resolve));
          return { status: 204 };
        },
      }),
    });
    let [isHeld, letGo] = [false, (): void => undefined];
    const post = (client: string, body: string) =>
      ask(
        service.port,
        plantRequest(service, { line: 'POST /logins HTTP/1.1', headers: { 'X-Forwarded-For': client }, body }),
      );
    const first = post(one, large(1));
    await eventually(() => expect(isHeld).toBe(true));
    expectError(await post(same, medium(2)), 50302, 'too many bytes of request bodies are held at once');
    expect(await post(other, medium(3))).toMatchObject({ status: 204 });
    letGo();
    expect(await first).toMatchObject({ status: 204 });
  });
});
