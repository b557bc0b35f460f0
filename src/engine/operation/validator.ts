/**
 * express-openapi-validator, which decides on requests: its Ajv compiles what an operation takes, and what has been compiled decides.
 * It is not given the contract, whose paths, parameters and numbers it reads in ways of its own, but for each operation and media type
 * one schema, of an object with the values that were read: `{path, query, header, cookie, body}`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import { createRequestAjv } from 'express-openapi-validator/dist/framework/ajv';
import type { Parameter, Schema } from '../contract/document';
import type { Contract, ContractOperation } from '../contract/operations';
import type { Violation } from '../errors/api-error';
import type { FormPart } from '../http/parse-form';
import { type Claim, putBigInts, roundNumbers, takeBackClaims } from '../schema/claims';
import { collectingAjv, Collector, forgetTried } from '../schema/collector';
import { Defaults } from '../schema/defaults';
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
import { COMPILE_OPTIONS, Schemas } from '../schema/schemas';
import { Steps } from '../schema/steps';
import { contractViolations, violationsOf } from '../schema/violation';

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

export interface Validator {
  /** Holds a request to its operation; throws an ApiError with all that is wrong. May change the body in place. */
  validate(operation: ContractOperation, sent: SentRequest): ValidRequest;
}

const NO_FILES: readonly FormFile[] = [];
const NO_FINDINGS: readonly Partial<ErrorObject>[] = [];

/** Of what could not be read nothing more is said. */
function isReadBut(found: readonly Violation[]): (violation: Violation) => boolean {
  const unread = found.map(({ place }) => `${place}/`);
  return ({ place }) => !unread.some((each) => `${place}/`.startsWith(each));
}

/** What decides on the requests of an operation with a body of one media type. */
interface Decision {
  check: ValidateFunction;
  schema: Schema;
}

/** Everything is compiled when the first request needs it. */
export function createValidator({ document }: Contract): Validator {
  const steps = new Steps();
  const claims: Claim[] = [];
  const prepared = prepareSchemas(document, 'requests');
  const schemas = new Schemas(document, requestAjv(steps, claims), prepared);
  const collector = new Collector(
    () => new Schemas(document, collectingAjv(requestAjv(steps, claims, true)), prepared),
  );
  const defaults = new Defaults(schemas);
  const readers = new Map<ContractOperation, ParameterReader>();
  const decisions = new Map<ContractOperation, Map<string | undefined, Decision>>();

  function readerOf(operation: ContractOperation): ParameterReader {
    const known = readers.get(operation);
    if (known) return known;
    const reader = parameterReader(document, operation);
    readers.set(operation, reader);
    return reader;
  }

  function decisionOf(operation: ContractOperation, mediaType: string | undefined): Decision {
    const ofOperation = decisions.get(operation) ?? new Map<string | undefined, Decision>();
    const known = ofOperation.get(mediaType);
    if (known) return known;
    const schema = requestSchema(schemas, operation, mediaType);
    const decision = { schema, check: schemas.compilePrepared(schema) };
    decisions.set(operation, ofOperation.set(mediaType, decision));
    return decision;
  }

  return {
    validate(operation, sent) {
      const { mediaType, formParts } = sent;
      const found: Violation[] = [];
      // Member by member: copying the rest of an object took longer than the decision.
      const { path, query, header, cookie } = readerOf(operation)(sent, found);
      const values: ValidRequest = { path, query, header, cookie, body: sent.body, mediaType };
      const files = formParts ? takeForm(values, operation, formParts, found) : NO_FILES;
      const { check, schema } = decisionOf(operation, mediaType);
      steps.begin(values);
      if (claims.length > 0) claims.length = 0; // of a request that took too many steps
      const isValid = check(values);
      const findings = isValid ? NO_FINDINGS : collector.find(schema, values, check.errors?.[0] ?? {}, steps);
      const claimed = claims.length;
      if (isValid && defaults.fill(schema, values)) {
        claims.length = claimed; // defaults may break a rule, and then the rest is not looked at again
        check(values); // so that numbers among the defaults are claimed, too
      } else if (claims.length > claimed) {
        claims.length = claimed; // without those of branches that were tried for their defaults
      }
      check.errors = null; // they hold on to the request
      for (const { holder, key, bytes } of files) Reflect.set(holder, key, bytes);
      if (!isValid) found.push(...violationsOf(findings, values).filter(isReadBut(found)));
      putBigInts(claims);
      if (sent.hasExactNumbers || formParts || operation.parameters.length > 0) roundNumbers(values, claims, found);
      claims.length = 0;
      if (isValid && found.length === 0) return values;
      throw contractViolations(found);
    },
  };
}

/** The Ajv of express-openapi-validator for requests; throws if a version of it has another. */
function requestAjv(steps: Steps, claims: Claim[], allErrors = false): Ajv2020 {
  const ajv: unknown = createRequestAjv(
    { openapi: '3.1.0', info: { title: '', summary: '', version: '' }, components: {}, webhooks: {} },
    {
      ...COMPILE_OPTIONS,
      code: { ...COMPILE_OPTIONS.code, regExp: steps.patterns() },
      allErrors,
      verbose: allErrors,
      keywords: [...exactKeywords(claims), steps.keyword()],
      ajvFormats: { mode: 'full' }, // as for answers; its default takes 2023-02-30 for a date
      formats: OWN_FORMATS,
    },
  );
  if (!(ajv instanceof Ajv2020)) throw new Error('express-openapi-validator has another Ajv than expected');
  return takeBackClaims(forgetTried(ajv), claims);
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
