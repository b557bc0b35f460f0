/** Validates requests: reads their parameters and bodies to one object, `{path, query, header, cookie, body}`, and judges that. */
import type { IncomingHttpHeaders } from 'node:http';
import { type MediaType, type Parameter, placeOf, type Schema } from '../contract/document';
import { isPlainText } from '../contract/media-type';
import type { ContractOperation } from '../contract/operations';
import { itemLimits, itemSchemaOf, partAt } from '../contract/sequences';
import type { Violation } from '../errors/api-error';
import type { ReadBody } from '../http/body';
import type { PartItem } from '../http/part-items';
import type { SentItem } from '../http/split-items';
import { onceForEach } from '../process/once';
import { nameByPattern } from '../schema/prepare';
import type { Schemas } from '../schema/schemas';
import { validItems } from './items';
import { type Counted, requestJudges } from './judge';
import { type PlacedFile, readForm, readPart } from './read-form';
import { xmlReader } from './read-xml';
import { beginTexts, Shape } from './shape';
import {
  type ParameterReader,
  parameterReader,
  type ParameterTexts,
  type ParameterValues,
  readableParameters,
} from './parameters';

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

const NO_FILES: readonly PlacedFile[] = [];

/** Returns a function that makes the validator of an operation, whose schema is compiled at the first request. */
export function validators(
  answers: Schemas,
  readOnly?: 'refuse' | 'leave out',
): (operation: ContractOperation) => Validate {
  const { document } = answers;
  const judgeBy = requestJudges(answers, readOnly);

  return function validatorOf(operation) {
    let readParameters: ParameterReader | undefined;
    const contentOf = (mediaType = ''): MediaType => operation.requestBody?.content[mediaType] ?? {};
    const judgeOf = onceForEach((mediaType: string | undefined) =>
      judgeBy((prepare) => requestSchema(prepare, operation, mediaType)),
    );
    // Readers of bodies that are texts, of whose types the schema says more; a JSON text is a value already.
    const textReaderOf = onceForEach((mediaType: string): ((text: string) => unknown) => {
      const { schema } = contentOf(mediaType);
      if (operation.xml.has(mediaType)) return xmlReader(document, schema);
      return isPlainText(mediaType) ? (text) => Shape.of(document, [schema]).scalar(text) : (text) => text;
    });
    const itemReaderOf = onceForEach((mediaType: string | undefined) => itemReader(contentOf(mediaType)));
    const hasParameters = operation.parameters.length > 0;

    return function validate(sent, exchange = {}) {
      const { read } = sent;
      const { mediaType, formParts, items } = read;
      const found: Violation[] = [];
      beginTexts();
      readParameters ??= parameterReader(document, operation);
      // Member by member: copying the rest of an object took longer than validation.
      const { path, query, header, cookie } = readParameters(sent, found);
      const values: ValidRequest = { path, query, header, cookie, body: read.body, mediaType };
      const form = operation.forms.get(mediaType ?? '');
      const { body, files } =
        form && formParts ? readForm(formParts, form, found) : { body: read.body, files: NO_FILES };
      const isText = typeof body === 'string';
      values.body = isText ? textReaderOf(mediaType ?? '')(body) : body;
      const hasExactNumbers = hasParameters || formParts !== undefined || isText || read.hasExactNumbers;
      judgeOf(mediaType)({ values, found, files, hasExactNumbers }, exchange);
      if (items) values.body = itemReaderOf(mediaType)(items, exchange);
      return values;
    };
  };

  /** A function that reads the items of a body, each judged by its own schema. */
  function itemReader(
    declared: MediaType,
  ): (sent: AsyncIterable<SentItem | PartItem>, exchange: Counted) => AsyncIterable<unknown> {
    const partOf = partAt(document, declared);
    const judgeOf = onceForEach((schema: Schema | undefined) =>
      judgeBy((prepare) => ({ properties: schema ? { body: prepare(schema) } : {} })),
    );
    return (sent, exchange) => {
      const valueOf = (item: SentItem | PartItem, number: number): unknown => {
        const read = 'bytes' in item ? readPart(item, partOf(number)) : { ...item, file: undefined };
        const values = { body: read.value };
        const files = read.file ? [{ holder: values, key: 'body', upload: read.file }] : NO_FILES;
        const judge = judgeOf(itemSchemaOf(document, declared, number));
        judge({ values, found: [], files, hasExactNumbers: read.hasExactNumbers }, exchange);
        return values.body;
      };
      return validItems(sent, valueOf, itemLimits(document, declared));
    };
  }
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
    properties[where] = nameByPattern({
      properties: Object.fromEntries(own.map((each) => [each.name, prepare(schemaOf(each))])),
      required: own.filter(({ required }) => required).map(({ name }) => name),
    });
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
