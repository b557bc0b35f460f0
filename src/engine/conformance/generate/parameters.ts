/** Parameters of a request, from their schemas and from values that the server is known to have. */
import fc, { type Arbitrary } from 'fast-check';
import type { Parameter } from '../../contract/document';
import { type Contract, schemaOf } from '../contract';
import type { Oracle } from '../../samples/oracle';
import type { Json } from '../../samples/json';
import { fitting } from '../../samples/arbitraries';
import type { KnownValues } from './known-values';
import { readings, serialize, type Serialized } from './serialize';
import { valuesOf } from '../../samples/values';
import { changedIn, Unmakeable, type Variant, type Variants } from './variants';

export interface ParameterValue {
  value: Json;
  serialized: Serialized;
}

export class Parameters {
  constructor(
    private readonly contract: Contract,
    private readonly oracle: Oracle,
    private readonly known: KnownValues,
  ) {}

  /** `path` is that of the operation. */
  variants(parameter: Parameter, path: string): Variants<ParameterValue> {
    const { document } = this.contract;
    const { schema, mediaType } = schemaOf(parameter);
    const isValid = (value: Json): boolean => this.oracle.accepts(schema, value);
    // What a reader could take for a valid value is not wrong.
    const isWrong = (value: Json): boolean => !(mediaType === undefined ? readings(value) : [value]).some(isValid);
    const known = this.known
      .find(path, parameter.name)
      .filter((value) => isValid(value) && serialize(parameter, value));
    const values = [valuesOf(document, schema), known.length === 0 ? undefined : fc.constantFrom(...known)];
    const valid = values.flatMap((each) => (each && sendable(parameter, each, isValid)) ?? []);
    if (valid.length === 0) throw new Unmakeable(`no value can be made for ${nameOf(parameter)}`);

    const changed = (fits: (value: Json) => boolean): Variant<ParameterValue>[] =>
      changedIn(nameOf(parameter), document, schema, (changes) => sendable(parameter, changes, fits));
    return { valid: fc.oneof(...valid), edges: changed(isValid), wrongs: changed(isWrong) };
  }
}

/** `query limit` */
export function nameOf({ in: location, name }: Parameter): string {
  return `${location} ${name}`;
}

/** Those values that fit and have a text. */
function sendable(
  parameter: Parameter,
  values: Arbitrary<Json | undefined>,
  fits: (value: Json) => boolean,
): Arbitrary<ParameterValue> | undefined {
  const all = values.map((value) => {
    const serialized = value !== undefined && fits(value) ? serialize(parameter, value) : undefined;
    return serialized && value !== undefined ? { value, serialized } : undefined;
  });
  return fitting(all, (each) => each !== undefined);
}
