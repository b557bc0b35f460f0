/** The environment as a configuration; every variable that is wrong is named at once. */
import { isIP } from 'node:net';
import type { TlsFiles } from './engine/http/tls';

export interface Config {
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** Where clients reach the service; undefined until the port is known. */
  baseUrl: string | undefined;
  /** The path of `baseUrl`, without a slash at its end: where the API is mounted; undefined leaves it to the contract. */
  basePath: string | undefined;
  database: Database;
  /** How many creates share a transaction at most. */
  batchMax: number;
  /** The file of accepted tokens; undefined where a one-off token is to be made. */
  tokensFile: string | undefined;
  /** Whose signed JWTs are accepted; undefined where none are. */
  jwt: { issuer: string; audience: string; jwksUrl: string | undefined } | undefined;
  /** The origins whose pages may call from a browser; `*` is any. */
  corsOrigins: readonly string[];
  /** Addresses and networks of proxies whose `X-Forwarded-For` says who the client is. */
  trustProxy: readonly string[];
  bodyBytesMax: number;
  /** The files of a certificate and its key, where HTTPS is served. */
  tls: TlsFiles | undefined;
  /** The port of health and metrics; undefined where there is none. */
  adminPort: number | undefined;
  /** How long an idle connection is kept. */
  keepAliveMs: number;
  /** Whether the documentation page and the contract are served. */
  docs: boolean;
  logLevel: LogLevel;
  /** Whether it is a production process: answers that break the contract are then reported, and sent all the same. */
  production: boolean;
}

/** Where plants are kept. */
export type Database =
  | { kind: 'sqlite'; file: string }
  | {
      kind: 'postgres';
      /** With everything that `pg` reads from a connection string; it may hold a password, so that it is never shown. */
      url: string;
      /** How many connections there are at most, and so how many batches are stored at the same time. */
      connections: number;
      /** Into how many shards Citus distributes the table when it is made; undefined leaves that to Citus. */
      shards: number | undefined;
    };

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A misspelt one would be taken for no production, and accept a token that was made for the run. */
const ENVIRONMENTS: readonly string[] = ['production', 'development', 'test'];

