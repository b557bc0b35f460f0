/** Sample values for answers: examples of the contract that fit, or else values made from schemas. */
import fc, { type Arbitrary } from 'fast-check';
import { ExactNumber } from '../../engine';
import { type Document, resolve, type Schema } from '../../engine/reading';
import type { Schemas } from '../../engine/tooling';
import { sampled } from '../samples/arbitraries';
import { fromYaml, isObject, type Json, JsonNumber } from '../samples/json';
import { plausibleValuesOf, valuesOf } from '../samples/values';

/** The ways to make a value, and the number of attempts for each. */
const TRIES = { examples: 12, plausible: 12, any: 60 };
type Way = keyof typeof TRIES;

export class Samples {
  readonly document: Document;
  private readonly examples = new WeakMap<Schema, readonly Json[]>();
  private readonly made = new WeakMap<Schema, Map<string, Arbitrary<Json> | undefined>>();

  constructor(private readonly schemas: Schemas) {
    this.document = schemas.document;
  }

  /** A value that fits the schema and is accepted; undefined if none was found. A dynamic one does not use the contract's examples. */
  valueOf(
    schema: Schema,
    seed: number,
    accepts: (value: unknown) => boolean = (value) => this.fits(schema, value),
    isDynamic = false,
  ): unknown {
    const ways: Way[] = isDynamic ? ['plausible', 'any'] : ['examples', 'plausible', 'any'];
    for (const way of ways) {
      const values = this.valuesOf(schema, way);
      if (!values) continue;
      for (let attempt = 0; attempt < TRIES[way]; attempt++) {
        const [made = null] = fc.sample(values, { seed: (seed + attempt) | 0, numRuns: 1 });
        const value = asAnswered(made);
        if (accepts(value)) return value;
      }
    }
    return undefined;
  }

  /** A value for a request, not checked against the schema. */
  draftOf(schema: Schema): unknown {
    const values = plausibleValuesOf(this.document, schema, (each) => this.examplesOf(each), 'readOnly');
    const [made] = sampled(values);
    return made === undefined ? undefined : asAnswered(made);
  }

  private valuesOf(schema: Schema, way: Way): Arbitrary<Json> | undefined {
    const ofSchema = this.made.get(schema) ?? new Map<string, Arbitrary<Json> | undefined>();
    this.made.set(schema, ofSchema);
    if (!ofSchema.has(way)) {
      const { document } = this;
      const examplesOf = (each: Schema): readonly Json[] => (way === 'examples' ? this.examplesOf(each) : []);
      const values =
        way === 'any'
          ? valuesOf(document, schema, 'any', 'writeOnly')
          : plausibleValuesOf(document, schema, examplesOf, 'writeOnly');
      ofSchema.set(way, values);
    }
    return ofSchema.get(way);
  }

  /** The values of `example`, `examples` and `default` of a schema that fit it. */
  private examplesOf(schema: Schema): readonly Json[] {
    const known = this.examples.get(schema);
    if (known) return known;
    // A merged schema is not part of the document: an example has to fit all of its parts.
    const parts = this.schemas.has(schema) ? [schema] : (schema.allOf ?? []).filter((each) => typeof each === 'object');
    const given = parts.flatMap((part): unknown[] => {
      const { example, examples, default: usual } = resolve(this.document, part);
      return [example, ...(Array.isArray(examples) ? (examples as unknown[]) : []), usual];
    });
    const fitting = given.filter((each) => each !== undefined && parts.every((part) => this.fits(part, each)));
    const found = fitting.map(fromYaml);
    this.examples.set(schema, found);
    return found;
  }

  /** True if a value fits a schema of the contract, of answers or of requests as the samples are. */
  fits(schema: Schema, value: unknown): boolean {
    try {
      return this.schemas.has(schema) && this.schemas.compileWithin(schema)(value);
    } catch {
      return false; // the schema cannot be compiled, which the start reports
    }
  }
}

/** The value as a handler would return it. */
function asAnswered(value: Json): unknown {
  if (value instanceof JsonNumber) {
    const number = Number(value.text);
    if (!Number.isFinite(number)) return new ExactNumber(value.text);
    return Number.isInteger(number) && !Number.isSafeInteger(number) ? (value.integer ?? number) : number;
  }
  if (Array.isArray(value)) return value.map(asAnswered);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asAnswered(member)]));
}
