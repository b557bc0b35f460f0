/** The contract's schemas, each compiled once, when it is first needed. */
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { type Document, pointerOf, resolve, type Schema } from '../contract/document';
import { isSchema } from '../contract/traverse';
import { compileReferred } from './compile-referred';
import { tryNamedFirst } from './discriminator';
import { countEvaluated } from './evaluated';
import { exactKeywords } from './exact-number';
import { OWN_FORMATS } from './formats';
import { lookUpListed } from './listed-values';
import { compilePattern } from './patterns';
import { type PreparedSchemas, prepareSchemas } from './prepare';
import { Steps, type Validator } from './steps';
import { expectedOf } from './violation';

/**
 * Options of both Ajvs, the one for answers and that of express-openapi-validator. Unknown keywords and formats are
 * reported when the contract is read.
 */
export const COMPILE_OPTIONS = {
  strict: false,
  validateSchema: false,
  meta: false,
  logger: false,
  inlineRefs: false,
  code: { optimize: false, regExp: compilePattern }, // optimizing takes more time than it saves
} as const;

/** The schemas of a document, as an Ajv compiles them. */
export class Schemas {
  private readonly compiled = new WeakMap<Schema, Validator>();
  private readonly names: ReadonlyMap<Schema, string>;

  constructor(
    readonly document: Document,
    private readonly ajv: Ajv2020,
    readonly source: PreparedSchemas,
    /** Bounds each validation; without it callers start the count. */
    private readonly steps?: Steps,
  ) {
    const { named } = source;
    for (const [name, schema] of named) ajv.addSchema(schema, name);
    this.names = new Map([...named].map(([name, schema]) => [schema, name]));
  }

  /** True if the schema is one of the document's. */
  has(schema: Schema): boolean {
    return this.source.prepared.has(schema);
  }

  /** The prepared form of a schema of the document, as Ajv gets it. */
  prepare(schema: Schema): Schema {
    return this.source.prepared.get(schema) ?? schema;
  }

  /** The prepared schema that another one refers to, or itself. */
  follow(schema: Schema): Schema {
    let target: Schema | undefined = schema;
    while (target?.$ref !== undefined) target = this.source.named.get(target.$ref);
    return target ?? schema;
  }

  /** A validator of a schema of the document; throws if it cannot be compiled. */
  compileWithin(schema: Schema): Validator {
    const known = this.compiled.get(schema);
    if (known) return known;
    // Compile the target of a reference, which others may refer to as well.
    const target = Object.keys(schema).length === 1 ? resolve(this.document, schema) : schema;
    const validate = this.compilePrepared(this.prepare(target));
    this.compiled.set(schema, validate);
    return validate;
  }

  /** A validator of a prepared schema, or of one that is made of prepared schemas. */
  compilePrepared(schema: Schema): Validator {
    const known = this.compiled.get(schema);
    if (known) return known;
    const validate = this.compile(schema);
    const bounded = this.steps?.bounded(validate) ?? validate;
    this.compiled.set(schema, bounded);
    return bounded;
  }

  /** Starts the count for tests of a value outside of a validation. */
  begin(value: unknown): void {
    this.steps?.begin(value);
  }

  /** A test of values by a prepared schema, or by one that is made of prepared schemas; it is compiled when it is first used. */
  testOf(schema: unknown): (value: unknown) => boolean {
    if (!isSchema(schema)) return () => schema !== false;
    let validate: Validator | undefined;
    return (value) => {
      validate ??= this.compile(this.follow(schema)); // within a validation, whose count goes on
      const isValid = validate(value);
      validate.errors = null; // they would keep the value in memory
      return isValid;
    };
  }

  /** A pattern as Ajv matches it, within a validation whose count goes on. */
  patternOf(pattern: string): { test(text: string): boolean } {
    return this.ajv.opts.code.regExp(pattern, 'u');
  }

  /** The first error of a validator, with its place below `what`; the value is not quoted. */
  explain({ errors }: Validator, what: string): string {
    const [error] = errors ?? [];
    const property: unknown = error?.params.missingProperty ?? error?.params.additionalProperty;
    const place = what + (error?.instancePath ?? '') + (typeof property === 'string' ? pointerOf([property]) : '');
    return `${place}${place === '' ? '' : ': '}${expectedOf(error ?? {})}`;
  }

  private compile(schema: Schema): Validator {
    compileReferred(this.ajv, schema);
    const name = this.names.get(schema);
    return (name === undefined ? undefined : this.ajv.getSchema(name)) ?? this.ajv.compile(schema);
  }
}

/**
 * The schemas of a document, compiled for either purpose. Requests of clients are validated by `judge.ts`, which
 * reports more errors.
 */
export function compiledSchemas(document: Document, purpose: 'answers' | 'requests'): Schemas {
  const steps = new Steps();
  const keywords = [...exactKeywords(steps), steps.keyword()];
  // `ownProperties`: inherited properties such as `constructor` are not sent.
  const ajv = new Ajv2020({ ...COMPILE_OPTIONS, ownProperties: true, keywords });
  addFormats(ajv, { mode: 'full' });
  for (const [name, isOfFormat] of Object.entries(OWN_FORMATS)) ajv.addFormat(name, isOfFormat);
  return new Schemas(
    document,
    steps.countLengths(tryNamedFirst(lookUpListed(countEvaluated(ajv, steps)))),
    prepareSchemas(document, purpose),
    steps,
  );
}
