/** The variables of any service, and the settings that they make together. */
import type { TlsFiles } from './http/tls';
import type { LogTime } from './process/log';
import {
  type BaseUrl,
  baseUrlOf,
  either,
  httpAddress,
  isNetwork,
  isOrigin,
  listOf,
  oneOf,
} from './process/variable-values';
import { type Refuse, text, type ValuesOf, variable, type Variables, wholeNumber } from './process/variables';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
const LOG_TIMES: readonly LogTime[] = ['iso', 'epoch'];

/** The accepted values of NODE_ENV: a misspelt `production` would otherwise allow a one-off token. */
const ENVIRONMENTS: readonly string[] = ['production', 'development', 'test'];
const ADDRESS = 'an http or https address without a password';
const PORT = 'a port from 0 to 65535';

/**
 * The variables of any service.
 *
 * @example
 * const variables = { ...engineVariables, bedsMax: variable('BEDS_MAX', 100, 'a number to 500', wholeNumber(1, 500), 'beds') };
 */
export const engineVariables = {
  host: text('HOST', '127.0.0.1', 'the address where it listens'),
  port: variable('PORT', 3000, PORT, wholeNumber(0, 65_535), 'the port where it listens; 0 picks one and prints it'),
  address: variable<BaseUrl | undefined>(
    'BASE_URL',
    undefined,
    'an http or https address without a user name and a query',
    baseUrlOf,
    "the contract's `{base_url}`; its path, or else that of the contract's first server, is where the API is mounted",
    'http://localhost:PORT',
  ),
  tokensFile: text(
    'AUTH_TOKENS_FILE',
    undefined,
    'accepted tokens, a line each: `NAME SHA256-HEX-OF-TOKEN`, then the date of its end if it has one, then `scopes=` and its scopes with commas in between, or `*` for all; `#` comments. `npm run token` writes it',
  ),
  jwtIssuer: variable<string | undefined>(
    'AUTH_JWT_ISSUER',
    undefined,
    ADDRESS,
    httpAddress,
    'accepts JWTs that this issuer has signed (`iss`)',
  ),
  jwtAudience: text('AUTH_JWT_AUDIENCE', undefined, 'the audience that they have to be for (`aud`)'),
  jwksUrl: variable<string | undefined>(
    'AUTH_JWKS_URL',
    undefined,
    ADDRESS,
    httpAddress,
    "where the issuer's keys are; by default where its `/.well-known/openid-configuration` says",
  ),
  corsOrigins: variable<readonly string[]>(
    'CORS_ORIGINS',
    [],
    'origins such as https://app.example, or *',
    listOf(isOrigin),
    'the origins whose pages may call from a browser, with commas in between; `*` is any',
  ),
  trustProxy: variable<readonly string[]>(
    'TRUST_PROXY',
    [],
    'addresses such as 10.0.0.0/8, or loopback',
    listOf(isNetwork),
    'the proxies whose `X-Forwarded-For` names the client: addresses, networks or `loopback`, with commas in between',
  ),
  bodyBytesMax: variable(
    'BODY_BYTES_MAX',
    102_400,
    'a number of bytes from 1 to 104857600',
    wholeNumber(1, 100 * 1024 * 1024),
    'larger bodies get 413',
  ),
  rateLimit: variable<number | undefined>(
    'RATE_LIMIT',
    undefined,
    'a number of requests from 1 to 1000000',
    wholeNumber(1, 1_000_000),
    'how many requests a second a principal may send; more get 429',
  ),
  keepAliveMs: variable(
    'KEEP_ALIVE_MS',
    72_000,
    'a number of milliseconds from 1000 to 3600000',
    wholeNumber(1_000, 3_600_000),
    'how long an idle connection is kept: longer than the proxy in front keeps its own (nginx: 60 s), or requests meet a connection that is being closed',
  ),
  certFile: text(
    'TLS_CERT',
    undefined,
    'a PEM file with a certificate and those above it: serves HTTPS, and reads both files again when they change',
  ),
  keyFile: text('TLS_KEY', undefined, 'the PEM file with its key'),
  adminPort: variable<number | undefined>(
    'ADMIN_PORT',
    undefined,
    PORT,
    wholeNumber(0, 65_535),
    'health and metrics, on `HOST`: `/health/live`, `/health/ready`, `/metrics`; port 0 picks one and logs it',
  ),
  docs: variable(
    'DOCS',
    true,
    'on or off',
    either('on', 'off'),
    '`/docs`, `/openapi.json` and `/openapi.yaml` under the path of `BASE_URL`, or under `/-` if the contract has an operation at one of them; `off` serves none of them',
    'on',
  ),
  logLevel: variable<LogLevel>(
    'LOG_LEVEL',
    'info',
    `one of ${LOG_LEVELS.join(', ')}`,
    oneOf(LOG_LEVELS),
    '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`; the log goes to stderr, a JSON object a line',
  ),
  logTime: variable<LogTime>(
    'LOG_TIME',
    'iso',
    `one of ${LOG_TIMES.join(', ')}`,
    oneOf(LOG_TIMES),
    'how the log writes times: `iso`, such as 2027-05-01T12:00:00.000Z, or `epoch`, the milliseconds since 1970',
  ),
  production: variable(
    'NODE_ENV',
    false,
    `one of ${ENVIRONMENTS.join(', ')}`,
    (value) => (ENVIRONMENTS.includes(value) ? value === 'production' : undefined),
    '`production` asks for a tokens file or an issuer, and reports answers that break the contract instead of refusing them',
    '',
  ),
} satisfies Variables;

