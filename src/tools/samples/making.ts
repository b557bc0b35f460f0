/** How values are made of a schema, and how large. */
import type { Annotation, Document, Schema } from '../../engine/reading';
import type { Json } from './json';

/** Any values, or `full` ones: with optional properties as far as there is room, and without empty arrays. */
export type Extent = 'any' | 'full';

/** How values are made. */
export interface Making {
  document: Document;
  extent: Extent;
  /** Properties with this annotation are left out. */
  without?: Annotation | undefined;
  /** The contract's examples of a schema; values are then to be plausible to a person. */
  examplesOf?: (schema: Schema) => readonly Json[];
}

/** How much of what is optional a value may still hold. */
export interface Room {
  size: number;
  depth: number;
}

/** Values of more parts and characters than these are not made. */
export const SIZE_MAX = 100_000;
