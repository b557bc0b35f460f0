/**
 * What mocks of the contracts in a folder answer, as a table in Markdown: each is served with `--lenient`, one valid request is made from
 * the contract and sent to each of its operations, and the answer has to be a success that the contract declares.
 *
 *   npx tsx scripts/contracts/mocked.ts FOLDER...         the table
 *   npx tsx scripts/contracts/mocked.ts FOLDER... --all   and below it what went wrong
 */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { type Client, connect } from './connect';
import { formsOf, isForm } from '../../src/engine/conformance/generate/forms';
import { percentEncoded, serialize } from '../../src/engine/conformance/generate/serialize';
import { type Document, type Parameter, type Schema, schemeKind } from '../../src/engine/contract/document';
import { type ContractOperation, operationsOf } from '../../src/engine/contract/operations';
import { messageOf } from '../../src/engine/http/api-error';
import { canRead, isJson } from '../../src/engine/http/media-type';
import { startMock } from '../../src/engine/mock/start';
import { declaredKey } from '../../src/engine/rules/error-rules';
import { type Json, readJson, writeJson } from '../../src/engine/samples/json';
import { Oracle } from '../../src/engine/samples/oracle';
import { valuesOf } from '../../src/engine/samples/values';
import { engineVariables, settingsOf } from '../../src/engine/settings';
import { readVariables } from '../../src/engine/variables';
import { readContract } from '../read-contract';

const settings = readVariables(engineVariables, { PORT: '0', LOG_LEVEL: 'silent' }, settingsOf);
/** How many values are made for a place until one is valid. */
const TRIES = 60;

interface Row {
  operations: number;
  answered: number;
  faults: string[];
}

async function rowOf(file: string): Promise<Row> {
  const row: Row = { operations: 0, answered: 0, faults: [] };
  try {
    row.operations = readContract(file).operations.length;
    const options = { seed: 0, lenient: true };
    const outputs = { print: () => undefined, logTo: { write: () => undefined } };
    const { baseUrl, close } = await startMock(file, options, settings, outputs, () => undefined);
    const client = connect(baseUrl);
    try {
      const { body } = await client.send('GET', '/openapi.json');
      const document = JSON.parse(body.toString()) as Document;
      const oracle = new Oracle(document);
      for (const operation of operationsOf(document)) {
        const fault = await faultOf(document, oracle, operation, client);
        if (fault === undefined) row.answered++;
        else row.faults.push(`${operation.id} ${fault}`);
      }
    } finally {
      client.close();
      await close();
    }
  } catch (error) {
    row.faults.push(messageOf(error));
  }
  return row;
}

/** What is wrong with the answer to a valid request. */
async function faultOf(
  document: Document,
  oracle: Oracle,
  operation: ContractOperation,
  client: Client,
): Promise<string | undefined> {
  const { responses } = operation;
  const request = requestTo(document, oracle, operation);
  if (typeof request === 'string') return request;
  const { status, headers, body } = await client.send(operation.method, request.target, request.headers, request.body);
  const key = declaredKey(operation, status);
  const declared = responses[key ?? ''];
  const hasSuccess = Object.keys(responses).some((each) => /^[23d]/.test(each));
  if (!declared || (hasSuccess && status >= 400)) return `${status} ${body.toString().slice(0, 200)}`;
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';');
  const content = Object.entries(declared.content ?? {});
  if (content.length === 0) return body.length === 0 ? undefined : 'a body that is not declared';
  if (operation.method === 'HEAD' || status === 204 || status === 304) return undefined;
  const ranges = [mediaType, mediaType.replace(/\/.*/, '/*'), '*/*'];
  const found = content.find(([each]) => ranges.includes(each.replace(/\s*;.*/s, '').toLowerCase()));
  if (!found) return `the media type ${mediaType}, which is not declared`;
  if (!isJson(mediaType)) return body.length > 0 ? undefined : 'no body';
  return oracle.problem(found[1].schema ?? {}, readJson(body.toString()));
}

