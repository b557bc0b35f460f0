/** Options for making values of a schema, and limits of their size. */
import type { Annotation, Document, Schema } from '../../engine/reading';
import type { Json } from './json';

/** Any values, or `full` ones: with optional properties as far as there is room, and without empty arrays. */
export type Extent = 'any' | 'full';

/** Options for making values. */
export interface Making {
  document: Document;
  extent: Extent;
  /** Properties with this annotation are left out. */
  without?: Annotation | undefined;
  /** The contract's examples of a schema; values are then to be plausible to a person. */
  examplesOf?: (schema: Schema) => readonly Json[];
}

/** The number of optional parts that a value may still hold, and their depth. */
export interface Room {
  size: number;
  depth: number;
}

/** The greatest number of parts and characters of a value. */
export const SIZE_MAX = 100_000;

/** The most names of properties that are made up. */
export const NAMES_MAX = 1_000;
