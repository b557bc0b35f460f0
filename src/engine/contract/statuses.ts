/** Rules for the statuses of responses that hold whatever an operation is about. */

/** The key under which responses declare a status: `404`, or else its range `4XX`, or else `default`; undefined if there is none. */
export function keyFor(status: number, isDeclared: (key: string) => boolean): string | undefined {
  const text = String(status);
  if (isDeclared(text)) return text;
  const range = `${text[0]}XX`;
  return isDeclared(range) ? range : isDeclared('default') ? 'default' : undefined;
}

/** The key of its responses under which an operation declares a status; undefined if there is none. */
export function declaredKey(
  { responses }: { responses: Readonly<Record<string, unknown>> },
  status: number,
): string | undefined {
  return keyFor(status, (key) => Object.hasOwn(responses, key));
}

/** HTTP has no body for them, whatever is declared (RFC 9110 section 15). */
export const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);
