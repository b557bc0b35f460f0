/** Chooses the verifier of each security scheme by its kind, unless the service has one of its own. */
import { type Document, schemeKind, type SecurityScheme } from '../contract/document';
import { apiKey } from './api-key';
import type { Verifier, VerifierOptions, Verifiers } from './authenticate';
import { printable } from '../process/printable';
import { basic } from './basic';
import { bearer } from './bearer';

const kinds: Readonly<Record<string, (scheme: SecurityScheme, options: VerifierOptions) => Verifier>> = {
  'http bearer': (_scheme, options) => bearer(options), // also for oauth2 and openIdConnect
  'http basic': (_scheme, options) => basic(options),
  'apiKey in header': apiKey,
  'apiKey in query': apiKey,
  'apiKey in cookie': apiKey,
};

/** True if the engine has a verifier for a kind of scheme, as `schemeKind` returns it. */
export function canVerify(kind: string): boolean {
  return Object.hasOwn(kinds, kind);
}

/**
 * The verifiers of a document's security schemes by name, with its title as the realm; those of the service (`own`) take precedence. A
 * scheme of a kind that has none, such as `mutualTLS`, is left out.
 */
export function verifiersOf(
  { info, components }: Document,
  options: Omit<VerifierOptions, 'realm'>,
  own: Verifiers = {},
): Verifiers {
  const found = Object.entries(components?.securitySchemes ?? {}).flatMap(([name, scheme]) => {
    const verifier = kinds[schemeKind(scheme)]?.(scheme, { ...options, realm: printable(info.title) });
    return verifier ? [[name, verifier] as const] : [];
  });
  return { ...Object.fromEntries(found), ...own };
}
