/** A form as the object that the contract describes: text becomes the declared types, and repeated names become lists. */
import { isUtf8 } from 'node:buffer';
import { pointerOf } from '../contract/document';
import type { Form, FormField } from '../contract/form-fields';
import type { Violation } from '../errors/api-error';
import type { FormPart } from '../http/parse-form';
import { JsonSyntaxError, parseJson } from '../json/json';
import { explainSyntax } from '../json/syntax-error';
import { readText } from '../json/number';
import { collected, contractViolation } from '../schema/violation';

/** Bytes, and where they belong once the form is validated. */
export interface FormFile {
  holder: object;
  key: string | number;
  bytes: Buffer;
}

/**
 * The object to be validated. Placeholders of one character per byte stand for files, so that minLength and maxLength count bytes.
 * A name that came several times is a list whatever the schema says, so that nothing is dropped. What cannot be read is added to `found`.
 */
export function readForm(
  parts: readonly FormPart[],
  form: Form,
  found: Violation[],
): { body: object; files: readonly FormFile[] } {
  const body: object = Object.create(null) as object; // so that `__proto__` is an ordinary name
  const files: FormFile[] = [];
  for (const [name, group] of byName(parts)) {
    const field = form.fields.get(name) ?? form.others;
    const isList = field.isList || group.length > 1;
    const list: unknown[] = [];
    for (const [index, part] of group.entries()) {
      const path = ['body', name, ...(isList ? [index] : [])];
      list.push(collected(found, () => (field.isFile ? standIn(part, field, path) : valueOf(part, field, path))));
      const place = isList ? { holder: list, key: index } : { holder: body, key: name };
      if (field.isFile) files.push({ ...place, bytes: Buffer.from(part.content) });
    }
    Reflect.set(body, name, isList ? list : list[0]);
  }
  return { body, files };
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

function standIn({ content, mediaType }: FormPart, { mediaTypes }: FormField, path: (string | number)[]): string {
  const fits = (allowed: string): boolean =>
    allowed === mediaType ||
    allowed === '*/*' ||
    (allowed.endsWith('/*') && mediaType.startsWith(allowed.slice(0, -1)));
  if (mediaTypes && !mediaTypes.some(fits))
    throw contractViolation(pointerOf(path), `expected a file of ${mediaTypes.join(' or ')}`, 'another media type');
  return Buffer.from(content).toString('latin1');
}

function valueOf({ content }: FormPart, { types }: FormField, path: (string | number)[]): unknown {
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
