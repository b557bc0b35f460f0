import files from 'node:fs/promises';
import { join } from 'node:path';
import { watchFile } from '../../../src/engine/process/watch-file';
import { temporaryFolder } from '../../support/temporary-folder';

it('a watched file is looked at by one thread at most, however long its file system takes', () => {
  jest.useFakeTimers();
  const looked = jest.spyOn(files, 'stat').mockReturnValue(new Promise(() => undefined));
  const watch = watchFile(join(temporaryFolder(), 'tokens'), () => undefined);
  jest.advanceTimersByTime(10_000);
  expect(looked).toHaveBeenCalledTimes(1);
  watch.close();
});
