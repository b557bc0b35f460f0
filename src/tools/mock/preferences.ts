/** What a request prefers of what the contract declares: `Prefer` (RFC 7240, with the words of Prism), and `Accept`. */
import { ApiError, ErrorCode } from '../../engine';
import { isJson, withoutParameters } from '../../engine/reading';
import { sayValue } from '../../engine/tooling';

export interface Preferences {
  /** Of the answer. */
  code?: string;
  /** The name of an example. */
  example?: string;
  /** Whether the answer is to be made from the schema, whatever examples there are. */
  dynamic?: boolean;
}

/** Other preferences are for others, and ignored; throws an ApiError of 400 for a `dynamic` that is neither true nor false. */
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

/** The refusal of a preference that the contract does not allow for. */
export function unmet(expected: string, got: string): ApiError {
  return new ApiError(ErrorCode.MalformedRequest, `Prefer: expected ${expected}, got ${sayValue(got)}`);
}

/** Of media types those that a request accepts, the most wanted first, JSON before others; all of them if it accepts none. */
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
