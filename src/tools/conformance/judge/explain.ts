/** The part of the contract that an answer deviates from: its place, what is declared there, and what is wrong with the request. */
import { oneLine, type Schema } from '../../../engine/reading';
import { type Contract, declaredType, type Operation, schemaOf } from '../contract';
import type { Expectation } from '../generate/expectations';
import { nameOf } from '../generate/parameters';
import type { GeneratedRequest } from '../generate/requests';
import type { Json } from '../../samples/json';
import type { Oracle } from '../../samples/oracle';

export type Explain = (generated: GeneratedRequest, expected: Expectation, operation?: Operation) => string;

/** `oracle` judges requests. */
export function explainer({ methods }: Contract, oracle: Oracle): Explain {
  return ({ path, request, parameters, body }, { isRefusal }, operation) => {
    if (!operation) {
      const declared = methods.get(path) ?? [];
      return `${declared[0]?.place ?? ''} declares ${declared.map(({ method }) => method).join(', ')} for ${oneLine(path)}`;
    }
    const wrong = (what: string, schema: Schema, value: Json | undefined): string[] => {
      const problem = value === undefined ? undefined : oracle.problem(schema, value);
      return problem === undefined ? [] : [`${what} ${problem}`];
    };
    const content = operation.body?.content ?? {};
    const { schema = {} } = content[declaredType(content, request.headers['Content-Type']) ?? ''] ?? {};
    const wrongs = [
      ...operation.parameters.flatMap((each) => wrong(nameOf(each), schemaOf(each).schema, parameters[each.name])),
      ...wrong('body', schema, body),
    ];
    const security = operation.security.map((each) => each.map(({ name }) => name).join(' and ')).join(' or ');
    return [
      `${operation.place} declares ${[...operation.responses.keys()].join(', ')}`,
      ...(security === '' ? [] : [`security: ${security}`]),
      ...(isRefusal ? wrongs : []),
    ].join('; ');
  };
}
