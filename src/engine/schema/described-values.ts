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

/** The description of the value at a JSON pointer below a value of `schema`, which is of the document. */
export function describeValue(document: Document, schema: unknown, pointer: string): Described {
  const steps = pathOfPointer(pointer);
  let applicable = applicableSchemas(document, schema);
  let isSecret = isPassword(applicable);
  for (const step of steps) {
    const next = new Set<Schema>();
    for (const each of applicable)
      for (const member of membersOf(each, step)) applicableSchemas(document, member, next);
    applicable = next;
    isSecret ||= SECRET.test(step) || isPassword(applicable);
  }
  const all = [...applicable];
  return {
    isSecret,
    examples: all.flatMap(({ example, examples, default: preset }) => [
      ...(Array.isArray(examples) ? (examples as unknown[]) : []),
      ...[example, preset].filter((each) => each !== undefined),
    ]),
    names: all.flatMap(({ properties = {} }) => Object.keys(properties)),
  };
}

function isPassword(schemas: Iterable<Schema>): boolean {
  return [...schemas].some(({ format, writeOnly }) => format === 'password' || writeOnly === true);
}

/** The schemas within one that may apply to a member of its value. */
function membersOf(schema: Schema, step: string): unknown[] {
  const { properties = {}, patternProperties = {}, items, prefixItems = [], additionalProperties } = schema;
  const named = Object.hasOwn(properties, step) ? [properties[step]] : [];
  const listed = /^\d+$/.test(step) ? [prefixItems[Number(step)], items, schema.contains] : [];
  return [...named, ...Object.values(patternProperties), ...listed, additionalProperties].filter(isSchema);
}
