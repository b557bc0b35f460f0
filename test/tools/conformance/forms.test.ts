import type { Document } from '../../../src/engine/contract/document';
import { readForm } from '../../../src/tools/conformance/generate/forms';

const document: Document = { openapi: '3.1.0', info: { title: 'Forms', version: '1' } };

it.each([
  ['null', null],
  ['{"a":[]}', { a: [] }],
  ['nul', 'nul'],
])('the text %s of an object or null in a form is %j', (text, value) => {
  const content = { schema: { type: 'object', properties: { about: { type: ['object', 'null'] } } } };
  expect(readForm(document, content, new URLSearchParams({ about: text }).toString())).toEqual({ about: value });
});
