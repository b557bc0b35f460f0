/** The text of one request, and what its answer has to be. */
import { isDeepStrictEqual } from 'node:util';
import { idOf, type IdOrder, kindOf, type PlantKind } from './plants';

interface Template {
  before: string;
  after: string;
  answer: string;
}

export class Exchange {
  readonly #token: string;
  readonly #ids: IdOrder;
  readonly #templates = new Map<PlantKind, Template>();

  constructor(token: string, ids: IdOrder) {
    this.#token = token;
    this.#ids = ids;
  }

  /** The request that creates the plant of this index. Its head is what a small client sends. */
  request(index: number): string {
    const { before, after } = this.#template(kindOf(index));
    return before + String(idOf(index, this.#ids)) + after;
  }

  /** What is wrong with this answer to it; undefined if nothing is. */
  fault(index: number, status: string, body: string): string | undefined {
    if (status !== '200') return `status ${status}: ${body.slice(0, 120)}`;
    const kind = kindOf(index);
    if (body === this.#template(kind).answer || isPlant(body, kind)) return undefined;
    return `not the plant: ${body.slice(0, 120)}`;
  }

  #template(kind: PlantKind): Template {
    let template = this.#templates.get(kind);
    if (template === undefined) {
      template = makeTemplate(kind, this.#token);
      this.#templates.set(kind, template);
    }
    return template;
  }
}

/** All ids have the same number of digits, so the length of the body is known without the id. */
function makeTemplate(kind: PlantKind, token: string): Template {
  const answer = JSON.stringify(kind);
  const after = `,${answer.slice(1)}`;
  const length = '{"id":'.length + String(idOf(0, 'ascending')).length + after.length;
  const head = [
    'POST /plants HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
  ];
  return { before: `${head.join('\r\n')}\r\n\r\n{"id":`, after, answer };
}

/** Whether the body says the same in other bytes. */
function isPlant(body: string, kind: PlantKind): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(body), kind);
  } catch {
    return false;
  }
}
