/** Servers of the books, ours and others: what they have in common is the contract. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import express, { type NextFunction, type Request, type Response } from 'express';
import { middleware } from 'express-openapi-validator';
import { readDocument } from '../../../src/engine/contract/bundle';
import { problemShape } from '../../../src/engine/errors/error-body';
import type { Credentials } from '../../../src/tools/conformance/verdict';
import { makeToken, tokens } from '../../../src/engine/auth/tokens';
import { type AnyRequest, contractOf, handlersOf } from '../../support/contracts';
import { listening } from '../../support/ports';
import { startService } from '../../support/service';

export const booksFile = join(__dirname, 'books', 'openapi.yaml');

/** A running server, and what it accepts. */
export interface Books {
  url: string;
  credentials: Credentials;
  close: () => unknown;
}

interface Book {
  isbn: string;
  sequel?: Book;
  note?: string;
}

/** As it is answered: with what is `readOnly`, and without what is `writeOnly`. */
function answered({ note: _, sequel, ...book }: Book): Book {
  const addedAt = { addedAt: '2026-01-01T00:00:00Z' };
  return { ...book, ...addedAt, ...(sequel && { sequel: answered(sequel) }) };
}

/** The engine's, which serves the two files as the one that they are. */
export async function startOurs(): Promise<Books> {
  const { token, line } = makeToken('tester', undefined, '*');
  const books = new Map<string, Book>();
  const service = await startService({
    contract: contractOf(JSON.stringify(readDocument(booksFile).value)),
    basePath: '/v2',
    errorBody: problemShape,
    tokens: tokens(line, 'the test'),
    handlers: handlersOf({
      listBooks: () => ({ status: 200, body: [...books.values()] }),
      addBook({ body }: AnyRequest) {
        const book = answered(body as Book);
        books.set(book.isbn, book);
        return { status: 201, body: book };
      },
      readBook({ path }: AnyRequest) {
        const book = books.get((path as Book).isbn);
        return book ? { status: 200, body: book } : { status: 404, body: { title: 'no such book' } };
      },
    }),
  });
  return {
    url: service.baseUrl,
    credentials: { user: `tester:${token}`, token, keys: { key: token, client: token, session: token } },
    close: () => service.close(),
  };
}

const SECRET = 's3cret';
const credentials: Credentials = {
  user: `ada:${SECRET}`,
  token: 'a.token',
  keys: { 'X-Key': SECRET, client: SECRET, session: SECRET },
};

/** One of Express and express-openapi-validator, as its guide has it. */
export function startExpress(): Promise<Books> {
  const books = new Map<string, Book>();
  const app = express().disable('x-powered-by').disable('etag');
  const problem = (res: Response, status: number, title: string): void => {
    if (status === 401) res.set('WWW-Authenticate', 'Basic');
    res.status(status).type('application/problem+json').send(JSON.stringify({ title, status }));
  };
  app.use(express.json({ strict: false }), function readCookies(req: Request, _res: Response, next: NextFunction) {
    const pairs = (req.headers.cookie ?? '').split('; ').map((pair) => pair.split('='));
    req.cookies = Object.fromEntries(pairs.filter(([name]) => name !== ''));
    next();
  });
  app.use(
    middleware({
      apiSpec: booksFile,
      validateFormats: false, // of isbn it would warn
      validateResponses: true,
      validateSecurity: {
        handlers: {
          user: ({ headers }) => headers.authorization === `Basic ${Buffer.from(`ada:${SECRET}`).toString('base64')}`,
          key: ({ headers }) => headers['x-key'] === SECRET,
          client: ({ query }) => query.client === SECRET,
          session: ({ cookies }) => (cookies as { session?: string }).session === SECRET,
          login: ({ headers }) => headers.authorization === 'Bearer a.token',
        },
      },
    }),
  );
  app.get('/v2/books', (_req, res) => void res.json([...books.values()]));
  app.post('/v2/books', (req, res) => {
    const book = answered(req.body as Book);
    books.set(book.isbn, book);
    res.status(201).json(book);
  });
  app.get('/v2/books/:isbn', (req, res) => {
    const book = books.get(req.params.isbn);
    if (book) res.json(book);
    else problem(res, 404, 'no such book');
  });
  app.use((error: Error & { status?: number }, _req: Request, res: Response, _next: NextFunction) =>
    problem(res, error.status ?? 500, error.message),
  );
  return serving(app);
}

/** One of a hundred lines less, which looks at nothing that it is sent. */
export function startCareless(): Promise<Books> {
  const book = { isbn: '9780306406157', title: 'On Trust', addedAt: 'yesterday', note: 'secret' };
  return serving((req, res) => {
    const isList = req.method === 'GET' && /^\/v2\/books(?:\?|$)/.test(req.url ?? '');
    res.writeHead(req.method === 'POST' ? 201 : 200, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify(isList ? [] : book));
  });
}

/** Any server that is given the bodies of its requests. */
export function servingBodies(
  answer: (req: IncomingMessage, res: ServerResponse, body: Buffer) => unknown,
): Promise<Books> {
  return serving((req, res) => void buffer(req).then((body) => answer(req, res, body)));
}

/** Any server. */
export async function serving(app: RequestListener): Promise<Books> {
  const server = createServer(app);
  return { url: `http://127.0.0.1:${await listening(server)}`, credentials, close: () => server.close() };
}
