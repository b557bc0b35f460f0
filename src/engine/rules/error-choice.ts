/** The shape of one response's errors: the first that its schema accepts, or the reason why none fits. */
import { ApiError } from '../errors/api-error';
import {
  type ErrorBody,
  type ErrorShape,
  isShape,
  plainShape,
  problemShape,
  shapeFor,
  textShapes,
  type WriteBody,
} from '../errors/error-body';
import { ErrorCode } from '../errors/error-codes';
import { isJson, withoutParameters } from '../contract/media-type';
import type { Schemas } from '../schema/schemas';
import { referenceOf } from '../contract/discriminator';
import { resolve, type ResponseObject, type Schema } from '../contract/document';
import type { PlacedSchema } from '../contract/traverse';
import { serverCodes } from './error-rules';
import type { Validator } from '../schema/steps';
import { schemaNames } from './schema-names';

/** The shape of one response. */
export interface Choice {
  write: WriteBody;
  accepts: (error: ApiError) => boolean;
}

export class Chooser {
  private readonly names: ReadonlyMap<Schema, string>;
  private readonly seen = new Set(['default']);
  private readonly counts = new Map<ErrorShape, number>();
  private readonly ofEngine = new Map<Schema, ErrorShape[]>();

  constructor(
    private readonly schemas: Schemas,
    placed: readonly PlacedSchema[],
    private readonly own: ErrorBody | undefined,
  ) {
    this.names = schemaNames(placed);
  }

  /** The first shape in which the response accepts all of these errors, or the reason why none fits. */
  choose({ content = {} }: ResponseObject, errors: readonly ApiError[]): Choice | string {
    const declared = Object.entries(content).map(([mediaType, { schema = ANY }]) => this.declaredOf(mediaType, schema));
    if (declared.length === 0) return { write: () => undefined, accepts: () => true };
    let refusal: string | undefined;
    for (const each of declared.sort((a, b) => a.preference - b.preference)) {
      const validate = this.schemas.compileWithin(each.schema);
      for (const shape of each.shapes) {
        const refused = errors.find((error) => !validate(shape.body(error)));
        if (!refused) {
          this.counts.set(shape, (this.counts.get(shape) ?? 0) + 1);
          return choiceOf(shape, each.mediaType, validate);
        }
        refusal ??= this.refusalOf(each, this.schemas.explain(validate, `the body of error ${refused.code}`));
      }
    }
    const mediaTypes = Object.keys(content).join(' or ');
    return refusal ?? `errors cannot be written as ${mediaTypes}: give the service an errorBody of that media type`;
  }

  /** Writes undeclared errors: in the service's default shape, else in the engine shape most responses have. */
  undeclared(): WriteBody {
    const countOf = (shape: ErrorShape): number => this.counts.get(shape) ?? 0;
    const ofEngine = countOf(plainShape) > countOf(problemShape) ? plainShape : problemShape;
    const { mediaType, body } = shapeFor(this.own, 'default') ?? ofEngine;
    return (error) => ({ mediaType, body: body(error) });
  }

  unusedRows(): string[] {
    return this.own && !isShape(this.own) ? Object.keys(this.own).filter((name) => !this.seen.has(name)) : [];
  }

  private declaredOf(mediaType: string, written: Schema): Declared {
    const { document } = this.schemas;
    const schema = resolve(document, written);
    const $ref = referenceOf(written);
    const name = this.names.get($ref === undefined ? schema : resolve(document, { $ref })) ?? 'default';
    this.seen.add(name);
    const own = shapeFor(this.own, name);
    const type = withoutParameters(mediaType);
    const preferred = own?.mediaType ?? problemShape.mediaType;
    const preference = mediaType === preferred ? 0 : isJson(type) ? 1 : type === 'text/html' ? 3 : 2;
    const isOfAnyType = type === '*/*' || type === 'application/*';
    if (isOfAnyType || isJson(type)) {
      const shapes = own ? [own].filter((each) => isJson(each.mediaType)) : this.shapesOfEngine(schema);
      return { mediaType: isOfAnyType ? preferred : mediaType, schema, shapes, preference };
    }
    const shape = own && withoutParameters(own.mediaType) === type ? own : textShapes.get(type);
    return { mediaType, schema, shapes: shape ? [shape] : [], preference };
  }

  /** The plain shape if the schema names both of its fields, else RFC 9457 if that fits. */
  private shapesOfEngine(schema: Schema): ErrorShape[] {
    const known = this.ofEngine.get(schema);
    if (known) return known;
    const isAccepted = ({ body }: ErrorShape, validate: Validator): boolean =>
      serverCodes.some((code) => validate(body(new ApiError(code, 'message'))));
    const closed = { allOf: [this.schemas.prepare(schema)], unevaluatedProperties: false };
    const isPlain = isAccepted(plainShape, this.schemas.compilePrepared(closed));
    const isProblem = isAccepted(problemShape, this.schemas.compileWithin(schema));
    const shapes = isPlain ? [plainShape] : isProblem ? [problemShape, plainShape] : [plainShape, problemShape];
    this.ofEngine.set(schema, shapes);
    return shapes;
  }

  private refusalOf({ schema, mediaType }: Declared, why: string): string {
    const name = this.names.get(schema) ?? 'the schema';
    const declared = `${name}, declared here as ${mediaType}: ${why}`;
    return this.own
      ? `errorBody does not fit ${declared}; change it, or make it a table with a row of that name`
      : `neither RFC 9457 nor {error, message} fits ${declared}; give the service an errorBody`;
  }
}

/** The schema of a media type without one. */
const ANY: Schema = {};

/** A media type of a response, and the shapes that it may be written in. */
interface Declared {
  mediaType: string;
  schema: Schema;
  shapes: readonly ErrorShape[];
  /** The rank, lowest first: the shape's own media type, then JSON, then the rest, and HTML last. */
  preference: number;
}

/**
 * Writes errors in a shape. An error that does not fit is sent without its violations, or else with its text and a code
 * that the contract is sure to list.
 */
function choiceOf({ body }: ErrorShape, mediaType: string, validate: Validator): Choice {
  const written = (error: ApiError): unknown => {
    const given = body(error);
    if (validate(given)) return given;
    const others = [new ApiError(error.code, error.message), new ApiError(ErrorCode.Internal, error.message)].map(body);
    return others.find((each) => validate(each)) ?? given;
  };
  return { write: (error) => ({ mediaType, body: written(error) }), accepts: (error) => validate(body(error)) };
}
