/** The contract's schemas, compiled: for the check at the start, and for the answers that handlers give. */
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { type Document, resolve, type Schema } from '../contract/document';
import { allSchemas } from '../contract/walk';
import { exactKeywords } from './exact-number';
import { leaveOut } from './leave-out';
import { moveNumberRules } from './number-rules';

export class Schemas {
  /** As strict as the validator; unknown keywords are found by `schema-rules.ts`, which names their places. */
  private readonly ajv = new Ajv2020({
    strict: false,
    strictTuples: true,
    validateSchema: false,
    logger: false,
    keywords: exactKeywords({ inRequests: false }),
  });

  private readonly compiled = new WeakMap<Schema, ValidateFunction>();
  private readonly prepared: Document;
  private readonly preparedSchemas: ReadonlyMap<Schema, Schema>;
  private static readonly known = new WeakMap<Document, Schemas>();

  /** Those of a document, each of which is compiled once. */
  static of(document: Document): Schemas {
    const schemas = this.known.get(document) ?? new Schemas(document);
    this.known.set(document, schemas);
    return schemas;
  }

  private constructor(private readonly document: Document) {
    addFormats(this.ajv);
    this.prepared = structuredClone(document);
    const schemas = allSchemas(this.prepared);
    this.preparedSchemas = new Map(allSchemas(document).map((schema, index) => [schema, schemas[index] ?? schema]));
    leaveOut(this.prepared, 'writeOnly');
    schemas.forEach(moveNumberRules);
  }

  /** A schema of the document as Ajv is given it. */
  prepare(schema: Schema): Schema {
    return this.preparedSchemas.get(schema) ?? schema;
  }

  /** A validator of a schema of the document, or of one made of prepared ones; throws where it cannot be compiled. */
  compileWithin(schema: Schema): ValidateFunction {
    const target = Object.keys(schema).length === 1 ? resolve(this.document, schema) : schema;
    const known = this.compiled.get(target);
    if (known) return known;
    // References of the schema are references within the document.
    const { components, paths } = this.prepared;
    const validate = this.ajv.compile({ components, paths, allOf: [this.prepare(target)] });
    this.compiled.set(target, validate);
    return validate;
  }

  /** What a validator has found in `what`, as a sentence. */
  explain({ errors }: ValidateFunction, what: string): string {
    const name: unknown = errors?.[0]?.params.additionalProperty;
    return this.ajv.errorsText(errors, { dataVar: what }) + (typeof name === 'string' ? ` (${name})` : '');
  }
}
