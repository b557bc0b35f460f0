/**
 * Every kind of drift between contract, types, code, running server and documents, made in a copy of the project: the
 * responsible step of `npm run check` fails, with the place and how to fix it.
 */
import { driftApart, spoilCode, spoilHandlers } from './drift';
import { type Ended, ProjectCopy } from './project-copy';

const copies: ProjectCopy[] = [];
afterAll(() => Promise.all(copies.map((copy) => copy.discard())));

/** A changed copy of the project. */
function changed(change: (copy: ProjectCopy) => void, tests?: string[]): ProjectCopy {
  const copy = new ProjectCopy(tests);
  copies.push(copy);
  change(copy);
  return copy;
}

describe('of contract, generated files and documents', () => {
  let report: Map<string, string>;
  beforeAll(async () => {
    const copy = changed(driftApart);
    report = new Map();
    // Separately, because a failing gate ends the check.
    for (const steps of [['contract'], ['drift'], ['diff', 'docs', 'answers']])
      for (const [step, says] of failuresOf(await copy.check(...steps))) report.set(step, says);
  });

  it.each<[what: string, step: string, ...says: RegExp[]]>([
    [
      'the contract is edited, and types are not regenerated',
      'drift',
      /^-\s+\* @description What went wrong\.\n\+\s+\* @description What has gone wrong\.$/m,
      /^generated\/openapi\.ts does not match openapi\.yaml\. Fix it with: npm run generate$/m,
    ],
    [
      'a generated file is edited by hand',
      'drift',
      /^-\/\/ by hand$/m,
      /^generated\/openapi\.ts does not match openapi\.yaml\. Fix it with: npm run generate$/m,
    ],
    ['the version of the generator has changed', 'drift', /^\+\/\/ Written with openapi-typescript 7\.99\.0\.$/m],
    [
      'an example does not fit its schema',
      'contract',
      /openapi\.yaml:\d+:\d+ at .*\/examples\/untagged\/value\/id\s+Example value .*`id` property type must be integer/,
      /To fix it: correct openapi\.yaml at the places above/,
    ],
    [
      'a security rule is dropped',
      'contract',
      /openapi\.yaml:\d+:\d+ at .*\/post\s+Every operation should have security defined/,
    ],
    [
      'a security rule is dropped',
      'diff',
      /POST \/plants: is open to everyone, and was not\n {4}openapi\.yaml:\d+:\d+$/m,
    ],
    [
      'a change breaks clients, without a new major version',
      'diff',
      /POST \/plants responses\/409: Response `409` was removed\.\n {4}main:openapi\.yaml:\d+:\d+$/m,
      /^openapi\.yaml:\d+:\d+ the changes since main \(1\.0\.0\) call for 2\.0\.0, and openapi\.yaml says 1\.0\.1/m,
      /To fix it: take the change back, or raise the version in openapi\.yaml/,
    ],
    [
      'a response is declared that no test produces',
      'answers',
      /^openapi\.yaml:\d+:\d+ createPlant declares 410, which no test produces$/m,
    ],
    [
      'an error code is declared that is never produced',
      'answers',
      /^openapi\.yaml:\d+:\d+ error 41001 \(Gone\) is declared, and no test produces it$/m,
    ],
    [
      'an answer is not declared',
      'answers',
      /^openapi\.yaml:\d+:\d+ createPlant \(POST \/plants\) answered 409, which is not declared$/m,
      /To fix it: declare what is answered, test what is declared/,
    ],
    [
      'a documented command is missing',
      'docs',
      /^README\.md:\d+ names npm run typecheck, which is no script of package\.json$/m,
    ],
    [
      'a command is undocumented',
      'docs',
      /^package\.json has the script types, and README\.md has no row for npm run types$/m,
    ],
    [
      'a documented variable is missing',
      'docs',
      /^src\/README\.md:\d+ documents LOG_FORMAT, which src\/config\.ts does not read$/m,
    ],
    ['a variable is undocumented', 'docs', /^src\/config\.ts reads LOG_LEVEL, which has no row in src\/README\.md$/m],
    [
      'a default differs',
      'docs',
      /^src\/README\.md:\d+ says that BODY_BYTES_MAX is 204800 by default, and src\/config\.ts says otherwise$/m,
    ],
    [
      'the version differs',
      'docs',
      /^package\.json says .*, but openapi\.yaml:\d+:\d+ has the version 1\.0\.1$/m,
      /^package-lock\.json says .*, but openapi\.yaml:\d+:\d+ has the version 1\.0\.1$/m,
    ],
    [
      'the title differs',
      'docs',
      /^README\.md:1 says .*, but openapi\.yaml:\d+:\d+ has the title OpenAPI Garden Store$/m,
      /^package\.json says .*, but openapi\.yaml:\d+:\d+ has the title OpenAPI Garden Store$/m,
    ],
    [
      'the base address differs',
      'docs',
      /^openapi\.yaml:\d+:\d+ says http:\/\/localhost:8080, but the service is by default at http:\/\/localhost:3000$/m,
      /^README\.md:\d+ says http:\/\/localhost:8080, but the service is by default at http:\/\/localhost:3000$/m,
    ],
    ['a file is named that does not exist', 'docs', /^README\.md:\d+ names src\/nowhere\.ts, which is not there$/m],
  ])('%s: step %s', (_what, step, ...says) => {
    for (const each of says) expect(report.get(step)).toMatch(each);
  });
});

