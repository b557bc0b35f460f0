import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { plantRequest, RawConnection, type RequestParts } from '../support/raw';
import { startService, type TestService } from '../support/service';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const REQUESTS = 3_000;
const AT_ONCE = 50;

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Sends as many different requests, and resolves to the statuses they were answered with. */
async function send(count: number, request: (index: number) => RequestParts): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let sent = 0; sent < count; sent += AT_ONCE) {
    const connection = await RawConnection.open(service.port);
    for (let index = sent; index < sent + AT_ONCE; index++) connection.send(plantRequest(service, request(index)));
    for (let answered = 0; answered < AT_ONCE; answered++) statuses.add((await connection.answer()).status);
    connection.destroy();
  }
  service.logged.length = 0;
  return statuses;
}

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Another spelling of the text for each number: the bits say which letters are large. */
function spelling(text: string, index: number): string {
  return text.replaceAll(/./g, (letter, at: number) => ((index >> (at % 31)) & 1 ? letter.toUpperCase() : letter));
}

const body = '{"id":1,"name":"Ficus"}';

/** Differs from all others in everything that a client can vary, and is accepted. */
const accepted = (index: number): RequestParts => ({
  headers: {
    Host: `host-${index}`,
    'Content-Type': spelling('application/json; charset=utf-8', index),
    Accept: `text/x-${index}, */*;q=0.${index}`,
    'Accept-Language': `x-${index}`,
    'User-Agent': `client-${index}`,
    Cookie: `cookie-${index}=${index}`,
    Origin: `http://origin-${index}`,
    'If-None-Match': `"${index}"`,
    'X-Forwarded-For': `10.0.0.${index}`,
    [`X-Header-${index}`]: `${index}`,
  },
  body: `{"id":1,"name":"Ficus","key-${index}":{"key-${index}":${index}.5}}`,
});

/** Differs from all others in what it is refused for. */
const refused = (index: number): RequestParts => {
  const different: RequestParts[] = [
    { headers: { 'Content-Type': `application/json; v=${index}` }, body },
    { headers: { 'Content-Type': `application/x-${index}` } },
    { headers: { Authorization: `Bearer token-${index}` }, body },
    { line: `POST /plants/${index} HTTP/1.1`, body },
    { line: `POST /plants?q${index}=${index} HTTP/1.1`, body },
    { body: `{"id":"${index}","name":${index},"key-${index}":1}` },
    { body: `{"key-${index}":"${index}` },
  ];
  return different[Math.abs(index) % different.length] ?? {};
};

describe('memory', () => {
  it.each<[what: string, statuses: number[], request: (index: number) => RequestParts]>([
    ['accepted', [200], accepted],
    ['refused', [400, 401, 404, 415], refused],
  ])('does not grow with 3,000 requests that are %s, no two of them alike', async (_what, statuses, request) => {
    await send(500, (index) => request(-index));
    const before = heapBytes();
    expect([...(await send(REQUESTS, request))].sort()).toEqual(statuses);
    // 500 bytes for each request would be more than this.
    expect(heapBytes() - before).toBeLessThan(500 * REQUESTS);
  });
});
