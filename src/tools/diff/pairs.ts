/**
 * Pairs schemas that say the same, however they are written. Redocly pairs the branches of two lists by how similar their texts are, so that
 * with another description one is gone and another one is new, and finds nothing in common between a schema and a choice that has it.
 */
import { stringifyJson } from '../../engine';
import { type Document, follow, isSchema, MAPS, type Schema } from '../../engine/reading';
import { HARMLESS } from './impact';
import { isAnnotation } from './plain';

/** A schema, and the document that it is in. */
type In = readonly [document: Document, schema: Schema];

/** Numbers the parts of contracts: those that say the same have the same number. */
export class Meanings {
  private readonly numbers = new Map<string, number>();
  private readonly known = new Map<object, number | undefined>();

  /** The number of a part, or map of parts; undefined while it is found out, for one that contains itself. */
  of(document: Document, part: object, isMap = false): number | undefined {
    if (this.known.has(part)) return this.known.get(part);
    this.known.set(part, undefined);
    const isReference = !isMap && '$ref' in part && Object.keys(part).length === 1;
    const number = isReference ? this.of(document, follow(document, part as Schema)) : this.add(document, part, isMap);
    this.known.set(part, number);
    return number;
  }

  private add(document: Document, part: object, isMap: boolean): number {
    const members = Object.entries(part).map(([key, value]: [string, unknown]) => {
      if (!isMap && HARMLESS.has(key)) return '';
      const isPart = typeof value === 'object' && value !== null;
      const said = isPart ? `#${this.of(document, value, !isMap && MAPS.has(key))}` : stringifyJson(value);
      return `${JSON.stringify(key)}:${said}`;
    });
    const text = `${Array.isArray(part)}${members.filter(Boolean).sort().join()}`;
    const number = this.numbers.get(text) ?? this.numbers.size;
    this.numbers.set(text, number);
    return number;
  }

  /** True for two schemas that say the same. */
  areSame([document, one]: In, [otherDocument, other]: In): boolean {
    const number = this.of(document, one);
    return number !== undefined && number === this.of(otherDocument, other);
  }
}

/** Puts a schema into a choice of its own, in place, if the other one is a choice with a branch that says the same; true if it did. */
export function writeAsChoice(meanings: Meanings, [document, schema]: In, [otherDocument, other]: In): boolean {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches: readonly unknown[] = other[keyword] ?? [];
    const isChoice = branches.length > 1 && Object.keys(other).every((key) => key === keyword || isAnnotation(key));
    if (!isChoice || schema[keyword]) continue;
    if (!branches.some((each) => isSchema(each) && meanings.areSame([document, schema], [otherDocument, each])))
      continue;
    const branch = { ...schema };
    for (const key of Object.keys(schema)) Reflect.deleteProperty(schema, key);
    schema[keyword] = [branch];
    return true;
  }
  return false;
}

/** The branches of two lists that say the same in other words; references are left to redocly, for their names. */
export function* samePairs(
  meanings: Meanings,
  [document, earlier]: readonly [Document, readonly unknown[]],
  [otherDocument, later]: readonly [Document, readonly unknown[]],
): Generator<[number, number]> {
  const byText = indicesBy([...later.keys()], (index) => stringifyJson(later[index]));
  const left = [...earlier.keys()].filter((index) => byText.get(stringifyJson(earlier[index]))?.shift() === undefined);
  const byMeaning = indicesBy([...byText.values()].flat(), (index) => meaningIn(meanings, otherDocument, later[index]));
  for (const index of left) {
    const meaning = meaningIn(meanings, document, earlier[index]);
    const same = meaning === undefined ? undefined : byMeaning.get(meaning)?.shift();
    if (same !== undefined) yield [index, same];
  }
}

/** Undefined for a reference, and for a schema that contains itself. */
function meaningIn(meanings: Meanings, document: Document, schema: unknown): number | undefined {
  return isSchema(schema) && schema.$ref === undefined ? meanings.of(document, schema) : undefined;
}

function indicesBy<T>(indices: readonly number[], keyOf: (index: number) => T): Map<T, number[]> {
  const found = new Map<T, number[]>();
  for (const index of indices) {
    const key = keyOf(index);
    const same = found.get(key);
    if (same) same.push(index);
    else found.set(key, [index]);
  }
  return found;
}
