/** README.md of a new project: a page that names its operations. */
import { type Contract, schemeKind } from '../../engine/reading';
import type { Handled } from './handlers';
import { inMarkdown, literal, oneLine } from './source-text';

/** How many operations the page lists. */
const LISTED_MAX = 40;

export function readmeText({ document }: Contract, all: readonly Handled[], hasErrorBody: boolean): string {
  const [first] = all;
  const rows = all
    .slice(0, LISTED_MAX)
    .map(
      ({ request, file, summary }) =>
        `| ${code(request)} | ${inMarkdown(summary)} | [\`${file}.ts\`](src/operations/${file}.ts) |\n`,
    );
  const more =
    all.length > LISTED_MAX ? `\nand ${all.length - LISTED_MAX} more, which \`src/handlers.ts\` lists.\n` : '';
  const schemes = Object.entries(document.components?.securitySchemes ?? {}).map(
    ([name, scheme]) => `${code(name)} (${schemeKind(scheme)})`,
  );
  return `\
# ${inMarkdown(document.info.title) || 'Service'}

A service whose contract is in charge: \`openapi.yaml\` decides what is served, and the compiler, the start and the tests hold the code to it.

\`\`\`sh
npm ci && npm start   # serves; prints the address, and a token if one is needed
npm ci && npm test    # checks types and runs the tests
\`\`\`

Nothing else is needed but Node 20.19 or later. An operation that is not written yet is authenticated and validated, and then answered with 501.

## Operations

| request | | handler |
|---|---|---|
${rows.join('')}${more}
${first ? writing(first) : ''}
## What is where

| | |
|---|---|
| \`openapi.yaml\` | the contract: edit it, then \`npm run generate\`; \`npm run types\` names the handlers that are missing or no longer fit |
| \`src/operations/\`, \`src/handlers.ts\` | a handler for each operation, and their table; the codes of errors that they throw are in \`src/error-codes.ts\` |
| \`src/service.ts\` | all that is ours in one value: handlers, ${hasErrorBody ? 'the shape of errors (`src/error-body.ts`), ' : ''}what is opened before and closed after, such as a database |
| \`src/config.ts\` | the variables; \`npm start -- --help\` lists them |
| \`test/\` | \`conformance.test.ts\` holds the service to its contract; \`example.test.ts\` is where tests of our own begin |
| \`generated/\` | made by \`npm run generate\`, never edited |
| \`src/engine/\`, \`src/tools/\` | what serves any contract, and the commands; replaced as a whole by a later version, so not edited |

| command | does |
|---|---|
| \`npm run dev\` | serves, and on a change of the contract or of \`src\` generates, checks and restarts |
| \`npm run mock -- openapi.yaml\` | serves a contract without a handler, from its examples; \`npm run dev\` answers so what is not written yet |
| \`npm run check\` | lint of contract and code, drift, types, format, build; what the contract broke from the beginning is told, and fails with \`-- --strict\` |
| \`npm run conformance -- --url URL\` | holds a running service, at whatever address, to the contract |
| \`npm run contract:diff -- BASE\` | what \`openapi.yaml\` breaks and adds against a git revision or a file |
| \`npm run token -- NAME --add FILE\` | makes a token and adds it to the file that \`AUTH_TOKENS_FILE\` names |

## Who may call it

${schemes.length > 0 ? `The contract's security schemes are ${schemes.join(', ')}. A credential of any of them is an accepted token: ${credentials(document)}.` : 'The contract declares no security scheme: everybody.'}
Without \`AUTH_TOKENS_FILE\` or \`AUTH_JWT_ISSUER\` a token is made for the run and printed; with \`NODE_ENV=production\` one of both is required. \`Dockerfile\`
makes an image of it, and \`.ci/run\` is what CI runs, in a clone with the whole history (\`fetch-depth: 0\`, \`GIT_DEPTH: 0\`): the contract is compared with the one before.
`;
}

/** What an accepted token is sent as, by the kinds of the contract's schemes. */
function credentials({ components }: Contract['document']): string {
  const kinds = Object.values(components?.securitySchemes ?? {}).map(schemeKind);
  const ways = [
    kinds.includes('http bearer') ? 'behind `Bearer`' : '',
    kinds.includes('http basic') ? 'the password of the user whose name it has' : '',
    kinds.some((kind) => kind.startsWith('apiKey')) ? 'the API key' : '',
  ];
  return ways.filter((way) => way !== '').join(', or ') || 'a verifier of your own says which (`src/service.ts`)';
}

function writing({ id, constant, file, operation }: Handled): string {
  const { responses, parameters, requestBody, security } = operation;
  const given = [
    ...['path', 'query'].filter((place) => parameters.some((each) => each.in === place)),
    ...(requestBody ? ['body'] : []),
    ...(security.length > 0 ? ['principal'] : []),
  ];
  const quoted = id.includes("'") ? literal(id) : `'${literal(id).slice(1, -1)}'`;
  const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? '';
  return `\
To write one, replace its \`notWritten\` by a function; its types come from the contract, so that an undeclared status or a wrong field does not
compile. In \`src/operations/${file}.ts\`:

\`\`\`ts
export const ${constant}: Operation<${quoted}> = async (${given.length > 0 ? `{ ${given.join(', ')} }` : ''}) => {
  const found = await ...;
  return { status: ${/^\d+$/.test(success) ? success : 200}, body: found };
};
\`\`\`

If \`test/example.test.ts\` expects 501 of it, it expects the answer then. An error is thrown: \`throw new ApiError(errorCodes.NoSuchThing, 'there is no such thing')\`, with its code in \`src/error-codes.ts\`.
`;
}

function code(text: string): string {
  return `\`${oneLine(text).replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}
