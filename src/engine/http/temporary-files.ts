/** Bytes on disk while a request is answered, in files without names: nothing is left of them, however the process ends. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ErrorCode } from '../errors/error-codes';
import { ApiError } from '../errors/api-error';
import { TEMPORARY_FILES_MAX } from './descriptors';
import { Shares } from './shares';

const PIECE_BYTES = 65_536;

/** The temporary files of all requests, whose number is shared fairly between their senders. */
export class TemporaryFiles {
  private readonly shares = new Shares(TEMPORARY_FILES_MAX);

  constructor(private readonly folder = tmpdir()) {}

  /** Rejects with an ApiError of 503 if there are too many, or the folder takes none. */
  async open(owner: string): Promise<TemporaryFile> {
    if (!this.shares.take(1, owner))
      throw new ApiError(ErrorCode.Overloaded, 'too many bodies are held in temporary files at once');
    const release = (): void => this.shares.release(1, owner);
    try {
      return new TemporaryFile(await orNoRoom(() => openUnnamed(this.folder)), release);
    } catch (error) {
      release();
      throw error;
    }
  }
}

export class TemporaryFile {
  /** Its length in bytes. */
  length = 0;

  constructor(
    private readonly file: FileHandle,
    private readonly release: () => void,
  ) {}

  /** Rejects with an ApiError of 503 if the disk is full. */
  async add(bytes: Buffer): Promise<void> {
    await orNoRoom(() => this.file.writeFile(bytes)); // at the file's position, all of them
    this.length += bytes.length;
  }

  async *read(start: number, length: number): AsyncGenerator<Buffer, void> {
    const end = start + length;
    for (let at = start; at < end;) {
      const piece = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, end - at));
      const { bytesRead } = await this.file.read(piece, 0, piece.length, at);
      if (bytesRead === 0) throw new Error('expected a temporary file to be as long as it was written');
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  /** Leaves nothing of it; to be called once. */
  async close(): Promise<void> {
    this.release();
    await this.file.close();
  }
}

async function openUnnamed(folder: string): Promise<FileHandle> {
  const path = join(folder, `${randomUUID()}.part`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await rm(path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function orNoRoom<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    throw new ApiError(ErrorCode.Overloaded, 'no room for temporary files', { cause });
  }
}
