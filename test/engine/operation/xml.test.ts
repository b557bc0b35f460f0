/** Bodies of XML: read by the schemas of the contract, into the values that JSON would give. */
import { xmlReader } from '../../../src/engine/operation/read-xml';
import { Shape } from '../../../src/engine/operation/shape';
import { expectError } from '../../support/errors';
import { notingService } from '../../support/noting-service';
import { table } from '../../support/table';

const noting = notingService(`
openapi: 3.2.0
info: { title: Garages, version: 1.0.0 }
paths:
  /garages:
    post:
      operationId: garage
      requestBody: { required: true, content: { application/xml: { schema: { $ref: '#/components/schemas/Garage' } }, text/xml: { schema: { $ref: '#/components/schemas/Garage' } } } }
      responses: { '204': { description: Seen. } }
  /lists:
    post:
      operationId: list
      requestBody: { content: { application/vnd.n+xml: { schema: { type: array, items: { type: number, xml: { name: n } } } } } }
      responses: { '204': { description: Seen. } }
  /texts:
    post:
      operationId: text
      requestBody: { content: { application/xml: { schema: { type: string } }, text/xml: {} } }
      responses: { '204': { description: Seen. } }
components:
  schemas:
    Garage:
      type: object
      required: [id]
      additionalProperties: false
      xml: { prefix: g, namespace: 'urn:g' }
      properties:
        id: { type: integer, format: int64, xml: { attribute: true } }
        open: { type: boolean, xml: { nodeType: attribute } }
        doors: { type: array, items: { type: integer }, xml: { nodeType: attribute } }
        price: { type: number, maximum: 100 }
        owner: { $ref: '#/components/schemas/Owner' }
        cars: { type: array, items: { type: string, xml: { name: car } }, xml: { name: all, wrapped: true } }
        tags: { type: array, maxItems: 3, items: { type: string } }
        sign: { type: [string, 'null'] }
        rents: { type: object, additionalProperties: { type: integer, xml: { name: rent } } }
        keys: { type: object, additionalProperties: { type: array, items: { type: string, xml: { name: key } } } }
        sizes: { type: object, additionalProperties: { type: number, xml: { attribute: true } } }
        within: { $ref: '#/components/schemas/Garage' }
        kind: { type: string, xml: { name: type, prefix: xsi, attribute: true } }
        title: { type: string, xml: { name: 'dc:title' } }
    Owner:
      type: object
      properties:
        born: { type: string, xml: { attribute: true } }
        lang: { type: string, enum: [de, en], xml: { attribute: true, prefix: xml } }
        xmlns: { type: string, xml: { attribute: true } }
        name: { type: string, xml: { nodeType: text } }
        note: { type: string, xml: { nodeType: cdata } }
`);
const send = (body: string | Uint8Array, type = 'application/xml') => noting.send('/garages', body, type);

