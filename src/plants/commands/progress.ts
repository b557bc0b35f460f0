/** Tells on stderr, once a second, how far a long run is. */
export class Progress {
  private readonly start = performance.now();
  private told = this.start;

  /** For a verb such as "exported". */
  constructor(private readonly verb: string) {}

  tell(count: number): void {
    const now = performance.now();
    if (now - this.told < 1_000) return;
    this.told = now;
    const perSecond = Math.round(count / ((now - this.start) / 1_000));
    console.error(`${this.verb} ${count} plants, ${perSecond}/s`);
  }
}
