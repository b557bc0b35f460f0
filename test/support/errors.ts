/** What all error answers have in common. */
import type { RawAnswer } from './raw';

/** Expects the whole error answer: the status of the code, the media type, and the exact body. */
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
