import { expectError } from '../../support/errors';
import { ask, plantRequest } from '../../support/raw';
import { startService, type TestService } from '../../support/service';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});

const body = '{"id":1,"name":"Ficus"}';
const post = (target: string, to = service) =>
  ask(to.port, plantRequest(to, { line: `POST ${target} HTTP/1.1`, body }));

describe('a path', () => {
  it.each([
    ...['/', '/plant', '/plantss', '/plants/1', '/plants.json', '/plants;x=1', '/plants%2F', '/%2Fplants'],
    ...['/%2570lants', '/%2e/plants', '/plants%20', '/plants%00', '/./plants', '/plants/.', '/x/../plants'],
    ...['/plants#name', '/plants\\', '/:plants', '/*', '/__proto__', '/openapi.yaml', '/favicon.ico'],
  ])('that is not written as in the contract, such as %s, is none', async (target) => {
    expectError(await post(target), 40401, 'expected a path of the contract: /plants');
    expect(service.rows()).toEqual([]);
  });

  it.each(['/plants/', '/plants//', '//plants', '/Plants', '/PLANTS', '/%50lants'])(
    'that differs in letter case or slashes, such as %s, is none, and the answer says so',
    async (target) => {
      const message = 'expected a path of the contract: /plants, with its letter case and slashes';
      expectError(await post(target), 40401, message);
      expect(service.rows()).toEqual([]);
    },
  );

  it.each([
    ['slashes', '/'.repeat(10_000)],
    ['steps', `/${'a/'.repeat(5_000)}a`],
    ['percent signs', `/${'%41'.repeat(3_000)}`],
  ])('of thousands of %s is none', async (_what, target) => {
    expectError(await post(target), 40401, 'expected a path of the contract: /plants');
    expect(service.rows()).toEqual([]);
  });

  it('is the same where unreserved characters are percent-encoded (RFC 9110 section 4.2.3)', async () => {
    const fresh = await startService();
    const spellings = ['/%70lants', '/%70%6C%61%6e%74%73', 'http://localhost/plant%73', '/%70lants?'];
    for (const [id, target] of spellings.entries()) {
      const parts = { line: `POST ${target} HTTP/1.1`, body: `{"id":${id},"name":"Ficus"}` };
      const answer = await ask(fresh.port, plantRequest(fresh, parts));
      expect(answer).toMatchObject({ status: 200, body: '{"name":"Ficus"}' });
      expect(fresh.rows()).toHaveLength(id + 1);
    }
  });

  it('is found behind the path of BASE_URL, and nowhere else', async () => {
    const mounted = await startService({ basePath: '/api/v1.0' });
    for (const target of ['/plants', '/api/plants', '/api/v1x0/plants', '/api/v1.0', '/api/v1.0/'])
      expectError(await post(target, mounted), 40401, 'expected a path of the contract: /api/v1.0/plants');
    expect(mounted.rows()).toEqual([]);
    expect(await post('/api/v1.0/plants', mounted)).toMatchObject({ status: 200, body: '{"name":"Ficus"}' });
    expect(await post('/api/v1.0/plants?', mounted)).toMatchObject({ status: 200, body: '{"name":"Ficus"}' });
    const get = plantRequest(mounted, { line: 'GET /api/v1.0/plants HTTP/1.1' });
    expect(await ask(mounted.port, get, 'GET')).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    expect(mounted.rows()).toEqual([{ id: 1n, name: 'Ficus', tag: null }]);
  });
});

describe('a query parameter', () => {
  it.each([
    ['?x', '/query/x'],
    ['?x=', '/query/x'],
    ['?x=1', '/query/x'],
    ['?x=1&x=2', '/query/x'],
    ['?&&x', '/query/x'],
    ['?&', '/query/'],
    ['?=', '/query/'],
    ['?=1', '/query/'],
    ['??', '/query/%3F'],
    ['?[x]=1', '/query/%5Bx%5D'],
    ['?x[=1', '/query/x%5B'],
    ['?x[]=1', '/query/x%5B%5D'],
    ['?x[y]=1', '/query/x%5By%5D'],
    ['?%5Bx%5D=1', '/query/%5Bx%5D'],
    ['?x]=1', '/query/x%5D'],
    ['?__proto__=1', '/query/__proto__'],
    ['?__proto__[x]=1', '/query/__proto__%5Bx%5D'],
    ['?constructor[prototype][x]=1', '/query/constructor%5Bprototype%5D%5Bx%5D'],
    ['?hasOwnProperty', '/query/hasOwnProperty'],
    ['?_openapi[schema][path]=x', '/query/_openapi%5Bschema%5D%5Bpath%5D'],
    ['?name=Ficus', '/query/name'],
    ['?NAME=Ficus', '/query/NAME'],
    ['?access_token=x', '/query/access_token'],
    ['?%00', '/query/%00'],
    ['?%F0%9F%8C%B5', '/query/%F0%9F%8C%B5'],
    ['?a/b~c', '/query/a~1b~0c'],
    ['?%3Cscript%3E"', '/query/%3Cscript%3E%22'],
    ['?a+b', '/query/a%20b'],
    ['?%0D%0AX-Injected:%201', '/query/%0D%0AX-Injected%3A%201'],
  ])('that the contract does not declare, such as %s, is refused', async (query, pointer) => {
    expectError(await post(`/plants${query}`), 40002, `${pointer}: expected no parameter of this name, got one`);
    expect(service.rows()).toEqual([]);
  });

  it.each([
    ['a long name', `?${'x'.repeat(10_000)}=1`, `/query/${'x'.repeat(193)}`],
    ['thousands of parameters', `?${'x&'.repeat(5_000)}`, '/query/x'],
    ['thousands of none', `?${'&'.repeat(10_000)}`, '/query/'],
    ['thousands of brackets', `?${'['.repeat(10_000)}`, `/query/${'%5B'.repeat(193)}`],
  ])('is refused with a short answer for %s', async (_what, query, pointer) => {
    expectError(await post(`/plants${query}`), 40002, `${pointer}: expected no parameter of this name, got one`);
    expect(service.rows()).toEqual([]);
  });

  it('is not there where only a question mark is', async () => {
    expect(await post('/plants?')).toMatchObject({ status: 200, body: '{"name":"Ficus"}' });
    expect(service.rows()).toEqual([{ id: 1n, name: 'Ficus', tag: null }]);
  });
});
