/** Formats that are decided without the library, which takes long for texts that are not of the format. */
import type * as Idn from 'idn-hostname';
import { isOfFormat } from '../../../src/engine/schema/formats';

const idn = jest.requireActual<typeof Idn>('idn-hostname');

const LABEL = 'a'.repeat(63);

it.each([
  ...['a', '9', 'Example.ORG', 'a-b.c', 'b---a', LABEL, `${LABEL}.${LABEL}.${LABEL}`],
  ...['', '.', '.a', 'a.', 'a..b', '-a', 'a-', 'ab--c', 'a.ab--c', 'a_b', 'a b', '{a}', 'a\n', '\0', `${LABEL}a`],
])('decides on the name %j as the library does, and does not ask it', (name) => {
  const expected = isName(name);
  const asked = jest.spyOn(idn, 'isIdnHostname').mockClear();
  expect(isOfFormat(name, 'idn-hostname')).toBe(expected);
  expect(asked).not.toHaveBeenCalled();
});

it.each(['\u212A', 'xn--bcher-kva', 'XN--a', 'é.b', 'a\u200Db'])('leaves the name %j to the library', (name) => {
  expect(isOfFormat(name, 'idn-hostname')).toBe(isName(name));
});

it.each([...['', '^a+$', '\\p{L}', '[^\\p{Lu}-]', '(?<name>a)\\k<name>', '(?<=a)b', '(?<n>a)|(?<n>b)', '/']])(
  'takes %j for an expression',
  (text) => expect(isOfFormat(text, 'regex')).toBe(true),
);

it.each([...['(', '*', '[b-a]', 'a{2,1}', '\\p{x}', '\\a', '(?<n>a)(?<n>b)', '(?<a']])('takes %j for none', (text) =>
  expect(isOfFormat(text, 'regex')).toBe(false),
);

/** True if the library takes a name; one that ends with a dot is none of ours. */
function isName(name: string): boolean {
  try {
    return !name.endsWith('.') && idn.isIdnHostname(name);
  } catch {
    return false;
  }
}
