/**
 * What the server is known to have: the values of requests that it accepted and of its answers, by path and name. Reading or
 * changing something is only interesting where there is something: `GET /plants/{plantId}` is asked for an `id` of `/plants`.
 */
import { isObject, type Json } from './json';

/** How many values of a name are kept: the last ones, so that those at the edges are among them. */
const KEPT_MAX = 40;

export class Memory {
  /** By the path, and by the name in lower case without punctuation. */
  private readonly known = new Map<string, Map<string, Json[]>>();

  /** Keeps the scalar properties of an object, or of each object in an array. */
  keep(path: string, value: Json): void {
    if (Array.isArray(value)) {
      value.forEach((each) => this.keep(path, each));
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) this.keepValue(path, plain(name), member);
    }
  }

  private keepValue(path: string, name: string, value: Json): void {
    if (typeof value === 'object' || name === '') return;
    const names = this.known.get(path) ?? new Map<string, Json[]>();
    const values = (names.get(name) ?? []).filter((each) => each !== value);
    this.known.set(path, names.set(name, [...values, value].slice(-KEPT_MAX)));
  }

  /** Values of the name, and of names that it ends with, from the paths that the path begins with. */
  recall(path: string, name: string): Json[] {
    const wanted = plain(name);
    const above = [...this.known].filter(([each]) => `${path}/`.startsWith(`${each}/`));
    return above.flatMap(([, names]) =>
      [...names].flatMap(([known, values]) => (wanted.endsWith(known) ? values : [])),
    );
  }
}

/** `plant_id`, `plantId` and `Plant-Id` are one name. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
