/** A form as the object that the contract describes: text becomes the declared types, and repeated names become lists. */
import { isUtf8 } from 'node:buffer';
import { pointerOf } from '../contract/document';
import type { Upload } from '../contract/handler-types';
import type { Form, FormField } from '../contract/form-fields';
import { isJson, isWithin } from '../contract/media-type';
import { ApiError, type Violation } from '../errors/api-error';
import type { FormFile, FormPart } from '../http/parse-form';
import type { PartItem } from '../http/part-items';
import { JsonSyntaxError, parseJson } from '../json/json';
import { explainSyntax } from '../json/syntax-error';
import { readText } from '../json/number';
import { collected, contractViolation, sayValue } from '../schema/violation';

/** A file, and where it belongs once the form is validated. */
export interface PlacedFile {
  holder: object;
  key: string | number;
  upload: Upload | Buffer;
}

/**
 * The object to be validated. Placeholders stand for files: of one character per byte, so that minLength and maxLength count bytes. A name that came several times is a list whatever the schema says, so that nothing is dropped. What cannot be read is added to `found`.
 */
export function readForm(
  parts: readonly FormPart[],
  form: Form,
  found: Violation[],
): { body: object; files: readonly PlacedFile[] } {
  const body: object = Object.create(null) as object; // so that `__proto__` is an ordinary name
  const files: PlacedFile[] = [];
  for (const [name, group] of byName(parts)) {
    const field = form.fields.get(name) ?? form.others;
    const whole = group.length === 1 ? wholeList(group[0]?.content, field) : undefined;
    if (whole) {
      Reflect.set(body, name, whole);
      continue;
    }
    const isList = field.isList || group.length > 1;
    const list: unknown[] = [];
    for (const [index, { content }] of group.entries()) {
      const path = ['body', name, ...(isList ? [index] : [])];
      if (isFile(content)) {
        list.push(standIn(content, field));
        files.push({
          ...(isList ? { holder: list, key: index } : { holder: body, key: name }),
          upload: content.upload,
        });
      } else {
        list.push(collected(found, () => valueOf(content, field.types, path)));
      }
    }
    Reflect.set(body, name, isList ? list : list[0]);
  }
  return { body, files };
}

/** The list that one part has as JSON, as `contentType: application/json` says of it; undefined if its items are parts of their own. */
function wholeList(
  content: FormPart['content'] | undefined,
  { isList, isFile: isBytes, mediaTypes }: FormField,
): unknown[] | undefined {
  if (content === undefined || isFile(content) || !isList || isBytes || !mediaTypes?.every(isJson)) return undefined;
  try {
    const value = valueOf(content, ['object'], []);
    return Array.isArray(value) ? value : undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return undefined;
  }
}

/**
 * The value of a part that is an item: JSON, text, or bytes that handlers get as they are, for which a text is validated. Throws an ApiError
 * for a part of another media type than the contract says, and for one that cannot be read.
 */
export function readPart(
  { bytes, mediaType }: PartItem,
  { mediaTypes, types, besideText, isList, isFile }: FormField,
): { value: unknown; hasExactNumbers: boolean; file: Buffer | undefined } {
  if (mediaTypes && !mediaTypes.some((allowed) => isWithin(mediaType, allowed)))
    throw contractViolation('/body', `expected a part of ${mediaTypes.join(' or ')}`, sayValue(mediaType));
  const isJsonText = isList || (isJson(mediaType) && !(isFile && besideText.length === 0));
  const isText = types.length > 0 ? !isFile : mediaType.startsWith('text/');
  if (!isJsonText && !isText) return { value: bytes.toString('latin1'), hasExactNumbers: false, file: bytes };
  const value = valueOf(bytes, isJsonText ? ['object'] : types, ['body']);
  return { value, hasExactNumbers: true, file: undefined };
}

function byName(parts: readonly FormPart[]): Map<string, FormPart[]> {
  const groups = new Map<string, FormPart[]>();
  for (const part of parts) {
    const group = groups.get(part.name);
    if (group) group.push(part);
    else groups.set(part.name, [part]);
  }
  return groups;
}

function isFile(content: FormPart['content']): content is FormFile {
  return typeof content === 'object' && 'upload' in content;
}

/** A text for a file: its bytes, or as many characters as are compared. */
function standIn({ size, held }: FormFile, { lengthsUpTo }: FormField): string {
  return held ? held.toString('latin1') : '\0'.repeat(Math.min(size, lengthsUpTo));
}

function valueOf(content: string | Buffer, types: readonly string[], path: (string | number)[]): unknown {
  if (typeof content !== 'string' && !isUtf8(content))
    throw contractViolation(pointerOf(path), 'expected UTF-8', 'other bytes');
  const text = String(content);
  if (!types.includes('object')) return readText(text, types);
  try {
    return parseJson(text).value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw contractViolation(pointerOf(path), `expected JSON: ${explainSyntax(text, error)}`, 'text');
  }
}
