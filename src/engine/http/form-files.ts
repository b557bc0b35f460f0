/** The files of a form until it is answered: small ones in memory, others one behind the other in a temporary file. */
import type { ApiError } from '../errors/api-error';
import type { BodyBuffer } from './body-buffer';
import type { TemporaryFile } from './temporary-files';

/** The most bytes of the files of one form that are held in memory. */
export const FILE_BYTES_HELD = 256 * 1024;

/** A file as it came. */
export interface KeptFile {
  readonly size: number;
  /** Its bytes, if they are in memory. */
  readonly held: Buffer | undefined;
  /** Its bytes in pieces, once. Throws once the request is answered. */
  chunks(): AsyncGenerator<Buffer, void>;
}

export class FormFiles {
  private disk: TemporaryFile | undefined;
  private isOver = false;

  constructor(
    /** For small files. */
    private readonly memory: BodyBuffer,
    private readonly openDisk: () => Promise<TemporaryFile>,
  ) {}

  /** Keeps a file as it comes; rejects with `tooLong` at the first byte too many, and with an ApiError of 503 if there is no room. */
  async keep(content: AsyncIterable<Buffer>, bytesMax: number, tooLong: () => ApiError): Promise<KeptFile> {
    let [start, size] = [this.memory.length, 0];
    let disk: TemporaryFile | undefined;
    for await (const piece of content) {
      size += piece.length;
      if (size > bytesMax) throw tooLong();
      if (!disk && this.memory.add(piece)) {
        disk = this.disk ??= await this.openDisk();
        const onDisk = disk.length;
        await disk.add(this.memory.bytes(0).subarray(start));
        this.memory.cut(start);
        start = onDisk;
      }
      if (disk) await disk.add(piece);
    }
    return this.kept(disk, start, size);
  }

  /** Leaves nothing of them; to be called once the request is answered. */
  release(): void {
    this.isOver = true;
    this.memory.release();
    this.disk?.close().catch(() => undefined); // it has no name, and nobody reads it any more
  }

  private kept(disk: TemporaryFile | undefined, start: number, size: number): KeptFile {
    const heldBytes = (): Buffer => this.memory.bytes(0).subarray(start, start + size);
    const refuseLate = (): void => {
      if (this.isOver) throw new Error('expected a file to be read before the answer is given');
    };
    let isTaken = false;
    return {
      size,
      get held() {
        return disk ? undefined : heldBytes();
      },
      async *chunks() {
        if (isTaken) throw new Error('expected a file to be read once');
        isTaken = true;
        refuseLate();
        for await (const piece of disk ? disk.read(start, size) : [heldBytes()]) {
          yield piece;
          refuseLate();
        }
      },
    };
  }
}
