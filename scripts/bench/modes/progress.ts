/** A line for each step that is done, with what is left. */
export class Progress {
  readonly #steps: number;
  readonly #start = Date.now();
  #done = 0;

  constructor(steps: number) {
    this.#steps = steps;
  }

  /** Some steps are done, whether or not anything came of them. */
  step(text: string, steps = 1): void {
    this.#done += steps;
    const left = this.#steps - this.#done;
    const secondsLeft = ((Date.now() - this.#start) / 1000 / this.#done) * left;
    console.log(`${text}  (${left === 0 ? 'done' : `${left} left, about ${durationOf(secondsLeft)}`})`);
  }
}

function durationOf(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
