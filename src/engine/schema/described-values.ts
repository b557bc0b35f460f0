/** The description of a value of a request by all schemas that apply to it: an example for messages, and whether it is a secret. */
import { type Document, pathOfPointer, type Schema } from '../contract/document';
import { applicableSchemas, isSchema } from '../contract/traverse';

export interface Described {
  /** True for what messages never quote: passwords and credentials. */
  isSecret: boolean;
  /** The examples that the contract has for the value. */
  examples: readonly unknown[];
  /** The names of the properties that are declared for it. */
  names: readonly string[];
}

/** Names of fields that hold secrets, whatever their schemas say. */
const SECRET =
  /pass(?:word|phrase|code)?$|passw|secret|token|credential|api[_-]?key|private[_-]?key|authorization|^(?:pin|cvv|cvc|otp)$/i;

/** A kind of place within values of a schema: the schemas that may apply to what is there, and the kinds of places within that. */
interface Place {
  schemas: readonly Schema[];
  isPassword: boolean;
  within: (step: string) => Place;
}

/**
 * A function that describes the value at a JSON pointer below a value of `schema`, which is of the document. Places to which the same schemas
 * may apply are of one kind, and worked out once for all violations of an answer: a schema that contains itself has few, however deep a value is.
 */
export function valueDescriptions(document: Document, schema: unknown): (pointer: string) => Described {
  const [places, numbers] = [new Map<string, Place>(), new Map<unknown, number>()];
  const numberOf = (each: unknown): number => {
    const number = numbers.get(each) ?? numbers.size;
    numbers.set(each, number);
    return number;
  };
  const placeOf = (roots: readonly unknown[]): Place => {
    const key = [...new Set(roots.map(numberOf))].sort((a, b) => a - b).join();
    const place = places.get(key) ?? placeUnder(roots);
    places.set(key, place);
    return place;
  };
  const placeUnder = (roots: readonly unknown[]): Place => {
    const found = new Set<Schema>();
    for (const root of roots) applicableSchemas(document, root, found);
    const schemas = [...found];
    const names = new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)));
    const listed = Math.max(0, ...schemas.map(({ prefixItems = [] }) => prefixItems.length));
    const members = new Map<string, Place>();
    const within = (step: string): Place => {
      const index = /^\d+$/.test(step) ? Math.min(Number(step), listed) : '';
      const like = names.has(step) ? `${index}.${step}` : `${index}`;
      const place = members.get(like) ?? placeOf(schemas.flatMap((each) => membersOf(each, step)));
      members.set(like, place);
      return place;
    };
    return { schemas, isPassword: isPassword(schemas), within };
  };
  const root = placeOf([schema]);
  return (pointer) => {
    let [place, isSecret] = [root, root.isPassword];
    for (const step of pathOfPointer(pointer)) {
      place = place.within(step);
      isSecret ||= SECRET.test(step) || place.isPassword;
    }
    return { isSecret, ...textsOf(place.schemas) };
  };
}

/** The examples and names that schemas have for a value. */
function textsOf(schemas: readonly Schema[]): Pick<Described, 'examples' | 'names'> {
  return {
    examples: schemas.flatMap(({ example, examples, default: preset }) => [
      ...(Array.isArray(examples) ? (examples as unknown[]) : []),
      ...[example, preset].filter((each) => each !== undefined),
    ]),
    names: schemas.flatMap(({ properties = {} }) => Object.keys(properties)),
  };
}

function isPassword(schemas: readonly Schema[]): boolean {
  return schemas.some(({ format, writeOnly }) => format === 'password' || writeOnly === true);
}

/** The schemas within one that may apply to a member of its value. */
function membersOf(schema: Schema, step: string): unknown[] {
  const { properties = {}, patternProperties = {}, items, prefixItems = [], additionalProperties } = schema;
  const { contains, unevaluatedItems, unevaluatedProperties } = schema;
  const named = Object.hasOwn(properties, step) ? [properties[step]] : [];
  const listed = /^\d+$/.test(step) ? [prefixItems[Number(step)], items, contains, unevaluatedItems] : [];
  const others = [...Object.values(patternProperties), additionalProperties, unevaluatedProperties];
  return [...named, ...listed, ...others].filter(isSchema);
}
