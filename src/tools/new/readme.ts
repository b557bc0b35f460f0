/** README.md of a new project: a page that names its operations. */
import { type Contract, schemeKind } from '../../engine/reading';
import type { Handled } from './handlers';
import { inMarkdown, literal, oneLine } from './source-text';
import { fill } from './template';

/** The maximum number of operations that the page lists. */
const LISTED_MAX = 40;

export function readmeText({ document }: Contract, all: readonly Handled[], hasErrorBody: boolean): string {
  const [first] = all;
  const rows = all
    .slice(0, LISTED_MAX)
    .map(
      ({ request, file, summary }) =>
        `| ${code(request)} | ${inMarkdown(summary)} | [\`${file}.ts\`](src/operations/${file}.ts) |`,
    );
  return fill('README.md', {
    title: inMarkdown(document.info.title) || 'Service',
    rows: rows.join('\n'),
    more: all.length > LISTED_MAX ? `\nand ${all.length - LISTED_MAX} more, which \`src/handlers.ts\` lists.` : '',
    writing: first ? writing(first) : '',
    errors: hasErrorBody ? ', the shape of errors (`src/error-body.ts`)' : '',
    access: access(document),
  });
}

function access({ components }: Contract['document']): string {
  const schemes = Object.entries(components?.securitySchemes ?? {});
  if (schemes.length === 0) return 'The contract declares no security scheme: everybody.';
  const names = schemes.map(([name, scheme]) => `${code(name)} (${inMarkdown(schemeKind(scheme))})`).join(', ');
  const ways = credentials(schemes.map(([, scheme]) => schemeKind(scheme)));
  return `The contract's security schemes are ${names}. A credential of any of them is an accepted token: ${ways}.`;
}

/** The places of an accepted token in a request, in words, by the kinds of the contract's schemes. */
function credentials(kinds: readonly string[]): string {
  const ways = [
    kinds.includes('http bearer') ? 'behind `Bearer`' : '',
    kinds.includes('http basic') ? 'the password of the user whose name it has' : '',
    kinds.some((kind) => kind.startsWith('apiKey')) ? 'the API key' : '',
  ];
  return ways.filter((way) => way !== '').join(', or ') || 'a verifier of your own says which (`src/verifiers.ts`)';
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
To write one, replace its \`notWritten\` by a function; its types come from the contract, so that an undeclared status, or a field that is missing or of
another type, does not compile. A field too many does, as TypeScript has it: where the schema has \`additionalProperties: false\`, the answer is 500, and \`npm test\` finds it.
In \`src/operations/${file}.ts\`:

\`\`\`ts
export const ${constant}: Operation<${quoted}> = async (${given.length > 0 ? `{ ${given.join(', ')} }` : ''}) => {
  const found = await ...;
  return { status: ${/^\d+$/.test(success) ? success : 200}, body: found };
};
\`\`\`

A second parameter has what surrounds the request: its \`log\`, the \`signal\` of a client that goes, \`principals\` by scheme, and more (\`RequestContext\`). If
\`test/example.test.ts\` expects 501 of it, it expects the answer then. An error is thrown: \`throw new ApiError(errorCodes.NoSuchThing, 'there is no such thing')\`, with its code in \`src/error-codes.ts\`.
`;
}

function code(text: string): string {
  return `\`${oneLine(text).replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}
