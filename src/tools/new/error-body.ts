/** `src/error-body.ts` of a new project: what the engine would write by itself, as code to change, if one function says it everywhere. */
import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { ApiError, ErrorCode } from '../../engine';
import { type LoadedContract, serverErrors } from '../../engine/tooling';
import { literal } from './source-text';
import { fill } from './template';

/** The module; undefined if the contract declares errors of several shapes, or of what only the engine knows. */
export function errorBodyText({ errorBodies, operations }: LoadedContract): string | undefined {
  const sample = new ApiError(ErrorCode.NoSuchPath, 'the text of the message');
  const content = errorBodies.of(undefined, sample);
  if (!content) return undefined;
  const { mediaType } = content;
  const part = partOf(content.body, sample);
  const isSame = operations.every((operation) =>
    serverErrors(operation, true).every((error) => {
      const declared = errorBodies.of(operation, error);
      return !declared || isDeepStrictEqual(declared, { mediaType, body: part.of(error) });
    }),
  );
  if (!isSame) return undefined;
  const unquoted = part.code.replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, '');
  const used = ['code', 'message', 'status'].filter((name) => new RegExp(`\\b${name}\\b(?!:)`).test(unquoted));
  return fill('src/error-body.ts', {
    imports: part.code.includes('STATUS_CODES') ? "import { STATUS_CODES } from 'node:http';" : '',
    mediaType: literal(mediaType),
    given: used.length > 0 ? `{ ${used.join(', ')} }` : '',
    body: part.code,
  });
}

/** A part of a body: as code, and as what that makes of an error. */
interface Part {
  code: string;
  of: (error: ApiError) => unknown;
}

/** What may stand in a body, by the code that says it. */
const KNOWN: Readonly<Record<string, Part['of']>> = {
  message: ({ message }) => message,
  code: ({ code }) => code,
  'String(code)': ({ code }) => String(code),
  status: ({ status }) => status,
  'String(status)': ({ status }) => String(status),
  'STATUS_CODES[status]': ({ status }) => STATUS_CODES[status],
};

function partOf(value: unknown, sample: ApiError): Part {
  const known = Object.entries(KNOWN).find(([, of]) => of(sample) === value);
  if (known) return { code: known[0], of: known[1] };
  if (typeof value !== 'object' || value === null) return { code: JSON.stringify(value), of: () => value };
  const members = Object.entries(value).map(([key, member]) => [key, partOf(member, sample)] as const);
  if (Array.isArray(value)) {
    return {
      code: `[${members.map(([, { code }]) => code).join(', ')}]`,
      of: (error) => members.map(([, { of }]) => of(error)),
    };
  }
  return {
    code: `{ ${members.map(([key, { code }]) => (key === code ? key : `${literal(key)}: ${code}`)).join(', ')} }`,
    of: (error) => Object.fromEntries(members.map(([key, { of }]) => [key, of(error)])),
  };
}
