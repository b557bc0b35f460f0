import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { plantRequest, RawConnection, type RequestParts } from '../../support/raw';
import { startService, type TestService } from '../../support/service';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const REQUESTS = 3_000;
const AT_ONCE = 50;

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Sends that many requests and resolves to the statuses of the answers. */
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

/** Changes the letter case of a text: the bits of `index` say which letters become upper case. */
function spelling(text: string, index: number): string {
  return text.replaceAll(/./g, (letter, at: number) => ((index >> (at % 31)) & 1 ? letter.toUpperCase() : letter));
}

const body = '{"id":1,"name":"Ficus"}';

/** A request that is accepted, and different for each index in everything that a client can vary. */
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

/** A request that is refused, for a reason that is different for each index. */
const refused = (index: number): RequestParts => {
  const different: RequestParts[] = [
    { headers: { 'Content-Type': `application/json; v=${index}` }, body },
    { headers: { 'Content-Type': `application/x-${index}` } },
    { headers: { Authorization: `Bearer token-${index}` }, body },
    { line: `POST /plants/${index} HTTP/1.1`, body },
    { line: `POST /%70lants/%${(0x41 + (Math.abs(index) % 26)).toString(16)}${index} HTTP/1.1`, body },
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
    // Less than 500 bytes for each request: none is kept.
    expect(heapBytes() - before).toBeLessThan(500 * REQUESTS);
  });
});
