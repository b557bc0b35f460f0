/** Requests of an operation: valid ones, which the server must accept, and invalid ones, which it must refuse. */
import fc, { type Arbitrary } from 'fast-check';
import { type Parameter, pathAsSent } from '../../../engine/reading';
import type { Request } from '../client';
import type { Operation } from '../contract';
import { accepted, type Expectation, refused, refusedByHabit } from './expectations';
import type { Json } from '../../samples/json';
import type { Bodies, Body } from './bodies';
import { nameOf, type ParameterValue, type ParameterVariants } from './parameters';
import type { Variant } from './variants';

/** Requests of one kind, and how they must be answered. */
export interface Case {
  expected: Expectation;
  requests: Arbitrary<GeneratedRequest>;
  /** The constraint that alone is broken, if that is known. */
  breaks?: string | undefined;
  /** What is wrong with a success, given its value. */
  problemOf?: (generated: GeneratedRequest, received: Json) => string | undefined;
}

export interface Cases {
  /** Any valid request first, then changed ones that are still valid. */
  valid: Case[];
  /** Valid requests about what the server has, as far as that is known. */
  known: Case['requests'];
  /** Each wrong in one place. */
  invalid: Case[];
  /** Each without a part that is required, or with one that is not declared, or no text. */
  misshapen: Case[];
  /** Bodies of media types that are not declared, or of none. */
  otherTypes: Case[];
  /** The constraints of parameters and bodies, and that they are there. */
  constraints: readonly string[];
}

/** A request, and the values it was made from. */
export interface GeneratedRequest {
  /** The template of its path. */
  path: string;
  request: Request;
  /** The same without the constraint that it breaks. */
  faultless?: Request | undefined;
  parameters: Readonly<Record<string, Json>>;
  body: Json | undefined;
}

/** The parts of a request; undefined stands for a part that is not sent. */
interface Parts {
  parameters: ReadonlyMap<Parameter, Arbitrary<ParameterValue | undefined>>;
  body: Arbitrary<Body | undefined>;
  query: readonly string[];
  /** The required part that is not sent after all. */
  omitted?: Parameter | 'body';
}

type Changed = [what: string, parts: Parts, breaks?: string | undefined];

const ABSENT: Arbitrary<undefined> = fc.constant(undefined);

