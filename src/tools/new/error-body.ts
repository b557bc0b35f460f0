/** `src/error-body.ts` of a new project: how its contract's errors seem to be written, as code for the team to read and change. */
import type { LoadedContract } from '../../engine/tooling';
import { given } from '../errors/part';
import { type GuessedShape, guessErrors } from '../errors/shapes';
import { inComment, literal } from './source-text';
import { fill } from './template';

/** The module; undefined if the contract declares no errors: the engine then has its own shape. */
export function errorBodyText({ answerSchemas, operations }: LoadedContract): string | undefined {
  const [usual, ...others] = guessErrors(answerSchemas, operations);
  if (!usual) return undefined;
  const codes = [usual, ...others].map(({ part }) => part.code);
  const uses = (text: string): boolean => codes.some((code) => code.includes(text));
  const { shared, table } = tableOf(usual, others);
  const isTable = others.length > 0;
  const type = isTable ? 'ErrorTable' : 'ErrorShape';
  const types = shared === '' ? [type] : ['ErrorShape', 'ErrorTable'];
  const engine = uses('nameOf(')
    ? `import { ErrorCode, ${types.map((each) => `type ${each}`).join(', ')} }`
    : `import type { ${types.join(', ')} }`;
  return fill('src/error-body.ts', {
    statuses: uses('STATUS_CODES[') ? "import { STATUS_CODES } from 'node:http';" : '',
    engine: `${engine} from 'openapi-in-charge';`,
    codes: uses('nameOf(') ? "import { errorCodes } from './error-codes';" : '',
    names: uses('nameOf(') ? NAMES : '',
    shared,
    type,
    value: isTable ? table : shapeText(usual),
  });
}

const NAMES = `
const NAMES = new Map(Object.entries<number>({ ...ErrorCode, ...errorCodes }).map(([name, code]) => [code, name]));

function nameOf(code: number): string {
  return NAMES.get(code) ?? String(code);
}`;

function shapeText({ mediaType, part, filled }: GuessedShape): string {
  const nothing = filled.length > 0 ? `// An error has nothing for ${inComment(filled.join(', '))}.\n` : '';
  const error = given(part.code, ['code', 'message', 'status', 'violations']);
  return `{\n${nothing}mediaType: ${literal(mediaType)},\nbody: (${error}) => (${part.code}),\n}`;
}

/** A table; a shape that several schemas have is a constant before it. */
function tableOf(usual: GuessedShape, others: readonly GuessedShape[]): { shared: string; table: string } {
  const shared: string[] = [];
  const rows = others.flatMap((shape) => {
    const { schemas } = shape;
    if (schemas.length === 1) return schemas.map((name) => `${literal(name)}: ${shapeText(shape)},`);
    const constant = `shape${shared.length + 1}`;
    shared.push(`\nconst ${constant}: ErrorShape = ${shapeText(shape)};`);
    return schemas.map((name) => `${literal(name)}: ${constant},`);
  });
  const table = `{
/** For errors that no response declares, and for schemas that have no row. */
default: ${shapeText(usual)},
${rows.join('\n')}
}`;
  return { shared: shared.join('\n'), table };
}
