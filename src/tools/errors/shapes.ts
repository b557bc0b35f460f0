/** The shapes of a contract's errors, guessed from their schemas: for a mock, and for `src/error-body.ts` of a new project. */
import { ApiError, type ErrorBody, type ErrorShape } from '../../engine';
import { type ContractOperation, examplesIn, isJson, placedSchemas, resolve, type Schema } from '../../engine/reading';
import { declaredKey, type Schemas, schemaNames, serverErrors } from '../../engine/tooling';
import { exampleParts, plainPart, problemPart, withMessage } from './examples';
import { type Guess, guessesFor } from './guess';
import { byStatus, constant, type Part } from './part';

/** A shape, and the schemas that it is for. */
export interface GuessedShape extends Guess {
  mediaType: string;
  /** Names of schemas, as in an ErrorTable. */
  schemas: string[];
}

/** Makes a value of a schema; undefined if there is none. */
export type Sample = (schema: Schema) => unknown;

/**
 * The shapes, the one of most errors first; none for a schema that nothing fits. `sample` is the last resort. Without a guess for any schema
 * the engine has its own shape; beside others, RFC 9457 is for schemas that the first one does not fit.
 */
export function guessErrors(
  schemas: Schemas,
  operations: readonly ContractOperation[],
  sample?: Sample,
): GuessedShape[] {
  const shapes = new Map<string, GuessedShape & { count: number }>();
  const unguessed: [name: string, Declared][] = [];
  for (const [name, declared] of declaredErrors(schemas, operations)) {
    const guess = guessFor(schemas, declared, sample);
    if (!guess) {
      unguessed.push([name, declared]);
      continue;
    }
    const { mediaType, count } = declared;
    const shape = shapes.get(guess.part.code) ?? { ...guess, mediaType, schemas: [], count: 0 };
    shapes.set(guess.part.code, shape);
    shape.schemas.push(name);
    shape.count += isOpen(declared.schema) ? 0 : count; // such a schema has no shape of its own
  }
  // A shape without a message may be no error at all: `default` is also declared for other answers.
  const rank = ({ part, count }: GuessedShape & { count: number }): number =>
    /\bmessage\b/.test(part.code) ? count : -1;
  const [usual, ...others] = [...shapes.values()].sort((a, b) => rank(b) - rank(a));
  if (!usual) return [];
  const isFor = (part: Part, { schema, errors }: Declared): boolean => accepts(schemas, schema, part, errors);
  const problems = unguessed.filter(([, each]) => !isFor(usual.part, each) && isFor(problemPart, each));
  const [problem] = problems.map(([, { mediaType }]) => ({ part: problemPart, filled: [], mediaType }));
  return [usual, ...others, ...(problem ? [{ ...problem, schemas: problems.map(([name]) => name) }] : [])];
}

/** The shapes as a service gives them to the engine; undefined if there are none. */
export function errorBodyOf([usual, ...others]: readonly GuessedShape[]): ErrorBody | undefined {
  if (!usual) return undefined;
  const shapeOf = ({ mediaType, part }: GuessedShape): ErrorShape => ({ mediaType, body: (error) => part.of(error) });
  if (others.length === 0) return shapeOf(usual);
  const named = others.flatMap((each) => each.schemas.map((name) => [name, shapeOf(each)] as const));
  return { ...Object.fromEntries(named), default: shapeOf(usual) };
}

/** The guessed error body of a contract, for a service that has no `errorBody` yet. */
export function guessedBody(schemas: Schemas, operations: readonly ContractOperation[]): ErrorBody | undefined {
  return errorBodyOf(guessErrors(schemas, operations));
}

/** A schema that responses declare for errors. */
interface Declared {
  schema: Schema;
  mediaType: string;
  /** Errors that the server answers with. */
  errors: ApiError[];
  examples: unknown[];
  /** The number of operations' errors that it is for. */
  count: number;
}

/** A media type of a vendor without a suffix, such as `application/vnd.goa.error`, whose errors are written as JSON where none of JSON is declared. */
const OF_VENDOR = /^application\/vnd\.[^+;]+$/;

