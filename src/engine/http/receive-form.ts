/** Receives a form in parts as it comes, its files aside, so that all of its fields are validated before its handler is called. */
import { pointerOf } from '../contract/document';
import type { Form, FormField } from '../contract/form-fields';
import { isWithin } from '../contract/media-type';
import { contractViolation, sayValue } from '../schema/violation';
import type { BodyBuffer } from './body-buffer';
import type { FormFiles, KeptFile } from './form-files';
import { type FormFile, type FormPart, PARTS_MAX, tooManyFields } from './parse-form';
import { decoderOf, namesOf } from './part-headers';
import type { SentPart } from './split-parts';

/** The places where the parts of a form are kept until it is answered. */
export interface FormStore {
  /** For the text of all fields. */
  text: BodyBuffer;
  files: FormFiles;
  upload: (file: KeptFile, part: SentPart, filename: string | undefined) => FormFile['upload'];
}

/** The parts, in their order. Rejects with an ApiError at the first byte too many, and at a file of another media type than the contract says. */
export async function receiveForm(
  parts: AsyncIterable<SentPart>,
  form: Form,
  { text, files, upload }: FormStore,
): Promise<FormPart[]> {
  const received: { name: string; contentIn: (bytes: Buffer) => FormPart['content'] }[] = [];
  const counts = new Map<string, number>();
  for await (const part of parts) {
    const { content } = part;
    const { name, filename } = namesOf(part);
    if (received.length === PARTS_MAX) throw tooManyFields();
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    const field = form.fields.get(name) ?? form.others;
    if (field.isFile) {
      if (count > 0 && !field.isList)
        throw contractViolation(pointerOf(['body', name]), 'expected one file', 'several');
      const file = await keep(part, field, pointerOf(['body', name, ...(field.isList ? [count] : [])]), files);
      received.push({
        name,
        contentIn: () => ({ upload: upload(file, part, filename), size: file.size, held: file.held }),
      });
    } else {
      const [decode, start] = [decoderOf(part), text.length];
      for await (const piece of content) addTo(text, decode(piece));
      const end = text.length;
      received.push({ name, contentIn: (bytes) => bytes.subarray(start, end) });
    }
  }
  const bytes = text.bytes();
  return received.map(({ name, contentIn }) => ({ name, content: contentIn(bytes) }));
}

function keep(part: SentPart, field: FormField, pointer: string, files: FormFiles): Promise<KeptFile> {
  const { mediaTypes, bytesMax } = field;
  if (mediaTypes && !mediaTypes.some((allowed) => isWithin(part.mediaType, allowed)))
    throw contractViolation(pointer, `expected a file of ${mediaTypes.join(' or ')}`, sayValue(part.mediaType));
  return files.keep(part.content, bytesMax, () =>
    contractViolation(pointer, `expected at most ${bytesMax} bytes`, 'more'),
  );
}

function addTo(text: BodyBuffer, piece: Buffer): void {
  const error = text.add(piece);
  if (error) throw error;
}
