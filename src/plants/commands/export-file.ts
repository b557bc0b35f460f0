/**
 * Writes a file atomically. Until all of it is on disk it is `FILE.part`, which is also a lock: a second export to the same file is
 * refused. An interrupted export is not continued, because it may lack plants that were created meanwhile with ids below its last.
 */
import { lstatSync, rmSync, type Stats } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { copyAccess, messageOf, syncFolder } from '../../engine';
import { END_MARK_BYTES, endsWithMark } from './end-mark';

/** Resolves when the text is written. */
export type Append = (text: string) => Promise<void>;

/**
 * Makes the file of the texts that `fill` appends, with the owner and mode of the export that it replaces; if it rejects, that export is
 * unchanged.
 */
export async function writeExportFile(file: string, fill: (append: Append) => Promise<void>): Promise<void> {
  const earlier = await findEarlier(file);
  const part = await Part.create(`${file}.part`, earlier?.mode);
  try {
    if (earlier) copyAccess(file, part.name);
    await fill((text) => part.output.appendFile(text));
    await part.output.sync();
    await findEarlier(file); // rejects if another file is there by now
    part.assertInPlace();
    await rename(part.name, file);
  } catch (cause) {
    part.remove();
    throw new Error(`${file} was not written: ${messageOf(cause)}`, { cause });
  } finally {
    await part.close();
  }
  await syncFolder(dirname(file));
}

/** The complete export that is to be replaced, if there is one; rejects if the path has anything else. */
async function findEarlier(file: string): Promise<Stats | undefined> {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (found.isFile() && (await isWholeExport(file))) return found;
  const what = found.isFile() ? 'does not end as a whole export does' : 'is no regular file';
  throw new Error(`${file} is there, and ${what}: it is left as it is. Name another file, or remove this one`);
}

async function isWholeExport(file: string): Promise<boolean> {
  const input = await open(file);
  try {
    const { size } = await input.stat();
    const { buffer, bytesRead } = await input.read({
      buffer: Buffer.alloc(END_MARK_BYTES),
      position: Math.max(0, size - END_MARK_BYTES),
    });
    return endsWithMark(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await input.close();
  }
}

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The unfinished file, which is removed if a signal ends the process. */
class Part {
  private constructor(
    readonly name: string,
    readonly output: FileHandle,
    private readonly ino: number,
    private readonly ignoreSignals: () => void,
  ) {}

  static async create(name: string, mode: number | undefined): Promise<Part> {
    // Before there is a file, so that no signal ends the process between the two: removes the file, then ends it as without a listener.
    let part: Part | undefined;
    const interrupt = (signal: NodeJS.Signals): void => {
      const removed = part ? Promise.resolve(part.remove()) : creating.then(() => rmSync(name));
      void removed.catch(() => undefined).then(() => process.kill(process.pid, signal));
    };
    const ignoreSignals = (): void => SIGNALS.forEach((signal) => process.off(signal, interrupt));
    for (const signal of SIGNALS) process.once(signal, interrupt);
    const creating = open(name, 'wx', mode);
    try {
      const output = await creating;
      part = new Part(name, output, (await output.stat()).ino, ignoreSignals);
      return part;
    } catch (cause) {
      ignoreSignals();
      const found = lstatSync(name, { throwIfNoEntry: false });
      if (!found) throw cause;
      const advice = 'another export is writing it, or was killed. If none is running, remove it and run this again';
      throw new Error(`${name} is there, last written at ${found.mtime.toISOString()}: ${advice}`, { cause });
    }
  }

  /** Throws if the name leads to another file: this one was removed, and another export has begun. */
  assertInPlace(): void {
    if (!this.isInPlace()) throw new Error(`${this.name} was removed or replaced while it was written`);
  }

  remove(): void {
    if (this.isInPlace()) rmSync(this.name);
  }

  async close(): Promise<void> {
    this.ignoreSignals();
    await this.output.close();
  }

  private isInPlace(): boolean {
    return lstatSync(this.name, { throwIfNoEntry: false })?.ino === this.ino;
  }
}
