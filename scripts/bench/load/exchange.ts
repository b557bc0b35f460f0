/**
 * The plants of the load, and what is sent and answered for each. The plant of an index is always the same, so that answers
 * and stored rows can be checked; ids are unique and below 2^53, which every peer keeps exactly.
 */
import { isDeepStrictEqual } from 'node:util';

export interface PlantContent {
  name: string;
  tag?: string;
}

/** In random order nearly every plant of a batch is on another page of the tree. */
export type IdOrder = 'random' | 'ascending';

/** Neighbours differ, so that an answer to another request is noticed. */
const CONTENTS: readonly [PlantContent, ...PlantContent[]] = [
  { name: 'Monstera deliciosa', tag: 'indoor' },
  { name: 'Ginkgo biloba', tag: 'tree' },
  { name: 'Strelitzia reginae', tag: 'indoor' },
  { name: 'Welwitschia mirabilis' },
  { name: 'Ficus lyrata', tag: 'indoor' },
  { name: 'Zantedeschia aethiopica', tag: 'garden' },
  { name: 'Dionaea muscipula', tag: 'bog' },
];

export function contentOf(index: number): PlantContent {
  return CONTENTS[index % CONTENTS.length] ?? CONTENTS[0];
}

const ID_MIN = 100_000_000_000;

/** The id of an index below 2^32, always of twelve digits; multiplying by an odd number permutes the indexes. */
export function idOf(index: number, order: IdOrder): number {
  return ID_MIN + (order === 'random' ? Math.imul(index, 0x9e3779b1) >>> 0 : index);
}

export class Exchange {
  private readonly templates: { before: string; after: string; answer: string }[];

  constructor(
    token: string,
    private readonly ids: IdOrder,
  ) {
    // Made once for each content: only the id differs, and all ids are equally long.
    this.templates = CONTENTS.map((content) => {
      const answer = JSON.stringify(content);
      const after = `,${answer.slice(1)}`;
      const head = [
        'POST /plants HTTP/1.1',
        'Host: 127.0.0.1',
        `Authorization: Bearer ${token}`,
        'Content-Type: application/json',
        `Content-Length: ${'{"id":'.length + String(ID_MIN).length + after.length}`,
      ];
      return { before: `${head.join('\r\n')}\r\n\r\n{"id":`, after, answer };
    });
  }

  /** The request that creates the plant of this index. */
  request(index: number): string {
    const template = this.templates[index % CONTENTS.length];
    return `${template?.before}${idOf(index, this.ids)}${template?.after}`;
  }

  /** What is wrong with its answer; undefined if nothing is. */
  fault(index: number, status: string, body: string): string | undefined {
    if (status !== '200') return `status ${status}: ${body.slice(0, 120)}`;
    if (body === this.templates[index % CONTENTS.length]?.answer) return undefined;
    return isJsonOf(body, contentOf(index)) ? undefined : `not the plant: ${body.slice(0, 120)}`;
  }
}

function isJsonOf(body: string, content: PlantContent): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(body), content);
  } catch {
    return false;
  }
}
