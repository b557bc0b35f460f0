/** The preferences of a request for its answer: `Prefer` (RFC 7240, with Prism's names), and `Accept`. */
import { ApiError, ErrorCode } from '../../engine';
import { isJson, isWithin, parametersOf, withoutParameters } from '../../engine/reading';
import { sayValue } from '../../engine/tooling';

export interface Preferences {
  /** The status of the answer. */
  code?: string;
  /** The name of an example. */
  example?: string;
  /** True if the answer is to be made from the schema, in spite of examples. */
  dynamic?: boolean;
}

/** Parses a Prefer header, and ignores other preferences; throws an ApiError of 400 for a `dynamic` that is neither true nor false. */
export function preferencesIn(prefer: string | string[] = ''): Preferences {
  const found: Preferences = {};
  for (const each of [prefer].flat().join().split(/[,;]/)) {
    const [before = '', ...after] = each.split('=');
    const name = before.trim();
    const value = after
      .join('=')
      .trim()
      .replace(/^"([^"]*)"$/, '$1');
    if (name === 'code' || name === 'example') found[name] = value;
    if (name !== 'dynamic') continue;
    if (!/^(?:true|false|)$/.test(value)) throw unmet('dynamic to be true or false', value);
    found.dynamic = value !== 'false';
  }
  return found;
}

/** The error for a preference that the contract cannot meet. */
export function unmet(expected: string, got: string): ApiError {
  return new ApiError(ErrorCode.MalformedRequest, `Prefer: expected ${expected}, got ${sayValue(got)}`);
}

/** A range of an Accept header; what is in quotes may have commas. */
const RANGE = /(?:"[^"]*"|[^",])+/g;

interface Range {
  type: string;
  parameters: [name: string, value: string][];
  quality: number;
}

/** Sorts media types by Accept, JSON first; without those that are not accepted, unless none is. */
export function inOrder(mediaTypes: readonly string[], accept = '*/*'): string[] {
  const ranges = (accept.toLowerCase().match(RANGE) ?? []).map((each): Range => {
    const all = parametersOf(each);
    const quality = all.find(([name]) => name === 'q')?.[1] ?? '1';
    const parameters = all.filter(([name]) => name !== 'q');
    return { type: withoutParameters(each).trimStart(), parameters, quality: Number(quality) || 0 };
  });
  const wanted = (mediaType: string): number => {
    const matching = ranges.filter((range) => isIn(mediaType, range));
    const nearest = matching.sort((a, b) => precision(b) - precision(a))[0];
    return nearest?.quality ?? 0;
  };
  const accepted = mediaTypes.filter((each) => wanted(each) > 0);
  const preference = (mediaType: string): number => wanted(mediaType) * 10 + (isJson(mediaType) ? 1 : 0);
  return [...(accepted.length > 0 ? accepted : mediaTypes)].sort((a, b) => preference(b) - preference(a));
}

/** True if a media type, which may be a range itself, fits a range: it has all of its parameters (RFC 9110 section 12.5.1), in UTF-8. */
function isIn(mediaType: string, { type, parameters }: Range): boolean {
  const own = new Map([['charset', 'utf-8'], ...parametersOf(mediaType.toLowerCase())]);
  const name = withoutParameters(mediaType);
  return (isWithin(name, type) || isWithin(type, name)) && parameters.every(([key, value]) => own.get(key) === value);
}

function precision({ type, parameters }: Range): number {
  return (type === '*/*' ? 0 : type.endsWith('/*') ? 2 : 4) + (parameters.length > 0 ? 1 : 0);
}
