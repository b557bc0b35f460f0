/** Whether a value is what a schema of the contract says, by Ajv and with exact integers. */
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { Document, Schema } from '../../src/contract/document';
import { forAjv, type Json } from './json';

export class Oracle {
  private readonly ajv = new Ajv2020({ strict: false, strictNumbers: true, validateSchema: false, logger: false });
  private readonly compiled = new Map<Schema, ValidateFunction>();

  constructor(private readonly document: Document) {
    addFormats(this.ajv);
    this.ajv.addFormat('int32', { type: 'number', validate: (value) => integerWithin(value, 2 ** 31) });
    this.ajv.addFormat('int64', { type: 'number', validate: (value) => integerWithin(value, 2 ** 63) });
  }

  /** What is wrong with the value, without its own words; undefined if nothing is. */
  problem(schema: Schema, value: Json): string | undefined {
    const validate = this.validator(schema);
    if (validate(forAjv(value))) return undefined;
    const [error] = validate.errors ?? [];
    return `${error?.instancePath ?? ''} ${error?.message ?? 'does not fit'}`.trim();
  }

  private validator(schema: Schema): ValidateFunction {
    const known = this.compiled.get(schema);
    if (known) return known;
    const { components, paths } = this.document;
    // References of the schema are references within the document.
    const validate = this.ajv.compile({ components, paths, allOf: [schema] });
    this.compiled.set(schema, validate);
    return validate;
  }
}

function integerWithin(value: number, limit: number): boolean {
  return Number.isInteger(value) && value >= -limit && value < limit;
}
