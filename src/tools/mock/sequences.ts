/** The items of sequential media types: those of an example, or some that are made. */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../engine';
import type { Sequence } from '../../engine/tooling';
import type { Samples } from './samples';

/** The number of items that are made for a sequence without an example, and the most of one that needs more. */
const MADE = 3;
const MADE_MAX = 1_000;

/** The items of an example, which has a list of them, or one. */
export function itemsIn(sequence: Sequence, example: unknown): unknown[] {
  return [example].flat().map((value) => sequence.itemOf(value));
}

/** The first violation of the contract in items; undefined if there is none. */
export function problemIn(sequence: Sequence, items: readonly unknown[]): string | undefined {
  for (const [index, item] of items.entries()) {
    const problem = problemOf(sequence, item, index);
    if (problem !== undefined) return problem;
  }
  return sequence.endProblem(items.length);
}

/** Items that fit; undefined if none was found. */
export function samplesOf(
  samples: Samples,
  sequence: Sequence,
  chosen: number,
  isDynamic: boolean | undefined,
): unknown[] | undefined {
  const { contents, limits } = sequence;
  if (limits.least > MADE_MAX) return undefined;
  const made: unknown[] = [];
  for (let index = 0; index < Math.min(Math.max(MADE, limits.least), limits.most); index++) {
    // Data that is text by its schema, and a value by its contentSchema, is made by both.
    const fitting = (value: unknown): unknown => {
      const data = contents.map((content) => samples.valueOf(content, chosen + index));
      const items = [value, ...data.map((each) => ({ ...Object(value), data: each }) as unknown)];
      return items.map((each) => sequence.itemOf(each)).find((item) => problemOf(sequence, item, index) === undefined);
    };
    const value = samples.valueOf(
      sequence.schemaAt(index) ?? {},
      chosen + index,
      (each) => fitting(each) !== undefined,
      isDynamic,
    );
    if (value === undefined) return undefined;
    made.push(fitting(value));
  }
  return made;
}

/** Gives the items, with `intervalMs` in between; the end of the process does not wait for it. */
export async function* oneByOne(items: readonly unknown[], intervalMs: number): AsyncGenerator {
  for (const [index, item] of items.entries()) {
    if (index > 0 && intervalMs > 0) await sleep(intervalMs, undefined, { ref: false });
    yield item;
  }
}

/** The violation of an item, which may be of any shape. */
function problemOf(sequence: Sequence, item: unknown, index: number): string | undefined {
  try {
    return sequence.problem(item, index);
  } catch (error) {
    return messageOf(error);
  }
}
