/** What is made of an object as a form, and what the form says: text that the declared types give a meaning. */
import { parse } from 'yaml';
import type { Document, MediaType } from '../../../src/engine/contract/document';
import { formsOf } from '../generate/forms';
import { readJson, writeJson } from '../json';

const document: Document = { openapi: '3.1.0', info: { title: 'Letters', version: '1' } };
const content = parse(`
encoding: { photo: { contentType: 'image/*, audio/ogg' } }
schema:
  type: object
  additionalProperties: { type: integer }
  properties:
    photo: { type: string, format: binary }
    to: { type: [integer, 'null'] }
    text: { type: string }
    days: { type: array, items: { type: number } }
    address: { type: object }
`) as MediaType;

/** The text of the form, and what it says as JSON. */
function formWith(mediaType: string, json: string): [text: string, says: string] | undefined {
  const form = formsOf(document, mediaType, content)(readJson(json));
  return form && [form.text, writeJson(form.value)];
}

it.each([
  ['{"text":"1 & ü","to":9007199254740993}', 'text=1%20%26%20%C3%BC&to=9007199254740993', undefined],
  ['{"to":"","text":true}', 'to=&text=true', '{"to":null,"text":"true"}'],
  ['{"to":"x","more":"7"}', 'to=x&more=7', '{"to":"x","more":7}'],
  ['{"days":[1,2.5],"to":[1,2]}', 'days=1&days=2.5&to=1&to=2', undefined],
  ['{"days":7,"text":"a"}', 'days=7&text=a', '{"days":[7],"text":"a"}'],
  ['{"days":[],"text":"a"}', 'text=a', '{"text":"a"}'],
])('%s is percent-encoded', (json, text, says = json) => {
  expect(formWith('application/x-www-form-urlencoded', json)).toEqual([text, says]);
});

it.each(['{}', '{"days":[]}', '[]', '7', 'null', '{"text":null}', '{"address":{}}', '{"days":[[1]]}'])(
  '%s cannot be percent-encoded',
  (json) => {
    expect(formWith('application/x-www-form-urlencoded', json)).toBeUndefined();
  },
);

it('is written in parts, files with a media type that is allowed', () => {
  const json = '{"photo":"\\u0000~","address":{"house":1.0},"to":5}';
  const part = '--the-boundary-of-this-suite\r\nContent-Disposition: form-data; name=';
  expect(formWith('multipart/form-data', json)).toEqual([
    `${part}"photo"; filename="photo"\r\nContent-Type: image/x\r\n\r\n\0~\r\n` +
      `${part}"address"\r\n\r\n{"house":1.0}\r\n${part}"to"\r\n\r\n5\r\n--the-boundary-of-this-suite--\r\n`,
    json,
  ]);
});

it.each(['{"photo":"é"}', '{"a\\"b":1}'])('%s cannot be written in parts', (json) => {
  expect(formWith('multipart/form-data', json)).toBeUndefined();
});
