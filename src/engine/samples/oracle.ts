/** Whether a value fits a schema of the contract: Ajv decides, on doubles that stand in for exact numbers. */
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { Document, Schema } from '../contract/document';
import { isObject, type Json, JsonNumber } from './json';

export class Oracle {
  private readonly ajv = new Ajv2020({ strict: false, strictNumbers: true, validateSchema: false, logger: false });
  private readonly compiled = new Map<Schema, ValidateFunction>();

  constructor(private readonly document: Document) {
    addFormats(this.ajv);
    this.ajv.addFormat('int32', { type: 'number', validate: (value) => isIntegerBelow(2 ** 31, value) });
    this.ajv.addFormat('int64', { type: 'number', validate: (value) => isIntegerBelow(2 ** 63, value) });
  }

  accepts(schema: Schema, value: Json): boolean {
    return this.problem(schema, value) === undefined;
  }

  /** Ajv's first error, which does not quote the value; undefined where the value fits. */
  problem(schema: Schema, value: Json): string | undefined {
    const validate = this.compiled.get(schema) ?? this.compile(schema);
    if (validate(withDoubles(value))) return undefined;
    const [error] = validate.errors ?? [];
    return `${error?.instancePath ?? ''} ${error?.message ?? 'does not fit'}`.trim();
  }

  private compile(schema: Schema): ValidateFunction {
    const { components, paths } = this.document;
    // `components` and `paths` are what the schema's references point into.
    const validate = this.ajv.compile({ components, paths, allOf: [schema] });
    this.compiled.set(schema, validate);
    return validate;
  }
}

function isIntegerBelow(limit: number, value: number): boolean {
  return Number.isInteger(value) && value >= -limit && value < limit;
}

function withDoubles(value: Json): unknown {
  if (value instanceof JsonNumber) return doubleFor(value);
  if (Array.isArray(value)) return value.map(withDoubles);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withDoubles(each)]));
}

const TWO_63 = 2 ** 63;

/** A double on the same side of the limits of int64 as the number, and no integer where the number is a fraction. */
function doubleFor({ text, integer }: JsonNumber): number {
  const double = Number(text);
  if (integer === undefined) return Number.isInteger(double) ? 0.5 : double;
  if (double === TWO_63 && integer < 2n ** 63n) return TWO_63 - 1024;
  if (double === -TWO_63 && integer < -(2n ** 63n)) return -TWO_63 - 2048;
  return Math.max(-Number.MAX_VALUE, Math.min(double, Number.MAX_VALUE));
}
