/** The schemas of two contracts that are about the same value of a request, wherever they are written. */
import {
  conjoinedSchemas,
  type Contract,
  type ContractOperation,
  isSchema,
  lookUp,
  type Parameter,
  type Schema,
} from '../../engine/reading';
import { templateOf } from './plain';

type Pair = [earlier: Schema, later: Schema];

/** The pairs of the operations that both contracts have. */
export function* pairedInRequests(base: Contract, revised: Contract): Generator<Pair> {
  const seen = new Map<Schema, Set<Schema>>();
  const earlier = new Map(base.operations.map((each) => [keyOf(each), each]));
  for (const later of revised.operations) {
    const same = earlier.get(keyOf(later));
    if (same) for (const [one, other] of sentPairs(same, later)) yield* within(base, revised, one, other, seen);
  }
}

const keyOf = ({ method, path }: ContractOperation): string => `${method} ${templateOf(path)}`;

/** What an operation is sent, by media types and parameters. */
function sentPairs(one: ContractOperation, other: ContractOperation): [unknown, unknown][] {
  const [bodies, parameters] = [one.requestBody?.content ?? {}, new Map(sentParameters(one))];
  return [
    ...Object.entries(other.requestBody?.content ?? {}).map(([type, { schema }]): [unknown, unknown] => [
      bodies[type]?.schema,
      schema,
    ]),
    ...sentParameters(other).map(([key, { schema }]): [unknown, unknown] => [parameters.get(key)?.schema, schema]),
  ];
}

/** By name, or those of a path by their place in it. */
function sentParameters({ path, parameters }: ContractOperation): [key: string, parameter: Parameter][] {
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
  return parameters.map((each) => [`${each.in} ${each.in === 'path' ? names.indexOf(each.name) : each.name}`, each]);
}

/** The pair itself, and those of its members and branches. */
function* within(
  base: Contract,
  revised: Contract,
  earlier: unknown,
  later: unknown,
  seen: Map<Schema, Set<Schema>>,
): Generator<Pair> {
  if (!isSchema(earlier) || !isSchema(later)) return;
  const known = seen.get(later) ?? new Set();
  if (known.has(earlier)) return;
  seen.set(later, known.add(earlier));
  yield [earlier, later];
  const [before, now] = [[...conjoinedSchemas(base.document, earlier)], [...conjoinedSchemas(revised.document, later)]];
  for (const part of now)
    for (const same of before)
      for (const [one, other] of membersOf(same, part)) yield* within(base, revised, one, other, seen);
}

/** Keywords with a schema, with several by names, and with a list of them, for what a value has or is; what `not` refuses is not refused. */
const SINGLE = ['items', 'additionalProperties', 'unevaluatedProperties', 'then', 'else'];
const NAMED = ['properties', 'patternProperties', 'dependentSchemas'];
const LISTS = ['oneOf', 'anyOf', 'prefixItems'];

/** The schemas that two have under the same keyword and name or place. */
function membersOf(one: Schema, other: Schema): [unknown, unknown][] {
  const named = NAMED.flatMap((keyword) => {
    const [before, now] = [one[keyword] ?? {}, other[keyword] ?? {}];
    return Object.entries(now).map(([name, each]): [unknown, unknown] => [lookUp(before, [name]), each]);
  });
  const listed = LISTS.flatMap((keyword) => {
    const [before, now] = [one[keyword], other[keyword]].map((each) =>
      Array.isArray(each) ? (each as unknown[]) : [],
    );
    return (now ?? []).map((each, index): [unknown, unknown] => [before?.[index], each]);
  });
  return [...SINGLE.map((keyword): [unknown, unknown] => [one[keyword], other[keyword]]), ...named, ...listed];
}
