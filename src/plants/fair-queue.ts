/** A fair queue: each principal has a line of its own, the lines are served in turn, and a long one leaves room for others. */

export class FairQueue<T> {
  /** The lines that are not empty; the first is served next. */
  private readonly lines = new Map<string, T[]>();
  private count = 0;

  /** `room` is the number of items that may wait in all lines together. */
  constructor(private readonly room: number) {}

  get length(): number {
    return this.count;
  }

  /**
   * Adds an item; returns false if there is no room. A line may be as long as the room that it leaves for others, so that a lone one gets
   * half of it.
   */
  push(principal: string, item: T): boolean {
    const line = this.lines.get(principal) ?? [];
    if (line.length >= this.room - this.count) return false;
    line.push(item);
    this.lines.set(principal, line);
    this.count++;
    return true;
  }

  /** Takes one item of each line in turn, until the next one does not fit. */
  take(fits: (item: T) => boolean): T[] {
    const taken: T[] = [];
    for (const [principal, line] of this.lines) {
      // A line that is alone has all turns: moving it for each of its items takes longer than all else here.
      const most = this.lines.size === 1 ? line.length : 1;
      const end = line.findIndex((item, index) => index === most || !fits(item));
      const first = line.splice(0, end < 0 ? line.length : end);
      taken.push(...first);
      if (first.length < most) break;
      // Moves the line to the end of the map, where this loop meets it again.
      this.lines.delete(principal);
      if (line.length > 0) this.lines.set(principal, line);
    }
    this.count -= taken.length;
    return taken;
  }

  /** Removes and returns the items for which `isToGo` is true. */
  remove(isToGo: (item: T) => boolean): T[] {
    const removed: T[] = [];
    for (const [principal, line] of this.lines) {
      removed.push(...line.filter(isToGo));
      const left = line.filter((item) => !isToGo(item));
      if (left.length > 0) this.lines.set(principal, left);
      else this.lines.delete(principal);
    }
    this.count -= removed.length;
    return removed;
  }
}
