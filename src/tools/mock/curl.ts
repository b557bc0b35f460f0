/** A line for curl that the first operation accepts, whatever it asks for. */
import {
  canRead,
  type ContractOperation,
  examplesIn,
  isForm,
  type MediaType,
  pathAsSent,
  type Schema,
} from '../../engine/reading';
import { bodyOptions, credentialOption, curlLine, type LoadedContract, quoted } from '../../engine/tooling';
import { schemaOf } from '../conformance/contract';
import { serialize } from '../samples/serialize';
import { fromYaml } from '../samples/json';
import { Samples } from './samples';

/** Undefined if there is no operation that a line could be made for. */
export function curlFor(
  { operations, answerSchemas }: LoadedContract,
  baseUrl: string,
  token: string | undefined,
): string | undefined {
  const samples = new Samples(answerSchemas);
  for (const operation of operations) {
    const line = lineFor(samples, operation, baseUrl, token);
    if (line !== undefined) return line;
  }
  return undefined;
}

function lineFor(
  samples: Samples,
  { method, path, parameters, requestBody, security }: ContractOperation,
  baseUrl: string,
  token: string | undefined,
): string | undefined {
  const credential = credentialOption(samples.document, security[0] ?? {}, token);
  if (credential === undefined) return undefined;
  let target = pathAsSent(path);
  const query: string[] = [];
  const options = [credential];
  for (const parameter of parameters.filter(({ required }) => required)) {
    const value = exampleFor(samples, parameter, schemaOf(parameter).schema);
    const written = value === undefined ? undefined : serialize(parameter, fromYaml(value));
    if (!written || parameter.in === 'cookie') return undefined;
    if (written.query) query.push(...written.query);
    else if (parameter.in === 'header') options.push(`-H ${quoted(`${parameter.name}: ${written.text}`)}`);
    else target = target.replace(`{${parameter.name}}`, () => written.text);
  }
  if (requestBody?.required) {
    const [mediaType, content] =
      Object.entries(requestBody.content).find(([each]) => canRead(each) && !isForm(each)) ?? [];
    const value = content && exampleFor(samples, content, content.schema ?? {});
    if (mediaType === undefined || value === undefined) return undefined;
    options.push(...bodyOptions(mediaType, value));
  }
  const address = `${baseUrl}${target}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  return curlLine(method, address, options);
}

function exampleFor(samples: Samples, given: Pick<MediaType, 'example' | 'examples'>, schema: Schema): unknown {
  const [first] = examplesIn(samples.document, given);
  return first ?? samples.draftOf(schema);
}
