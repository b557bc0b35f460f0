/** The examples that a contract gives: values that mean something to a server, and for some formats the only ones that can be made. */
import { type Document, examplesIn, type MediaType, resolve, type Schema } from '../../../engine/reading';
import { fromYaml, type Json } from '../../samples/json';

/** The examples of a media type or a parameter, and of its schema. */
export function examplesOf(document: Document, media: Pick<MediaType, 'example' | 'examples'>, schema: Schema): Json[] {
  const target = resolve(document, schema);
  const ofSchema = Array.isArray(target.examples) ? (target.examples as unknown[]) : [];
  const all = [...examplesIn(document, media), target.example, ...ofSchema];
  return all.filter((each) => each !== undefined).map(fromYaml);
}
