/** Gets the discovery document and key set of an issuer of JWTs, within limits on time, size and frequency. */
import { messageOf } from '../errors/api-error';

/** The size limit of an answer. */
const ANSWER_BYTES_MAX = 1024 * 1024;
/** The pause after a failure, so that not every token asks the issuer again. */
const RETRY_MS = 1_000;

/** Thrown if the issuer, and not the token, is at fault. */
export class IssuerError extends Error {}

/** Gets JSON from the issuer, and extracts a value with `read`. */
export type Ask = <T>(url: string, read: (answer: unknown) => T) => Promise<T>;

/** A function that asks the issuer. It rejects with an IssuerError, and for `RETRY_MS` after a failure does so at once. */
export function askIssuer(issuer: string, timeoutMs: number): Ask {
  let failure: { error: IssuerError; until: number } | undefined;
  return async (url, read) => {
    if (failure && performance.now() < failure.until) throw failure.error;
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(url, { signal, redirect: 'manual', headers: { Accept: 'application/json' } });
      const text = await textOf(response);
      if (response.status !== 200) throw new Error(`expected status 200, got ${response.status}`);
      return read(JSON.parse(text));
    } catch (cause) {
      const error = new IssuerError(`the keys of ${issuer} cannot be had: ${messageOf(cause)}`, { cause });
      failure = { error, until: performance.now() + RETRY_MS };
      throw error;
    }
  };
}

/** The text of an answer; throws if it is too long, which ends the download. */
async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > ANSWER_BYTES_MAX) throw new Error(`expected at most ${ANSWER_BYTES_MAX} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

/** The address of the key set (OpenID Connect Discovery 1.0 section 4). */
export function discover(issuer: string, ask: Ask): Promise<URL> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  return ask(url, (found) => {
    // Section 4.3: otherwise it is the document of another issuer.
    if (!isObject(found) || found.issuer !== issuer)
      throw new Error(`expected the issuer ${issuer} in the document at ${url}`);
    if (typeof found.jwks_uri !== 'string') throw new Error(`expected a jwks_uri at ${url}`);
    return new URL(found.jwks_uri);
  });
}

export function keySetOf(answer: unknown): object {
  if (!isObject(answer) || !Array.isArray(answer.keys) || !answer.keys.every(isObject))
    throw new Error('expected a key set');
  return answer;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
