/** Reports the progress of a long run on stderr, once a second. */
export class Progress {
  private readonly start = performance.now();
  private reported = this.start;

  /** `verb` is in the past tense: "exported". */
  constructor(private readonly verb: string) {}

  /** `share` is how much of all this is, from 0 to 1, where the end is known. */
  report(count: number, share?: number): void {
    const now = performance.now();
    if (now - this.reported < 1_000) return;
    this.reported = now;
    const perSecond = Math.round(count / ((now - this.start) / 1_000));
    const done = Math.round(20 * Math.min(1, share ?? 0));
    const bar = share === undefined ? '' : `[${'='.repeat(done)}${' '.repeat(20 - done)}] `;
    console.error(`${bar}${this.verb} ${count} plants, ${perSecond}/s`);
  }
}
