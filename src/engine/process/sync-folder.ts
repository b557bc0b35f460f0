import { open } from 'node:fs/promises';

/**
 * Syncs a folder to disk, so that a file that was made or renamed in it is there after a loss of power; rejects if there is no such folder.
 *
 * @example
 * await rename(part, file);
 * await syncFolder(dirname(file));
 */
export async function syncFolder(name: string): Promise<void> {
  if (process.platform === 'win32') return; // which cannot sync a folder
  const folder = await open(name);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
