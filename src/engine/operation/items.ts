/** Items of a sequence in a request: each is held to the contract like an item of a list, when its handler asks for it. */
import type { ItemLimits } from '../contract/sequences';
import { ApiError } from '../errors/api-error';
import { Turn } from '../process/turn';
import { contractViolation, contractViolations } from '../schema/violation';

/**
 * The valid items, up to the first that is not: that one throws a ContractViolation with its place, such as `/body/7/name`. `judge` returns
 * the item as handlers get it.
 */
export async function* validItems<Item>(
  sent: AsyncIterable<Item>,
  judge: (item: Item, number: number) => unknown,
  { least, most }: ItemLimits,
): AsyncGenerator<unknown, void> {
  let number = 0;
  const turn = new Turn(); // items that are there already are never waited for
  for await (const item of sent) {
    if (number >= most) throw contractViolation('/body', `expected at most ${most} items`, 'more');
    const valid = placed(number, () => judge(item, number));
    number++;
    yield valid;
    if (turn.isOver) await turn.leave();
  }
  if (number < least) throw contractViolation('/body', `expected at least ${least} items`, String(number));
}

/** The result of `judge`, whose violations get the number of the item into their places. */
function placed(number: number, judge: () => unknown): unknown {
  try {
    return judge();
  } catch (error) {
    if (!(error instanceof ApiError) || error.violations.length === 0) throw error;
    const within = (place: string): string => place.replace(/^\/body/, `/body/${number}`);
    throw contractViolations(error.violations.map(({ place, text }) => ({ place: within(place), text })));
  }
}
