/**
 * express-openapi-validator, which decides on requests: its Ajv compiles what an operation takes, and what has been compiled decides.
 * It is not given the contract, whose paths, parameters and numbers it reads in ways of its own, but for each operation and media type
 * one schema, of an object with the values that were read: `{path, query, header, cookie, body}`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { createRequestAjv } from 'express-openapi-validator/dist/framework/ajv';
import type { Document, Parameter, Schema } from '../contract/document';
import type { ContractOperation } from '../contract/operations';
import type { ApiError, Violation } from '../errors/api-error';
import type { FormPart } from '../http/parse-form';
import { collectingAjv, Collector, forgetTried } from '../schema/collector';
import { exactKeywords } from '../schema/exact-number';
import { type FormFile, readForm } from './read-form';
import { OWN_FORMATS } from '../schema/formats';
import {
  type ParameterReader,
  parameterReader,
  type ParameterTexts,
  type ParameterValues,
  readableParameters,
} from './parameters';
import { prepareSchemas } from '../schema/prepare';
import { type ValueConversions, valueConversions } from '../schema/request-values';
import { COMPILE_OPTIONS, Schemas } from '../schema/schemas';
import { Steps } from '../schema/steps';
import { collected, contractViolations, violationsOf } from '../schema/violation';

/** A request as it was sent; of its body, what has been read. */
export interface SentRequest extends ParameterTexts {
  headers: IncomingHttpHeaders;
  body?: unknown;
  /** As the contract writes it; undefined without a body. */
  mediaType: string | undefined;
  /** The fields of a body that is a form. */
  formParts?: readonly FormPart[] | undefined;
  /** Whether there are numbers in the body that a double misrepresents. */
  hasExactNumbers: boolean;
}

/** A request as handlers get it: typed, exact, with defaults, and with the declared parameters only. */
export interface ValidRequest extends ParameterValues {
  body: unknown;
  mediaType: string | undefined;
}

/** Holds a request to its operation; throws an ApiError with all that is wrong. May change the body in place. */
export type Validate = (sent: SentRequest) => ValidRequest;

const NO_FILES: readonly FormFile[] = [];

/** Of what could not be read nothing more is said. */
function isReadBut(found: readonly Violation[]): (violation: Violation) => boolean {
  const unread = found.map(({ place }) => `${place}/`);
  return ({ place }) => !unread.some((each) => `${place}/`.startsWith(each));
}

/** What decides on the requests of an operation with a body of one media type, and makes of them what handlers get. */
interface Decision extends ValueConversions {
  check: ValidateFunction;
  schema: Schema;
}

/** A function that makes the validator of an operation. What it needs is compiled at the first request. */
export function validators(document: Document): (operation: ContractOperation) => Validate {
  const steps = new Steps();
  const prepared = prepareSchemas(document, 'requests');
  const schemas = new Schemas(document, requestAjv(steps), prepared);
  const conversionsOf = valueConversions(schemas);
  const collector = new Collector(() => new Schemas(document, collectingAjv(requestAjv(steps, true)), prepared));

  function decide(operation: ContractOperation, mediaType: string | undefined): Decision {
    const schema = requestSchema(schemas, operation, mediaType);
    return { schema, check: schemas.compilePrepared(schema), ...conversionsOf(schema) };
  }

  return function validatorOf(operation) {
    let readParameters: ParameterReader | undefined;
    const decisions = new Map<string | undefined, Decision>();
    const hasParameters = operation.parameters.length > 0;

    return function validate(sent) {
      const { mediaType, formParts } = sent;
      const found: Violation[] = [];
      readParameters ??= parameterReader(document, operation);
      // Member by member: copying the rest of an object took longer than the decision.
      const { path, query, header, cookie } = readParameters(sent, found);
      const values: ValidRequest = { path, query, header, cookie, body: sent.body, mediaType };
      const files = formParts ? takeForm(values, operation, formParts, found) : NO_FILES;
      const decision = decisions.get(mediaType) ?? decide(operation, mediaType);
      decisions.set(mediaType, decision);
      const rounds = hasParameters || formParts !== undefined || sent.hasExactNumbers;
      steps.begin(values);
      if (!decision.check(values)) throw refusal(decision, values, files, rounds, found);
      steps.begin(values); // for branches, which are tried again
      decision.convertNumbers(values, found, rounds);
      decision.fillDefaults(values);
      putFiles(files);
      if (found.length > 0) throw contractViolations(found);
      return values;
    };
  };

  /** All that is wrong with values that were refused. */
  function refusal(
    { schema, check, convertNumbers }: Decision,
    values: ValidRequest,
    files: readonly FormFile[],
    rounds: boolean,
    found: Violation[],
  ): ApiError {
    const findings = collector.find(schema, values, check.errors?.[0] ?? {}, steps);
    check.errors = null; // they hold on to the request
    putFiles(files);
    found.push(...violationsOf(findings, values).filter(isReadBut(found)));
    collected([], () => convertNumbers(values, found, rounds)); // finds integers that no double holds
    return contractViolations(found);
  }
}

/** The Ajv of express-openapi-validator for requests; throws if a version of it has another. */
function requestAjv(steps: Steps, allErrors = false): Ajv2020 {
  const ajv: unknown = createRequestAjv(
    { openapi: '3.1.0', info: { title: '', summary: '', version: '' }, components: {}, webhooks: {} },
    {
      ...COMPILE_OPTIONS,
      code: { ...COMPILE_OPTIONS.code, regExp: steps.patterns() },
      allErrors,
      verbose: allErrors,
      keywords: [...exactKeywords(), steps.keyword()],
      ajvFormats: { mode: 'full' }, // as for answers; its default takes 2023-02-30 for a date
      formats: OWN_FORMATS,
    },
  );
  if (!(ajv instanceof Ajv2020)) throw new Error('express-openapi-validator has another Ajv than expected');
  return forgetTried(ajv);
}

/** The schema of an object with the values of a request. */
function requestSchema(schemas: Schemas, operation: ContractOperation, mediaType: string | undefined): Schema {
  const properties: Record<string, Schema> = {};
  const parameters = readableParameters(operation);
  for (const where of new Set(parameters.map((each) => each.in))) {
    const own = parameters.filter((each) => each.in === where);
    properties[where] = {
      properties: Object.fromEntries(own.map((each) => [each.name, schemas.prepare(schemaOf(each))])),
      required: own.filter(({ required }) => required).map(({ name }) => name),
    };
  }
  const body = operation.requestBody?.content[mediaType ?? '']?.schema;
  // Schemas describe no bytes.
  const isBytes = mediaType === undefined || operation.body?.bytes.includes(mediaType);
  if (body !== undefined && !isBytes) properties.body = schemas.prepare(body);
  return { properties };
}

function schemaOf({ schema, content = {} }: Parameter): Schema {
  return schema ?? Object.values(content)[0]?.schema ?? {};
}

function putFiles(files: readonly FormFile[]): void {
  for (const { holder, key, bytes } of files) Reflect.set(holder, key, bytes);
}

/** Makes the body of a form's parts; returns the files, which are put in their places when the body is decided on. */
function takeForm(
  values: ValidRequest,
  operation: ContractOperation,
  parts: readonly FormPart[],
  found: Violation[],
): readonly FormFile[] {
  const form = operation.forms.get(values.mediaType ?? '');
  if (!form) throw new Error('a form is read only if the contract declares one');
  const { body, files } = readForm(parts, form, found);
  values.body = body;
  return files;
}
