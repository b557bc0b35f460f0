/** Chooses at startup how errors are written: for each declared response, the first shape that its schema accepts. */
import { ApiError } from '../errors/api-error';
import { type ErrorBodies, type ErrorShape, plainShape } from '../errors/error-body';
import { ErrorCode } from '../errors/error-codes';
import { isJson, withoutParameters } from '../contract/media-type';
import { NotWrittenCode } from '../errors/not-written';
import type { Schemas } from '../schema/schemas';
import { type Document, type Path, resolve, type ResponseObject, type Schema } from '../contract/document';
import type { ContractOperation } from '../contract/operations';
import type { Problem } from '../contract/problems';
import { declaredKey, type ErrorOptions, serverErrors } from './error-rules';
import { describe, type Writer, writersOf } from './error-writers';

type Content = ReturnType<ErrorBodies['of']>;
/** How errors are written at one place of the contract. */
type Written = (error: ApiError) => Content;

/** An error that handlers throw. */
interface Thrown {
  name: string;
  error: ApiError;
  /** Where its status is declared first. */
  at?: Path;
  /** Whether a response that declares it accepts how it is written. */
  isAllowed?: boolean;
}

/** The shapes of a contract's errors, and what the engine cannot write. */
export function chooseErrorBodies(
  schemas: Schemas,
  operations: readonly ContractOperation[],
  { errorBody: own, errorCodes = {}, errorSample, rateLimit }: ErrorOptions,
): { errorBodies: ErrorBodies; problems: Problem[]; warnings: Problem[] } {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const chooser = new Chooser(schemas, own, { ...errorCodes, ...ErrorCode }, errorSample?.(schemas));
  const ofHandlers = Object.entries(errorCodes)
    .filter(([, code]) => code !== NotWrittenCode.NotImplemented) // which need not be declared
    .map(([name, code]): Thrown => ({ name, error: new ApiError(code, 'message') }));
  const chosen = new Map<string, ReadonlyMap<string, Written>>();
  for (const operation of operations) {
    const ofServer = serverErrors(operation, rateLimit !== undefined);
    const ofStatus = new Map<string, Written>();
    for (const [key, response] of Object.entries(operation.responses)) {
      if (/^[123]/.test(key)) continue;
      const errors = ofServer.filter(({ status }) => declaredKey(operation, status) === key);
      const thrown = ofHandlers.filter(({ error }) => declaredKey(operation, error.status) === key);
      const at = [...operation.at, 'responses', key];
      // One that the server does not answer with is for those that handlers throw, not necessarily all of them.
      const attempts = errors.length > 0 || thrown.length === 0 ? [errors] : thrown.map(({ error }) => [error]);
      const choices = attempts.map((each) => chooser.choose(response, each, key));
      const choice = choices.find((each) => typeof each !== 'string') ?? choices[0] ?? '';
      for (const each of thrown) {
        each.at ??= at;
        if (typeof choice !== 'string' && choice.allows(each.error)) each.isAllowed = true;
      }
      if (typeof choice === 'string') {
        if (errors.length > 0) problems.push([at, choice]);
        continue;
      }
      ofStatus.set(key, choice.write);
      if (errors.length > 0 && choice.filled.length > 0)
        warnings.push([
          at,
          'errors know nothing for some fields that are required here, which get any value: an errorBody may know better',
          choice.filled.join(', '),
        ]);
    }
    chosen.set(operation.id, ofStatus);
  }
  for (const { name, error, at, isAllowed } of ofHandlers)
    if (at && !isAllowed)
      problems.push([at, `handlers throw ${name}, error ${error.code}, which no response of ${error.status} allows`]);
  const undeclared = chooser.mostUsed();

  /** The contract may list its codes without the one that a handler throws: the text is then sent with a code that is listed. */
  function withListedCode(error: ApiError, write: Written): Content {
    const listed = new ApiError(ErrorCode.Internal, error.message);
    return [write(listed), undeclared(error), undeclared(listed)].find(isWritten) ?? plain(error);
  }

  return {
    problems,
    warnings,
    errorBodies: {
      of(operation, error) {
        const { status } = error;
        const ofStatus = operation && chosen.get(operation.id);
        const key =
          ofStatus && [String(status), `${String(status)[0]}XX`, 'default'].find((each) => ofStatus.has(each));
        const write = (key !== undefined && ofStatus?.get(key)) || undeclared;
        const content = write(error);
        return isWritten(content) ? content : withListedCode(error, write);
      },
    },
  };
}

/** Whether something can be sent: a body, or none where the contract declares none. */
function isWritten(content: Content): boolean {
  return content === undefined || content.body !== undefined;
}

const plain: Written = (error) => ({ mediaType: plainShape.mediaType, body: plainShape.body(error) });

class Chooser {
  private readonly document: Document;
  private readonly nameOfCode: ReadonlyMap<number, string>;
  /** One choice for each schema and media type. */
  private readonly known = new Map<Schema, Map<string, Choice>>();

  constructor(
    private readonly schemas: Schemas,
    private readonly own: ErrorShape | undefined,
    codes: Readonly<Record<string, number>>,
    private readonly sample: ((schema: Schema) => unknown) | undefined,
  ) {
    this.document = schemas.document;
    this.nameOfCode = new Map(Object.entries(codes).map(([name, code]) => [code, name]));
  }

