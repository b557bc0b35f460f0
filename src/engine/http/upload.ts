/** A body of bytes that its handler reads as it comes, or a file of a form that has come. */
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Upload } from '../contract/handler-types';
import { syncFolder } from '../process/sync-folder';
import type { BodyBuffer } from './body-buffer';

/** The parts of a request that an upload is made of. */
export interface UploadOptions {
  /** Gives its bytes in pieces, once. */
  source: { chunks(): AsyncGenerator<Buffer, void> };
  mediaType: string;
  filename?: string | undefined;
  size: number | undefined;
  /** Holds the body in memory, for handlers that want it whole. */
  buffer: BodyBuffer;
  /** Decodes text; throws an ApiError for other bytes. */
  decode: (bytes: Buffer) => string;
}

/** The files that are being saved. */
const saving = new Set<Promise<void>>();

/** Resolves when the files that are being saved are whole, or left out. */
export async function savesEnded(): Promise<void> {
  await Promise.allSettled(saving);
}

export class BodyUpload implements Upload {
  readonly mediaType: string;
  readonly filename: string | undefined;
  readonly size: number | undefined;
  readonly #options: UploadOptions;

  constructor(options: UploadOptions) {
    this.mediaType = options.mediaType;
    this.filename = options.filename;
    this.size = options.size;
    this.#options = options;
  }

  [Symbol.asyncIterator](): AsyncGenerator<Buffer, void> {
    return this.#options.source.chunks();
  }

  async bytes(): Promise<Buffer> {
    const { buffer } = this.#options;
    for await (const chunk of this) {
      const error = buffer.add(chunk);
      if (error) throw error;
    }
    return buffer.bytes(0);
  }

  async text(): Promise<string> {
    return this.#options.decode(await this.bytes());
  }

  saveTo(path: string): Promise<void> {
    const saved = this.#save(path).finally(() => saving.delete(saved));
    saving.add(saved);
    return saved;
  }

  async #save(path: string): Promise<void> {
    const part = `${path}.${randomUUID()}.part`;
    try {
      const file = await open(part, 'wx');
      try {
        for await (const chunk of this) await file.writeFile(chunk); // at the file's position, all of the chunk
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(part, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }
}
