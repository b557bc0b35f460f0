/** Finds the known name that an unknown one resembles. */

const SHORTEST_MISSPELT = 5;
/** Longer names are compared with none: clients choose names, too, and any number of them. */
const LENGTH_MAX = 64;

/** The known name that an unknown one probably means; undefined if it resembles none. */
export function misspelt(name: string, known: Iterable<string>): string | undefined {
  // A name such as `min_items` is of another language.
  if (name.length < SHORTEST_MISSPELT || /[^a-z]/i.test(name)) return undefined;
  const long = [...known].filter((each) => each.length >= SHORTEST_MISSPELT);
  return long.find((each) => distance(name.toLowerCase(), each.toLowerCase(), 1) <= 1);
}

/** The known name nearest to one that is wrong in any case: a hint, of which less certainty is asked. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const plain = name.toLowerCase();
  const [best] = [...new Set(known)]
    .map((each) => ({ each, far: distance(plain, each.toLowerCase(), letters(Math.min(plain.length, each.length))) }))
    .filter(({ each, far }) => each !== name && far < Infinity)
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

/** Rows of the table of `distance`, made once: a name is compared with hundreds. */
const ROWS = [0, 1, 2].map(() => new Uint8Array(LENGTH_MAX + 1)) as [Uint8Array, Uint8Array, Uint8Array];

/** The number of letters to insert, remove, replace or swap with a neighbour; Infinity if it is more than `most`, or for long names. */
function distance(a: string, b: string, most: number): number {
  if (a === b) return 0;
  if (Math.max(a.length, b.length) > LENGTH_MAX || Math.abs(a.length - b.length) > most) return Infinity;
  let [before, last, row] = ROWS;
  const at = (of: Uint8Array, index: number): number => of[index] ?? Infinity;
  for (let j = 0; j <= b.length; j++) last[j] = j;
  let leastBefore = 0;
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = i > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const far = Math.min(
        at(last, j) + 1,
        at(row, j - 1) + 1,
        at(last, j - 1) + Number(a[i - 1] !== b[j - 1]),
        isSwapped ? at(before, j - 2) + 1 : Infinity,
      );
      row[j] = far;
      least = Math.min(least, far);
    }
    if (Math.min(least, leastBefore) > most) return Infinity;
    leastBefore = least;
    [before, last, row] = [last, row, before];
  }
  return at(last, b.length) <= most ? at(last, b.length) : Infinity;
}
