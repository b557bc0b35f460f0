/** The preferences of a request for its answer: `Prefer` (RFC 7240, with Prism's names), and `Accept`. */
import { ApiError, ErrorCode } from '../../engine';
import { isJson, withoutParameters } from '../../engine/reading';
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

/** Sorts media types by Accept, JSON first; without those that are not accepted, unless none is. */
export function inOrder(mediaTypes: readonly string[], accept = '*/*'): string[] {
  const ranges = accept.split(',').map((each) => {
    const [range = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    return { range, quality: Number(quality) || 0 };
  });
  const wanted = (mediaType: string): number => {
    const type = withoutParameters(mediaType);
    const matching = ranges.filter(({ range }) => isIn(type, range) || isIn(range, type));
    const nearest = matching.sort((a, b) => precision(b.range) - precision(a.range))[0];
    return nearest?.quality ?? 0;
  };
  const accepted = mediaTypes.filter((each) => wanted(each) > 0);
  const preference = (mediaType: string): number => wanted(mediaType) * 10 + (isJson(mediaType) ? 1 : 0);
  return [...(accepted.length > 0 ? accepted : mediaTypes)].sort((a, b) => preference(b) - preference(a));
}

function isIn(mediaType: string, range: string): boolean {
  return range === '*/*' || range === mediaType || (range.endsWith('/*') && mediaType.startsWith(range.slice(0, -1)));
}

function precision(range: string): number {
  return range === '*/*' ? 0 : range.endsWith('/*') ? 1 : 2;
}
