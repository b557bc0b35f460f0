/** The contract's schemas, compiled: each once, when it is first needed, however many places refer to it. */
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { type Document, resolve, type Schema } from '../contract/document';
import { isSchema } from '../contract/traverse';
import { exactKeywords } from './exact-number';
import { OWN_FORMATS } from './formats';
import { compilePattern } from './patterns';
import { type PreparedSchemas, prepareSchemas } from './prepare';

/** For both Ajvs, that for answers and that of express-openapi-validator. Unknown keywords and formats are told when the contract is read. */
export const COMPILE_OPTIONS = {
  strict: false,
  validateSchema: false,
  logger: false,
  inlineRefs: false,
  code: { optimize: false, regExp: compilePattern }, // optimizing takes more time than it saves
} as const;

/** The schemas of a document, as an Ajv compiles them. */
export class Schemas {
  private readonly compiled = new WeakMap<Schema, ValidateFunction>();
  private readonly prepared: ReadonlyMap<Schema, Schema>;
  private readonly named: ReadonlyMap<string, Schema>;
  private readonly names: ReadonlyMap<Schema, string>;

  constructor(
    readonly document: Document,
    private readonly ajv: Ajv2020,
    { prepared, named }: PreparedSchemas,
  ) {
    for (const [name, schema] of named) ajv.addSchema(schema, name);
    this.prepared = prepared;
    this.named = named;
    this.names = new Map([...named].map(([name, schema]) => [schema, name]));
  }

  /** Whether the schema is one of the document's. */
  has(schema: Schema): boolean {
    return this.prepared.has(schema);
  }

  /** A schema of the document as Ajv is given it. */
  prepare(schema: Schema): Schema {
    return this.prepared.get(schema) ?? schema;
  }

  /** The prepared schema that another one refers to, or itself. */
  follow(schema: Schema): Schema {
    let target: Schema | undefined = schema;
    while (target?.$ref !== undefined) target = this.named.get(target.$ref);
    return target ?? schema;
  }

  /** A validator of a schema of the document; throws if it cannot be compiled. */
  compileWithin(schema: Schema): ValidateFunction {
    const known = this.compiled.get(schema);
    if (known) return known;
    // The one that it refers to, which others may refer to as well.
    const target = Object.keys(schema).length === 1 ? resolve(this.document, schema) : schema;
    const validate = this.compilePrepared(this.prepare(target));
    this.compiled.set(schema, validate);
    return validate;
  }

  /** A validator of a prepared schema, or of one that is made of these. */
  compilePrepared(schema: Schema): ValidateFunction {
    const known = this.compiled.get(schema);
    if (known) return known;
    const name = this.names.get(schema);
    const validate = (name === undefined ? undefined : this.ajv.getSchema(name)) ?? this.ajv.compile(schema);
    this.compiled.set(schema, validate);
    return validate;
  }

  /** Whether a value fits a prepared schema, or one that is made of these. */
  accepts(schema: unknown, value: unknown): boolean {
    if (!isSchema(schema)) return schema !== false;
    const validate = this.compilePrepared(this.follow(schema));
    const isValid = validate(value);
    validate.errors = null; // they hold on to the value
    return isValid;
  }

  /** What a validator has found in `what`, as a sentence. */
  explain({ errors }: ValidateFunction, what: string): string {
    const name: unknown = errors?.[0]?.params.additionalProperty;
    return this.ajv.errorsText(errors, { dataVar: what }) + (typeof name === 'string' ? ` (${name})` : '');
  }
}

/** The schemas of a document as they are for answers. */
export function answerSchemas(document: Document): Schemas {
  return compiledSchemas(document, 'answers');
}

/** The same for either purpose; what clients send is decided by `validator.ts`, which says more of it. */
export function compiledSchemas(document: Document, purpose: 'answers' | 'requests'): Schemas {
  const keywords = exactKeywords();
  // What is inherited is not sent: every object has a `constructor`.
  const ajv = new Ajv2020({ ...COMPILE_OPTIONS, ownProperties: true, keywords });
  addFormats(ajv, { mode: 'full' });
  for (const [name, isOfFormat] of Object.entries(OWN_FORMATS)) ajv.addFormat(name, isOfFormat);
  return new Schemas(document, ajv, prepareSchemas(document, purpose));
}
