import { bearer } from '../../../src/engine/auth/bearer';
import { makeToken, tokens } from '../../../src/engine/auth/tokens';
import { expectError } from '../../support/errors';
import { eventually } from '../../support/eventually';
import { ask, plantRequest, type RawAnswer } from '../../support/raw';
import { startService, type TestService } from '../../support/service';

const LIMIT = 3;
const [one, other] = [makeToken('one'), makeToken('other')];
const verifiers = { bearerAuth: bearer({ tokens: tokens(`${one.line}\n${other.line}\n`, 'the test'), realm: 'test' }) };
const body = '{"id":1,"name":"Ficus"}';

function send({ port }: TestService, token: string): Promise<RawAnswer> {
  return ask(port, plantRequest({ token }, { body }));
}

describe('a principal', () => {
  it('that sends more requests a second than it may is refused for a second, and no other is', async () => {
    const service = await startService({ verifiers, rateLimit: LIMIT });
    const answers: RawAnswer[] = [];
    // However slow this is: within some second there are more.
    while (answers.at(-1)?.status !== 429)
      answers.push(...(await Promise.all([1, 2, 3, 4].map(() => send(service, one.token)))));
    const refused = answers.filter(({ status }) => status === 429);
    for (const answer of refused) {
      expectError(answer, 42901, 'expected at most 3 requests a second');
      expect(answer.headers['retry-after']).toBe('1');
    }
    expect(await send(service, other.token)).toMatchObject({ status: 200 });
    await eventually(async () => expect(await send(service, one.token)).toMatchObject({ status: 200 }));
  });
});
