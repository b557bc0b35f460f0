/** Finds the known name that an unknown one resembles. */

const SHORTEST_MISSPELT = 5;
const LENGTH_MAX = 100;

/** The known name that an unknown one probably means; undefined if it resembles none. */
export function misspelt(name: string, known: Iterable<string>): string | undefined {
  // A name such as `min_items` is of another language.
  if (name.length < SHORTEST_MISSPELT || /[^a-z]/i.test(name)) return undefined;
  const long = [...known].filter((each) => each.length >= SHORTEST_MISSPELT);
  return long.find((each) => distance(name.toLowerCase(), each.toLowerCase()) <= 1);
}

/** The known name nearest to one that is wrong in any case: a hint, of which less certainty is asked. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const plain = name.toLowerCase();
  const [best] = [...new Set(known)]
    .map((each) => ({ each, far: distance(plain, each.toLowerCase()) }))
    .filter(({ each, far }) => each !== name && far <= letters(Math.min(plain.length, each.length)))
    .sort((a, b) => a.far - b.far);
  return best?.each;
}

/** The number of letters that may be wrong in a name. */
function letters(length: number): number {
  return length < 4 ? 0 : Math.floor(length / 3);
}

/** `: expected X` for the nearest known name; nothing if there is none. */
export function hintOf(name: string, known: Iterable<string>): string {
  const meant = nearest(name, known);
  return meant === undefined ? '' : `: expected ${meant}`;
}

/** The number of letters to insert, remove, replace or swap with a neighbour; Infinity for long names. */
function distance(a: string, b: string): number {
  if (a.length > LENGTH_MAX || b.length > LENGTH_MAX) return a === b ? 0 : Infinity;
  const rows: number[][] = [[...Array(b.length + 1).keys()]];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + Number(a[i - 1] !== b[j - 1]),
          isSwapped ? at(i - 2, j - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(a.length, b.length);
}
