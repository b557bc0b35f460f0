/** `new`: what it makes of contracts that are odd, of one that grows under `npm run dev`, and of a larger one with handlers written. */
import { existsSync, readdirSync, readFileSync, renameSync, utimesSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import request from 'supertest';
import { run } from '../../src/tools/project/run-command';
import { eventually } from '../support/eventually';
import { growContract } from './larger-contract';
import { addFixtures, discardAll, emptyFolder, filesOf, fixtures, makePackages, newProject, npx, succeed } from './npx';
import { type Ended, type Project, project as ours } from './project-copy';

let garden: Awaited<ReturnType<typeof newProject>>;
beforeAll(async () => {
  await makePackages();
  garden = await newProject(join(fixtures, 'garden.yaml'));
});
afterAll(discardAll);

const ALL_PASSED = expect.stringMatching(/^all steps passed/m) as unknown;

describe('of a small contract', () => {
  it('it makes a project of 25 files and one for each operation, which names us where it imports alone', () => {
    const files = Object.entries(filesOf(garden)).filter(([name]) => !/^generated\/|^package-lock/.test(name));
    expect(files.length).toBeLessThanOrEqual(25 + 1);
    const lines = files.filter(([name]) => !name.endsWith('.tgz')).map(([, text]) => text.split('\n').length - 1);
    expect(lines.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(700);
    const code = files.filter(([name]) => /\.(?:ts|mjs)$/.test(name)).flatMap(([, text]) => text.split('\n'));
    expect(
      code.filter((line) => line.includes('openapi-in-charge') && !/ from '[\w-]+(?:\/code-rules)?';$/.test(line)),
    ).toEqual([]);
  });

  it('its tests and every check pass, and so does what a page of it shows', async () => {
    await git('init', '--quiet', '--initial-branch=main');
    await git('add', '.');
    await git('commit', '--quiet', '--no-verify', '--message=first');
    expect(await succeed(garden.run(['npm', 'test']))).toContain('not written yet');
    expect(await garden.run(['npm', 'run', 'check', '--', '--first'])).toEqual({ code: 0, output: ALL_PASSED });
    const before = filesOf(garden);
    const blocks = [...garden.read('README.md').matchAll(/^[^\n]*`(src\/[\w-]+\.ts)`[^\n]*:\n\n```ts\n([^]*?)^```$/gm)];
    expect(blocks.map(([, name]) => name)).toEqual(
      ['config', 'store', 'verifiers', 'readers', 'service'].map((name) => `src/${name}.ts`),
    );
    for (const [, name = '', text = ''] of blocks)
      garden.write(name, name === 'src/service.ts' ? serviceWith(garden.read(name), text) : text);
    await succeed(garden.run(['npm', 'run', 'format']));
    expect(await garden.run(['npm', 'run', 'check', '--', '--only', 'types,lint,start'])).toEqual({
      code: 0,
      output: ALL_PASSED,
    });
    for (const [name] of blocks.map(([, each = '']) => [each])) garden.remove(name ?? '');
    for (const [name, text] of Object.entries(before)) if (name.startsWith('src/')) garden.write(name, text);
  });

  it('formats what its check holds to a format', async () => {
    garden.write('schemas/bed.yaml', 'type:    object\n');
    await succeed(garden.run(['npm', 'run', 'format']));
    expect(garden.read('schemas/bed.yaml')).toBe('type: object\n');
    garden.remove('schemas');
  });

  it('has line feeds in each checkout, as its gates compare texts', async () => {
    await git('-c', 'core.autocrlf=true', 'rm', '--quiet', '--cached', '-r', '.');
    await git('-c', 'core.autocrlf=true', 'reset', '--quiet', '--hard');
    const texts = Object.entries(filesOf(garden)).filter(([name]) => !name.endsWith('.tgz'));
    expect(texts.flatMap(([name, text]) => (text.includes('\r\n') ? name : []))).toEqual([]);
  });

  it('a test beside the code and a spec run, and an operation named test is none', async () => {
    const tests = ['src/beds.test.ts', 'test/beds.spec.ts'];
    for (const name of tests) garden.write(name, "it('fails', () => expect(1).toBe(2));\n");
    garden.write('src/operations/test.ts', 'export const test = 1;\n');
    await succeed(garden.run(['npm', 'run', 'build']));
    const { code, output } = await garden.run(['npx', 'jest', '-t', 'fails']);
    for (const each of [...tests, 'src/operations/test.ts']) garden.remove(each);
    expect([code, output.match(/FAIL \S+/g)?.sort()]).toEqual([1, tests.map((name) => `FAIL ${name}`)]);
  });

  it('a source that is older than what was compiled of it, as in an unpacked release, is compiled again', async () => {
    garden.write('src/release.ts', "export const release = 'second';\n");
    await succeed(garden.run(['npm', 'run', 'build']));
    garden.write('src/release.ts', "export const release = 'first';\n");
    utimesSync(join(garden.folder, 'src/release.ts'), 0, 0);
    await succeed(garden.run(['npm', 'run', 'build']));
    expect(garden.read('dist/src/release.js')).toContain("'first'");
    garden.remove('src/release.ts');
  });

  it('lint refuses it.only, describe.only, fit and test.concurrent.only, beside which tests would not run', async () => {
    const calls = [
      'it.only',
      'describe.only',
      'fit',
      'test.concurrent.only',
      `it.concurrent['only']`,
      'globalThis.it.only',
    ];
    garden.write('test/beds.test.ts', calls.map((only) => `${only}('passes', () => undefined);\n`).join(''));
    const { code, output } = await garden.run(['npx', 'eslint', 'test/beds.test.ts']);
    garden.remove('test/beds.test.ts');
    const refused = [...output.matchAll(/^ +(\d):\d.* no-restricted-(?:properties|globals|syntax)$/gm)];
    expect([code, refused.map(([, line]) => line)]).toEqual([1, calls.map((_call, index) => String(index + 1))]);
  });

  it('lint refuses to import what is installed for development alone', async () => {
    garden.write('src/pretty.ts', "import { format } from 'prettier';\n\nexport const pretty = format;\n");
    const { code, output } = await garden.run(['npx', 'eslint', 'src/pretty.ts']);
    garden.remove('src/pretty.ts');
    expect([code, output]).toEqual([
      1,
      expect.stringContaining("'prettier' should be listed in the project's dependencies"),
    ]);
  });

  it('the check builds what is deployed, in which nothing is known that only tests have', async () => {
    garden.write('src/testing.ts', 'export const spy = jest.fn();\n');
    const { code, output } = await garden.run(['npm', 'run', 'check', '--', '--only', 'types,build']);
    garden.remove('src/testing.ts');
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/ok {4} types[^]*FAILED build[^]*Cannot find name 'jest'/),
    ]);
  });

  it('lint finds a promise that floats since another file was changed', async () => {
    const lint = ['npm', 'run', 'check', '--', '--only', 'lint'];
    garden.write('src/save.ts', 'export const save = (): void => undefined;\n');
    garden.write('src/twice.ts', "import { save } from './save';\n\nsave();\nsave();\n");
    await succeed(garden.run(lint));
    garden.write('src/save.ts', 'export const save = (): Promise<void> => Promise.resolve();\n');
    expect(await garden.run(lint)).toEqual({
      code: 1,
      output: expect.stringContaining('no-floating-promises') as unknown,
    });
    for (const name of ['src/save.ts', 'src/twice.ts']) garden.remove(name);
  });

  it('what it needs in production is at most 130 packages', async () => {
    const list = await succeed(garden.run(['npm', 'ls', '--all', '--omit=dev', '--parseable']));
    expect(list.trim().split('\n').length - 1).toBeLessThanOrEqual(130);
  });

  describe('npm run dev', () => {
    const files = ['src/service.ts', 'src/operations/list-beds.ts'] as const;
    let before: readonly string[];
    let dev: ReturnType<typeof garden.start>;
    let port: number;
    let ask: (signal?: AbortSignal) => Promise<unknown>;
    /** The length of the output at the begin of a test. */
    let from = 0;
    const wrote = (expression: RegExp): Promise<void> =>
      eventually(() => expect(dev.output().slice(from)).toMatch(expression));
    beforeAll(async () => {
      before = files.map((name) => garden.read(name));
      dev = garden.start(['npm', 'run', 'dev'], { PORT: '0', LOG_LEVEL: 'warn' });
      const [, url = '', token = ''] = await dev.wrote(/ at (http:\S+)\n[^]*Bearer (\S+)"/);
      port = Number(new URL(url).port);
      ask = async (signal) => {
        const headers = { Authorization: `Bearer ${token}` };
        return (await fetch(`${url}/beds`, { headers, ...(signal && { signal }) })).json();
      };
    });
    beforeEach(() => {
      from = dev.output().length;
    });
    afterEach(async () => {
      from = dev.output().length;
      for (const [index, name] of files.entries()) garden.write(name, before[index] ?? '');
      for (const name of ['src/store.ts', 'store.json']) garden.remove(name);
      if (dev.child.exitCode === null) await wrote(SERVES);
    });
    const SERVES = /^(?:Restarted: .*|.* at http:.*)\n/m;

    const openedBy = (open: string, imported = ''): void =>
      garden.write(files[0], `${imported}${before[0]?.replace('  };\n', `    open: ${open},\n  };\n`)}`);
    const answeredBy = (statement: string, id: string, imported = ''): void =>
      garden.write(files[1], `${imported}${handlerOf(statement, id)}`);

    it('opens a store when the previous server has closed it, whatever connections are open', async () => {
      const [, store = ''] = /`src\/store\.ts`[^]*?```ts\n([^]*?)^```$/m.exec(garden.read('README.md')) ?? [];
      garden.write('src/store.ts', store);
      openedBy(`() => openStore('store.json')`, `import { openStore } from './store';\n`);
      const imported = `import { store } from '../store';\n`;
      answeredBy('store.set(`${store.size}`, "");', 'store.size', imported);
      await wrote(/Restarted: /);
      expect(await ask()).toEqual([{ id: 1 }]);
      const unused = connect(port).on('error', () => undefined);
      const partial = connect(port).on('error', () => undefined);
      await new Promise((sent) => partial.write('GET / HTTP/1.1\r\nHost: local', sent));
      answeredBy('', 'store.size', imported);
      await wrote(/(?:Restarted: [^]*){2}/);
      expect(await ask()).toEqual([{ id: 1 }]);
      for (const each of [unused, partial]) each.destroy();
    });

    it('replaces a server that does not end', async () => {
      answeredBy('for (let n = 0; n >= 0; n = (n + 1) % 9);', '0');
      await wrote(/Restarted: /);
      await expect(ask(AbortSignal.timeout(2_000))).rejects.toThrow('timeout');
      answeredBy('', '7');
      await wrote(/did not end by itself, and was killed[^]*Restarted: /);
      expect(await ask()).toEqual([{ id: 7 }]);
    });

    it('replaces a server that has started another process, whose output stays open', async () => {
      openedBy(
        `async () => (spawn('sleep', ['20'], { stdio: 'inherit' }), { close: () => Promise.resolve() })`,
        `import { spawn } from 'node:child_process';\n`,
      );
      await wrote(SERVES);
      answeredBy('', '7');
      await wrote(/(?:Restarted: [^]*){2}/);
      expect(dev.output().slice(from)).not.toContain('was killed');
    });

    it('shows what a handler prints', async () => {
      answeredBy('console.log("asked");', '7', `console.log('loaded');\n`);
      await wrote(/^loaded$[^]*Restarted: /m);
      expect(await ask()).toEqual([{ id: 7 }]);
      await wrote(/^asked$/m);
    });

    it('shows why a server does not start, and what it has printed before', async () => {
      const failing = `() => { process.send?.('ready'); console.error({ a: 1 }); throw new Error('the reason'); }`;
      openedBy(failing);
      await wrote(/\{ a: 1 \}\n(?:.*\n)*?the reason\n(?:.*\n)*?The server does not start\.\nNo server is running\./);
    });

    it('checks a file that has changed, and has the time that it had', async () => {
      const at = join(garden.folder, files[1]);
      const save = (id: string): void => {
        answeredBy('', id);
        utimesSync(at, 1e9, 1e9);
      };
      save('7');
      await wrote(/Restarted: /);
      save('{}');
      await wrote(/list-beds\.ts[^]*TS2345[^]*The previous server keeps running/);
    });

    it('gives up a server that does not come up, for a newer change and at the end', async () => {
      const never = '() => new Promise<never>(() => undefined)';
      openedBy(never);
      await eventually(() => expect(ask()).rejects.toThrow('fetch failed'));
      garden.write(files[0], before[0] ?? '');
      answeredBy('', '7');
      await wrote(SERVES);
      expect(await ask()).toEqual([{ id: 7 }]);
      openedBy(never);
      await eventually(() => expect(ask()).rejects.toThrow('fetch failed'));
      dev.child.kill('SIGINT');
      expect(await dev.ended).toMatchObject({ code: 0 });
    });
  });

  it('npm run dev mocks what is not written, follows the contract and the handlers, also without generated files, and generates a stub for an operation more', async () => {
    const dev = garden.start(['npm', 'run', 'dev'], { PORT: '0', LOG_LEVEL: 'warn' });
    const [, url = '', token = ''] = await dev.wrote(/ at (http:\S+)\n[^]*Bearer (\S+)"/);
    const ask = async (path: string): Promise<unknown> => {
      const answer = await fetch(url + path, { headers: { Authorization: `Bearer ${token}` } });
      return [answer.status, await answer.json()];
    };
    expect(await ask('/beds')).toEqual([200, expect.any(Array)]);
    expect(await ask('/beds?limit=0')).toEqual([400, expect.objectContaining({ error: 40002 })]);
    const unmet = await fetch(`${url}/beds`, { headers: { Authorization: `Bearer ${token}`, Prefer: 'example=none' } });
    expect(unmet.status).toBe(400);

    const [stub, contract] = [garden.read('src/operations/list-beds.ts'), garden.read('openapi.yaml')];
    garden.remove('generated');
    garden.write('src/operations/list-beds.ts', WRITTEN);
    await dev.wrote(/Restarted: /);
    expect(await ask('/beds')).toEqual([200, [{ id: 7 }]]);
    garden.write('openapi.yaml', contract.replace('components:', `${WEATHER}components:`));
    await dev.wrote(/Restarted: [^]*Restarted: [^]*getWeather/);
    expect(await ask('/weather')).toEqual([200, 'sunny']);
    expect(await succeed(garden.run(['npm', 'run', 'generate']))).toContain(
      'src/operations/get-weather.ts written, to be completed: GET /weather',
    );
    await dev.wrote(/(?:Restarted: [^]*){3}/);
    expect(await ask('/weather')).toEqual([200, 'sunny']);
    await succeed(garden.run(['npm', 'run', 'check', '--', '--only', 'types,lint,format,drift']));
    garden.write('openapi.yaml', contract);
    garden.write('src/operations/list-beds.ts', stub);
    await dev.wrote(/getWeather[^]*does not exist/);
    dev.child.kill('SIGINT');
    await dev.ended;
  });

  it('npm run generate writes no stub into a table that spreads handlers, which may have the operation', async () => {
    const [table, contract] = [garden.read('src/handlers.ts'), garden.read('openapi.yaml')];
    const spread = table.replace('handlers: Handlers = {', 'handlers: Handlers = {\n  ...others,');
    garden.write('src/handlers.ts', spread);
    garden.write('openapi.yaml', contract.replace('components:', `${WEATHER}components:`));
    expect(await succeed(garden.run(['npm', 'run', 'generate']))).not.toContain('to be completed');
    expect(garden.read('src/handlers.ts')).toBe(spread);
    garden.write('src/handlers.ts', table);
    garden.write('openapi.yaml', contract);
    await succeed(garden.run(['npm', 'run', 'generate']));
  });

  const stateOf = (project: Project): [manifest: string, lock: string, packages: string[]] => [
    project.read('package.json'),
    project.read('package-lock.json'),
    readdirSync(join(project.folder, 'packages')).sort(),
  ];

  it('it is as before if it cannot be brought up to date', async () => {
    const manifest = garden.read('package.json');
    garden.write('package.json', manifest.replace('"dependencies": {', '"dependencies": { "none": "file:none.tgz",'));
    const before = stateOf(garden);
    expect(await npx(garden, 'update', '.')).toEqual({
      code: 1,
      output: expect.stringContaining('npm could not install the packages') as unknown,
    });
    expect(stateOf(garden)).toEqual(before);
    garden.write('package.json', manifest);
  });

  it('it is brought up to date by an install, beside packages of its own', async () => {
    const [manifest, , packages] = stateOf(garden);
    const [engine = ''] = packages;
    const earlier = 'openapi-in-charge-1.0.0.tgz';
    garden.write('packages/openapi-in-charge-beds.tgz', 'ours');
    renameSync(join(garden.folder, 'packages', engine), join(garden.folder, 'packages', earlier));
    garden.write('package.json', manifest.replace(engine, earlier));
    expect(await npx(garden, 'update', '.')).toEqual({ code: 0, output: `${earlier} to ${engine}: installed` });
    const [updated, , now] = stateOf(garden);
    expect(JSON.parse(updated)).toEqual(JSON.parse(manifest));
    expect(now).toEqual([...packages, 'openapi-in-charge-beds.tgz'].sort());
  });
});

