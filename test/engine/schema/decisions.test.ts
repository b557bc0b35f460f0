/** Values that schemas accept and refuse, where Ajv by itself decides otherwise. */
import { notingService } from '../../support/noting-service';
import { table } from '../../support/table';

const HOST = 'a'.repeat(63);
/** A schema, what it accepts and what it refuses, divided by commas and spaces. */
const ROWS = table`
  { const: { foo: bar } } | {"foo":"bar"} | {"foo":1}, "bar"
  { enum: [[{ a: false }], six] } | [{"a":false}], "six" | [{"a":0}], [{}]
  { enum: [] } | | 1, null, {}
  { $ref: '#/components/schemas/Anything' } | 1, null |
  { $ref: '#/components/schemas/Nothing' } | | 1, null
  { properties: { __proto__: { type: integer } }, additionalProperties: false } | {"__proto__":1} | {"__proto__":"a"}, {"a":1}
  { contains: { type: string }, unevaluatedItems: { type: integer } } | ["a",1,"b"] | ["a",true], [1]
  { items: { contains: { type: string } } } | [["a"]], [[1,"a"],["a"]], [] | [[]], [["a"],[]], [["a"],[1]]
  { additionalProperties: { contains: { const: 1 }, minContains: 0, maxContains: 1 } } | {"a":[1],"b":[]}, {"a":[]} | {"a":[1],"b":[1,1]}
  { anyOf: [{ items: { type: string } }, true], unevaluatedItems: { type: boolean } } | ["a","b"], [true] | ["a",true]
  { dependentSchemas: { length: { items: true } }, unevaluatedItems: false } | [], {"length":1} | [1]
  { if: { prefixItems: [{ const: a }] }, unevaluatedItems: false } | ["a"], [] | ["b"], ["a","b"]
  { if: { properties: { a: { const: 1 } }, required: [a] }, else: { properties: { b: true } }, unevaluatedProperties: false }
    | {"a":1}, {"b":1} | {"a":2}, {"a":1,"b":1}
  { allOf: [{ properties: { a: true } }], if: { required: [x] }, then: { properties: { x: true } }, unevaluatedProperties: false }
    | {"a":1}, {"a":1,"x":1} | {"a":1,"b":1}
  { properties: { a: true }, dependentSchemas: { x: { properties: { x: true } } }, unevaluatedProperties: false }
    | {"a":1}, {"a":1,"x":1} | {"a":1,"b":1}
  { if: { required: [x], properties: { x: true }, anyOf: [{ properties: { a: true } }] }, unevaluatedProperties: false }
    | {"a":1,"x":1}, {} | {"a":1}
  { anyOf: [{ required: [x], anyOf: [{ properties: { a: true, x: true } }] }, true], unevaluatedProperties: false }
    | {"a":1,"x":1}, {} | {"a":1}
  { items: { if: { required: [x] }, then: { properties: { a: true, x: true } }, unevaluatedProperties: false } }
    | [{"a":1,"x":1},{}] | [{"a":1,"x":1},{"a":1}]
  { if: { properties: { a: true } }, then: {}, unevaluatedProperties: false } | {"a":1} | {"b":1}
  { anyOf: [{ properties: { a: true } }, { properties: { toString: true } }], unevaluatedProperties: false }
    | {"a":1}, {"toString":1} | {"constructor":1}, {"a":1,"valueOf":1}, {"__proto__":1}
  { anyOf: [{ required: [a], properties: { a: true } }, false], patternProperties: { b: { type: string } } } | {"a":1} | {"b":1}, {"a":1,"b":1}
  { anyOf: [{ required: [a], additionalProperties: true }, { required: [c], properties: { c: true } }], patternProperties: { b: { type: string } } }
    | {"a":1,"b":"x"}, {"b":"x","c":1} | {"b":1}, {"a":1,"b":1}, {"b":"x"}
  { if: { required: [a], properties: { a: true } }, patternProperties: { b: { type: string } } } | {"b":"x"}, {"a":1,"b":"x"} | {"b":1}
  { prefixItems: [{ type: integer }, { type: string }], contains: { type: integer } } | [1], [1,"a"] | [], ["a"], [1,1]
  { prefixItems: [true, true, { type: integer }], uniqueItems: true } | [1,2], [1,2,3] | [1,1], [1,2,2]
  { not: { required: [a] } } | {}, {"b":1} | {"a":1}, 1, 1e21, 12345678901234567890
  { if: { minProperties: 1 }, then: { type: object } } | {}, {"a":1} | 1, 1e21
  { maxProperties: 0, patternProperties: { t: false }, dependentSchemas: { text: false } } | 1, 1e21, 9007199254740993, {} | {"text":1}
  { type: [number, object], required: [a], properties: { text: { maxLength: 1 } }, additionalProperties: false } | 1e21 | {}, "a"
  { propertyNames: { maxLength: 1 }, dependentRequired: { text: [a] }, unevaluatedProperties: false } | 1e21 | {"a":1}
  { type: [boolean, string], enum: [{ toString: 1 }, six] } | "six" | {"toString":1}
  { type: integer, format: int8 } | 127, -128 | 128, -129
  { type: integer, format: uint64 } | 18446744073709551615, 1.8446744073709551615e19, 0 | 18446744073709551616, -1
  { type: integer, maximum: 18446744073709551615 } | 18446744073709551615, -5 | 18446744073709551616, 1.5
  { type: string, format: email } | "joe@example.com", "joe@[127.0.0.1]" | ".joe@example.com", "joe@[tag:1]", "a@[IPv6:x]"
  { type: string, format: idn-email } | "실례@실례.테스트", "joe@[127.0.0.1]" | "2962", "@example.com", "a@xn--X"
  { type: string, format: hostname } | "${HOST}.xn--4gbwdl.xn--wgbh1c" | "${HOST}a", "xn--X", "a..b", ""
  { type: string, format: idn-hostname } | "실례.테스트" | "〮실례.테스트", "${'é'.repeat(50_000)}"
  { type: string, format: date-time } | "1998-12-31T23:59:60Z" | "1998-12-31T23:58:60Z", "1998-12-31 23:59:59Z"
  { type: string, format: duration } | "P4DT12H30M5S" | "PT1D", "P1Y2W"
  { type: string, format: byte } | "YWJj", "YWI=", "YQ==", "" | "YWJ", "YWI", "!!!!", "YWJj\n!!!!", "YWJj\n", "Y===", "YW=j"
  { type: string, format: iri } | "http://ƒøø.ßår/?∂éœ=πîx" | "http://[v9.a]/", "a"
  { type: string, format: uri-template } | "http://e.com/{term:1}" | "http://e.com/{term:1", "{a:99999}"
`;
const values = (cell = ''): string[] => cell.split(', ').filter((value) => value !== '');

