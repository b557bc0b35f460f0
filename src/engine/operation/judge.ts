/**
 * Judges values of requests with the Ajv of express-openapi-validator. It is not given the contract, whose paths, parameters
 * and numbers are read in ways of our own, but the schema of an object with the values that were read.
 */
import Ajv2020 from 'ajv/dist/2020';
import { createRequestAjv } from 'express-openapi-validator/dist/framework/ajv';
import type { Schema } from '../contract/document';
import type { Violation } from '../errors/api-error';
import { collectingAjv, Collector, forgetTried } from '../schema/collector';
import { valueDescriptions } from '../schema/described-values';
import { tryNamedFirst } from '../schema/discriminator';
import { countEvaluated } from '../schema/evaluated';
import { lookUpListed } from '../schema/listed-values';
import { exactKeywords } from '../schema/exact-number';
import { OWN_FORMATS } from '../schema/formats';
import { prepareSchemas } from '../schema/prepare';
import { valueConversions } from '../schema/request-values';
import { COMPILE_OPTIONS, Schemas } from '../schema/schemas';
import { Steps } from '../schema/steps';
import { collected, contractViolations, violationsOf } from '../schema/violation';
import type { PlacedFile } from './read-form';

/** Values that were read from a request. */
export interface Reading {
  values: { body: unknown };
  /** The parts that could not be read. */
  found: Violation[];
  /** Files to be put in place of their placeholders once the values are validated. */
  files: readonly PlacedFile[];
  /** True if there may be numbers that a double misrepresents. */
  hasExactNumbers: boolean;
}

/** The number of `readOnly` properties that were left out, which is added to. */
export interface Counted {
  leftOut?: number;
}

/** Validates values, and makes them what handlers get, in place; throws an ApiError with all violations. */
export type Judge = (reading: Reading, counted: Counted) => void;

/** Makes the judge of a schema that is made of schemas of the document, each prepared by `prepare`. */
export type JudgeBy = (schemaOf: (prepare: (schema: Schema) => Schema) => Schema) => Judge;

/** Returns a function that compiles judges for the requests of a contract. */
export function requestJudges(answers: Schemas, readOnly?: 'refuse' | 'leave out'): JudgeBy {
  const steps = new Steps();
  const { document, source } = answers;
  const prepared = source.areOfBoth ? source : prepareSchemas(document, 'requests', readOnly);
  const schemas = new Schemas(document, requestAjv(steps), prepared);
  const conversionsOf = valueConversions(schemas);
  const collector = new Collector(() => new Schemas(document, collectingAjv(requestAjv(steps, true)), prepared));

  return function judgeBy(schemaOf) {
    const schema = schemaOf((each) => schemas.prepare(each));
    const described = schemaOf((each) => each); // as the document has it, with annotations
    const check = schemas.compilePrepared(schema);
    const { convertNumbers, leaveOut, fillDefaults } = conversionsOf(schema);

    return function judge(reading, counted) {
      const { values, found, files, hasExactNumbers } = reading;
      steps.begin(values);
      if (!check(values)) refuse(reading);
      steps.begin(values); // counts steps anew, because branches are tried again
      const leftOut = leaveOut(values);
      if (leftOut > 0) counted.leftOut = (counted.leftOut ?? 0) + leftOut;
      convertNumbers(values, found, hasExactNumbers);
      fillDefaults(values);
      putFiles(files);
      if (found.length > 0) throw contractViolations(found);
    };

    /** Throws the error with all violations of values that were refused. */
    function refuse({ values, found, files, hasExactNumbers }: Reading): never {
      const findings = collector.find(schema, values, check.errors?.[0] ?? {}, steps);
      check.errors = null; // they would keep the request in memory
      putFiles(files);
      const violations = violationsOf(findings, values, valueDescriptions(document, described));
      found.push(...violations.filter(isReadBut(found)));
      collected([], () => convertNumbers(values, found, hasExactNumbers)); // finds integers that no double holds
      throw contractViolations(found);
    }
  };
}

/** Drops follow-up errors of values that could not be read. */
function isReadBut(found: readonly Violation[]): (violation: Violation) => boolean {
  const unread = found.map(({ place }) => `${place}/`);
  return ({ place }) => !unread.some((each) => `${place}/`.startsWith(each));
}

function putFiles(files: readonly PlacedFile[]): void {
  for (const { holder, key, upload } of files) Reflect.set(holder, key, upload);
}

/** The Ajv of express-openapi-validator for requests; throws if its version has another Ajv. */
function requestAjv(steps: Steps, allErrors = false): Ajv2020 {
  const ajv: unknown = createRequestAjv(
    { openapi: '3.1.0', info: { title: '', summary: '', version: '' }, components: {}, webhooks: {} },
    {
      ...COMPILE_OPTIONS,
      code: { ...COMPILE_OPTIONS.code, regExp: steps.patterns() },
      allErrors,
      verbose: allErrors,
      keywords: [...exactKeywords(steps), steps.keyword()],
      ajvFormats: { mode: 'full' }, // as for answers; its default takes 2023-02-30 for a date
      formats: OWN_FORMATS,
    },
  );
  if (!(ajv instanceof Ajv2020)) throw new Error('express-openapi-validator has another Ajv than expected');
  return steps.countLengths(tryNamedFirst(lookUpListed(countEvaluated(forgetTried(ajv), steps))));
}
