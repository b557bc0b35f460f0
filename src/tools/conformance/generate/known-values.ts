/**
 * Values that the server has accepted or answered, by path and property name, to fill in parameters: `GET /notes/{noteId}`
 * is only interesting with an `id` that `/notes` knows.
 */
import { isObject, type Json, JsonNumber } from '../../samples/json';

/** The last ones are kept, so that values at the edges are among them. */
const KEPT_MAX = 40;

export class KnownValues {
  private readonly paths = new Map<string, Map<string, Json[]>>();

  /** Keeps the scalar properties of an object, or of every object in an array. */
  add(path: string, value: Json): void {
    if (Array.isArray(value)) {
      for (const each of value) this.add(path, each);
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) this.addProperty(path, normalized(name), member);
    }
  }

  /** Values of properties whose name the parameter's name ends with, from the paths that its own path begins with. */
  find(path: string, parameter: string): Json[] {
    const wanted = normalized(parameter);
    const above = [...this.paths].filter(([each]) => `${path}/`.startsWith(`${each}/`));
    return above.flatMap(([, names]) => [...names].flatMap(([name, values]) => (wanted.endsWith(name) ? values : [])));
  }

  private addProperty(path: string, name: string, value: Json): void {
    const isScalar = value instanceof JsonNumber || typeof value !== 'object';
    if (!isScalar || name === '') return;
    const names = this.paths.get(path) ?? new Map<string, Json[]>();
    this.paths.set(path, names.set(name, [...(names.get(name) ?? []), value].slice(-KEPT_MAX)));
  }
}

/** `note_id`, `noteId` and `Note-Id` are one name. */
function normalized(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
