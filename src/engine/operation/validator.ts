/**
 * Validates requests with the Ajv of express-openapi-validator. It is not given the contract, whose paths, parameters
 * and numbers it reads in ways of its own, but one schema for each operation and media type: that of an object with the
 * values that were read, `{path, query, header, cookie, body}`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import Ajv2020 from 'ajv/dist/2020';
import { createRequestAjv } from 'express-openapi-validator/dist/framework/ajv';
import { type Parameter, placeOf, resolve, type Schema } from '../contract/document';
import type { ContractOperation } from '../contract/operations';
import { itemSchemaOf, partAt } from '../contract/sequences';
import type { ApiError, Violation } from '../errors/api-error';
import type { ReadBody } from '../http/body';
import type { FormPart } from '../http/parse-form';
import type { PartItem } from '../http/part-items';
import type { SentItem } from '../http/split-items';
import { collectingAjv, Collector, forgetTried } from '../schema/collector';
import { type Described, describeValue } from '../schema/described-values';
import { tryNamedFirst } from '../schema/discriminator';
import { countEvaluated } from '../schema/evaluated';
import { exactKeywords } from '../schema/exact-number';
import { validItems } from './items';
import { type PlacedFile, readForm, readPart } from './read-form';
import { type ReadXml, xmlReader } from './read-xml';
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
import { Steps, type Validator } from '../schema/steps';
import { collected, contractViolations, violationsOf } from '../schema/violation';

/** A request as it was sent, with its body parsed. */
export interface SentRequest extends ParameterTexts {
  headers: IncomingHttpHeaders;
  read: Readonly<ReadBody>;
}

/** A request as handlers get it: typed, exact, with defaults, and with the declared parameters only. */
export interface ValidRequest extends ParameterValues {
  body: unknown;
  mediaType: string | undefined;
}

/**
 * Validates a request; throws an ApiError with all violations. May change the body in place. `exchange` is told how many of its properties
 * were left out.
 */
export type Validate = (sent: SentRequest, exchange?: Counted) => ValidRequest;

interface Counted {
  leftOut?: number;
}

const NO_FILES: readonly PlacedFile[] = [];

/** Drops follow-up errors of values that could not be read. */
function isReadBut(found: readonly Violation[]): (violation: Violation) => boolean {
  const unread = found.map(({ place }) => `${place}/`);
  return ({ place }) => !unread.some((each) => `${place}/`.startsWith(each));
}

/**
 * The compiled validator and conversions for the requests of an operation with a body of one media type; the
 * conversions make the values that handlers get.
 */
interface Decision extends ValueConversions {
  check: Validator;
  schema: Schema;
  /** The same as the document has it, with annotations. */
  described: Schema;
}

