/** Holds a running server to a contract, from the command line. `--help` says how. */
import { messageOf, readArguments } from '../../engine';
import { Client } from './client';
import { type Contract, readContract } from './contract';
import { curlOf, printable, type Secrets, secretsOf } from '../samples/curl';
import { coverageLines, percentOf } from './coverage';
import { describe, reportOf, untriedLines, warningLines } from './report/report';
import { deliver, reportOptions, reportUsage, textOutput } from '../report/deliver';
import { namedContract } from '../project/named-contract';
import { typed } from '../project/typed';
import { checkConformance, runsFor, servedAt } from './suite';
import { type Credentials, type Finding, nothingKnown, type Progress, type Verdict } from './verdict';

const REQUESTS = 200;

const usage = `${typed('conformance', '--url URL [--contract CONTRACT] [OPTIONS]')}
Holds the server at URL to a contract: what is valid is accepted, what is invalid refused, nobody let in without a credential,
nothing else served, and every answer as declared. Exits with 0 if nothing deviates, 1 with what does, 2 if it cannot be tried.

--url URL            where the contract is served; without a path (http://localhost:3000) it is at the path of the contract's server,
                     with one (http://localhost:3000/ or .../v2) there
--contract CONTRACT  OpenAPI 3.0, 3.1 or 3.2: a file, also of several files, or a URL of one document; unless given, the server's own,
                     which is openapi.json under the path of --url
--allow-folder FOLDER lets references lead there too, and not only into the folder of the contract; may be repeated
--write              also tries what may change something: without it only GET, HEAD, OPTIONS and TRACE are sent
--only OPERATION     tries this one alone: its operationId, or METHOD PATH; may be repeated
--token TOKEN        a bearer token, also for the types oauth2 and openIdConnect
--user NAME:PASSWORD of HTTP basic
--key NAME=VALUE     an API key, by the name of its scheme or of its header, query parameter or cookie; may be repeated. Each alternative
                     of security is tried, as far as its credentials are given
--requests N         about how many requests an operation gets, and up to half as many more if it has many constraints; ${REQUESTS} unless given
--seed N             repeats a run: its requests are random, and a run prints its seed
--unwritten          501 means that a handler is not written yet: its operation is named, and held to all that comes before
--strict             also fails for what the contract leaves open, and for what could not be tried
--coverage PERCENT   also fails if less of the contract was tried: of its operations, statuses below 500, media types, parameters, and
                     the branches and constraints of its schemas. A constraint is tried by a request that breaks nothing else,
                     and that is not refused without that
${reportUsage}
--json               is --format json, and --junit FILE is --format junit --output FILE

A finding is a line of curl that repeats it, what came, and what the contract says. Credentials are not printed: a line has
$TOKEN, $BASIC (NAME:PASSWORD in Base64) or the name of a key in capitals instead, with _ENCODED for one in a query, and
_IN_OTHER_CASE for one whose capital letters are small, or the reverse. Certificates are checked (NODE_EXTRA_CA_CERTS).
Nothing more is sent to an operation whose answer takes longer than 30 s.`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const options = {
  ...{ url: text, contract: text, token: text, user: text, requests: text, seed: text, junit: text, coverage: text },
  ...{ write: flag, unwritten: flag, strict: flag, json: flag, help: { ...flag, short: 'h' } },
  only: { ...text, multiple: true },
  key: { ...text, multiple: true },
  'allow-folder': { ...text, multiple: true },
  ...reportOptions,
} as const;

const WRONG_USE = 2;

/** Prints the verdict; resolves to 0, 1 if anything deviates, or 2 if it cannot be tried. */
export async function run(args: string[]): Promise<number> {
  try {
    const { values } = readArguments({ args, options });
    if (values.help) {
      console.log(usage);
      return 0;
    }
    const { url = '', contract: named, only, write, unwritten, strict = false, json, junit } = values;
    const reports = [
      json && '--json',
      junit !== undefined && '--junit',
      (values.format ?? values.output) !== undefined && '--format',
    ];
    if (reports.filter(Boolean).length > 1)
      throw new TypeError('expected one of --json, --junit and --format, got several');
    const ofFile = junit === undefined ? values : { format: 'junit', output: junit };
    const target = json ? { format: 'json' } : ofFile;
    const say = textOutput(target);
    if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
      throw new TypeError(`expected --url with an address of http or https, got ${url === '' ? 'nothing' : url}`);
    const runs = runsFor(wholeNumber('--requests', values.requests) ?? REQUESTS);
    const seed = wholeNumber('--seed', values.seed);
    const least = wholeNumber('--coverage', values.coverage) ?? 0;
    const credentials = credentialsOf(values);
    const contract = await contractOf(named ?? ownContract(url), values['allow-folder']);
    await assertAnswers(url, contract);
    const secrets = secretsOf(credentials);
    const started = Date.now();
    const settings = { seed, runs, only, write, unwritten, onProgress: progressOn(process.stderr) };
    const verdict = await checkConformance(contract, { url, credentials }, settings);
    const seconds = (Date.now() - started) / 1000;
    say(printable(textOf(verdict, secrets)));
    const failure = failureOf(verdict, strict, least);
    if (failure.why !== undefined) console.error(printable(failure.why));
    deliver(
      reportOf(verdict, { ...failure, isStrict: strict, seconds, secrets, json: jsonOf(verdict, secrets) }),
      target,
    );
    return failure.code;
  } catch (error) {
    console.error(`${printable(messageOf(error))}\n\n${typed('conformance', '--help')} says what is expected`);
    return WRONG_USE;
  }
}

