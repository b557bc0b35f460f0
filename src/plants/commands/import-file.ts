/** Reads an export, or any file of plants, in batches and up to its end mark. */
import { messageOf } from '../../engine';
import type { NewPlant } from '../repository';
import { TURN_TEXT_MAX } from '../turn';
import { endMarkOf, isEndMark } from './end-mark';
import { plantOf, readLines, Tally } from './lines';

const BATCH_PLANTS = 1_000;

export class ImportFile {
  /** True once the end mark was read, and fits the lines before it. */
  isWhole = false;
  /** The length of the lines so far. */
  bytesRead = 0;
  /** Counts and hashes the lines as they are in the file; an export of another program may be spelt otherwise. */
  private readonly read = new Tally();

  /** Its name in messages. */
  readonly shown: string;

  constructor(private readonly name: string) {
    this.shown = name === '-' ? 'stdin' : name;
  }

  /** The plants in batches; throws with the number of a line that is neither a plant nor the end mark of the lines before it. */
  async *batches(): AsyncGenerator<NewPlant[]> {
    let [batch, text, number] = [[] as NewPlant[], 0, 0];
    for await (const line of readLines(this.name)) {
      number++;
      this.bytesRead += line.length + 1;
      try {
        const plant = this.take(line);
        if (plant) batch.push(plant);
      } catch (error) {
        throw new Error(`${this.shown}:${number} ${messageOf(error)}`, { cause: error });
      }
      text += line.length;
      if (batch.length < BATCH_PLANTS && text < TURN_TEXT_MAX) continue; // what is there is compared in one turn
      yield batch;
      [batch, text] = [[], 0];
    }
    if (batch.length > 0) yield batch;
  }

  /** The plant of a line; undefined if it is the end mark. */
  private take(line: Buffer): NewPlant | undefined {
    if (this.isWhole) throw new Error('expected nothing after the end mark');
    const text = line.toString();
    if (isEndMark(text.replace(/\r$/, '')) && text.endsWith('\r'))
      throw new Error('expected line feeds alone, got carriage returns before them: the file was converted on its way');
    if (!isEndMark(text)) {
      const plant = plantOf(line);
      this.read.add([text]);
      return plant;
    }
    if (text !== endMarkOf(this.read)) {
      throw new Error(
        `the end mark is not that of the lines before it, of which some were lost or changed: expected ${String(this.read)}, got ${text}`,
      );
    }
    this.isWhole = true;
    return undefined;
  }
}