/** Returns a function that makes the validator of an operation, whose schema is compiled at the first request. */
export function validators(
  answers: Schemas,
  readOnly?: 'refuse' | 'leave out',
): (operation: ContractOperation) => Validate {
  const steps = new Steps();
  const { document, source } = answers;
  const prepared = source.areOfBoth ? source : prepareSchemas(document, 'requests', readOnly);
  const schemas = new Schemas(document, requestAjv(steps), prepared);
  const conversionsOf = valueConversions(schemas);
  const collector = new Collector(() => new Schemas(document, collectingAjv(requestAjv(steps, true)), prepared));

  /** `schemaOf` makes the schema of prepared schemas, and the same of those of the document. */
  function decide(schemaOf: (prepare: (schema: Schema) => Schema) => Schema): Decision {
    const schema = schemaOf((each) => schemas.prepare(each));
    const described = schemaOf((each) => each);
    return { schema, described, check: schemas.compilePrepared(schema), ...conversionsOf(schema) };
  }

  return function validatorOf(operation) {
    let readParameters: ParameterReader | undefined;
    const decisions = new Map<string | undefined, Decision>();
    const itemDecisions = new Map<Schema | undefined, Decision>();
    const partReaders = new Map<string, ReturnType<typeof partAt>>();
    const xmlReaders = new Map<string, ReadXml>();
    const hasParameters = operation.parameters.length > 0;

    return function validate(sent, exchange = {}) {
      const { mediaType, formParts, hasExactNumbers } = sent.read;
      const found: Violation[] = [];
      readParameters ??= parameterReader(document, operation);
      // Member by member: copying the rest of an object took longer than validation.
      const { path, query, header, cookie } = readParameters(sent, found);
      const values: ValidRequest = { path, query, header, cookie, body: sent.read.body, mediaType };
      const files = formParts ? takeForm(values, operation, formParts, found) : NO_FILES;
      const isXml = operation.xml.has(mediaType ?? '') && typeof values.body === 'string';
      if (isXml) values.body = readXml(mediaType ?? '', String(values.body));
      const decision = decisions.get(mediaType) ?? decide((prepare) => requestSchema(prepare, operation, mediaType));
      decisions.set(mediaType, decision);
      const rounds = hasParameters || formParts !== undefined || isXml || hasExactNumbers;
      settle(decision, values, files, rounds, found, exchange);
      if (sent.read.items) values.body = itemsOf(sent.read.items, mediaType, exchange);
      return values;
    };

    function itemsOf(
      sent: AsyncIterable<SentItem | PartItem>,
      mediaType = '',
      exchange: Counted,
    ): AsyncIterable<unknown> {
      const declared = operation.requestBody?.content[mediaType] ?? {};
      const partOf = partReaders.get(mediaType) ?? partAt(document, declared);
      partReaders.set(mediaType, partOf);
      const judge = (item: SentItem | PartItem, number: number): unknown => {
        const schema = itemSchemaOf(document, declared, number);
        const decision =
          itemDecisions.get(schema) ?? decide((prepare) => ({ properties: schema ? { body: prepare(schema) } : {} }));
        itemDecisions.set(schema, decision);
        const { value, hasExactNumbers, file } =
          'bytes' in item ? readPart(item, partOf(number)) : { ...item, file: undefined };
        const values = { body: value };
        const files = file ? [{ holder: values, key: 'body', upload: file }] : NO_FILES;
        settle(decision, values, files, hasExactNumbers, [], exchange);
        return values.body;
      };
      return validItems(sent, judge, declared.schema ? resolve(document, declared.schema) : {});
    }

    function readXml(mediaType: string, text: string): unknown {
      const read = xmlReaders.get(mediaType) ?? xmlReader(document, operation.requestBody?.content[mediaType]?.schema);
      xmlReaders.set(mediaType, read);
      return read(text);
    }
  };

  /** Checks the values, and makes them what handlers get. */
  function settle(
    decision: Decision,
    values: { body: unknown },
    files: readonly PlacedFile[],
    rounds: boolean,
    found: Violation[],
    exchange: Counted,
  ): void {
    steps.begin(values);
    if (!decision.check(values)) throw refusal(decision, values, files, rounds, found);
    steps.begin(values); // counts steps anew, because branches are tried again
    const leftOut = decision.leaveOut(values);
    if (leftOut > 0) exchange.leftOut = (exchange.leftOut ?? 0) + leftOut;
    decision.convertNumbers(values, found, rounds);
    decision.fillDefaults(values);
    putFiles(files);
    if (found.length > 0) throw contractViolations(found);
  }

  /** The error with all violations of values that were refused. */
  function refusal(
    { schema, described, check, convertNumbers }: Decision,
    values: { body: unknown },
    files: readonly PlacedFile[],
    rounds: boolean,
    found: Violation[],
  ): ApiError {
    const findings = collector.find(schema, values, check.errors?.[0] ?? {}, steps);
    check.errors = null; // they would keep the request in memory
    putFiles(files);
    const describe = (pointer: string): Described => describeValue(document, described, pointer);
    found.push(...violationsOf(findings, values, describe).filter(isReadBut(found)));
    collected([], () => convertNumbers(values, found, rounds)); // finds integers that no double holds
    return contractViolations(found);
  }
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
      keywords: [...exactKeywords(), steps.keyword()],
      ajvFormats: { mode: 'full' }, // as for answers; its default takes 2023-02-30 for a date
      formats: OWN_FORMATS,
    },
  );
  if (!(ajv instanceof Ajv2020)) throw new Error('express-openapi-validator has another Ajv than expected');
  return tryNamedFirst(countEvaluated(forgetTried(ajv)));
}

/** The schema of an object with the values of a request. */
function requestSchema(
  prepare: (schema: Schema) => Schema,
  operation: ContractOperation,
  mediaType: string | undefined,
): Schema {
  const properties: Record<string, Schema> = {};
  const parameters = readableParameters(operation);
  for (const where of new Set(parameters.map(placeOf))) {
    const own = parameters.filter((each) => placeOf(each) === where);
    properties[where] = {
      properties: Object.fromEntries(own.map((each) => [each.name, prepare(schemaOf(each))])),
      required: own.filter(({ required }) => required).map(({ name }) => name),
    };
  }
  const body = operation.requestBody?.content[mediaType ?? '']?.schema;
  // Bytes are not validated: schemas do not describe them. Items are when they come.
  const { bytes = [], sequences = [] } = operation.body ?? {};
  const isValue = mediaType !== undefined && !bytes.includes(mediaType) && !sequences.includes(mediaType);
  if (body !== undefined && isValue) properties.body = prepare(body);
  return { properties };
}

function schemaOf({ schema, content = {} }: Parameter): Schema {
  return schema ?? Object.values(content)[0]?.schema ?? {};
}

function putFiles(files: readonly PlacedFile[]): void {
  for (const { holder, key, upload } of files) Reflect.set(holder, key, upload);
}

/** Makes the body from the parts of a form; returns the files, which are put in place after validation. */
function takeForm(
  values: ValidRequest,
  operation: ContractOperation,
  parts: readonly FormPart[],
  found: Violation[],
): readonly PlacedFile[] {
  const form = operation.forms.get(values.mediaType ?? '');
  if (!form) throw new Error('a form is read only if the contract declares one');
  const { body, files } = readForm(parts, form, found);
  values.body = body;
  return files;
}
