import { pino } from 'pino';
import { ApiError } from '../../../src/engine/errors/api-error';
import { ErrorCode } from '../../../src/engine/errors/error-codes';
import { errorLog } from '../../../src/engine/process/repeats';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function recorded(): { logged: Record<string, unknown>[]; logError: (error: ApiError) => void } {
  const logged: Record<string, unknown>[] = [];
  const write = (text: string): void => void logged.push(JSON.parse(text) as Record<string, unknown>);
  return { logged, logError: errorLog(pino({ base: null, timestamp: false }, { write }), 1_000) };
}

const unavailable = (reason: string): ApiError =>
  new ApiError(ErrorCode.StoreUnavailable, 'the store does not answer', { cause: new Error(reason) });
const full = (reason: string): object => ({
  level: 50,
  error: 50301,
  err: { type: 'Error', message: reason, stack: expect.stringContaining(reason) as unknown },
  msg: 'the store does not answer',
});
const counted = (reason: string, times: number): object => ({
  level: 50,
  error: 50301,
  times,
  reason,
  msg: `the store does not answer, ${times} times more`,
});

it('logs the first of a kind in full, and one line a second that counts the others', () => {
  const { logged, logError } = recorded();
  for (let each = 0; each < 1_000; each++) logError(unavailable('disk full'));
  expect(logged).toEqual([full('disk full')]);
  jest.advanceTimersByTime(1_000);
  expect(logged.splice(0)).toEqual([full('disk full'), counted('disk full', 999)]);
  for (let each = 0; each < 10; each++) logError(unavailable('disk full'));
  jest.advanceTimersByTime(1_000);
  expect(logged.splice(0)).toEqual([counted('disk full', 10)]);
});

it('tells kinds apart, by their code and reason', () => {
  const { logged, logError } = recorded();
  const internal = new ApiError(ErrorCode.Internal, 'internal error', { cause: new Error('disk full') });
  for (const error of [unavailable('disk full'), unavailable('locked'), internal, unavailable('locked')])
    logError(error);
  jest.advanceTimersByTime(1_000);
  const another = { ...full('disk full'), error: 50001, msg: 'internal error' };
  expect(logged).toEqual([full('disk full'), full('locked'), another, counted('locked', 1)]);
});

it('logs a kind in full again that has not come for a second', () => {
  const { logged, logError } = recorded();
  logError(unavailable('locked'));
  jest.advanceTimersByTime(1_000);
  logError(unavailable('locked'));
  expect(logged).toEqual([full('locked'), full('locked')]);
});

it('takes what is told apart beyond a limit for one kind', () => {
  const { logged, logError } = recorded();
  for (let each = 0; each < 1_000; each++) logError(unavailable(`plant ${each}`));
  jest.advanceTimersByTime(1_000);
  expect(logged).toHaveLength(22);
  expect(logged.at(-1)).toMatchObject({ times: 979 });
});
