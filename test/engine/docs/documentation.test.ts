import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { parse } from 'yaml';
import { normalize } from '../../../src/engine/contract/normalize';
import { contractOf, handlersOf, engineContractText } from '../../support/contracts';
import { startService, type TestService } from '../../support/service';

const contract = parse(engineContractText) as object;
normalize(contract);
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const PAGES = ['/docs', '/docs/', '/docs/page.js', '/openapi.json', '/openapi.yaml'];

describe('the documentation', () => {
  describe('below a base path', () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService({ docs: true, basePath: '/garden/v1' });
    });
    const get = (path: string, init?: RequestInit) => fetch(service.baseUrl + path, { redirect: 'manual', ...init });

    it('has a page with a policy that lets nothing in from elsewhere', async () => {
      const answer = await get('/docs');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('content-security-policy')).toBe(POLICY);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      const html = await answer.text();
      expect(html).not.toMatch(/<script(?! src="docs\/[\w.-]+"><\/script>)|<style| on\w+=|https?:/);
      for (const [, path = ''] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
        expect([path, (await get(`/${path}`)).status]).toEqual([path, 200]);
      }
    });

    it.each(['/docs', '/docs/swagger-ui-bundle.js'])('sends %s whole, and not again to who has it', async (path) => {
      const answer = await get(path, { headers: { 'Accept-Encoding': 'identity' } });
      const text = await answer.text();
      expect(Buffer.byteLength(text)).toBe(Number(answer.headers.get('content-length')));
      expect(answer.headers.get('content-encoding')).toBeNull();
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      for (const encoding of ['identity', 'gzip, br']) {
        const headers = { 'Accept-Encoding': encoding, 'Cache-Control': '' };
        const etag = (await get(path, { headers })).headers.get('etag') ?? '';
        const again = await get(path, { headers: { ...headers, 'If-None-Match': etag } });
        expect([again.status, await again.text()]).toEqual([304, '']);
        const other = await get(path, { headers: { ...headers, 'If-None-Match': '"other"' } });
        expect([other.status, await other.text()]).toEqual([200, text]);
      }
    });

    it('sends text compressed to who takes that, under another tag', async () => {
      const path = '/docs/swagger-ui-bundle.js';
      const plain = await get(path, { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip;q=0' } });
      const answer = await get(path, { headers: { 'Accept-Encoding': 'deflate, gzip;q=0.5' } });
      expect(answer.headers.get('content-encoding')).toBe('gzip');
      expect(answer.headers.get('vary')).toBe('Accept-Encoding');
      expect(answer.headers.get('etag')).toBe(plain.headers.get('etag')?.replace(/"$/, '-gzip"'));
      expect(Number(answer.headers.get('content-length'))).toBeLessThan(
        Number(plain.headers.get('content-length')) / 3,
      );
      expect(plain.headers.get('content-length')).toBe(String(Buffer.byteLength(await answer.text())));
      const picture = await get('/docs/favicon-32x32.png');
      expect(picture.headers.get('content-encoding')).toBeNull();
    });

    it('is found with a slash at its end, too', async () => {
      const answer = await get('/docs/');
      expect(answer.status).toBe(308);
      expect(new URL(answer.headers.get('location') ?? '', answer.url).href).toBe(`${service.baseUrl}/docs`);
    });

    it.each<[path: string, mediaType: string, read: (text: string) => unknown]>([
      ['/openapi.json', 'application/json', JSON.parse],
      ['/openapi.yaml', 'application/yaml', (text) => parse(text) as unknown],
    ])('has the contract at %s, with the address of the service', async (path, mediaType, read) => {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe(mediaType);
      expect(read(await answer.text())).toEqual({ ...contract, servers: [{ url: service.baseUrl }] });
    });

    it.each(PAGES)('has the headers of every answer at %s, and gives the id of the request back', async (path) => {
      const { headers } = await get(path, { headers: { 'X-Request-Id': 'web-1' } });
      expect(headers.get('x-request-id')).toBe('web-1');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
      expect(headers.get('cache-control')).toMatch(/^no-(?:store|cache)$/);
      expect(headers.has('strict-transport-security')).toBe(false);
    });

    it.each(PAGES)('takes no other method at %s', async (path) => {
      const answer = await get(path, { method: 'POST', body: '{}' });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('GET, HEAD');
      expect(await answer.json()).toEqual({ error: 40501, message: 'expected one of the methods GET, HEAD' });
      const head = await get(path, { method: 'HEAD' });
      expect(head.status).toBe(path === '/docs/' ? 308 : 200);
      expect(await head.text()).toBe('');
    });

    it.each([
      ...['/', '/docs/index.html', '/docs/package.json', '/docs/swagger-ui.js', '/docs/%2E%2E%2Fpage.js', '/Docs'],
      '/openapi',
    ])('has nothing at %s', async (path) => {
      const answer = await get(path);
      expect(answer.status).toBe(404);
      const message = `expected a path of the contract, see ${service.baseUrl}/docs`;
      expect(await answer.json()).toEqual({ error: 40401, message });
    });

    it.each(['/plant', '/plants/1', '/v2/plants'])('is named beside the path that is near %s', async (path) => {
      const message = `expected a path of the contract: /garden/v1/plants, see ${service.baseUrl}/docs`;
      expect(await (await get(path)).json()).toEqual({ error: 40401, message });
      expect(await (await fetch(new URL('/plants', service.baseUrl))).json()).toEqual({ error: 40401, message });
    });
  });

  it('is at the root if there is no base path', async () => {
    const { baseUrl } = await startService({ docs: true });
    for (const path of PAGES) expect([path, (await fetch(baseUrl + path)).status]).toEqual([path, 200]);
    const served: unknown = await (await fetch(`${baseUrl}/openapi.json`)).json();
    expect(served).toEqual({ ...contract, servers: [{ url: baseUrl }] });
  });

  it('writes a large contract as YAML while it answers others', async () => {
    const schemas = Array.from(
      { length: 1_000 },
      (_, index) => `    S${index}: { type: string, description: "One. Two." }`,
    );
    const file = contractOf(`
paths: { /notes: { get: { operationId: notes, security: [], responses: { '200': { description: Mine. } } } } }
components:
  schemas:
${schemas.join('\n')}
`);
    const handlers = handlersOf({ notes: () => ({ status: 200 }) });
    const { baseUrl } = await startService({ contract: file, handlers, docs: true });
    const answered: string[] = [];
    const ask = async (path: string): Promise<string> => {
      const text = await (await fetch(baseUrl + path)).text();
      answered.push(path);
      return text;
    };
    await ask('/notes');
    const [text] = await Promise.all([ask('/openapi.yaml'), ask('/notes')]);
    expect(answered).toEqual(['/notes', '/notes', '/openapi.yaml']);
    const served: unknown = await (await fetch(`${baseUrl}/openapi.json`)).json();
    expect(parse(text)).toEqual(served);
  });

  it('writes texts as YAML that readers of version 1.1 take for texts', async () => {
    const file = contractOf(`
paths: { /notes: { get: { operationId: notes, security: [], responses: { '200': { description: Mine. } } } } }
components: { schemas: { Country: { description: "One.\\u2028Two.", enum: ['SE', 'NO', 'on', '2020-01-01', '12:30', '1_000', '0x1', '.5'] } } }
`);
    const handlers = handlersOf({ notes: () => ({ status: 200 }) });
    const { baseUrl } = await startService({ contract: file, handlers, docs: true });
    const served: unknown = await (await fetch(`${baseUrl}/openapi.json`)).json();
    const text = await (await fetch(`${baseUrl}/openapi.yaml`)).text();
    for (const version of ['1.1', '1.2'] as const) expect(parse(text, { version })).toEqual(served);
  });

  it('writes in quotes what readers of version 1.1 cannot read without, and a fraction before each exponent', async () => {
    const file = contractOf(`
paths: { /notes: { get: { operationId: notes, security: [], responses: { '200': { description: "1\\t2" } } } } }
components: { schemas: { Operator: { enum: ['=', '<<', "\\x7f", 1e-7, 2e+21, 1.5e300] } } }
`);
    const handlers = handlersOf({ notes: () => ({ status: 200 }) });
    const { baseUrl } = await startService({ contract: file, handlers, docs: true });
    const text = await (await fetch(`${baseUrl}/openapi.yaml`)).text();
    expect(text).toContain(String.raw`description: "1\t2"`);
    const values = ["'='", "'<<'", String.raw`"\u007f"`, '1.0e-7', '2.0e+21', '1.5e+300'];
    expect(text).toContain(`enum:\n${values.map((value) => `        - ${value}\n`).join('')}`);
  });

  it('sends a large contract no faster than it is read', async () => {
    const text = 'x'.repeat(20_000_000);
    const file = contractOf(`openapi: 3.1.0
info: { title: Large, version: 1.0.0, description: ${text} }
paths: { /notes: { get: { operationId: notes, security: [], responses: { '200': { description: Mine. } } } } }
`);
    const handlers = handlersOf({ notes: () => ({ status: 200 }) });
    const { server, port, baseUrl } = await startService({ contract: file, handlers, docs: true });
    const served = once(server, 'connection') as Promise<[Socket]>;
    const client = connect(port, '127.0.0.1').pause();
    client.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n');
    const [socket] = await served;
    await once(socket, 'drain');
    expect(socket.bytesWritten).toBeLessThan(text.length);
    client.destroy();
    expect(await (await fetch(`${baseUrl}/openapi.json`)).text()).toContain(text);
  });

  it('varies with the origin as well where pages of others may read it', async () => {
    const { baseUrl } = await startService({ docs: true, corsOrigins: ['https://app.example'] });
    const { headers } = await fetch(`${baseUrl}/docs`, { headers: { Origin: 'https://app.example' } });
    expect(headers.get('vary')).toBe('Origin, Accept-Encoding');
  });

  it('is not there where it is switched off, and unknown paths name those that there are', async () => {
    const { baseUrl } = await startService({});
    for (const path of ['/', ...PAGES]) {
      const answer = await fetch(baseUrl + path);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({ error: 40401, message: 'expected a path of the contract: /plants' });
    }
  });

  describe('gives way to a contract that declares one of its paths', () => {
    const declaring = (...paths: string[]) => {
      const operations = paths.map((path, index) => {
        const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        const parameters = names.map((name) => `{ name: ${name}, in: path, required: true, schema: { type: string } }`);
        const get = `operationId: get${index}, security: [], parameters: [${parameters.join()}]`;
        return `  '${path}': { get: { ${get}, responses: { '204': { description: Mine. } } } }\n`;
      });
      const handlers = Object.fromEntries(paths.map((_, index) => [`get${index}`, () => ({ status: 204 })]));
      return { contract: contractOf(`\npaths:\n${operations.join('')}`), handlers: handlersOf(handlers), docs: true };
    };

    it('and is below a third one where it declares the other as well', async () => {
      const { baseUrl } = await startService(declaring('/docs', '/-/docs/page.js'));
      for (const path of PAGES) expect([path, (await fetch(`${baseUrl}/-/-${path}`)).status]).toEqual([path, 200]);
    });

    it('and to one that has an operation at one of them, by whatever template', async () => {
      const { baseUrl } = await startService(declaring('/{slug}'));
      for (const path of ['/docs', '/openapi.json']) expect((await fetch(baseUrl + path)).status).toBe(204);
      for (const path of PAGES) expect([path, (await fetch(`${baseUrl}/-${path}`)).status]).toEqual([path, 200]);
    });

    it('and is below another one then', async () => {
      const { baseUrl } = await startService(declaring('/docs', '/docs/page.js'));
      expect((await fetch(`${baseUrl}/docs`)).status).toBe(204);
      for (const path of PAGES) expect([path, (await fetch(`${baseUrl}/-${path}`)).status]).toEqual([path, 200]);
      const { message } = (await (await fetch(`${baseUrl}/other`)).json()) as { message: string };
      expect(message).toBe(`expected a path of the contract, see ${baseUrl}/-/docs`);
    });
  });
});
