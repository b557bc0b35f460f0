/**
 * The plants of the load. The plant of an index is always the same, so that answers and stored rows can be checked; ids are below
 * 2^53, which every peer keeps exactly.
 */
export interface PlantContent {
  name: string;
  tag?: string;
}

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

export function idOf(index: number): number {
  return 100_000_000_000 + index;
}
