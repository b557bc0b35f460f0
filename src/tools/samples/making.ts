/** How values are made of a schema, and how large. */
import type { Document, Schema } from '../../engine/reading';
import type { Json } from './json';

/** Which values: any, or `full` ones, in which optional properties are there as far as there is room, and no array is empty. */
export type Extent = 'any' | 'full';

/** Of requests what is `readOnly` is left out, of answers what is `writeOnly`. */
export type Direction = 'readOnly' | 'writeOnly';

/** How values are made. */
export interface Making {
  document: Document;
  extent: Extent;
  /** Properties with this annotation are left out. */
  without?: Direction | undefined;
  /** If they are to be plausible to a person: what the contract gives as examples of a schema. */
  examplesOf?: (schema: Schema) => readonly Json[];
}

/** How much of what is optional a value may still hold. */
export interface Room {
  size: number;
  depth: number;
}

/** Values of more parts and characters than these are not made. */
export const SIZE_MAX = 100_000;
