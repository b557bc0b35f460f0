/** A number of something that is scarce, shared fairly between those who take it. */

/** The share of an owner as a multiple of the free memory: one alone gets 8/9 of all, two of them 8/17 each. Some is always left for others. */
export const TIMES_FREE = 8;

/** A number of something, such as bytes, that is shared fairly between owners. */
export class Shares {
  private readonly heldBy = new Map<string, number>();

  constructor(private free: number) {}

  /** Takes some for an owner; returns false, and takes nothing, if there is not enough, or the owner has too large a share. */
  take(count: number, owner: string): boolean {
    const held = (this.heldBy.get(owner) ?? 0) + count;
    if (held > TIMES_FREE * (this.free - count)) return false;
    this.free -= count;
    this.heldBy.set(owner, held);
    return true;
  }

  release(count: number, owner: string): void {
    this.free += count;
    const held = (this.heldBy.get(owner) ?? 0) - count;
    if (held > 0) this.heldBy.set(owner, held);
    else this.heldBy.delete(owner);
  }
}
