/** Finds the known name that an unknown one resembles. */

const SHORTEST_MISSPELT = 5;

/** The known name that an unknown one probably means; undefined if it resembles none. */
export function misspelt(name: string, known: Iterable<string>): string | undefined {
  // A name such as `min_items` is of another language.
  if (name.length < SHORTEST_MISSPELT || /[^a-z]/i.test(name)) return undefined;
  const lower = name.toLowerCase();
  return [...known].find((each) => each.length >= SHORTEST_MISSPELT && differsLittle(lower, each.toLowerCase()));
}

/** True if the names differ by one letter (missing, superfluous or replaced), or by two swapped neighbours. */
function differsLittle(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const rest = (text: string, from: number): string => text.slice(start + from);
  return (
    a === b ||
    rest(a, 1) === rest(b, 1) ||
    rest(a, 0) === rest(b, 1) ||
    rest(a, 1) === rest(b, 0) ||
    (rest(a, 2) === rest(b, 2) && a[start] === b[start + 1] && a[start + 1] === b[start])
  );
}
