/** What every answer that is no success has in common. */
import type { RawAnswer } from './raw';

/** Expects the answer to be the contract's `Error` as a whole: the status that the code says, its type, its very bytes. */
export function expectError(answer: RawAnswer, error: number, message: string): void {
  const body = JSON.stringify({ error, message });
  expect(answer).toEqual({
    status: Math.floor(error / 100),
    headers: expect.objectContaining({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }) as unknown,
    body,
  });
}
