/** The contract's schemas, compiled: for the check at the start, and for the answers that handlers give. */
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { numberFormats } from './integers';
import { type Document, resolve, type Schema } from '../contract/document';

export class Schemas {
  /** As strict as the validator; unknown keywords are found by `check-schemas.ts`, which names their places. */
  private readonly ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    strictTuples: true,
    validateSchema: false,
    logger: false,
  });

  private readonly compiled = new WeakMap<Schema, ValidateFunction>();
  private static readonly known = new WeakMap<Document, Schemas>();

  /** Those of a document, each of which is compiled once. */
  static of(document: Document): Schemas {
    const schemas = this.known.get(document) ?? new Schemas(document);
    this.known.set(document, schemas);
    return schemas;
  }

  private constructor(private readonly document: Document) {
    addFormats(this.ajv);
    for (const [name, format] of Object.entries(numberFormats)) this.ajv.addFormat(name, format);
  }

  /** A validator of a schema of the document; throws where it cannot be compiled. */
  compileWithin(schema: Schema): ValidateFunction {
    const { components, paths } = this.document;
    const target = Object.keys(schema).length === 1 ? resolve(this.document, schema) : schema;
    // References of the schema are references within the document.
    const validate = this.compiled.get(target) ?? this.ajv.compile({ components, paths, allOf: [target] });
    this.compiled.set(target, validate);
    return validate;
  }

  /** What a validator has found in `what`, as a sentence. */
  explain({ errors }: ValidateFunction, what: string): string {
    return this.ajv.errorsText(errors, { dataVar: what });
  }
}