/** The code to exit with, and why, unless findings say it. */
function failureOf(verdict: Verdict, strict: boolean, least: number): { code: number; why?: string } {
  const { findings, warnings, untried, coverage } = verdict;
  const why = nothingKnown(verdict);
  if (why !== undefined) return { code: WRONG_USE, why };
  if (findings.length > 0) return { code: 1 };
  if (strict && [warnings, untried].flat().length > 0)
    return {
      code: 1,
      why: `expected nothing open or untried with --strict, got ${warnings.length} answers that the contract leaves open and ${untried.length} untried parts`,
    };
  const percent = percentOf(coverage);
  if (percent >= least) return { code: 0 };
  return { code: 1, why: `expected ${least} % of the contract to be tried, got ${percent} %` };
}

async function contractOf(named: string, allowed: readonly string[] | undefined): Promise<Contract> {
  const { file, remove } = await namedContract(named);
  try {
    return readContract(file, allowed);
  } finally {
    remove();
  }
}

/** The URL where the server has its own contract, under the path at which it is served. */
function ownContract(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/$/, '')}/openapi.json`;
}

function wholeNumber(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new TypeError(`expected ${option} to be a number from 1 on, got ${value}`);
  return Number(value);
}

function credentialsOf({ token, user, key = [] }: { token?: string; user?: string; key?: string[] }): Credentials {
  if (user?.includes(':') === false) throw new TypeError('expected --user NAME:PASSWORD, got no colon');
  const pairs = key.map((pair) => {
    const [, name, value] = /^([^=]+)=(.+)$/s.exec(pair) ?? [];
    if (name === undefined || value === undefined)
      throw new TypeError('expected --key NAME=VALUE, got no name or no value');
    return [name, value];
  });
  return { token, user, keys: Object.fromEntries(pairs) as Record<string, string> };
}

/** Rejects if nothing answers there at all: that is no finding. */
async function assertAnswers(url: string, contract: Contract): Promise<void> {
  const client = new Client(url);
  try {
    await client.send({ method: 'HEAD', target: servedAt(url, contract).pathname, headers: {}, body: undefined });
  } catch (error) {
    throw new Error(`expected an answer at ${url}, got ${messageOf(error)}`, { cause: error });
  } finally {
    client.close();
  }
}

const PROGRESS_MS = 1_500;

/** A line every few seconds. */
function progressOn(stream: NodeJS.WriteStream): (progress: Progress) => void {
  let last = Date.now();
  return ({ operation, index, count, requests }) => {
    if (Date.now() - last < PROGRESS_MS) return;
    last = Date.now();
    const done = Math.round((20 * index) / count);
    const bar = `[${'='.repeat(done)}${' '.repeat(20 - done)}]`;
    stream.write(`${bar} ${index} of ${count} operations, ${requests} requests; next ${operation}\n`);
  };
}

function textOf(verdict: Verdict, secrets: Secrets): string {
  const { url, seed, requests, operations, findings, unwritten } = verdict;
  const list = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
  return [
    ...findings.flatMap((finding) => [describe(finding, url, secrets), '']),
    `${findings.length} findings in ${requests} requests to ${operations.length} operations at ${url} (--seed ${seed} repeats them)`,
    ...list('Tried of the contract:', coverageLines(verdict.coverage)),
    ...list('Left open by the contract, or not judged:', warningLines(verdict.warnings)),
    ...list('Not tried:', untriedLines(verdict.untried)),
    ...list('Not written yet, and held to what comes before a handler:', unwritten),
  ].join('\n');
}

function jsonOf(verdict: Verdict, secrets: Secrets): object {
  const { origin } = new URL(verdict.url);
  // Headers of requests have credentials.
  const shown = ({ request, ...finding }: Finding): object =>
    request ? { ...finding, curl: curlOf(request, origin, secrets) } : finding;
  return { ...verdict, findings: verdict.findings.map(shown), warnings: verdict.warnings.map(shown) };
}
