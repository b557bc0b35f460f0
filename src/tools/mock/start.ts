/** Starts a mock from its contract, and reloads it with each version of the contract. */
import { messageOf, type Outputs, type Running, serve, type Service, type Settings } from '../../engine';
import {
  canRead,
  ContractProblems,
  type Document,
  Folders,
  placedSchemas,
  problemLines,
  schemesOf,
  type ServedDocument,
  watchedFiles,
} from '../../engine/reading';
import {
  canVerify,
  loadContract,
  type LoadedContract,
  patternWarnings,
  type Watch,
  watchFile,
} from '../../engine/tooling';
import { reportUnanswered } from './answers';
import { credentialsOf, verifiersFor } from './credentials';
import { leaveOutFaults, readContract } from './lenient';
import { mockingOf } from './mocking';

export interface MockOptions {
  /** The only accepted credential. */
  token?: string | undefined;
  /** The seed of generated values. */
  seed: number;
  /** The milliseconds between the items of a sequence; none by default. */
  intervalMs?: number | undefined;
  /** True to serve a contract that has problems, without the parts that they concern. */
  lenient: boolean;
  /** Folders, beside the contract's own, that references may lead into. */
  allowed?: readonly string[] | undefined;
}

/** Serves the file, and passes lines about it to `report`. Rejects with the problems if it cannot be served. */
export async function startMock(
  file: string,
  options: MockOptions,
  settings: Settings,
  outputs: Outputs,
  report: (line: string) => void,
): Promise<Pick<Running, 'baseUrl' | 'close'>> {
  const ended = new AbortController();
  const service = serviceOf(file, options, report, ended.signal);
  let served: ServedDocument | undefined;
  const read = (): ServedDocument => (served = service.read());
  const running = await serve({ ...service, read }, settings, outputs).catch(withAdvice);
  // The log omits these warnings unless it is asked for.
  const warn = (): void => {
    if (served)
      for (const line of problemLines([...patternWarnings(placedSchemas(served.value as Document))], served.place))
        report(line);
  };
  warn();
  const again = async (): Promise<void> => {
    try {
      await running.reload();
      warn();
      report('The contract has changed, and is served as it is now.');
    } catch (error) {
      report(`${messageOf(error)}\nThe contract has changed, and is served as it was before.`);
    }
  };
  const unwatch = watchFiles(() => watchedFiles(file, new Folders(file, options.allowed)), again);
  return {
    baseUrl: running.baseUrl,
    async close() {
      ended.abort();
      unwatch();
      await running.close();
    },
  };
}

function serviceOf(
  file: string,
  { token, seed, intervalMs, lenient, allowed }: MockOptions,
  report: (line: string) => void,
  ended: AbortSignal,
): Service & Required<Pick<Service, 'read'>> {
  const mock = mockingOf(seed, intervalMs);
  let latest: LoadedContract | undefined;
  return {
    contract: file,
    handlers: {},
    mock: {
      ...mock,
      answersOf(contract) {
        const answer = mock.answersOf(contract);
        latest = contract;
        void reportUnanswered(contract, answer, report, () => latest === contract && !ended.aborted);
        return answer;
      },
    },
    credentials: credentialsOf(token),
    verifiersOn: (_tokens, schemes) => verifiersFor(schemes, token),
    read() {
      const document = readContract(file, lenient, allowed);
      return lenient ? lenientOf(file, document, mock, report) : document;
    },
  };
}

function lenientOf(
  file: string,
  read: ServedDocument,
  { errorsOf }: ReturnType<typeof mockingOf>,
  report: (line: string) => void,
): ServedDocument {
  const { document, problems, left } = leaveOutFaults(read, (each) => {
    const verifiers = verifiersFor(schemesOf(each.value), undefined);
    loadContract(file, {
      document: each,
      handlers: [],
      mocksMissing: true,
      verifiers,
      canVerify,
      canRead,
      errorsOf,
    });
  });
  for (const problem of problems) report(problem);
  if (left.length > 0) report(`Served without ${left.length} operations: ${left.join(', ')}`);
  return document;
}

/** Advises `--lenient` for problems that have a place: the rest may be servable. */
function withAdvice(error: unknown): never {
  if (!(error instanceof ContractProblems) || error.paths.length === 0) throw error;
  throw new Error(`${error.message}\nWith --lenient it is served without the operations that this concerns.`, {
    cause: error,
  });
}

/**
 * Calls `changed` after a change of any of the files; returns a function that stops watching. `files` is called again before: a file that
 * is written once it has been missed is then watched already.
 */
function watchFiles(files: () => Iterable<string>, changed: () => Promise<void>): () => void {
  const watches = new Map<string, Watch>();
  let rounds = Promise.resolve();
  const watchAll = (): void => {
    for (const file of files()) if (!watches.has(file)) watches.set(file, watchFile(file, touched));
  };
  const touched = (): void => {
    // A contract that cannot be read just now, of which `changed` tells, names no other files.
    rounds = rounds
      .then(watchAll)
      .catch(() => undefined)
      .then(changed);
  };
  watchAll();
  return () => {
    for (const watch of watches.values()) watch.close();
  };
}
