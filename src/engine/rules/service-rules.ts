/** Rules for a contract and its service: every operation has a handler, and every security scheme a verifier. */
import { SCOPE } from '../auth/challenges';
import { hintOf } from '../errors/misspelt';
import type { ContractOperation } from '../contract/operations';
import { type Document, type Path, schemeKind } from '../contract/document';
import { named, type Problem } from '../contract/problems';

/** The handlers and verifiers of a service. */
export interface Provided {
  /** The operations that have a handler. */
  handlers: readonly string[];
  /** The service's own verifiers by the names of security schemes, each with the kind that it verifies: `http bearer`. */
  verifiers: Readonly<Record<string, { scheme: string }>>;
  /** True for kinds of schemes that the engine has a verifier for; by default for none. */
  canVerify?: (kind: string) => boolean;
  /** Operations without a handler are answered by a mock, so that they are no problem. */
  mocksMissing?: boolean;
}

/** Operations without a handler, and handlers without an operation. */
export function* handlerProblems(
  operations: readonly ContractOperation[],
  { handlers, mocksMissing = false }: Provided,
): Generator<Problem> {
  const seen = new Set<string>();
  const known = new Set(handlers);
  for (const { id, at } of operations) {
    if (seen.has(id)) yield [[...at, 'operationId'], `duplicate operationId ${id}`];
    else if (!mocksMissing && !known.has(id))
      yield [[...at, 'operationId'], `operation ${id} has no handler: add it to src/handlers.ts`];
    seen.add(id);
  }
  for (const id of handlers) if (!seen.has(id)) yield [['paths'], `handler ${id} has no operation in the contract`];
}

/** Security schemes without a verifier, and requirements that name no scheme. */
export function* securityProblems(
  document: Document,
  operations: readonly ContractOperation[],
  { verifiers, canVerify = () => false }: Provided,
): Generator<Problem> {
  const schemes = document.components?.securitySchemes ?? {};
  for (const [name, declared] of Object.entries(schemes)) {
    const at: Path = ['components', 'securitySchemes', name];
    const kind = schemeKind(declared);
    const { type, scheme = '' } = declared;
    if (
      type === 'http' &&
      hintOf(scheme.toLowerCase(), ['bearer', 'basic']) !== '' &&
      !/^(?:bearer|basic)$/i.test(scheme)
    ) {
      yield [[...at, 'scheme'], `unknown HTTP scheme ${scheme}${hintOf(scheme, ['bearer', 'basic'])}`];
      continue;
    }
    const verifier = Object.hasOwn(verifiers, name) ? verifiers[name] : undefined;
    if (!verifier && !canVerify(kind))
      yield [at, `security scheme ${name} is ${kind} and has no verifier: add it in src/service.ts`];
    else if (verifier && verifier.scheme !== kind)
      yield [at, `security scheme ${name} is ${kind}, and its verifier is for ${verifier.scheme}`];
  }
  const own = operations.filter(({ security }) => security !== document.security);
  const places = [{ at: [] as Path, security: document.security ?? [] }, ...own];
  for (const { at, security } of places) {
    for (const [name, scopes] of security.flatMap((requirement) => Object.entries(requirement))) {
      if (!Object.hasOwn(schemes, name)) {
        const hint = hintOf(name, Object.keys(schemes));
        const index = security.findIndex((requirement) => Object.hasOwn(requirement, name));
        const text = `security names ${name}, which components.securitySchemes does not declare${hint}`;
        yield named([...at, 'security', index, name], text);
      }
      for (const scope of scopes.filter((each) => !SCOPE.test(each)))
        yield [[...at, 'security'], `${JSON.stringify(scope)} is not a scope: expected ASCII without spaces, " and \\`];
    }
  }
}
