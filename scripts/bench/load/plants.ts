/**
 * The plants of the load: the plant of an index is always the same, so that whoever checks an answer or a row can
 * say what it has to be. Their ids are unique and below 2^53, which every peer keeps exactly.
 */

export interface PlantKind {
  name: string;
  tag?: string;
}

/** Random order makes nearly every plant of a batch another page of the tree; ascending order is kind to a store. */
export type IdOrder = 'random' | 'ascending';

/** What plants look like; neighbours differ, so that an answer that belongs to somebody else is noticed. */
const kinds: readonly [PlantKind, ...PlantKind[]] = [
  { name: 'Monstera deliciosa', tag: 'indoor' },
  { name: 'Ginkgo biloba', tag: 'tree' },
  { name: 'Strelitzia reginae', tag: 'indoor' },
  { name: 'Welwitschia mirabilis' },
  { name: 'Ficus lyrata', tag: 'indoor' },
  { name: 'Zantedeschia aethiopica', tag: 'garden' },
  { name: 'Dionaea muscipula', tag: 'bog' },
];

export function kindOf(index: number): PlantKind {
  return kinds[index % kinds.length] ?? kinds[0];
}

const idMin = 100_000_000_000;

/** The id of an index below 2^38, always of twelve digits. */
export function idOf(index: number, order: IdOrder): number {
  return idMin + (order === 'random' ? shuffled(index) : index);
}

const half = 2 ** 19;
const keys = [0x51f15e, 0x2c1b3c, 0x7ad870, 0x12fad5];

/** A Feistel network: every number below 2^38 becomes another one, and no two the same. */
function shuffled(index: number): number {
  let left = Math.floor(index / half) % half;
  let right = index % half;
  for (const key of keys) {
    const next = left ^ (Math.imul(right ^ key, 0x9e3779b1) >>> 13);
    left = right;
    right = next;
  }
  return left * half + right;
}