/** All declared error schemas, by their names in an ErrorTable. */
function declaredErrors(
  { document }: Schemas,
  operations: readonly ContractOperation[],
): ReadonlyMap<string, Declared> {
  const found = new Map<string, Declared>();
  const names = schemaNames(placedSchemas(document));
  for (const operation of operations) {
    const ofServer = serverErrors(operation, true);
    for (const [key, { content = {} }] of Object.entries(operation.responses)) {
      if (/^[123]/.test(key)) continue;
      const errors = ofServer.filter(({ status }) => declaredKey(operation, status) === key);
      const types = Object.keys(content).filter((type) => isJson(type) || type.includes('*'));
      const written = types.length > 0 ? types : Object.keys(content).filter((type) => OF_VENDOR.test(type));
      for (const type of written) {
        const media = content[type] ?? {};
        const schema = resolve(document, media.schema ?? {});
        const name = names.get(schema);
        if (name === undefined) continue;
        const mediaType = type.includes('*') ? 'application/json' : type;
        const known = found.get(name) ?? { schema, mediaType, errors: [], examples: [], count: 0 };
        found.set(name, known);
        known.count += Math.max(errors.length, 1);
        known.examples.push(...examplesIn(document, media));
        for (const error of errors.length > 0 ? errors : [errorOf(key)])
          if (!known.errors.some(({ code }) => code === error.code)) known.errors.push(error);
      }
    }
  }
  return found;
}

/** A handler's error, for a response that the server itself does not send. */
function errorOf(key: string): ApiError {
  return new ApiError((Number(key.replace(/XX$/i, '00')) || 500) * 100 + 1, 'message');
}

function guessFor(schemas: Schemas, declared: Declared, sample: Sample | undefined): Guess | undefined {
  const { schema, errors } = declared;
  const all = guessOf(schemas, declared, errors, sample);
  if (all) return all;
  const filled = new Set<string>();
  const part = byStatus(
    errors.map(({ status }) => status),
    (status) => {
      const ofStatus = errors.filter((error) => error.status === status);
      const guess = guessOf(schemas, declared, ofStatus, sample);
      for (const name of guess?.filled ?? []) filled.add(name);
      return guess?.part;
    },
  );
  return part && accepts(schemas, schema, part, errors) ? { part, filled: [...filled] } : undefined;
}

/** The first guess that writes all of these errors as the whole schema accepts them. */
function guessOf(
  schemas: Schemas,
  { schema, examples }: Declared,
  errors: readonly ApiError[],
  sample: Sample | undefined,
): Guess | undefined {
  const fits = (parts: readonly Schema[], part: Part, isOfViolation: boolean): boolean =>
    parts.every((each) => accepts(schemas, each, part, errors, isOfViolation));
  const isFitting = ({ part }: Guess): boolean => !isEmpty(part) && accepts(schemas, schema, part, errors);
  const guesses = guessesFor(schemas.document, schema, { errors, fits });
  const given = [...examples, ...exampleParts(schema)].map(withMessage);
  const found = [...guesses, ...[plainPart, ...given].map((part) => ({ part, filled: [] }))].find(isFitting);
  const made = found ? undefined : sample?.(schema);
  return made === undefined
    ? found
    : [withMessage(made), constant(made)].map((part) => ({ part, filled: [] })).find(isFitting);
}

/** Sample violations at two places, for errors that have violations. */
const VIOLATIONS = ['/body/a', '/query/b'].map((place) => ({ place, text: 'expected string, got null' }));

function accepts(
  schemas: Schemas,
  schema: Schema,
  { of }: Part,
  errors: readonly ApiError[],
  isOfViolation = false,
): boolean {
  if (!schemas.has(schema)) return true;
  const validate = schemas.compileWithin(schema);
  return errors.every((error) =>
    isOfViolation ? VIOLATIONS.every((each) => validate(of(error, each))) : validate(of(error)),
  );
}

/** True if the part is `{}`, which says nothing. */
function isEmpty({ code }: Part): boolean {
  return code === '{}';
}

/** True if the schema names no field, and nothing else beyond `type`, annotations and `additionalProperties`. */
function isOpen(schema: Schema): boolean {
  return Object.keys(schema).every((key) => /^(?:x-.*|type|title|description|additionalProperties)$/.test(key));
}