const WRITTEN = `import type { Operation } from '../operation';

export const listBeds: Operation<'listBeds'> = () => ({ status: 200, body: [{ id: 7n }] });
`;
const handlerOf = (statement: string, id: string): string => `import type { Operation } from '../operation';

export const listBeds: Operation<'listBeds'> = () => {
  ${statement}
  return { status: 200, body: [{ id: BigInt(${id}) }] };
};
`;
const WEATHER = `  /weather:
    get:
      operationId: getWeather
      summary: Says how the weather is
      responses: { '200': { description: A., content: { application/json: { schema: { const: sunny } } } }, default: { $ref: '#/components/responses/Error' } }
`;

/** As README.md says: imports behind the others, and lines in what is returned. */
function serviceWith(service: string, added: string): string {
  const [imports = '', lines = ''] = added.split('\n\n');
  return service
    .replace('import { errorCodes', `${imports}\nimport { errorCodes`)
    .replace('_config', 'config')
    .replace('  };\n', `${lines}  };\n`);
}

async function git(...args: string[]): Promise<void> {
  await succeed(garden.run(['git', '-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args]));
}

describe.each<[what: string, contract: string, operations: number, status: [request: string, status: number][]]>([
  [
    'OpenAPI 3.0 in JSON, with names and a title that are no names, and security of four kinds',
    'odd.json',
    6,
    [
      ['/v2/huts', 401],
      ['/v2/weather', 501],
    ],
  ],
  ['several files, and problems of RFC 9457', 'several/api.yaml', 1, [['/trains/trains', 501]]],
])('of %s', (_what, contract, operations, answers) => {
  it('it makes a project of which every check passes, and which answers what is not written yet as the contract has its errors', async () => {
    const made = await newProject(join(fixtures, contract), garden, '--ci', 'gitlab');
    expect(made.read('.gitlab-ci.yml')).toBe(readFileSync(join(ours, 'scripts/ci/gitlab.yml'), 'utf8'));
    expect(made.told).toContain(` serves ${operations} operations`);
    expect(
      Object.entries(filesOf(made))
        .filter(([, text]) => /\bplants?\b|DATABASE_|sqlite|postgres/i.test(text))
        .map(([name]) => name),
    ).toEqual([]);
    const steps = 'drift,contract,start,types,lint,format,build';
    expect(await made.run(['npm', 'run', 'check', '--', '--only', steps])).toEqual({ code: 0, output: ALL_PASSED });
    expect(await succeed(made.run(['jest']))).toContain('not written yet');
    const running = made.start([process.execPath, 'dist/src/main.js'], { PORT: '0' });
    const [, address = ''] = await running.wrote(/ at (http:\/\/localhost:\d+)/);
    for (const [path, status] of answers) expect((await request(address).get(path)).status).toBe(status);
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
    if (contract !== 'odd.json') return;
    expect(made.read('generated/openapi.ts')).toContain('warden?: string | null;');
    expect(made.read('src/verifiers.ts')).toContain("scheme: 'http digest'");
    const strict = await made.run(['npm', 'run', 'check', '--', '--only', 'contract', '--strict']);
    expect(strict).toEqual({ code: 1, output: expect.stringContaining('FAILED contract') as unknown });
  });
});

it('of a larger contract, a list, a lookup and a delete are a few lines each, which its tests hold to the contract', async () => {
  const contract = emptyFolder();
  contract.write('openapi.yaml', readFileSync(join(ours, 'openapi.yaml'), 'utf8'));
  growContract(contract);
  const made = await newProject(join(contract.folder, 'openapi.yaml'), garden);
  addFixtures(made, 'allotments');
  expect(await succeed(made.run(['npm', 'test']))).toMatch(/not written yet: (?!.*DELETE).*POST \/plants/);
});

/** Runs a command of ours. */
async function tell(...args: string[]): Promise<Ended> {
  const { ok, output } = await run([process.execPath, '--import', 'tsx', 'src/tools/cli.ts', ...args], {
    INIT_CWD: ours,
  });
  return { code: ok ? 0 : 1, output };
}

it('says what to do with a project that has a copy of the engine', async () => {
  const old = emptyFolder();
  old.write('.engine.json', '{}');
  expect(await tell('update', old.folder)).toEqual({
    code: 1,
    output: expect.stringContaining('To move it:\n1. ') as unknown,
  });
  expect(await tell('update', ours)).toEqual({
    code: 1,
    output: `expected a project that depends on openapi-in-charge, got ${ours}`,
  });
});

describe('refuses, before anything is written,', () => {
  it.each<[what: string, args: (target: Project) => string[], told: RegExp]>([
    ['without arguments', () => [], /expected FOLDER and CONTRACT, got \[\]/],
    [
      'a contract that is not there',
      ({ folder }) => [join(folder, 'x'), 'nothing.yaml'],
      /nothing\.yaml, which is not there/,
    ],
    [
      'a folder that is not empty',
      (target) => (target.write('x/mine.txt', ''), [join(target.folder, 'x'), 'openapi.yaml']),
      /expected FOLDER to be empty, got \S+ with mine\.txt/,
    ],
    [
      'a contract that cannot be served, with its places',
      (target) => {
        target.write(
          'bad.yaml',
          `openapi: 3.1.0\ninfo: { title: Bad, version: 1.0.0 }\npaths:\n  /a: { $ref: '#/x' }\n`,
        );
        return [join(target.folder, 'x'), join(target.folder, 'bad.yaml')];
      },
      /bad\.yaml:4:15 #\/x leads nowhere/,
    ],
  ])('%s', async (_what, args, told) => {
    const target = emptyFolder();
    const given = args(target);
    const before = filesOf(target);
    const { code, output } = await tell('new', ...given);
    expect([code, output]).toEqual([1, expect.stringMatching(told)]);
    expect(filesOf(target)).toEqual(before);
    expect(existsSync(join(target.folder, 'x'))).toBe('x/mine.txt' in before);
  });
});