export function casesOf(
  operation: Operation,
  /** Undefined for one that is left out. */
  variantsOf: (parameter: Parameter) => ParameterVariants | undefined,
  bodies: Bodies | undefined,
  /** True if its query may have parameters of any name. */
  takesAnyName: boolean,
): Cases {
  const parameters = new Map(
    operation.parameters.flatMap((each) => {
      const variants = variantsOf(each);
      return variants ? [[each, variants] as const] : [];
    }),
  );
  const parts: Parts = {
    parameters: new Map([...parameters].map(([each, { valid }]) => [each, optional(valid, each.required)])),
    body: bodies ? optional(bodies.valid, operation.body?.required) : ABSENT,
    query: [],
  };
  const known: Parts = {
    ...parts,
    parameters: new Map([...parameters].map(([each, { known }]) => [each, optional(known, each.required)])),
  };
  const required = operation.parameters.filter((each) => each.required === true);
  const isBodyRequired = operation.body?.required === true;
  // The paths are of what the server has, as far as that is known: many servers look for it before they look at the body.
  const bare: Parts = {
    ...parts,
    parameters: new Map(
      required.map((each) => [each, (each.in === 'path' ? known : parts).parameters.get(each) ?? ABSENT]),
    ),
    body: isBodyRequired ? parts.body : ABSENT,
  };
  // One constraint is broken beside what is required alone: a server may refuse any other part for a reason of its own.
  const around = ({ breaks }: Variant<unknown>): Parts => (breaks === undefined ? parts : bare);
  const withParameter = (parameter: Parameter, variant: Variant<ParameterValue>): Changed => {
    const others = around(variant);
    const changed = { ...others, parameters: new Map([...others.parameters, [parameter, variant.made]]) };
    return [variant.what, changed, variant.breaks];
  };
  const withBody = (variant: Variant<Body>): Changed => [
    variant.what,
    { ...around(variant), body: variant.made },
    variant.breaks,
  ];
  const withParameters = (kind: 'edges' | 'wrongs'): Changed[] =>
    [...parameters].flatMap(([each, variants]) => variants[kind].map((variant) => withParameter(each, variant)));
  const withBodies = (variants: Variant<Body>[] = []): Changed[] => variants.map(withBody);
  const without = (omitted: Parameter | 'body'): Changed => {
    const part = omitted === 'body' ? omitted : nameOf(omitted);
    return [`no ${part}`, { ...bare, omitted }, `${part} required`];
  };
  const make = (changed: Changed[], expect: (what: string) => Expectation): Case[] =>
    changed.map(([what, each, breaks]) => ({ expected: expect(what), requests: assembled(operation, each), breaks }));

  // A path without its parameter is another path.
  const missing: Changed[] = [
    ...required.filter((each) => each.in !== 'path').map((each) => without(each)),
    ...(isBodyRequired ? [without('body'), ...withBodies(bodies?.empty)] : []),
  ];
  const undeclared: Changed[] = takesAnyName
    ? []
    : [['an undeclared query parameter', { ...bare, query: ['undeclared=1'] }]];
  const repeated = [...parameters].flatMap(([each, { twice }]): Changed[] =>
    twice ? [[`${nameOf(each)} twice`, { ...bare, parameters: new Map([...bare.parameters, [each, twice]]) }]] : [],
  );
  return {
    valid: [
      { expected: accepted('a valid request'), requests: assembled(operation, parts) },
      ...make([...withParameters('edges'), ...withBodies(bodies?.edges)], (what) => accepted(`a valid ${what}`)),
    ],
    known: assembled(operation, known),
    invalid: make([...withParameters('wrongs'), ...withBodies(bodies?.wrongs)], (what) =>
      refused(`an invalid ${what}`, 400),
    ),
    misshapen: [
      ...make(missing, (what) => refused(what, 400)),
      ...make([...undeclared, ...repeated, ...withBodies(bodies?.mangled), ...withBodies(bodies?.repeated)], (what) =>
        refusedByHabit(what, 400),
      ),
    ],
    otherTypes: [
      ...make(withBodies(bodies?.untyped), (what) => refusedByHabit(what, 415)),
      ...make(withBodies(bodies?.otherTypes), (what) => refused(what, 415)),
    ],
    constraints: [
      ...[...parameters.values(), bodies].flatMap((each) => each?.constraints ?? []),
      ...missing.flatMap(([, , breaks]) => breaks ?? []),
    ],
  };
}

function optional<T>(made: Arbitrary<T>, required = false): Arbitrary<T | undefined> {
  return required ? made : fc.option(made, { nil: undefined });
}

function assembled({ method, path }: Operation, parts: Parts): Arbitrary<GeneratedRequest> {
  const declared = [...parts.parameters.keys()];
  const sent = (values: ReadonlyMap<Parameter, ParameterValue>, body: Body | undefined): Request => {
    let target = pathAsSent(path);
    const query = [...parts.query];
    const headers: Record<string, string> = {};
    for (const [{ name, in: location }, { serialized }] of values) {
      const { text, query: pairs } = serialized;
      if (pairs) query.push(...pairs);
      else if (location === 'header') headers[name] = text;
      else if (location === 'cookie') headers.Cookie = [headers.Cookie ?? [], text].flat().join('; ');
      else target = target.replace(`{${name}}`, () => text);
    }
    if (body?.mediaType !== undefined) headers['Content-Type'] = body.mediaType;
    if (query.length > 0) target += `?${query.join('&')}`;
    return { method, target, headers, body: body?.bytes ?? body?.text };
  };
  const { omitted } = parts;
  return fc.tuple(fc.tuple(...parts.parameters.values()), parts.body).map(([drawn, all]) => {
    const given = new Map(declared.flatMap((each, index) => [drawn[index] ?? []].flat().map((value) => [each, value])));
    const values = new Map([...given].filter(([each]) => each !== omitted));
    const body = omitted === 'body' ? undefined : all;
    const isBroken = omitted !== undefined || [...given.values(), all].some((each) => each?.faultless !== undefined);
    const before = new Map([...given].map(([each, value]) => [each, value.faultless ?? value]));
    return {
      path,
      request: sent(values, body),
      ...(isBroken && { faultless: sent(before, all?.faultless ?? all) }),
      parameters: Object.fromEntries([...values].map(([{ name }, { value }]) => [name, value])),
      body: body?.value,
    };
  });
}
