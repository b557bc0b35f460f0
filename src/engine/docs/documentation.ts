/** Serves the documentation page and the contract itself: the only paths that the contract does not declare. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { ApiError } from '../errors/api-error';
import type { Contract } from '../contract/operations';
import { ErrorCode } from '../errors/error-codes';
import { stringifyJson } from '../json/json';
import { send } from '../http/send';
import { pathOf } from '../http/target';
import { createRouter } from '../operation/router';
import { yamlOf } from './yaml-text';

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

/** The path of the documentation page: `/docs`, below a `/-` for as long as the path of a page is that of an operation of the contract. */
export function docsPath({ operations }: Contract): string {
  const router = createRouter(operations, '');
  let folder = '';
  while (PATHS.some((path) => router.methodsOf(folder + path).length > 0)) folder += '/-';
  return `${folder}/docs`;
}

/** A function that answers requests for the documentation, and returns false for any other request. Without an address it always returns false. */
export function documentation(
  contract: Contract,
  basePath: string,
  baseUrl: (() => string) | undefined,
): (req: Request, res: Response) => boolean {
  if (!baseUrl) return () => false;
  const contractAs = (
    mediaType: string,
    textOf: (document: object) => string | Promise<string>,
  ): ((res: Response) => void) => {
    let made: Promise<Buffer> | undefined;
    const make = async (): Promise<Buffer> =>
      Buffer.from(await textOf({ ...contract.document, servers: [{ url: baseUrl() }] }));
    return (res) => {
      made ??= make();
      const sendWhole = (body: Buffer): void => send(res.req, res, { status: 200, content: { mediaType, body } });
      made.then(sendWhole).catch(() => res.destroy());
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

/**
 * A function that sends a file from memory. If each answer read the file, it would hold a descriptor and a buffer while it waits behind
 * answers that the client does not read. Text is compressed once, on the first request for it.
 */
function fileAt(folder: string, name: string): (res: Response) => void {
  const bytes = readFileSync(join(folder, name));
  let digest: string | undefined; // computed on the first request, because it would delay startup
  let gzipped: Promise<Buffer> | undefined;
  return (res) => {
    const { req } = res;
    digest ??= createHash('sha256').update(bytes).digest('base64url');
    const isGzip = extname(name) !== '.png' && req.acceptsEncodings('gzip', 'identity') === 'gzip';
    const headers = {
      'Content-Security-Policy': POLICY,
      // Makes clients revalidate, so that an upgrade takes effect at once.
      'Cache-Control': 'no-cache',
      Vary: 'Accept-Encoding',
      ...(isGzip && { 'Content-Encoding': 'gzip' }),
    };
    res.set('ETag', `"${digest}${isGzip ? '-gzip' : ''}"`);
    if (req.fresh) return send(req, res, { status: 304, headers });
    const mediaType = res.type(extname(name)).get('Content-Type') ?? '';
    const sendWhole = (body: Buffer): void => send(req, res, { status: 200, headers, content: { mediaType, body } });
    if (!isGzip) return sendWhole(bytes);
    gzipped ??= promisify(gzip)(bytes);
    gzipped.then(sendWhole).catch(() => res.destroy());
  };
}