  /** How errors are written for a response, or why they cannot be. `errors` are those that the server answers with. */
  choose(
    { content = {} }: ResponseObject,
    errors: readonly ApiError[],
    key: string,
  ): { write: Written; filled: string[]; allows: (error: ApiError) => boolean } | string {
    const mediaTypes = Object.keys(content);
    if (mediaTypes.length === 0) return { write: () => undefined, filled: [], allows: () => true };
    let refusal: string | undefined;
    for (const declared of [...mediaTypes].sort((a, b) => preferenceOf(a, this.own) - preferenceOf(b, this.own))) {
      const mediaType = sentAs(declared);
      if (mediaType === undefined) continue;
      const { schema = {} } = content[declared] ?? {};
      const choice = this.choiceOf(mediaType, resolve(this.document, schema));
      const [first = new ApiError((Number(key) || 500) * 100 + 1, 'message'), ...others] = errors;
      const fitting = this.fittingOf(choice, [first, ...others]);
      if (fitting) {
        choice.count++;
        const filled: string[] = [];
        this.write(fitting, first, filled);
        return {
          write: (error) => ({ mediaType, body: this.write(fitting, error) }),
          filled,
          allows: (error) => choice.accepts(this.write(fitting, error)),
        };
      }
      refusal ??= `no error of the server fits ${describe(this.document, schema)}, which is declared here as ${declared}${choice.whyNot()}: give the service an errorBody`;
    }
    return refusal ?? `errors cannot be written as ${mediaTypes.join(' or ')}: give the service an errorBody`;
  }

  /** The first writer by which the schema accepts all of these errors. */
  private fittingOf(choice: Choice, errors: readonly ApiError[]): Writer | undefined {
    const codes = errors.map(({ code }) => code).join();
    if (!choice.fitting.has(codes)) {
      const fits = (writer: Writer): boolean => errors.every((error) => choice.accepts(this.write(writer, error)));
      choice.fitting.set(codes, choice.writers.find(fits));
    }
    return choice.fitting.get(codes);
  }

  /** How most of the declared errors are written, for those that are not declared. */
  mostUsed(): Written {
    const { own = plainShape } = this;
    const all = [...this.known.values()].flatMap((each) => [...each]);
    const [most] = all.filter(([, { isFree }]) => !isFree).sort(([, a], [, b]) => b.count - a.count);
    const writer = most?.[1].writers.find((each) =>
      most[1].accepts(this.write(each, new ApiError(ErrorCode.NoSuchPath, 'message'))),
    );
    if (this.own || !most || !writer) return (error) => ({ mediaType: own.mediaType, body: own.body(error) });
    return (error) => ({ mediaType: most[0], body: this.write(writer, error) });
  }

  private write(writer: Writer, error: ApiError, filled?: string[]): unknown {
    return writer({ error, name: this.nameOfCode.get(error.code) ?? String(error.code) }, filled);
  }

  private choiceOf(mediaType: string, schema: Schema): Choice {
    const ofSchema = this.known.get(schema) ?? new Map<string, Choice>();
    this.known.set(schema, ofSchema);
    const known = ofSchema.get(mediaType) ?? this.newChoice(mediaType, schema);
    ofSchema.set(mediaType, known);
    return known;
  }

  private newChoice(mediaType: string, schema: Schema): Choice {
    const validate = this.schemas.compileWithin(schema);
    const asDeclared = writersOf(this.document, schema);
    const plain: Writer = ({ error }) => plainShape.body(error);
    const text: Writer = ({ error }) => (isHtml(mediaType) ? asHtml(error.message) : error.message);
    const { own } = this;
    const writers = isJson(mediaType.replace(/;.*/s, '')) ? [...asDeclared, plain] : [text];
    const isAlike = isJson(own?.mediaType ?? '') === isJson(mediaType) && !isHtml(mediaType);
    if (own && (isAlike || own.mediaType === mediaType)) writers.unshift(({ error }) => own.body(error));
    const { sample } = this;
    if (sample) writers.push(() => sample(schema));
    return {
      writers,
      isFree: asDeclared.length === 0,
      count: 0,
      fitting: new Map(),
      accepts: (body) => body !== undefined && validate(body) && !isEmpty(body),
      whyNot: () => (validate.errors ? ` (${this.schemas.explain(validate, 'the body')})` : ''),
    };
  }
}

interface Choice {
  writers: Writer[];
  /** Whether the schema accepts anything. */
  isFree: boolean;
  count: number;
  /** The writers found so far, by the codes of the errors. */
  fitting: Map<string, Writer | undefined>;
  accepts: (body: unknown) => boolean;
  whyNot: () => string;
}

/** Whether it is `{}`, which says nothing. */
function isEmpty(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.keys(body).length === 0;
}

/** The media type that an error is sent with; undefined if errors are not written as the declared one. */
function sentAs(declared: string): string | undefined {
  const type = withoutParameters(declared);
  if (type === '*/*' || type === 'application/*') return 'application/json';
  if (isJson(type) || type === 'text/plain') return declared;
  return type === 'text/json' || isHtml(type) ? declared : undefined;
}

function isHtml(mediaType: string): boolean {
  return /^text\/html\b/i.test(mediaType);
}

/** The message as a page, if the contract declares nothing else: no markup, and ASCII only, so that no charset matters. */
function asHtml(message: string): string {
  return message.replaceAll(/[&<>"']|[^ -~]/gu, (character) => `&#${character.codePointAt(0)};`);
}

/** Sorts the service's own media type first, then JSON, then the rest, and HTML last. */
function preferenceOf(declared: string, own: ErrorShape | undefined): number {
  if (declared === own?.mediaType) return 0;
  return isJson(declared.split(';')[0] ?? '') ? 1 : isHtml(declared) ? 3 : 2;
}
