/** Serves the documentation page and the contract itself: the only paths that the contract does not declare. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { stringify } from 'yaml';
import { ApiError } from '../errors/api-error';
import type { Contract } from '../contract/operations';
import { ErrorCode } from '../errors/error-codes';
import { stringifyJson } from '../json/json';
import { requestId } from '../http/request-id';
import { isOverTls, send, STRICT_TRANSPORT, writeSlices } from '../http/send';
import { pathOf } from '../http/target';

/** The folder of the page's own files. They are not compiled: `dist/src/engine/docs` serves those of `src`. */
const PAGE = [join(__dirname, 'page'), join(__dirname, '../../../../src/engine/docs/page')].find(existsSync) ?? '';
const SWAGGER_UI = join(require.resolve('swagger-ui-dist/package.json'), '..');

/** The files served below `docs/`, each with its folder. */
const ASSETS: Readonly<Record<string, string>> = {
  'page.css': PAGE,
  'page.js': PAGE,
  'swagger-ui.css': SWAGGER_UI,
  'swagger-ui-bundle.js': SWAGGER_UI,
  'favicon-32x32.png': SWAGGER_UI,
};

/** The content security policy: only this origin, no inline scripts, no frames. Swagger UI's style sheet has images in `data:` URLs. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The paths of the pages. */
const PATHS = [
  '/docs',
  '/docs/',
  '/openapi.json',
  '/openapi.yaml',
  ...Object.keys(ASSETS).map((name) => `/docs/${name}`),
];

/** The path of the documentation page: `/docs`, or below `/-` if the contract declares the path of a page itself. */
export function docsPath({ operations }: Contract): '/docs' | '/-/docs' {
  return operations.some(({ path }) => PATHS.includes(path)) ? '/-/docs' : '/docs';
}

/** A function that answers requests for the documentation, and returns false for any other request. Without an address it always returns false. */
export function documentation(
  contract: Contract,
  basePath: string,
  baseUrl: (() => string) | undefined,
): (req: Request, res: Response) => boolean {
  if (!baseUrl) return () => false;
  const contractAs = (mediaType: string, textOf: (document: object) => string): ((res: Response) => void) => {
    let body: Buffer | undefined;
    return (res) => {
      body ??= Buffer.from(textOf({ ...contract.document, servers: [{ url: baseUrl() }] }));
      send(res.req, res, { status: 200, content: { mediaType, body } });
    };
  };
  const docs = docsPath(contract);
  const folder = docs.slice(0, -'/docs'.length);
  const pages = new Map<string, (res: Response) => void>([
    [docs, fileAt(PAGE, 'index.html')],
    [`${docs}/`, (res) => send(res.req, res, { status: 308, headers: { Location: '../docs' } })],
    [`${folder}/openapi.json`, contractAs('application/json', stringifyJson)],
    [`${folder}/openapi.yaml`, contractAs('application/yaml', yamlOf)],
    ...Object.entries(ASSETS).map(([name, files]) => [`${docs}/${name}`, fileAt(files, name)] as const),
  ]);
  refuseConflict(contract, [...pages.keys()]);

  return function serveDocumentation(req, res) {
    const path = pathOf(req.url);
    const page = path.startsWith(basePath) ? pages.get(path.slice(basePath.length)) : undefined;
    if (!page) return false;
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      throw new ApiError(ErrorCode.MethodNotAllowed, 'expected one of the methods GET, HEAD', {
        headers: { Allow: 'GET, HEAD' },
      });
    }
    page(res);
    return true;
  };
}

/** Throws if the contract declares one of these paths itself. */
function refuseConflict(contract: Contract, pages: readonly string[]): void {
  const declared = contract.operations.filter(({ path }) => pages.includes(path));
  if (declared.length === 0) return;
  const list = declared.map(({ path, at }) => `  ${contract.place(at.slice(0, 2))} ${path}`);
  throw new Error(`the contract declares paths of the documentation page, expected DOCS=off:\n${list.join('\n')}`);
}

/**
 * A function that sends a file from memory. If each answer read the file, it would hold a descriptor and a buffer while it waits behind
 * answers that the client does not read. Text is compressed once, on the first request for it.
 */
function fileAt(folder: string, name: string): (res: Response) => void {
  const bytes = readFileSync(join(folder, name));
  let digest: string | undefined; // computed on the first request, because it would delay startup
  let gzipped: Promise<Buffer> | undefined;
  const headers = {
    'Content-Security-Policy': POLICY,
    // Makes clients revalidate, so that an upgrade takes effect at once.
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept-Encoding',
  };
  const write = (res: Response, content: Buffer): void => {
    res.set('Content-Length', String(content.length));
    writeSlices(res, content);
  };
  return (res) => {
    digest ??= createHash('sha256').update(bytes).digest('base64url');
    const isGzip = extname(name) !== '.png' && res.req.acceptsEncodings('gzip', 'identity') === 'gzip';
    res.set({ ...headers, ETag: `"${digest}${isGzip ? '-gzip' : ''}"`, 'X-Request-Id': requestId(res.req) });
    res.type(extname(name));
    if (isOverTls(res.req)) res.set('Strict-Transport-Security', STRICT_TRANSPORT);
    if (res.req.fresh) return void res.status(304).end();
    if (!isGzip) return write(res, bytes);
    res.set('Content-Encoding', 'gzip');
    gzipped ??= promisify(gzip)(bytes);
    gzipped.then((content) => write(res, content)).catch(() => res.destroy());
  };
}

/** The document as YAML; lines of descriptions are not folded. */
function yamlOf(document: object): string {
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0, blockQuote: 'literal' });
}