describe('that makes every step fail: the check ends with that one reason', () => {
  const OTHERS = ['tests', 'lint', 'types', 'build', 'format', 'diff', 'docs', 'answers'].map(
    (step) => `not run ${step}`,
  );
  const IN_COOKIE = { name: 'crumb', in: 'cookie', description: 'Not supported.', schema: { type: 'string' } };

  it.each<[string, change: (copy: ProjectCopy) => unknown, steps: string[], says: RegExp]>([
    [
      'a misspelt keyword',
      (copy) =>
        copy.editContract((contract) => contract.setIn(['components', 'schemas', 'Plant', 'requried'], ['name'])),
      ['FAILED contract', 'not run drift', 'not run start'],
      /openapi\.yaml:\d+:\d+ .*requried/,
    ],
    [
      'types that are not generated',
      (copy) => copy.editContract((contract) => contract.setIn(['info', 'description'], 'Other.')),
      ['ok contract', 'FAILED drift', 'not run start'],
      /^generated\/openapi\.ts does not match openapi\.yaml\. .*: npm run generate$/m,
    ],
    [
      'a contract that cannot be served',
      (copy) => {
        copy.editContract((contract) =>
          contract.setIn(['paths', '/plants', 'post', 'parameters'], contract.createNode([IN_COOKIE])),
        );
        return copy.run(['tsx', 'scripts/generate.ts']);
      },
      ['ok contract', 'ok drift', 'FAILED start'],
      /^ *openapi\.yaml:\d+:\d+ parameter crumb: parameters in cookies are not supported/m,
    ],
  ])('%s', async (_what, change, steps, says) => {
    const copy = changed(() => undefined);
    await change(copy);
    const { code, output } = await copy.run(['tsx', 'scripts/check.ts']);
    const ran = [...output.matchAll(/^(ok|FAILED|not run) +(\w+)/gm)].map(([, state, step]) => `${state} ${step}`);
    expect(ran).toEqual([...steps, ...OTHERS]);
    expect(output).toMatch(says);
    expect(code).toBe(1);
  });
});

describe('of contract and code', () => {
  let types: string | undefined;
  beforeAll(async () => {
    const copy = changed(() => undefined);
    await spoilHandlers(copy);
    types = failuresOf(await copy.check('types')).get('types');
  });

  it.each([
    [
      'a handler is missing',
      /no-handler\.ts\(\d+,\d+\): .*\n.* (?:'createPlant' is missing|is missing the following properties .* createPlant)/,
    ],
    ['a handler is superfluous', /other-handler\.ts\(\d+,\d+\): .* 'removePlant' does not exist in type/],
    ['a handler is of a wrong type', /wrong-type\.ts\(\d+,\d+\): [^]*Type 'number' is not assignable to type 'string'/],
    ['a status is not declared', /wrong-status\.ts\(\d+,\d+\): [^]*Type '201' is not assignable to type '200'/],
    ['an error code is not declared', /wrong-code\.ts\(\d+,\d+\): .* 'Gone' does not exist on type/],
    ['a property is not shown', /create-plant\.ts\(\d+,\d+\): .*\n.*'height' is missing in type/],
    ['a property is not stored', /columns\.ts\(\d+,\d+\): .*\n.*'height' is missing in type/],
    ['how to fix it', /a missing handler goes into src\/handlers\.ts/],
  ])('%s', (_what, says) => {
    expect(types).toMatch(says);
  });
});

it('of contract and types: the server does not start', async () => {
  const copy = changed((each) =>
    each.editContract((contract) =>
      contract.setIn(
        ['components', 'schemas', 'Plant', 'properties', 'colour'],
        contract.createNode({ type: 'string' }),
      ),
    ),
  );
  expect(await copy.run(['tsx', 'src/main.ts'], { PORT: '0' })).toEqual({
    code: 1,
    output: expect.stringMatching(
      /^ *openapi\.yaml:\d+:\d+ generated\/openapi\.ts .*: run npm run generate$/m,
    ) as unknown,
  });
});

describe('of contract and running server', () => {
  let tested: Ended;
  let started: Ended;
  beforeAll(async () => {
    const copy = changed(spoilCode, ['tour/served.test.ts', 'plants/support']);
    [tested, started] = await Promise.all([
      copy.test('test/tour/served'),
      copy.run(['tsx', 'src/main.ts'], { PORT: '0' }),
    ]);
  });

  it.each(['/health', '/plants'])('a path or a method is served that is not in the contract: %s', (path) => {
    expect(tested.output).toMatch(new RegExp(`\\+ +"${path}: refuseMalformed"`));
  });

  it('an answer does not fit its schema', () => {
    expect(tested.output).toContain(
      'the answer of createPlant is not in the contract: the body/name must match pattern',
    );
  });

  it('an operation is not authenticated: a test fails, and the server does not start', () => {
    expect(tested.output).toMatch(/-.*, match, authenticateRequest, readRequestBody/);
    expect(tested.output).toMatch(/\+.*, match, readRequestBody/);
    expect(started.code).toBe(1);
    expect(started.output).toMatch(
      /expected 401 without a token .*:\n *openapi\.yaml:\d+:\d+ createPlant answered 400/,
    );
  });
});

/** What each failed step has reported. */
function failuresOf({ code, output }: Ended): Map<string, string> {
  expect(code).toBe(1);
  const parts = output.split(/^--- (\w+): .*$/m);
  return new Map(parts.flatMap((name, index) => (index % 2 === 1 ? [[name, parts[index + 1] ?? '']] : [])));
}
