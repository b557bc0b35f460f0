/** Which operation a method and a path are of, and which texts its path parameters have. */
import { ApiError } from '../../../src/engine/errors/api-error';
import { createRouter } from '../../../src/engine/operation/router';

const routerOf = (lines: readonly string[], basePath = '') =>
  createRouter(
    lines.map((line) => {
      const [method = '', ...path] = line.split(' ');
      return { method, path: path.join(' ') };
    }),
    basePath,
  );

/** `GET /r/{id} {"id":"1"}` for a match, and an error's code otherwise. */
function found(router: ReturnType<typeof routerOf>, line: string): string {
  const [method = '', path = ''] = line.split(' ');
  try {
    const match = router.match(method, path);
    return `${match.plan.method} ${match.plan.path} ${JSON.stringify(match.path)}`;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${error.code} ${error.headers.Allow ?? ''}`;
  }
}

it.each<[routes: string[], basePath: string, answers: Record<string, string>]>([
  [
    ['GET /r/{id}', 'DELETE /r/{name}', 'GET /r/mine', 'POST /r/', 'GET /r/{id}/parts/{part}', 'GET /r/mine/parts/1'],
    '',
    {
      'GET /r/1': 'GET /r/{id} {"id":"1"}',
      'DELETE /r/1': 'DELETE /r/{name} {"name":"1"}',
      'HEAD /r/1': 'GET /r/{id} {"id":"1"}',
      'PUT /r/1': '40501 GET, DELETE, HEAD',
      'GET /r/mine': 'GET /r/mine {}',
      'DELETE /r/mine': '40501 GET, HEAD',
      'POST /r/': 'POST /r/ {}',
      'GET /r': '40401 ',
      'POST /r': '40401 ',
      'GET /r/1/': '40401 ',
      'GET /r/mine/parts/2': 'GET /r/{id}/parts/{part} {"id":"mine","part":"2"}',
      'GET /r/mine/parts/1': 'GET /r/mine/parts/1 {}',
      'GET /r//parts/2': '40401 ',
      'GET /r/a%2Fb': 'GET /r/{id} {"id":"a%2Fb"}',
      'GET /R/1': '40401 ',
      'get /r/1': '40501 GET, DELETE, HEAD',
      'GET /r/__proto__': 'GET /r/{id} {"id":"__proto__"}',
      'GET /__proto__': '40401 ',
    },
  ],
  [['GET /files/{name}', 'HEAD /files/{id}'], '', { 'HEAD /files/1': 'HEAD /files/{id} {"id":"1"}' }],
  [
    ['POST /v1/{id}:cancel', 'GET /v1/{id}', 'GET /v1/{name}.json', 'GET /v1/{from}-{to}.csv', 'GET /v1/v{version}x'],
    '',
    {
      'POST /v1/7:cancel': 'POST /v1/{id}:cancel {"id":"7"}',
      'POST /v1/7%3Acancel': '40501 GET, HEAD',
      'GET /v1/7%3acancel': 'GET /v1/{id} {"id":"7%3Acancel"}',
      'POST /v1/:cancel': '40501 GET, HEAD',
      'GET /v1/a.json': 'GET /v1/{name}.json {"name":"a"}',
      'GET /v1/a-b-c.csv': 'GET /v1/{from}-{to}.csv {"from":"a","to":"b-c"}',
      'GET /v1/-b.csv': 'GET /v1/{id} {"id":"-b.csv"}',
      'GET /v1/--.csv': 'GET /v1/{id} {"id":"--.csv"}',
      'GET /v1/---.csv': 'GET /v1/{from}-{to}.csv {"from":"-","to":"-"}',
      'GET /v1/v2x': 'GET /v1/v{version}x {"version":"2"}',
      'GET /v1/vx': 'GET /v1/{id} {"id":"vx"}',
    },
  ],
  [
    ['GET /a(b)+?!*:c', 'GET /über uns/{my-id}', 'GET /{a.b}/{a b}/x', 'GET /100%/{__proto__}'],
    '/rest/Train+Travel+API/1.0.0/{x}',
    {
      'GET /rest/Train+Travel+API/1.0.0/%7Bx%7D/a(b)+%3F!*:c': 'GET /a(b)+?!*:c {}',
      'GET /rest/Train%2BTravel%2BAPI/1.0.0/%7Bx%7D/a(b)+%3F!*:c': '40401 ',
      'GET /rest/Train+Travel+API/1.0.0/%7bx%7d/%c3%bcber%20uns/5': 'GET /über uns/{my-id} {"my-id":"5"}',
      'GET /rest/Train+Travel+API/1.0.0/{x}/1/2/x': 'GET /{a.b}/{a b}/x {"a.b":"1","a b":"2"}',
      'GET /rest/Train+Travel+API/1x0.0/{x}/1/2/x': '40401 ',
      'GET /rest/Train+Travel+API/1.0.0/{x}/100%25/1': 'GET /100%/{__proto__} {"__proto__":"1"}',
      'GET /a(b)+%3F!*:c': '40401 ',
    },
  ],
  [['GET /'], '/v1', { 'GET /v1/': 'GET / {}', 'GET /v1': '40401 ', 'GET /': '40401 ' }],
  [['GET /'], '', { 'GET /': 'GET / {}', 'GET //': '40401 ', 'GET *': '40401 ' }],
  [['GET /x({a/b})/{c}'], '', { 'GET /x(1)/2': 'GET /x({a/b})/{c} {"a/b":"1","c":"2"}', 'GET /x(1/2)/3': '40401 ' }],
])('of %j behind %p the first that fits is found', (routes, basePath, answers) => {
  const router = routerOf(routes, basePath);
  const got = Object.fromEntries(Object.keys(answers).map((line) => [line, found(router, line)]));
  expect(got).toEqual(answers);
});

it('tells the methods of a path', () => {
  const router = routerOf(['GET /r/{id}', 'DELETE /r/{name}']);
  expect(router.methodsOf('/r/1')).toEqual(['GET', 'DELETE', 'HEAD']);
  expect(router.methodsOf('/s/1')).toEqual([]);
});