/** A request with what is required, or why none can be made. */
function requestTo(document: Document, oracle: Oracle, { path, parameters, requestBody, security }: ContractOperation) {
  let target = path;
  const query: string[] = [];
  const headers: Record<string, string> = {};
  for (const [name] of Object.entries(security[0] ?? {})) {
    const scheme = document.components?.securitySchemes?.[name];
    const kind = scheme ? schemeKind(scheme) : '';
    if (kind === 'http basic') headers.Authorization = `Basic ${Buffer.from('a:b').toString('base64')}`;
    else if (kind.startsWith('http ')) headers.Authorization = `${kind.slice(5)} token`;
    else if (scheme?.in === 'header') headers[scheme.name ?? ''] = 'key';
    else if (scheme?.in === 'cookie') headers.Cookie = `${scheme.name}=key`;
    else if (scheme?.in === 'query') query.push(`${percentEncoded(scheme.name ?? '')}=key`);
  }
  for (const parameter of parameters.filter(({ required, in: where }) => required ?? where === 'path')) {
    if (Object.hasOwn(headers, parameter.name) || /^(?:accept|content-type|authorization)$/i.test(parameter.name))
      continue;
    const written = firstOf(document, oracle, schemaOf(parameter), (value) => serialize(parameter, value));
    if (!written) return `no value for ${parameter.in} ${parameter.name}`;
    if (written.query) query.push(...written.query);
    else if (parameter.in === 'header') headers[parameter.name] = written.text;
    else if (parameter.in === 'cookie') headers.Cookie = `${parameter.name}=${written.text}`;
    else target = target.replace(`{${parameter.name}}`, () => written.text);
  }
  let body: string | undefined;
  if (requestBody?.required) {
    const [mediaType = '', content = {}] = Object.entries(requestBody.content).find(([each]) => canRead(each)) ?? [];
    const written = firstOf(document, oracle, content.schema ?? {}, (value) => {
      if (isForm(mediaType)) return formsOf(document, mediaType, content)(value);
      if (isJson(mediaType)) return { mediaType, text: writeJson(value) };
      return typeof value === 'string' && value !== '' ? { mediaType, text: value } : undefined;
    });
    if (!written) return `no body of ${mediaType}`;
    headers['Content-Type'] = written.mediaType;
    body = written.text;
  }
  return { target: query.length > 0 ? `${target}?${query.join('&')}` : target, headers, body };
}

/** What the first valid value that can be written is written as. */
function firstOf<T>(
  document: Document,
  oracle: Oracle,
  schema: Schema,
  write: (value: Json) => T | undefined,
): T | undefined {
  const values = valuesOf(document, schema, 'any', 'readOnly');
  for (const value of values ? fc.sample(values, { seed: 0, numRuns: TRIES }) : []) {
    const written = oracle.accepts(schema, value) ? write(value) : undefined;
    if (written !== undefined) return written;
  }
  return undefined;
}

function schemaOf({ schema, content = {} }: Parameter): Schema {
  return schema ?? Object.values(content)[0]?.schema ?? {};
}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const all = { operations: 0, answered: 0, contracts: 0, good: 0 };
  const details: string[] = [];
  console.log('| contract | operations | answered as declared | seconds of CPU |\n|---|---|---|---|');
  const files = args
    .filter((each) => !each.startsWith('--'))
    .flatMap((each) => (/\.(?:json|ya?ml)$/.test(each) ? [each] : readdirSync(each).map((name) => join(each, name))));
  for (const file of files.filter((each) => /\.(?:json|ya?ml)$/.test(each))) {
    const started = process.cpuUsage();
    const { operations, answered, faults } = await rowOf(file);
    const { user, system } = process.cpuUsage(started);
    const name = basename(file).replaceAll('+', '/');
    console.log(`| ${name} | ${operations} | ${answered} | ${((user + system) / 1e6).toFixed(1)} |`);
    details.push(`\n${name}`, ...faults.map((fault) => `  ${fault}`));
    all.operations += operations;
    all.answered += answered;
    all.contracts++;
    if (answered >= operations * 0.9 && faults.length <= operations * 0.1) all.good++;
  }
  console.log(`\n${all.answered} of ${all.operations} operations are answered as declared.`);
  console.log(`Of ${all.contracts} contracts ${all.good} are served with at most a tenth of their operations wrong.`);
  if (args.includes('--all')) console.log(details.join('\n'));
}

void main();