/** Thrown with a line for each variable that is wrong: what was expected and what came. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(`the environment is wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/** Reads the variables that src/README.md lists; one that is empty counts as not set. Throws a ConfigError. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];

  function read<T>(name: string, byDefault: T, expected: string, parse: (text: string) => T | undefined): T {
    const text = env[name];
    if (text === undefined || text === '') return byDefault;
    const value = parse(text);
    if (value === undefined) problems.push(`${name}: expected ${expected}, got ${shown(text)}`);
    return value ?? byDefault;
  }

  function readDatabase(): Database {
    const connections = read('DATABASE_CONNECTIONS', 2, 'a number of connections from 1 to 100', wholeNumber(1, 100));
    const shards = read<number | undefined>(
      'DATABASE_SHARDS',
      undefined,
      'a number of shards from 1 to 64000',
      wholeNumber(1, 64_000),
    );
    const byDefault = { kind: 'sqlite', file: 'data/plants.db' } as const;
    return read<Database>(
      'DATABASE_URL',
      byDefault,
      'sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE',
      (text) => {
        const file = /^sqlite:(?<path>.+)$/.exec(text)?.groups?.path;
        if (file !== undefined) return { kind: 'sqlite', file };
        return isPostgresUrl(text) ? { kind: 'postgres', url: text, connections, shards } : undefined;
      },
    );
  }

  function jwtOf(issuer: string | undefined, audience: string | undefined, jwksUrl: string | undefined): Config['jwt'] {
    if (issuer !== undefined && audience !== undefined) return { issuer, audience, jwksUrl };
    if ((issuer ?? audience ?? jwksUrl) !== undefined)
      problems.push(
        'AUTH_JWT_ISSUER, AUTH_JWT_AUDIENCE: expected both or neither of them, and AUTH_JWKS_URL only with them',
      );
    return undefined;
  }

  function tlsOf(certFile: string | undefined, keyFile: string | undefined): TlsFiles | undefined {
    if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile };
    if (certFile !== keyFile) problems.push('TLS_CERT, TLS_KEY: expected both or neither of them');
    return undefined;
  }

  const config: Config = {
    host: env.HOST || '127.0.0.1',
    port: read('PORT', 3000, 'a port from 0 to 65535', wholeNumber(0, 65_535)),
    ...read(
      'BASE_URL',
      { baseUrl: undefined, basePath: undefined },
      'an http or https address without a query',
      baseUrlParts,
    ),
    database: readDatabase(),
    batchMax: read('DATABASE_BATCH_MAX', 1_000, 'a number of creates from 1 to 1000', wholeNumber(1, 1_000)),
    tokensFile: env.AUTH_TOKENS_FILE || undefined,
    jwt: jwtOf(
      read('AUTH_JWT_ISSUER', undefined, ADDRESS, address),
      env.AUTH_JWT_AUDIENCE || undefined,
      read('AUTH_JWKS_URL', undefined, ADDRESS, address),
    ),
    corsOrigins: read('CORS_ORIGINS', [], 'origins such as https://plants.example, or *', listOf(isOrigin)),
    trustProxy: read('TRUST_PROXY', [], 'addresses such as 10.0.0.0/8, or loopback', listOf(isNetwork)),
    bodyBytesMax: read(
      'BODY_BYTES_MAX',
      102_400,
      'a number of bytes from 1 to 104857600',
      wholeNumber(1, 100 * 1024 * 1024),
    ),
    keepAliveMs: read(
      'KEEP_ALIVE_MS',
      72_000,
      'a number of milliseconds from 1000 to 3600000',
      wholeNumber(1_000, 3_600_000),
    ),
    tls: tlsOf(env.TLS_CERT || undefined, env.TLS_KEY || undefined),
    adminPort: read('ADMIN_PORT', undefined, 'a port from 0 to 65535', wholeNumber(0, 65_535)),
    docs: read('DOCS', true, 'on or off', (text) => (/^(?:on|off)$/.test(text) ? text === 'on' : undefined)),
    logLevel: read('LOG_LEVEL', 'info', `one of ${LOG_LEVELS.join(', ')}`, (text) =>
      LOG_LEVELS.find((level) => level === text),
    ),
    production: read('NODE_ENV', false, `one of ${ENVIRONMENTS.join(', ')}`, (text) =>
      ENVIRONMENTS.includes(text) ? text === 'production' : undefined,
    ),
  };
  if (config.production && config.tokensFile === undefined && config.jwt === undefined) {
    problems.push('AUTH_TOKENS_FILE, AUTH_JWT_ISSUER: expected one of them where NODE_ENV is production, got neither');
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** An empty host, user or database is what PGHOST and the others say. */
function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text);
}

/** A value as a problem shows it; of one that may hold a password, the scheme alone. */
function shown(text: string): string {
  return JSON.stringify(text.includes('@') ? text.replace(/^(\w+:\/\/)?.*$/s, '$1...') : text);
}

const ADDRESS = 'an http or https address';

/** The text as it is: an issuer is compared with that of tokens, letter by letter. */
function address(text: string): string | undefined {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : undefined;
}

/** A list with commas in between. */
function listOf(isItem: (text: string) => boolean): (text: string) => string[] | undefined {
  return (text) => {
    const items = text.split(',').map((item) => item.trim());
    return items.every(isItem) ? items : undefined;
  };
}

function isOrigin(text: string): boolean {
  return text === '*' || (URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text);
}

/** An address, a network in CIDR notation, or one of the names that Express has for some. */
function isNetwork(text: string): boolean {
  const { address = '', bits = '0' } = /^(?<address>[\da-f.:]+)(?:\/(?<bits>\d{1,3}))?$/i.exec(text)?.groups ?? {};
  const version = isIP(address);
  return (
    ['loopback', 'linklocal', 'uniquelocal'].includes(text) ||
    (version > 0 && Number(bits) <= (version === 4 ? 32 : 128))
  );
}

function wholeNumber(min: number, max: number): (text: string) => number | undefined {
  return (text) => (/^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined);
}

function baseUrlParts(text: string): Pick<Config, 'baseUrl' | 'basePath'> | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, pathname, search, hash } = new URL(text);
  if (!/^https?:$/.test(protocol) || search !== '' || hash !== '' || !/^[\w.~/-]*$/.test(pathname)) return undefined;
  const basePath = pathname.replace(/\/+$/, '');
  return { baseUrl: origin + basePath, basePath };
}
