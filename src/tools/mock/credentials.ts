/** The credentials of a mock: any well-formed one of the kind that the contract requires, or a single one. */
import type { IncomingMessage } from 'node:http';
import type { Credentials, Principal, Verifier, Verifiers } from '../../engine';
import { schemeKind, type SecurityScheme } from '../../engine/reading';
import { canVerify, credentialInvalid, credentialMissing } from '../../engine/tooling';

const CALLER: Principal = { name: 'mock', scopes: 'every' };
/** The credential in examples of requests if any is accepted. */
const ANY = 'mock';

/** Accepts any token, password or key, or only the given one. */
export function credentialsOf(token: string | undefined): Credentials {
  return {
    verifier: { verify: (secret) => (token === undefined || secret === token ? CALLER : null) },
    oneOff: token ?? ANY,
    note: token === undefined ? 'Any credential is accepted, such as' : 'Accepted credential',
    nextEnd: undefined,
    close: () => undefined,
  };
}

/** Verifiers for schemes that the engine has none for, and for passwords, which are accepted for any user. */
export function verifiersFor(schemes: Readonly<Record<string, SecurityScheme>>, token: string | undefined): Verifiers {
  const verifiers = Object.entries(schemes).flatMap(([name, scheme]) => {
    const kind = schemeKind(scheme);
    const isOwn = kind === 'http basic' || (scheme.type === 'http' && !canVerify(kind));
    return isOwn ? [[name, authorization(kind, token)] as const] : [];
  });
  return Object.fromEntries(verifiers);
}

/** A verifier for any HTTP scheme: expects its name and a credential in `Authorization` (RFC 9110 section 11.4). */
function authorization(kind: string, token: string | undefined): Verifier {
  const [, scheme = ''] = kind.split(' ');
  const challenge = `${scheme.slice(0, 1).toUpperCase()}${scheme.slice(1)} realm="mock"`;
  return {
    scheme: kind,
    verify({ headers: { authorization: header = '' } }: IncomingMessage) {
      const [name = '', ...rest] = header.split(' ');
      if (name.toLowerCase() !== scheme) throw credentialMissing(`${kind} in the Authorization header`, challenge);
      const text = rest.join(' ').trim();
      const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(text, 'base64').toString()) ?? [];
      const secret = scheme === 'basic' ? password : text;
      if (!secret || (token !== undefined && secret !== token)) throw credentialInvalid(kind, challenge, null);
      return CALLER;
    },
  };
}
