/** Lines for readers of every kind; whole processes whose output nobody takes are in unwritable.slow.test.ts. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Lines, type Output, standardError, standardOutput } from '../../../src/engine/process/lines';
import { temporaryFolder } from '../../support/temporary-folder';

let folder: string;
let opened: number[];
let atExit: readonly unknown[];
beforeEach(() => {
  folder = temporaryFolder();
  opened = [];
  atExit = process.listeners('exit');
});
afterEach(() => {
  for (const listener of process.listeners('exit')) if (!atExit.includes(listener)) process.off('exit', listener);
  for (const descriptor of opened) closeSync(descriptor);
});

function open(path: string, flags: string | number): number {
  const descriptor = openSync(path, flags);
  opened.push(descriptor);
  return descriptor;
}

/** A file or a terminal, for which no stream is made. */
function output(descriptor: number): Output {
  return {
    descriptor,
    stream() {
      throw new Error('a stream was asked for');
    },
  };
}

/** What the process runs when it ends, of these lines alone. */
function endProcess(): void {
  for (const listener of process.listeners('exit')) if (!atExit.includes(listener)) listener(0);
}

it('standard output and standard error are those of the process', () => {
  expect([standardOutput.descriptor, standardError.descriptor]).toEqual([1, 2]);
  expect(standardOutput.stream()).toBe(process.stdout);
  expect(standardError.stream()).toBe(process.stderr);
});

describe('lines for a file', () => {
  it('are written in their order, and all of them by the end of a flush', async () => {
    const file = join(folder, 'log');
    const lines = new Lines(output(open(file, 'a')));
    const texts = Array.from({ length: 1_000 }, (_, index) => `line ${index}\n`);
    for (const text of texts) lines.write(text);
    await lines.flush(10_000);
    expect(readFileSync(file, 'utf8')).toBe(texts.join(''));
    await lines.flush(10_000); // where nothing is under way there is nothing to wait for
  });

  it('are written when the process ends before their turn has come', () => {
    const file = join(folder, 'log');
    const lines = new Lines(output(open(file, 'a')));
    for (const text of ['one\n', 'two\n', 'three\n']) lines.write(text);
    endProcess();
    // The first is under way; Node waits for it itself.
    expect(readFileSync(file, 'utf8').replace('one\n', '')).toBe('two\nthree\n');
  });
});

describe('lines for a disk that is full', () => {
  it('hold up neither a flush nor the end of the process', async () => {
    const lines = new Lines(output(open('/dev/full', 'w')));
    lines.write('one\n');
    lines.write('two\n');
    await lines.flush(50);
    expect(endProcess).not.toThrow();
  });
});

describe('lines for a pipe', () => {
  let reader: number;
  let socket: Socket;
  let lines: Lines;
  let lost: number[];
  beforeEach(() => {
    const path = join(folder, 'pipe');
    expect(spawnSync('mkfifo', [path])).toMatchObject({ status: 0 });
    reader = open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const descriptor = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK); // closed by the socket
    socket = new Socket({ fd: descriptor, readable: false, writable: true });
    lost = [];
    const tellLost = (count: number): void => {
      lost.push(count);
      lines.write(`${count} lost\n`);
    };
    lines = new Lines({ descriptor, stream: () => socket }, tellLost, 120);
  });
  afterEach(() => socket.destroy());

  /** What is in the pipe; often nothing. */
  function read(): string {
    const bytes = Buffer.alloc(1024 * 1024);
    try {
      return bytes.toString('latin1', 0, readSync(reader, bytes));
    } catch (error) {
      expect(error).toMatchObject({ code: 'EAGAIN' });
      return '';
    }
  }

  it('are written by the stream of the descriptor', async () => {
    lines.write('one\n');
    lines.write('two\n');
    await lines.flush(10_000);
    expect(read()).toBe('one\ntwo\n');
    expect(lost).toEqual([]);
  });

  it('are dropped beyond the limit, counted, and told of after those that were kept', async () => {
    // The pipe is full, so that what follows has to wait for its reader.
    while (socket.writableLength === 0) {
      socket.write('x'.repeat(65_536));
      await sleep(0);
    }
    const filled = socket.bytesWritten;
    lines.write('first\n'); // under way; of those that follow ten are kept
    for (let index = 0; index < 15; index++) lines.write(`line ${index}.....\n`);
    await lines.flush(50);
    expect(lost).toEqual([]);
    let text = '';
    const flushed = lines.flush(10_000).then(() => 'flushed');
    while ((await Promise.race([flushed, sleep(1)])) !== 'flushed') text += read();
    text += read();
    const kept = Array.from({ length: 10 }, (_, index) => `line ${index}.....\n`).join('');
    expect(text.slice(filled)).toBe(`first\n${kept}5 lost\n`);
    expect(lost).toEqual([5]);
  });

  it("that nobody reads any more are nobody's concern", async () => {
    closeSync(reader);
    opened = [];
    lines.write('one\n');
    lines.write('two\n');
    await lines.flush(50);
    expect(endProcess).not.toThrow();
  });
});

const hasScript = spawnSync('script', ['--version']).status === 0;
const describeOnTerminal = hasScript ? describe : describe.skip;

describeOnTerminal('lines for a terminal (skipped where util-linux has no script)', () => {
  const [CTRL_S, CTRL_Q] = ['\x13', '\x11'];
  let terminal: ChildProcess;
  let shown: string;
  let name: string;
  beforeEach(async () => {
    terminal = spawn('script', ['-qfc', 'tty; exec cat', '/dev/null'], { stdio: ['pipe', 'pipe', 'ignore'] });
    shown = '';
    terminal.stdout?.setEncoding('utf8').on('data', (text: string) => (shown += text));
    await shows(/\/dev\/\S+\r\n/);
    name = /\/dev\/\S+/.exec(shown)?.[0] ?? '';
  });
  afterEach(async () => {
    const ended = once(terminal, 'exit');
    // A pipe is reset where its reader ends before it has read all.
    for (const pipe of [terminal.stdin, terminal.stdout]) pipe?.on('error', () => undefined);
    terminal.kill('SIGKILL');
    await ended;
  });

  async function shows(text: RegExp): Promise<void> {
    while (!text.test(shown)) await sleep(5);
  }

  it('that is stopped with Ctrl-S wait until it goes on, and nothing waits for them', async () => {
    const lines = new Lines(output(open(name, constants.O_WRONLY | constants.O_NOCTTY)));
    lines.write('before\n');
    await shows(/before\r\n/);
    terminal.stdin?.write(CTRL_S);
    await sleep(200);
    lines.write('after\n');
    await lines.flush(100);
    expect(shown).not.toContain('after');
    terminal.stdin?.write(CTRL_Q);
    await shows(/after\r\n/);
    await lines.flush(1_000);
  });
});
