/** A file that replaces another: who could read that one can read this one, or it is not put in its place. */
import { chmodSync, chownSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyAccess } from '../../../src/engine/process/copy-access';
import { temporaryFolder } from '../../support/temporary-folder';

const [SERVICE, EDITOR, GROUP, OTHERS] = [3000, 2001, 3001, 2001];

/** Acts as a user of groups, the first of which is that of the files it makes; only root can. */
function actingAs(user: number, groups: number[], act: () => void): void {
  const own = process.getgroups?.() ?? [];
  process.setgroups?.(groups);
  process.setegid?.(groups[0] ?? 0);
  process.seteuid?.(user);
  try {
    act();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
    process.setgroups?.(own);
  }
}

const isRoot = process.geteuid?.() === 0;
(isRoot ? it : it.skip).each<
  [what: string, owner: number, user: number, groups: number[], access: [number, number] | undefined]
>([
  ['of root that one of its group edits', 0, EDITOR, [OTHERS, GROUP], [EDITOR, GROUP]],
  ['that its owner edits', EDITOR, EDITOR, [OTHERS, GROUP], [EDITOR, GROUP]],
  ['that root edits', SERVICE, 0, [0], [SERVICE, GROUP]],
  ['of root that one of another group edits', 0, EDITOR, [OTHERS], undefined],
  ['that another user of its group edits', SERVICE, EDITOR, [GROUP], undefined],
])('the access to a file %s is kept, or refused', (_what, owner, user, groups, access) => {
  const from = join(temporaryFolder(), 'tokens');
  const to = `${from}.new`;
  writeFileSync(from, '');
  chownSync(from, owner, GROUP);
  chmodSync(from, 0o660);
  chmodSync(dirname(from), 0o777);
  const copy = (): void => {
    writeFileSync(to, '', { mode: 0o600 });
    copyAccess(from, to);
  };
  actingAs(user, groups, () => {
    if (access) copy();
    else expect(copy).toThrow(`${from} is of user ${owner} and group ${GROUP}, who might not be able to read`);
  });
  const { uid, gid, mode } = statSync(to);
  expect([uid, gid, mode & 0o777]).toEqual(access ? [...access, 0o660] : [user, groups[0], 0o600]);
});
