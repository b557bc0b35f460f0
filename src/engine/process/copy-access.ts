/** The access to a file that replaces another. */
import { chmodSync, chownSync, statSync } from 'node:fs';

/**
 * Gives a new file the mode, owner and group of the one that it is to replace, so that other users can read it as before; of a file of root,
 * who can read any, only root keeps the owner. Throws if the user who runs this cannot give them.
 * Access control lists, which Node cannot read, are lost.
 *
 * @example
 * writeFileSync(`${file}.new`, text);
 * copyAccess(file, `${file}.new`);
 * renameSync(`${file}.new`, file);
 */
export function copyAccess(from: string, to: string): void {
  const { mode, uid, gid } = statSync(from);
  const made = statSync(to);
  const owner = uid === 0 ? made.uid : uid;
  if (owner !== made.uid || gid !== made.gid) {
    try {
      chownSync(to, owner, gid);
    } catch (cause) {
      const why = `${from} is of user ${uid} and group ${gid}, who might not be able to read what replaces it`;
      throw new Error(`${why}: run this as that user, in that group, or as root`, { cause });
    }
  }
  chmodSync(to, mode & 0o777);
}
