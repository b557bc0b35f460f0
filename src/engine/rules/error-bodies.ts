/** Chooses at startup how errors are written: a shape for each declared response, which its schema accepts. */
import type { ValidateFunction } from 'ajv';
import { ApiError } from '../errors/api-error';
import {
  type ErrorBodies,
  type ErrorBody,
  type ErrorShape,
  isShape,
  plainShape,
  problemShape,
  shapeFor,
} from '../errors/error-body';
import { ErrorCode } from '../errors/error-codes';
import { isJson, withoutParameters } from '../contract/media-type';
import { NotWrittenCode } from '../errors/not-written';
import type { Schemas } from '../schema/schemas';
import { type Path, resolve, type ResponseObject, type Schema } from '../contract/document';
import type { ContractOperation } from '../contract/operations';
import type { Problem } from '../contract/problems';
import { keyFor } from '../contract/statuses';
import { declaredKey, type ErrorOptions, serverCodes, serverErrors } from './error-rules';
import { schemaNames } from './schema-names';

type Content = ReturnType<ErrorBodies['of']>;
/** Writes an error as one place of the contract declares it. */
type Write = (error: ApiError) => Content;

/** An error that handlers throw. */
interface Thrown {
  name: string;
  error: ApiError;
  /** The first place that declares its status. */
  at?: Path;
  /** A response that declares its status accepts it. */
  isAllowed?: boolean;
}

/** The shapes of a contract's errors, the responses that no shape fits, and the rows of a table that are for no response. */
export function chooseErrorBodies(
  schemas: Schemas,
  operations: readonly ContractOperation[],
  options: ErrorOptions,
): { errorBodies: ErrorBodies; problems: Problem[]; warnings: Problem[] } {
  const { errorCodes = {}, rateLimit } = options;
  const problems: Problem[] = [];
  const chooser = new Chooser(schemas, options.errorsOf?.(schemas, operations) ?? options.errorBody);
  const ofHandlers = Object.entries(errorCodes)
    .filter(([, code]) => code !== NotWrittenCode.NotImplemented) // which need not be declared
    .map(([name, code]): Thrown => ({ name, error: new ApiError(code, 'message') }));
  const chosen = new Map<string, ReadonlyMap<string, Write>>();
  for (const operation of operations) {
    const ofServer = serverErrors(operation, rateLimit !== undefined);
    const ofStatus = new Map<string, Write>();
    for (const [key, response] of Object.entries(operation.responses)) {
      if (/^[123]/.test(key)) continue;
      const errors = ofServer.filter(({ status }) => declaredKey(operation, status) === key);
      const thrown = ofHandlers.filter(({ error }) => declaredKey(operation, error.status) === key);
      const at = [...operation.at, 'responses', key];
      // A response that the server does not answer with is for handlers, and need not accept all that they throw.
      const attempts = errors.length > 0 || thrown.length === 0 ? [errors] : thrown.map(({ error }) => [error]);
      const choices = attempts.map((each) => chooser.choose(response, each));
      const choice = choices.find((each) => typeof each !== 'string') ?? choices[0] ?? '';
      for (const each of thrown) {
        each.at ??= at;
        if (typeof choice !== 'string' && choice.accepts(each.error)) each.isAllowed = true;
      }
      if (typeof choice !== 'string') ofStatus.set(key, choice.write);
      else if (errors.length > 0) problems.push([at, choice]);
    }
    chosen.set(operation.id, ofStatus);
  }
  for (const { name, error, at, isAllowed } of ofHandlers)
    if (at && !isAllowed)
      problems.push([at, `handlers throw ${name}, error ${error.code}, which no response of ${error.status} allows`]);
  const undeclared = chooser.undeclared();
  return {
    problems,
    warnings: chooser
      .unusedRows()
      .map((name) => [[], 'errorBody has a row for a schema that no error is declared with', name]),
    errorBodies: {
      of(operation, error) {
        const { status } = error;
        const ofStatus = operation && chosen.get(operation.id);
        const key = ofStatus && keyFor(status, (each) => ofStatus.has(each));
        return ((key !== undefined && ofStatus?.get(key)) || undeclared)(error);
      },
    },
  };
}

/** The shape of one response. */
interface Choice {
  write: Write;
  accepts: (error: ApiError) => boolean;
}

class Chooser {
  private readonly names: ReadonlyMap<Schema, string>;
  private readonly seen = new Set(['default']);
  private readonly counts = new Map<ErrorShape, number>();
  private readonly ofEngine = new Map<Schema, ErrorShape[]>();

  constructor(
    private readonly schemas: Schemas,
    private readonly own: ErrorBody | undefined,
  ) {
    this.names = schemaNames(schemas.document);
  }

