/** What is known of an operation's bodies of one media type before any comes. */
import type { Form } from '../contract/form-fields';
import { isMultipart, isParts, isXml } from '../contract/media-type';
import type { ExpectedBody } from '../contract/operations';
import { type ParseBody, parserOf, type Reader } from './parse-body';
import { PART_HEADERS_MAX } from './split-parts';

/** The limits of a body. */
export interface BodyLimits {
  /** Undefined for that of all bodies, or what the contract declares for one that is not held in memory. */
  bytesMax: number | undefined;
  /** The time limit for its arrival; undefined for that of whole requests, or a least rate for one that is not held in memory. */
  ms: number | undefined;
  /** The least rate of one that may take longer than whole requests do. */
  bytesPerSecondMin: number;
}

export interface BodyKind {
  /** The media type as the contract writes it. */
  mediaType: string;
  /** True for parts with a boundary between them. */
  isInParts: boolean;
  /** True for items, which come while the handler reads them. */
  isSequence: boolean;
  /** True for bytes, which come while the handler reads them. */
  isUpload: boolean;
  /** The fields of a form. */
  form: Form | undefined;
  /** True if it may take longer than whole requests do, as long as it comes at the least rate. */
  hasLeastRate: boolean;
  /** True if no bytes at all are one: an empty file, text, list of items or form. */
  mayBeEmpty: boolean;
  bytesMax: number;
  parse: ParseBody;
}

/** The kind of the bodies of a declared media type. `itemBytesMax` is the limit of an item. */
export function bodyKindOf(
  mediaType: string,
  expected: ExpectedBody,
  limits: BodyLimits,
  itemBytesMax: number,
  readers: Readonly<Record<string, Reader>>,
): BodyKind {
  const isSequence = expected.sequences.includes(mediaType);
  const isUpload = !isSequence && expected.bytes.includes(mediaType) && !Object.hasOwn(readers, mediaType);
  const isInParts = isMultipart(mediaType) || (isSequence && isParts(mediaType));
  const form = expected.forms.get(mediaType);
  const declared = expected.lengths.get(mediaType) ?? Infinity;
  const separatorMax = isInParts ? 2 * PART_HEADERS_MAX : 1;
  const declaredMax = isSequence ? declared * (itemBytesMax + separatorMax) : declared;
  const usualMax = (isSequence || isUpload) && declared < Infinity ? declaredMax : itemBytesMax;
  return {
    ...{ mediaType, isInParts, isSequence, isUpload, form },
    hasLeastRate: isSequence || isUpload || form?.hasFiles === true,
    mayBeEmpty:
      !isInParts && !expected.json.includes(mediaType) && !isXml(mediaType) && !Object.hasOwn(readers, mediaType),
    bytesMax: Math.min(limits.bytesMax ?? usualMax, declaredMax),
    parse: parserOf(mediaType, expected, readers),
  };
}
