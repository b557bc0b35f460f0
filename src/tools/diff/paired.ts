/** The schemas of two contracts that are about the same value of a request, wherever they are written. */
import {
  conjoinedSchemas,
  type Contract,
  type ContractOperation,
  follow,
  isSchema,
  lookUp,
  namesInPath,
  type Parameter,
  type Schema,
} from '../../engine/reading';
import { branchBesideNull, templateOf } from './plain';

type Pair = [earlier: Schema, later: Schema];

/** The pairs of the operations that both contracts have. */
export function* pairedInRequests(base: Contract, revised: Contract): Generator<Pair> {
  const seen = new Map<Schema, Set<Schema>>();
  const operations = new Map(base.operations.map((each) => [keyOf(each), each]));
  // A list in place of recursion: schemas may refer to each other in long chains.
  const waiting: [unknown, unknown][] = revised.operations.flatMap((later) => {
    const earlier = operations.get(keyOf(later));
    const sent = new Map(earlier && sentSchemas(earlier));
    return sentSchemas(later).map(([key, schema]): [unknown, unknown] => [sent.get(key), schema]);
  });
  for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
    const [earlier, later] = [targetOf(base, pair[0]), targetOf(revised, pair[1])];
    if (!earlier || !later) continue;
    const known = seen.get(later) ?? new Set();
    if (known.has(earlier)) continue;
    seen.set(later, known.add(earlier));
    yield [earlier, later];
    for (const part of conjoinedSchemas(revised.document, later))
      for (const same of conjoinedSchemas(base.document, earlier)) waiting.push(...within(same, part));
  }
}

function targetOf({ document }: Contract, schema: unknown): Schema | undefined {
  if (!isSchema(schema)) return undefined;
  return schema.$ref !== undefined && Object.keys(schema).length === 1 ? follow(document, schema) : schema;
}

const keyOf = ({ method, path }: ContractOperation): string => `${method} ${templateOf(path)}`;

/** The schemas of what an operation is sent, each with a key that is the same in both contracts. */
function sentSchemas(operation: ContractOperation): [key: string, schema: unknown][] {
  const parameters = sentParameters(operation).map(([key, { schema, content = {} }]): [string, unknown] => [
    key,
    schema ?? Object.values(content)[0]?.schema,
  ]);
  const bodies = Object.entries(operation.requestBody?.content ?? {}).flatMap(([type, content]) =>
    ['schema', 'itemSchema'].map((keyword): [string, unknown] => [
      `${keyword} ${type.toLowerCase()}`,
      lookUp(content, [keyword]),
    ]),
  );
  return [...parameters, ...bodies];
}

/** By name, or those of a path by their place in it. */
function sentParameters({ path, parameters }: ContractOperation): [key: string, parameter: Parameter][] {
  const names = namesInPath(path);
  return parameters.map((each) => [`${each.in} ${each.in === 'path' ? names.indexOf(each.name) : each.name}`, each]);
}

/** Keywords with a schema, with several by names, and with a list of them, for what a value has or is; what `not` refuses is not refused. */
const SINGLE = ['items', 'unevaluatedItems', 'additionalProperties', 'unevaluatedProperties', 'then', 'else'];
const NAMED = ['properties', 'patternProperties', 'dependentSchemas'];
const LISTS = ['oneOf', 'anyOf', 'prefixItems'];

/** The schemas that two have under the same keyword and name or place, and what may be null now, or may be no more. */
function within(one: Schema, other: Schema): [unknown, unknown][] {
  const named = NAMED.flatMap((keyword) => {
    const [before, now] = [one[keyword] ?? {}, other[keyword] ?? {}];
    return Object.entries(now).map(([name, each]): [unknown, unknown] => [
      lookUp(before, [name]) ?? (keyword === 'properties' ? one.additionalProperties : undefined),
      each,
    ]);
  });
  const listed = LISTS.flatMap((keyword) => {
    const [before, now] = [one[keyword], other[keyword]].map((each) =>
      Array.isArray(each) ? (each as unknown[]) : [],
    );
    return (now ?? []).map((each, index): [unknown, unknown] => [before?.[index], each]);
  });
  return [
    [one, branchBesideNull(other)],
    [branchBesideNull(one), other],
    ...SINGLE.map((keyword): [unknown, unknown] => [one[keyword], other[keyword]]),
    ...named,
    ...listed,
  ];
}