describe('a body of XML', () => {
  const MALFORMED = 'expected well-formed XML, got something else in line 1, column';
  it.each([
    ['<Garage id="9007199254740993"/>', { id: 9007199254740993n }],
    ['\uFEFF<?xml version="1.0" encoding="UTF-8"?><!-- a --><Garage id="1"></Garage>\n', { id: 1n }],
    [
      '<g:Garage xmlns:g="urn:g" g:id="1" open="true"><price> 0.1 </price></g:Garage>',
      { id: 1n, open: true, price: 0.1 },
    ],
    [
      '<Garage id="1">\n <owner born="1815">A &lt;b&gt; &#233;<![CDATA[<x>]]></owner>\n</Garage>',
      { id: 1n, owner: { born: '1815', name: 'A <b> é', note: '<x>' } },
    ],
    [
      '<Garage id="1"><tags>b</tags><all><car>a</car><car/></all><tags>c</tags></Garage>',
      { id: 1n, tags: ['b', 'c'], cars: ['a', ''] },
    ],
    ['<Garage id="1" doors=" 2  3"/>', { id: 1n, doors: [2, 3] }],
    ['<Garage id="1" doors=""/>', { id: 1n, doors: [] }],
    ['<Garage id="1"><tags>b</tags><all/><owner/></Garage>', { id: 1n, tags: ['b'], cars: [], owner: {} }],
    [
      '<Garage xml:lang="de" xmlns="urn:g" id="1"><within xml:space="preserve" id="2"/></Garage>',
      { id: 1n, within: { id: 2n } },
    ],
    ['<Garage id="1" xml:id="n5"/>', { id: 1n }],
    [
      '<Garage id="1"><owner xml:lang="de" xmlns="urn:o" xmlns:born="urn:b">A</owner></Garage>',
      { id: 1n, owner: { lang: 'de', xmlns: 'urn:o', name: 'A' } },
    ],
    ['<Garage id="1"><sign xsi:nil="true"/></Garage>', { id: 1n, sign: null }],
    ['<Garage id="1" xsi:type="G"><dc:title>A</dc:title></Garage>', { id: 1n, kind: 'G', title: 'A' }],
    [
      `<Garage xmlns:i="http://www.w3.org/2001/XMLSchema-instance" id="1" i:schemaLocation="G"><sign i:nil=" 1 "> </sign></Garage>`,
      { id: 1n, sign: null },
    ],
    ['<Garage id="1"><sign xsi:nil="false"/></Garage>', { id: 1n, sign: '' }],
    [
      '<Garage id="1"><rents><may>1</may><rent>2</rent></rents><keys><one>a</one><two>b</two><two>c</two></keys><sizes w="2.5"/></Garage>',
      { id: 1n, rents: { may: 1, rent: 2 }, keys: { one: ['a'], two: ['b', 'c'] }, sizes: { w: 2.5 } },
    ],
    [
      '<Garage id="1"><within id="2"><within id="3"/></within></Garage>',
      { id: 1n, within: { id: 2n, within: { id: 3n } } },
    ],
  ])('%s is given as JSON would be', async (body, value) => {
    for (const type of ['application/xml', 'text/xml; charset=utf-8'])
      expect(await send(body, type)).toMatchObject({ status: 204 });
    expect(noting.seen).toMatchObject({ body: value });
  });

  it('may be a list, or a text that is left as it is', async () => {
    const list = '<root><n>1</n><n>2.5</n></root>';
    expect(await noting.send('/lists', list, 'application/vnd.n+xml')).toMatchObject({ status: 204 });
    expect(noting.seen?.body).toEqual([1, 2.5]);
    for (const type of ['application/xml', 'text/xml']) {
      expect(await noting.send('/texts', '<a', type)).toMatchObject({ status: 204 });
      expect(noting.seen?.body).toBe('<a');
    }
  });

  it.each(table`
    <Garage/> | /id: expected a value, got nothing
    <Garage id="x"/> | /id: expected integer, got "x"
    <Garage id="1"><owner xml:lang="fr"/></Garage> | /owner/lang: expected one of de, en, got "fr"
    <Garage id="1.5"/> | /id: expected integer, got 1.5
    <Garage id="9223372036854775808"/>
      | /id: expected int64 (an integer from -9223372036854775808 to 9223372036854775807), got 9223372036854775808
    <Garage><id>1</id></Garage> | /id: expected the attribute id, got the element id
    <Garage id="1" price="1"/> | /price: expected the element price, got the attribute price
    <Garage id="1"><cars/></Garage> | /cars: expected the element all, got the element cars
    <Garage id="1"><owner><name>A</name></owner></Garage> | /owner/name: expected text of the element, got the element name
    <Garage id="1" id2="1"/> | /id2: expected no property of this name, got "1"
    <Garage id="1"><price>100.5</price></Garage> | /price: expected a number <= 100, got 100.5
    <Garage id="1"><price>1</price><price>2</price></Garage> | /price: expected number, got array
    <Garage id="1"><price><a/></price></Garage> | /price: expected number, got object
    <Garage id="1"><__proto__/></Garage> | /__proto__: expected no property of this name, got ""
    <Garage id="1"><all><bus/></all></Garage> | /cars: expected elements car, got another
    <Garage id="1">text<tags/></Garage> | : expected elements, got text beside them
    <Garage xmlns:a="u" id="1" a:id="2"/> | /id: expected integer, got array
    <Garage id="1"><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"/></Garage>
      | /include: expected no property of this name, got object
    <Garage id="1"><sign xsi:nil="true">a</sign></Garage> | /sign: expected nothing in an element with xsi:nil, got content
    <Garage id="1"><price xsi:nil="true"/></Garage> | /price: expected number, got null
    <House id="1"/> | : expected the element Garage, got another
    <Garage id="1"><tags/><tags/><tags/><tags/></Garage> | /tags: expected at most 3 items, got 4
  `)('%s is refused as JSON would be', async (body, message) => {
    expectError(await send(body), 40002, `/body${message}`);
  });

  it.each(table`
    <Garage id="1"> | ${MALFORMED} 15
    <Garage id="1" id="2"/> | ${MALFORMED} 23
    {} | ${MALFORMED} 2
    <Garage id="&x;"/> | ${MALFORMED} 15
    <!DOCTYPE Garage [<!ENTITY x SYSTEM "file:///etc/passwd">]><Garage id="&x;"/> | expected XML without a DOCTYPE
    <!DOCTYPE Garage><Garage id="1"/> | expected XML without a DOCTYPE
    <?xml version="1.0" encoding="latin1"?><Garage/> | expected XML in UTF-8, got a declaration of another encoding
    <?xml version="1.0" encoding="UTF-16"?><Garage/> | expected XML in UTF-8, got a declaration of another encoding
    <Garage id="1">${'\0'}</Garage> | ${MALFORMED} 16
    <Garage id="1">&#0;</Garage> | ${MALFORMED} 19
    <Garage id="1">&#xD800;</Garage> | ${MALFORMED} 23
    <Garage __proto__="1" __proto__="2"/> | ${MALFORMED} 37
    <Garage id="1"/><Garage id="1"/> | ${MALFORMED} 24
    <Garage id="1">${'<within>'.repeat(64)} | expected XML of at most 64 levels
  `)('%j is refused as malformed', async (body, message) => {
    expectError(await send(body), 40001, message);
  });

  it.each([
    ['latin1', 'expected UTF-8, got bytes of another encoding, such as Latin-1'],
    ['utf16le', 'expected UTF-8, got bytes of another kind'],
  ] as const)('is refused in %s', async (encoding, message) => {
    expectError(await send(Buffer.from('\xff\xfe<Garage id="\xe9"/>', encoding)), 40001, message);
  });

  const document = { openapi: '3.1.0', info: { title: '', version: '' } };

  it('has its elements of any number of names described once', () => {
    const schema = { type: 'object', patternProperties: { '^a': { type: 'integer' } } };
    const shape = Shape.of(document, [schema]);
    expect(shape.member('b')).toBe(shape.member('c'));
    expect(shape.member('a1')).toBe(shape.member('a2'));
    expect(shape.member('a')).not.toBe(shape.member('b'));
  });

  it('has a text that a pattern would take many steps for as a text, and is left to validation', () => {
    const decimal = { type: 'string', pattern: '^(?:(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*)$' };
    const shape = Shape.of(document, [{ anyOf: [{ type: 'number' }, decimal] }]);
    expect(['1e5', '15'].map((text) => shape.scalar(text))).toEqual([1e5, '15']);
    const long = `1e${'1'.repeat(190)}`;
    expect(shape.scalar(long)).toBe(long);
  });

  it('takes the names of unknown elements from no list of all that are declared', () => {
    const names = Array.from({ length: 300 }, (_, index) => `name${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    const read = xmlReader(document, { type: 'object', properties });
    const elements = Array.from({ length: 1_000 }, (_, index) => `<other${index}/>`);
    const listed = jest.spyOn(Shape.prototype, 'memberNames', 'get');
    expect(Object.keys(read(`<root>${elements.join('')}</root>`) as object)).toHaveLength(1_000);
    expect(listed.mock.calls.length).toBeLessThan(5);
    listed.mockRestore();
  });

  it('has its elements described once however deep those of a recursive schema are', () => {
    const $ref = '#/components/schemas/Tree';
    const Tree = { type: 'object', properties: { left: { $ref }, right: { type: 'array', items: { $ref } } } };
    const shape = Shape.of({ ...document, components: { schemas: { Tree } } }, [Tree]);
    expect(shape.member('right').item.member('left').member('left')).toBe(shape.member('left'));
    expect(shape.member('left').member('right').item).toBe(shape.member('right').item);
  });
});