/**
 * The configuration of the engine.
 *
 * @example
 * interface Config extends Settings {
 *   bedsMax: number;
 * }
 */
export interface Settings extends Omit<
  ValuesOf<typeof engineVariables>,
  'address' | 'certFile' | 'keyFile' | 'jwtIssuer' | 'jwtAudience' | 'jwksUrl'
> {
  /** The address at which clients reach the service; undefined for that of the port. */
  baseUrl: string | undefined;
  /** The path at which the API is mounted, without a slash at its end; undefined to use that of the contract. */
  basePath: string | undefined;
  /** The issuer of accepted JWTs; undefined for none. */
  jwt: { issuer: string; audience: string; jwksUrl: string | undefined } | undefined;
  /** The files of a certificate and its key, if HTTPS is served. */
  tls: TlsFiles | undefined;
}

/**
 * The settings that the values of the variables make; refuses values that do not go together.
 *
 * @example
 * const readConfig = (env: NodeJS.ProcessEnv): Config =>
 *   readVariables(variables, env, ({ bedsMax, ...values }, refuse) => ({ ...settingsOf(values, refuse), bedsMax }));
 */
export function settingsOf(
  { address, certFile, keyFile, jwtIssuer, jwtAudience, jwksUrl, ...values }: ValuesOf<typeof engineVariables>,
  refuse: Refuse,
): Settings {
  const jwt =
    jwtIssuer !== undefined && jwtAudience !== undefined
      ? { issuer: jwtIssuer, audience: jwtAudience, jwksUrl }
      : undefined;
  if (!jwt && (jwtIssuer ?? jwtAudience ?? jwksUrl) !== undefined)
    refuse('AUTH_JWT_ISSUER, AUTH_JWT_AUDIENCE: expected both or neither of them, and AUTH_JWKS_URL only with them');
  const tls = certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined;
  if (certFile !== keyFile && !tls) refuse('TLS_CERT, TLS_KEY: expected both or neither of them');
  if (values.production && values.tokensFile === undefined && !jwt)
    refuse('AUTH_TOKENS_FILE, AUTH_JWT_ISSUER: expected one of them if NODE_ENV is production, got neither');
  return { ...values, baseUrl: address?.baseUrl, basePath: address?.basePath, jwt, tls };
}
