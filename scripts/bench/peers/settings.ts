/** The settings of every peer, from the environment: port, database, token. */
function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set`);
  return value;
}

export const settings = {
  host: '127.0.0.1',
  port: Number(process.env.PORT ?? 0),
  /** The path of the SQLite file. */
  database: required('DATABASE'),
  /** The one bearer token that is accepted. */
  token: required('TOKEN'),
  /** The contract; the bench starts every server in the root of the project. */
  contract: './openapi.yaml',
};
