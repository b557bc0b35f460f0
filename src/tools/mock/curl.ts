/** A line for curl that the first operation accepts, whatever it asks for. */
import {
  canRead,
  type ContractOperation,
  examplesIn,
  isForm,
  isJson,
  type MediaType,
  pathAsSent,
  type Schema,
} from '../../engine/reading';
import {
  bodyOptions,
  compiledSchemas,
  credentialOption,
  curlLine,
  type LoadedContract,
  quoted,
} from '../../engine/tooling';
import { schemaOf } from '../conformance/contract';
import { serialize } from '../samples/serialize';
import { fromYaml } from '../samples/json';
import { Samples } from './samples';

/** Undefined if there is no operation that a line could be made for. */
export function curlFor(
  { document, operations }: LoadedContract,
  baseUrl: string,
  token: string | undefined,
): string | undefined {
  const samples = new Samples(compiledSchemas(document, 'requests'));
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
    const [mediaType = '', content] =
      Object.entries(requestBody.content).find(([each]) => canRead(each) && !isForm(each)) ?? [];
    const value = content && bodyFor(samples, mediaType, content);
    if (value === undefined) return undefined;
    options.push(...bodyOptions(mediaType, value));
  }
  const address = `${baseUrl}${target}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  return curlLine(method, address, options);
}

/** The first example that fits, or else a value made from the schema. */
function exampleFor(
  samples: Samples,
  given: Pick<MediaType, 'example' | 'examples'>,
  schema: Schema,
  fits: (example: unknown) => boolean = () => true,
): unknown {
  return examplesIn(samples.document, given).find(fits) ?? samples.draftOf(schema);
}

/** A value for a body; an example may have what only answers have. */
function bodyFor(samples: Samples, mediaType: string, content: MediaType): unknown {
  const { schema } = content;
  const isJudged = schema !== undefined && isJson(mediaType);
  return exampleFor(samples, content, schema ?? {}, (each) => !isJudged || samples.fits(schema, each));
}
