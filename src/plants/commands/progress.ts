/** Reports the progress of a long run on stderr, once a second. */
export class Progress {
  private readonly start = performance.now();
  private reported = this.start;

  /** `verb` is in the past tense: "exported". */
  constructor(private readonly verb: string) {}

  report(count: number): void {
    const now = performance.now();
    if (now - this.reported < 1_000) return;
    this.reported = now;
    const perSecond = Math.round(count / ((now - this.start) / 1_000));
    console.error(`${this.verb} ${count} plants, ${perSecond}/s`);
  }
}
