/** Requests of an operation as the contract describes them: such as it must accept, and such as it must refuse. */
import fc, { type Arbitrary } from 'fast-check';
import type { Parameter } from '../../src/contract/document';
import type { Bodies, GivenBodies, GivenBody } from './bodies';
import type { Request } from './client';
import type { Operation } from './contract';
import { accepted, type Expectation, refused } from './expectations';
import { type GivenParameter, type GivenParameters, placeOf } from './given-parameters';
import type { Json } from './json';
import { encoded } from './parameters';
import type { Variant } from './samples';

/** Requests of one kind, and what is to come of them. */
export interface Case {
  expected: Expectation;
  requests: Arbitrary<Meant>;
}

export interface Cases {
  /** Of any valid kind first, then at each edge of what is allowed. */
  valid: Case[];
  /** Each wrong for one reason. */
  invalid: Case[];
}

/** A request, and the values that it says. */
export interface Meant {
  request: Request;
  parameters: Readonly<Record<string, Json>>;
  body: Json | undefined;
}

/** What a request is put together from; undefined stands for what is not sent. */
interface Parts {
  parameters: ReadonlyMap<Parameter, Arbitrary<GivenParameter | undefined>>;
  body: Arbitrary<GivenBody | undefined>;
  query: string[];
}

const ABSENT: Arbitrary<undefined> = fc.constant(undefined);

export class Requests {
  constructor(
    private readonly parameters: GivenParameters,
    private readonly bodies: Bodies,
  ) {}

  of(operation: Operation): Cases {
    const bodies = operation.body && this.bodies.of(operation.body.content);
    const parts = this.partsOf(operation, bodies);
    const valid = [...this.edgesOf(operation, parts), ...withBodies(parts, bodies?.edges)];
    const invalid = [...this.wrongsOf(operation, parts), ...withBodies(parts, bodies?.wrongs)];
    const ofOtherType = withBodies(parts, bodies?.otherTypes);
    const case_ = (expected: Expectation, changed: Parts): Case => ({
      expected,
      requests: assembled(operation, changed),
    });
    return {
      valid: [
        case_(accepted('a valid request'), parts),
        ...valid.map(([what, changed]) => case_(accepted(`a valid request with ${what}`), changed)),
      ],
      invalid: [
        ...invalid.map(([what, changed]) => case_(refused(`a request with ${what}`, 400), changed)),
        ...ofOtherType.map(([what, changed]) => case_(refused(`a request with ${what}`, 415), changed)),
      ],
    };
  }

  private partsOf({ parameters, body, path }: Operation, bodies: GivenBodies | undefined): Parts {
    const optional = <T>(made: Arbitrary<T>, required = false): Arbitrary<T | undefined> =>
      required ? made : fc.option(made, { nil: undefined });
    return {
      parameters: new Map(parameters.map((each) => [each, optional(this.parameters.valid(each, path), each.required)])),
      body: bodies ? optional(bodies.valid, body?.required) : ABSENT,
      query: [],
    };
  }

  private edgesOf({ parameters }: Operation, parts: Parts): Changed[] {
    return parameters.flatMap((parameter) => withParameters(parts, parameter, this.parameters.edges(parameter)));
  }

  private wrongsOf({ parameters, body }: Operation, parts: Parts): Changed[] {
    // A path without its parameter is another path.
    const required = parameters.filter((each) => each.required === true && each.in !== 'path');
    const missing = (parameter: Parameter) => [{ what: `${placeOf(parameter)} missing`, made: ABSENT }];
    return [
      ...required.flatMap((parameter) => withParameters(parts, parameter, missing(parameter))),
      ...parameters.flatMap((parameter) => withParameters(parts, parameter, this.parameters.wrongs(parameter))),
      ['an undeclared query parameter', { ...parts, query: ['undeclared=1'] }],
      ...(body?.required === true ? withBodies(parts, [{ what: 'no body', made: ABSENT }]) : []),
    ];
  }
}

type Changed = [what: string, parts: Parts];

function withParameters(parts: Parts, parameter: Parameter, all: Variant<GivenParameter | undefined>[]): Changed[] {
  return all.map(({ what, made }) => [
    what,
    { ...parts, parameters: new Map([...parts.parameters, [parameter, made]]) },
  ]);
}

function withBodies(parts: Parts, all: Variant<GivenBody | undefined>[] = []): Changed[] {
  return all.map(({ what, made }) => [what, { ...parts, body: made }]);
}

function assembled({ method, path }: Operation, parts: Parts): Arbitrary<Meant> {
  const names = [...parts.parameters.keys()];
  return fc.tuple(fc.tuple(...parts.parameters.values()), parts.body).map(([given, body]) => {
    let target = path;
    const query = [...parts.query];
    const headers: Record<string, string> = {};
    const parameters: Record<string, Json> = {};
    for (const [index, { name, in: where }] of names.entries()) {
      const parameter = given[index];
      if (!parameter) continue;
      parameters[name] = parameter.value;
      const { text, pieces } = parameter.written;
      if (pieces) query.push(...pieces);
      else if (where === 'header') headers[name] = text;
      else target = target.replace(`{${name}}`, () => encoded(text));
    }
    if (body?.mediaType !== undefined) headers['Content-Type'] = body.mediaType;
    if (query.length > 0) target += `?${query.join('&')}`;
    const request = { method, target, headers, ...(body && { body: body.text }) };
    return { request, parameters, body: body?.value };
  });
}
