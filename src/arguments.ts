/** The command line of the service: everything is configured by environment variables, so there is little to say. */
import { parseArgs } from 'node:util';
import { messageOf } from './engine/http/api-error';
import { programVersion } from './project-root';

const usage = `npm start [-- --help | --version]

Serves the contract in openapi.yaml. Stops on SIGTERM and SIGINT, and reads the tokens file again on SIGHUP.

Variables (src/README.md says more):
  HOST, PORT             where it listens: 127.0.0.1, 3000
  BASE_URL               where clients reach it: http://localhost:PORT
  DATABASE_URL           where plants are kept: sqlite:data/plants.db
  DATABASE_CONNECTIONS   connections to PostgreSQL: 2
  DATABASE_BATCH_MAX     plants that share a transaction at most: 1000
  DATABASE_SHARDS        shards that Citus makes of the table
  AUTH_TOKENS_FILE       accepted tokens (npm run token -- NAME --add FILE); without it one is made for each run
  AUTH_JWT_ISSUER        accepts JWTs of this issuer, for the audience in AUTH_JWT_AUDIENCE
  AUTH_JWKS_URL          where the issuer's keys are, if its discovery document does not say
  CORS_ORIGINS           origins whose pages may call
  TRUST_PROXY            proxies that are believed about the client's address
  BODY_BYTES_MAX         larger bodies are refused: 102400
  KEEP_ALIVE_MS          how long idle connections are kept: 72000
  TLS_CERT, TLS_KEY      PEM files of a certificate and its key: serves HTTPS
  ADMIN_PORT             health and metrics: off
  DOCS                   the documentation page: on
  LOG_LEVEL              info
  NODE_ENV               production, development or test
`;

/** What to print instead of serving, if the arguments ask for that; throws where they are not understood. */
export function answerArguments(args: string[]): string | undefined {
  const options = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const;
  try {
    const { values } = parseArgs({ args, options });
    if (values.help) return usage;
    return values.version ? `${programVersion()}\n` : undefined;
  } catch (error) {
    throw new Error(`${messageOf(error)}\n\n${usage}`, { cause: error });
  }
}
