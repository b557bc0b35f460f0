/** Parameters as a request gives them: valid ones, ones at the edges of what is allowed, and wrong ones. */
import fc, { type Arbitrary } from 'fast-check';
import type { Parameter } from '../../src/contract/document';
import { schemaOf } from './contract';
import type { Json } from './json';
import type { Memory } from './memory';
import type { Oracle } from './oracle';
import { readings, writeParameter, type Written } from './parameters';
import { fitting, Unmakeable, type Variant, variants } from './samples';
import type { Values } from './values';

export interface GivenParameter {
  value: Json;
  written: Written;
}

export class GivenParameters {
  constructor(
    private readonly values: Values,
    private readonly oracle: Oracle,
    private readonly memory: Memory,
  ) {}

  /** `path` is that of the operation. */
  valid(parameter: Parameter, path: string): Arbitrary<GivenParameter> {
    const isValid = this.validity(parameter);
    const values = this.values.valid(schemaOf(parameter).schema);
    const made = values && written(parameter, values, isValid);
    const known = this.memory
      .recall(path, parameter.name)
      .filter((value) => isValid(value) && writeParameter(parameter, value));
    const recalled = known.length === 0 ? undefined : written(parameter, fc.constantFrom(...known), isValid);
    const all = [made, recalled].filter((each) => each !== undefined);
    if (all.length === 0) throw new Unmakeable(`no value can be made for ${placeOf(parameter)}`);
    return fc.oneof(...all);
  }

  edges(parameter: Parameter): Variant<GivenParameter>[] {
    return variants(placeOf(parameter), this.values.edges(schemaOf(parameter).schema), (values) =>
      written(parameter, values, this.validity(parameter)),
    );
  }

  wrongs(parameter: Parameter): Variant<GivenParameter>[] {
    const isValid = this.validity(parameter);
    const isText = schemaOf(parameter).mediaType !== undefined;
    // Wrong is what no reader could take for something that is right.
    const isWrong = (value: Json): boolean => !(isText ? [value] : readings(value)).some(isValid);
    return variants(placeOf(parameter), this.values.wrongs(schemaOf(parameter).schema), (values) =>
      written(parameter, values, isWrong),
    );
  }

  private validity(parameter: Parameter): (value: Json) => boolean {
    const { schema } = schemaOf(parameter);
    return (value) => this.oracle.problem(schema, value) === undefined;
  }
}

/** `query limit`, as the contract tells parameters apart. */
export function placeOf({ in: where, name }: Parameter): string {
  return `${where} ${name}`;
}

/** Those values that fit and can be written. */
function written(
  parameter: Parameter,
  values: Arbitrary<Json>,
  fits: (value: Json) => boolean,
): Arbitrary<GivenParameter> | undefined {
  const all = values.map((value) => {
    const text = fits(value) ? writeParameter(parameter, value) : undefined;
    return text && { value, written: text };
  });
  return fitting(all, (given) => given !== undefined);
}
