/** The contract's schemas, compiled: for the check at the start, and for the answers that handlers give. */
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { numberFormats } from './integers';
import type { Document } from './openapi';

export class Schemas {
  /** As strict as the validator; unknown keywords are found by `check.ts`, which names their places. */
  private readonly ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    strictTuples: true,
    validateSchema: false,
    logger: false,
  });

  constructor(private readonly document: Document) {
    addFormats(this.ajv);
    for (const [name, format] of Object.entries(numberFormats)) this.ajv.addFormat(name, format);
  }

  /** A validator of a schema of the document; throws where it cannot be compiled. */
  compileWithin(schema: object): ValidateFunction {
    // References of the schema are references within the document.
    return this.ajv.compile({ components: this.document.components, paths: this.document.paths, allOf: [schema] });
  }

  /** What a validator has found in `what`, as a sentence. */
  explain({ errors }: ValidateFunction, what: string): string {
    return this.ajv.errorsText(errors, { dataVar: what });
  }
}
