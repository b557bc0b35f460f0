/** express-openapi-validator's own middleware in an Express app, as its guide mounts it. */
import { createServer } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import { middleware } from 'express-openapi-validator';
import { type Document, schemeKind, type SecurityScheme } from '../../../../src/engine/contract/document';
import { listening } from '../../../support/ports';

/** A running server. */
export interface Running {
  port: number;
  close: () => unknown;
}

/** Serves a contract: 204 to a request that the middleware lets through; a refusal has its reason as text. */
export async function startMiddleware(file: string, document: Document, secret: string): Promise<Running> {
  const app = express();
  app.use(express.json(), express.text(), express.urlencoded({ extended: false }), readCookies);
  const schemes = Object.entries(document.components?.securitySchemes ?? {});
  app.use(
    middleware({
      apiSpec: file,
      validateRequests: true,
      validateSecurity: { handlers: Object.fromEntries(schemes.map(([name, each]) => [name, accepts(each, secret)])) },
      formats: UNCHECKED,
    }),
  );
  app.use((_req: Request, res: Response) => void res.status(204).end());
  app.use((error: Error & { status?: number }, _req: Request, res: Response, _next: NextFunction) => {
    res
      .status(error.status ?? 500)
      .type('text/plain')
      .send(error.message);
  });
  const server = createServer(app);
  return { port: await listening(server), close: () => server.close() };
}

/** Formats that it does not know: without them it warns on the console. */
const UNCHECKED = Object.fromEntries(
  ['idn-email', 'idn-hostname', 'iri', 'iri-reference', 'iso-country-code'].map((name) => [name, true as const]),
);

/** In place of cookie-parser. */
function readCookies(req: Request, _res: Response, next: NextFunction): void {
  const pairs = (req.headers.cookie ?? '').split('; ').map((pair) => pair.split('='));
  req.cookies = Object.fromEntries(pairs.filter(([name]) => name !== ''));
  next();
}

/** Its handler of a security scheme. */
function accepts(scheme: SecurityScheme, secret: string): (req: Request) => boolean {
  const { name = '' } = scheme;
  const kind = schemeKind(scheme);
  if (kind === 'apiKey in header') return ({ headers }) => headers[name.toLowerCase()] === secret;
  if (kind === 'apiKey in query') return ({ query }) => query[name] === secret;
  if (kind === 'apiKey in cookie') return ({ cookies }) => (cookies as Record<string, string>)[name] === secret;
  // Any user, as the mock does.
  const password = (text = ''): string | undefined =>
    /^Basic (.*)$/.test(text) ? Buffer.from(text.slice(6), 'base64').toString().split(':')[1] : undefined;
  return ({ headers: { authorization } }) =>
    kind === 'http basic' ? password(authorization) === secret : authorization === `Bearer ${secret}`;
}