  /** The first shape by which the response accepts all of these errors, or why there is none. */
  choose({ content = {} }: ResponseObject, errors: readonly ApiError[]): Choice | string {
    const declared = Object.entries(content).map(([mediaType, { schema = {} }]) =>
      this.declaredOf(mediaType, resolve(this.schemas.document, schema)),
    );
    if (declared.length === 0) return { write: () => undefined, accepts: () => true };
    let refusal: string | undefined;
    for (const each of declared.sort((a, b) => a.preference - b.preference)) {
      const validate = this.schemas.compileWithin(each.schema);
      for (const shape of each.shapes) {
        const refused = errors.find((error) => !validate(shape.body(error)));
        if (!refused) {
          this.counts.set(shape, (this.counts.get(shape) ?? 0) + 1);
          return choiceOf(shape, each.mediaType, validate);
        }
        refusal ??= this.refusalOf(each, this.schemas.explain(validate, `the body of error ${refused.code}`));
      }
    }
    const mediaTypes = Object.keys(content).join(' or ');
    return refusal ?? `errors cannot be written as ${mediaTypes}: give the service an errorBody of that media type`;
  }

  /** How errors are written that no response declares: as most of those that are declared. */
  undeclared(): Write {
    const countOf = (shape: ErrorShape): number => this.counts.get(shape) ?? 0;
    const ofEngine = countOf(plainShape) > countOf(problemShape) ? plainShape : problemShape;
    const { mediaType, body } = shapeFor(this.own, 'default') ?? ofEngine;
    return (error) => ({ mediaType, body: body(error) });
  }

  unusedRows(): string[] {
    return this.own && !isShape(this.own) ? Object.keys(this.own).filter((name) => !this.seen.has(name)) : [];
  }

  private declaredOf(mediaType: string, schema: Schema): Declared {
    const name = this.names.get(schema) ?? 'default';
    this.seen.add(name);
    const own = shapeFor(this.own, name);
    const type = withoutParameters(mediaType);
    const preferred = own?.mediaType ?? problemShape.mediaType;
    const preference = mediaType === preferred ? 0 : isJson(type) ? 1 : type === 'text/html' ? 3 : 2;
    const isOfAnyType = type === '*/*' || type === 'application/*';
    if (isOfAnyType || isJson(type)) {
      const shapes = own ? [own].filter((each) => isJson(each.mediaType)) : this.shapesOfEngine(schema);
      return { mediaType: isOfAnyType ? preferred : mediaType, schema, shapes, preference };
    }
    const shape = own && withoutParameters(own.mediaType) === type ? own : TEXTS[type];
    return { mediaType, schema, shapes: shape ? [shape] : [], preference };
  }

  /** The plain shape if the schema names both of its fields, else RFC 9457 if that fits. */
  private shapesOfEngine(schema: Schema): ErrorShape[] {
    const known = this.ofEngine.get(schema);
    if (known) return known;
    const closed = { allOf: [this.schemas.prepare(schema)], unevaluatedProperties: false };
    const validate = this.schemas.compilePrepared(closed);
    const isPlain = serverCodes.some((code) => validate(plainShape.body(new ApiError(code, 'message'))));
    const shapes = isPlain ? [plainShape] : [problemShape, plainShape];
    this.ofEngine.set(schema, shapes);
    return shapes;
  }

  private refusalOf({ schema, mediaType }: Declared, why: string): string {
    const name = this.names.get(schema) ?? 'the schema';
    const declared = `${name}, declared here as ${mediaType}: ${why}`;
    return this.own
      ? `errorBody does not fit ${declared}; change it, or make it a table with a row of that name`
      : `neither RFC 9457 nor {error, message} fits ${declared}; give the service an errorBody`;
  }
}

/** A media type of a response, and the shapes that it may be written in. */
interface Declared {
  mediaType: string;
  schema: Schema;
  shapes: readonly ErrorShape[];
  /** The lowest comes first: the shape's own media type, then JSON, then the rest, and HTML last. */
  preference: number;
}

/** The message alone, for responses that declare text; as a page without markup, and in ASCII, so that no charset matters. */
const TEXTS: Readonly<Record<string, ErrorShape>> = {
  'text/plain': { mediaType: 'text/plain', body: ({ message }) => message },
  'text/html': {
    mediaType: 'text/html',
    body: ({ message }) => message.replaceAll(/[&<>"']|[^ -~]/gu, (character) => `&#${character.codePointAt(0)};`),
  },
};

/** An error that does not fit is sent without its violations, or else with its text and a code that the contract is sure to list. */
function choiceOf({ body }: ErrorShape, mediaType: string, validate: ValidateFunction): Choice {
  const written = (error: ApiError): unknown => {
    const given = body(error);
    if (validate(given)) return given;
    const others = [new ApiError(error.code, error.message), new ApiError(ErrorCode.Internal, error.message)].map(body);
    return others.find((each) => validate(each)) ?? given;
  };
  return { write: (error) => ({ mediaType, body: written(error) }), accepts: (error) => validate(body(error)) };
}