const body = (schema: string): string =>
  `{ requestBody: { required: true, content: { application/json: { schema: ${schema} } } }, responses: { '204': { description: Seen. } } }`;
const noting = notingService(`
paths:
${ROWS.map(([schema = ''], at) => `  /${at}: { post: ${body(schema)} }`).join('\n')}
  /folders: { post: ${body("{ $ref: '#/components/schemas/Folder' }")} }
  /shelves: { post: ${body("{ $ref: '#/components/schemas/Shelf' }")} }
components:
  schemas:
    Anything: true
    Nothing: false
    Named: { properties: { parent: { $ref: '#/components/schemas/Item' } } }
    Item: { allOf: [{ $ref: '#/components/schemas/Named' }] }
    File: { allOf: [{ $ref: '#/components/schemas/Item' }] }
    Folder: { allOf: [{ $ref: '#/components/schemas/Named' }, { $ref: '#/components/schemas/File' }], unevaluatedProperties: false }
    Shelf: { allOf: [{ $ref: '#/components/schemas/File' }], properties: { owner: true } }
`);

it('what a value has evaluated says nothing of the next one', async () => {
  const sent = [];
  for (const path of ['/folders', '/shelves', '/folders']) sent.push((await noting.send(path, '{"owner":1}')).status);
  expect(sent).toEqual([400, 204, 400]);
});

it.each(ROWS.map((row, at) => [...row, at] as [string, string, string, number]))('%s decides', async (...row) => {
  const [, accepted, refused, at] = row;
  const written = jest.spyOn(console, 'log');
  for (const value of values(accepted))
    expect([value, (await noting.send(`/${at}`, value)).status]).toEqual([value, 204]);
  for (const value of values(refused))
    expect([value, (await noting.send(`/${at}`, value)).status]).toEqual([value, 400]);
  expect(written).not.toHaveBeenCalled();
});
