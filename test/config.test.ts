import { readFileSync } from 'node:fs';
import { type Config, readConfig, usage, variables } from '../src/config';
import { ConfigError } from '../src/engine/process/variables';

const DEFAULTS: Config = {
  host: '127.0.0.1',
  port: 3000,
  baseUrl: undefined,
  basePath: undefined,
  database: { kind: 'sqlite', file: 'data/plants.db' },
  batchMax: 1_000,
  tokensFile: undefined,
  jwt: undefined,
  corsOrigins: [],
  trustProxy: [],
  bodyBytesMax: 102_400,
  rateLimit: undefined,
  adminPort: undefined,
  tls: undefined,
  keepAliveMs: 72_000,
  docs: true,
  logLevel: 'info',
  logTime: 'iso',
  production: false,
};

/** The problems of an environment, a line for each variable. */
function problems(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('the configuration', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toEqual(DEFAULTS);
  });

  it('treats an empty variable as not set', () => {
    const names = [
      ...['HOST', 'PORT', 'BASE_URL', 'DATABASE_URL', 'DATABASE_CONNECTIONS', 'DATABASE_SHARDS', 'DATABASE_BATCH_MAX'],
      ...['AUTH_TOKENS_FILE', 'BODY_BYTES_MAX', 'KEEP_ALIVE_MS', 'LOG_LEVEL'],
    ];
    expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(DEFAULTS);
  });

  it('is read from the environment', () => {
    expect(
      readConfig({
        HOST: '0.0.0.0',
        PORT: '0',
        BASE_URL: 'https://plants.example/v1/',
        DATABASE_URL: 'sqlite:/var/lib/plants.db',
        AUTH_TOKENS_FILE: '/etc/plants/tokens',
        AUTH_JWT_ISSUER: 'https://issuer.example/',
        AUTH_JWT_AUDIENCE: 'plants',
        AUTH_JWKS_URL: 'https://issuer.example/keys',
        CORS_ORIGINS: 'https://plants.example, http://localhost:8080',
        TRUST_PROXY: 'loopback,10.0.0.0/8,::1',
        BODY_BYTES_MAX: '1024',
        RATE_LIMIT: '50',
        ADMIN_PORT: '9090',
        TLS_CERT: 'cert.pem',
        TLS_KEY: 'key.pem',
        KEEP_ALIVE_MS: '5000',
        DOCS: 'off',
        LOG_LEVEL: 'silent',
        LOG_TIME: 'epoch',
        NODE_ENV: 'production',
        HOME: '/root',
      }),
    ).toEqual({
      host: '0.0.0.0',
      port: 0,
      baseUrl: 'https://plants.example/v1',
      basePath: '/v1',
      database: { kind: 'sqlite', file: '/var/lib/plants.db' },
      batchMax: 1_000,
      tokensFile: '/etc/plants/tokens',
      jwt: { issuer: 'https://issuer.example/', audience: 'plants', jwksUrl: 'https://issuer.example/keys' },
      corsOrigins: ['https://plants.example', 'http://localhost:8080'],
      trustProxy: ['loopback', '10.0.0.0/8', '::1'],
      bodyBytesMax: 1024,
      rateLimit: 50,
      adminPort: 9090,
      tls: { certFile: 'cert.pem', keyFile: 'key.pem' },
      keepAliveMs: 5000,
      docs: false,
      logLevel: 'silent',
      logTime: 'epoch',
      production: true,
    });
  });

  it.each([
    ['http://localhost:8080', 'http://localhost:8080', ''],
    ['http://localhost:8080/', 'http://localhost:8080', ''],
    ['https://plants.example/garden/v1', 'https://plants.example/garden/v1', '/garden/v1'],
    ['https://plants.example/v1//', 'https://plants.example/v1', '/v1'],
    ['https://plants.example/a.b_c~d-e', 'https://plants.example/a.b_c~d-e', '/a.b_c~d-e'],
  ])('mounts the API at the path of BASE_URL %s', (text, baseUrl, basePath) => {
    expect(readConfig({ BASE_URL: text })).toEqual({ ...DEFAULTS, baseUrl, basePath });
  });

  it.each([
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ['BODY_BYTES_MAX', '1', { bodyBytesMax: 1 }],
    ['BODY_BYTES_MAX', '104857600', { bodyBytesMax: 104_857_600 }],
    ['KEEP_ALIVE_MS', '1000', { keepAliveMs: 1_000 }],
    ['KEEP_ALIVE_MS', '3600000', { keepAliveMs: 3_600_000 }],
    ['DATABASE_URL', 'sqlite:plants.db', { database: { kind: 'sqlite', file: 'plants.db' } }],
    ['DATABASE_URL', 'sqlite:a file:with?all&sorts', { database: { kind: 'sqlite', file: 'a file:with?all&sorts' } }],
    ['CORS_ORIGINS', '*', { corsOrigins: ['*'] }],
    ['ADMIN_PORT', '0', { adminPort: 0 }],
    ['DOCS', 'on', { docs: true }],
    ['LOG_LEVEL', 'fatal', { logLevel: 'fatal' }],
    ['NODE_ENV', 'development', { production: false }],
  ])('takes %s=%s', (name, text, expected) => {
    expect(readConfig({ [name]: text })).toEqual({ ...DEFAULTS, ...expected });
  });

  it.each([
    ['PORT', 'a port from 0 to 65535', ['65536', '-1', '3000.5', '3e3', ' 3000', '0x10', 'http', '1'.repeat(400)]],
    [
      'BASE_URL',
      'an http or https address without a user name and a query',
      ['localhost:3000', '/v1', 'ftp://a/', 'http://a/?b', 'http://a/#b', 'http://a/%20', 'http://a/{b}', 'http://'],
    ],
    [
      'DATABASE_URL',
      'sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE, percent-encoded',
      [
        'plants.db',
        'sqlite:',
        'sqlite::memory:',
        'SQLITE:plants.db',
        'postgres:',
        'postgres://host:port/plants',
        'http://host/plants',
      ],
    ],
    ['AUTH_JWKS_URL', 'an http or https address without a password', ['issuer.example', 'file:///keys']],
    ['DATABASE_CONNECTIONS', 'a number of connections from 1 to 100', ['0', '101', 'many']],
    ['DATABASE_BATCH_MAX', 'a number of creates from 1 to 1000', ['0', '1001']],
    ['DATABASE_SHARDS', 'a number of shards from 1 to 64000', ['0', '64001', '1.5']],
    ['KEEP_ALIVE_MS', 'a number of milliseconds from 1000 to 3600000', ['0', '999', '3600001', '72s', '-1000']],
    ['BODY_BYTES_MAX', 'a number of bytes from 1 to 104857600', ['0', '104857601', '100kb', '-5', '1_000']],
    [
      'CORS_ORIGINS',
      'origins such as https://app.example, or *',
      ['plants.example', 'https://plants.example/', 'https://a,', 'null', 'file://x', 'HTTPS://plants.example'],
    ],
    [
      'TRUST_PROXY',
      'addresses such as 10.0.0.0/8, or loopback',
      ['true', '1', '10.0.0.0/33', '::1/129', '0.0.0.0/0', '::/0', 'nginx'],
    ],
    ['ADMIN_PORT', 'a port from 0 to 65535', ['65536', 'off']],
    ['NODE_ENV', 'one of production, development, test', ['prodution', 'Production', 'staging']],
    ['DOCS', 'on or off', ['true', 'ON', 'no', '0']],
    ['LOG_LEVEL', 'one of fatal, error, warn, info, debug, trace, silent', ['verbose', 'INFO', '30', 'toString']],
    ['LOG_TIME', 'one of iso, epoch', ['ISO', 'unix']],
  ])('refuses a %s that is not %s', (name, expected, texts) => {
    for (const text of texts) {
      expect(problems({ [name]: text })).toEqual([`${name}: expected ${expected}, got ${JSON.stringify(text)}`]);
    }
  });

  it.each([
    'postgres://user:p%40ss@db.example:5433/plants?sslmode=verify-full&sslrootcert=/etc/ca.pem',
    'postgresql://user@%2Fvar%2Frun%2Fpostgresql/plants',
    'postgres://',
    'postgres://user:p%40ss@/plants?host=/cloudsql/project:region:name',
    'postgres://db.example?user=me@srv',
  ])('takes what pg reads as a connection string for a database: %s', (url) => {
    const database = { kind: 'postgres', url, connections: 2, shards: undefined };
    expect(readConfig({ DATABASE_URL: url })).toEqual({ ...DEFAULTS, database });
    const variables = { DATABASE_URL: url, DATABASE_CONNECTIONS: '8', DATABASE_SHARDS: '16' };
    expect(readConfig(variables)).toEqual({ ...DEFAULTS, database: { ...database, connections: 8, shards: 16 } });
  });

  it('does not show what may hold a password', () => {
    for (const [text, shown] of [
      ['postgress://user:secret@host/plants', 'postgress://...'],
      ['postgres://user:secret@host:port/plants', 'postgres://...'],
      ['postgres://user:s@cr/et@host/plants', 'postgres://...'],
      ['postgres://user:secret@/et@host/plants', 'postgres://...'],
      ['postgres://user:s@cr?et@host/plants', 'postgres://...'],
      ['postgres://user:5?ec=ret@host/plants', 'postgres://...'],
      ['postgres://user:s@cr#et@host/plants', 'postgres://...'],
      ['postgres://user:5/ecret@host/plants', 'postgres://...'],
      ['user:secret@host', '...'],
      ['postgre://host/plants?user=me&password=secret', 'postgre://...'],
      ['host=db user=me password=secret', '...'],
    ] as const) {
      expect(problems({ DATABASE_URL: text })).toEqual([
        `DATABASE_URL: expected sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE, percent-encoded, got "${shown}"`,
      ]);
    }
    expect(problems({ BASE_URL: 'http://user:secret@host/' })).toEqual([
      'BASE_URL: expected an http or https address without a user name and a query, got "http://..."',
    ]);
    for (const name of ['AUTH_JWT_ISSUER', 'AUTH_JWKS_URL'])
      expect(problems({ [name]: 'https://user:secret@host/keys' })).toContain(
        `${name}: expected an http or https address without a password, got "https://..."`,
      );
  });

  it('asks production for accepted tokens', () => {
    expect(problems({ NODE_ENV: 'production' })).toEqual([
      'AUTH_TOKENS_FILE, AUTH_JWT_ISSUER: expected one of them if NODE_ENV is production, got neither',
    ]);
    expect(problems({ NODE_ENV: 'production', AUTH_TOKENS_FILE: 'tokens' })).toEqual([]);
    const issuer = { AUTH_JWT_ISSUER: 'https://issuer.example', AUTH_JWT_AUDIENCE: 'plants' };
    expect(problems({ NODE_ENV: 'production', ...issuer })).toEqual([]);
  });

  it.each([
    { AUTH_JWT_ISSUER: 'https://issuer.example' },
    { AUTH_JWT_AUDIENCE: 'plants' },
    { AUTH_JWKS_URL: 'https://issuer.example/keys' },
    { AUTH_JWT_ISSUER: 'https://issuer.example', AUTH_JWKS_URL: 'https://issuer.example/keys' },
  ])('takes an issuer only with an audience: %j', (env) => {
    expect(problems(env)).toEqual([
      'AUTH_JWT_ISSUER, AUTH_JWT_AUDIENCE: expected both or neither of them, and AUTH_JWKS_URL only with them',
    ]);
  });

  it.each([{ TLS_CERT: 'cert.pem' }, { TLS_KEY: 'key.pem' }])('takes a certificate only with its key: %j', (env) => {
    expect(problems(env)).toEqual(['TLS_CERT, TLS_KEY: expected both or neither of them']);
  });

  it('reports every problem at once', () => {
    const env = {
      PORT: 'http',
      BASE_URL: 'example.org',
      DATABASE_URL: 'mysql://localhost',
      BODY_BYTES_MAX: '100kb',
      LOG_LEVEL: 'loud',
      NODE_ENV: 'production',
    };
    expect(() => readConfig(env)).toThrow(
      new ConfigError([
        'PORT: expected a port from 0 to 65535, got "http"',
        'BASE_URL: expected an http or https address without a user name and a query, got "example.org"',
        'BODY_BYTES_MAX: expected a number of bytes from 1 to 104857600, got "100kb"',
        'LOG_LEVEL: expected one of fatal, error, warn, info, debug, trace, silent, got "loud"',
        'DATABASE_URL: expected sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE, percent-encoded, got "mysql://localhost"',
        'AUTH_TOKENS_FILE, AUTH_JWT_ISSUER: expected one of them if NODE_ENV is production, got neither',
      ]),
    );
  });

  it('is what --help and src/README.md list', () => {
    const rows = Object.values(variables).map(
      ({ name, shownDefault, meaning }) => `| \`${name}\` | ${shownDefault && `\`${shownDefault}\``} | ${meaning} |\n`,
    );
    expect(usage).toContain('  PORT                  the port where it listens; 0 picks one and prints it (3000)\n');
    expect(readFileSync('src/README.md', 'utf8')).toContain(`|---|---|---|\n${rows.join('')}\n`);
  });

  it('reports problems as readable lines', () => {
    expect(new ConfigError(['PORT: no', 'LOG_LEVEL: no']).message).toBe(
      'the environment is wrong:\n  PORT: no\n  LOG_LEVEL: no',
    );
  });
});
