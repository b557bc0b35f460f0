/** Translates a pattern of a contract to RE2, which matches in time linear in the text. Both read texts as code points. */
import type { AST } from '@eslint-community/regexpp';
import type * as Re2 from 're2js';

/** An expression of RE2, and whether a text that the pattern matches fits it: RE2 has no lookaheads, but those at the start are tests of their own. */
export interface LinearPart {
  re2: Re2.RE2JS;
  isWanted: boolean;
}

/** The expressions of RE2 for a pattern; undefined if there are none with the same meaning, as for lookaheads within it or large repetitions. */
export function linearParts(pattern: AST.Pattern): LinearPart[] | undefined {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- few contracts have such patterns
    const { RE2JS } = require('re2js') as typeof Re2;
    return testsOf(pattern).map(([text, isWanted]) => ({ re2: RE2JS.compile(text), isWanted }));
  } catch {
    return undefined;
  }
}

function testsOf({ alternatives }: AST.Pattern): [text: string, isWanted: boolean][] {
  const [{ elements } = { elements: [] }, ...others] = alternatives;
  const end = elements.findIndex((each) => !isStart(each) && !isLookahead(each));
  const leading = elements.slice(0, end < 0 ? elements.length : end);
  // Without a start of the text they could hold at any place.
  if (others.length > 0 || !leading.some(isStart)) return [[anyOf(alternatives), true]];
  const rest = elements.slice(leading.length).map(translate).join('');
  return [
    ...leading.filter(isLookahead).map((each): [string, boolean] => [`\\A${anyOf(each.alternatives)}`, !each.negate]),
    [`\\A${rest}`, true],
  ];
}

function isStart(element: AST.Element): boolean {
  return element.type === 'Assertion' && element.kind === 'start';
}

function isLookahead(element: AST.Element): element is AST.LookaheadAssertion {
  return element.type === 'Assertion' && element.kind === 'lookahead';
}

function anyOf(alternatives: readonly AST.Alternative[]): string {
  return `(?:${alternatives.map(({ elements }) => elements.map(translate).join('')).join('|')})`;
}

/** Translates an element; throws if RE2 has no counterpart. */
function translate(element: AST.Element): string {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return anyOf(element.alternatives);
    case 'Quantifier': {
      const { min, max } = element;
      return `(?:${translate(element.element)}){${min},${max === Infinity ? '' : max}}`;
    }
    case 'Assertion':
      if (element.kind === 'word') return element.negate ? '\\B' : '\\b';
      if (element.kind === 'start') return '\\A';
      if (element.kind === 'end') return '\\z';
      throw new TypeError(`RE2 has no ${element.kind}`);
    case 'CharacterClass':
      if (element.elements.length === 0) return element.negate ? ANY : NONE;
      return `[${element.negate ? '^' : ''}${element.elements.map(member).join('')}]`;
    case 'CharacterSet':
    case 'Character':
      return `[${member(element)}]`;
    default:
      throw new TypeError(`RE2 has no ${element.type}`);
  }
}

/** Translates a member of a character class. */
function member(element: AST.CharacterClassElement | AST.CharacterSet): string {
  switch (element.type) {
    case 'Character':
      return character(element.value);
    case 'CharacterClassRange':
      return `${character(element.min.value)}-${character(element.max.value)}`;
    case 'CharacterSet':
      return set(element);
    default:
      throw new TypeError(`RE2 has no ${element.type}`);
  }
}

function character(codePoint: number): string {
  return `\\x{${codePoint.toString(16)}}`;
}

function set(element: AST.CharacterSet): string {
  switch (element.kind) {
    case 'any':
      return NO_LINE_END;
    case 'digit':
      return element.negate ? '\\D' : '\\d';
    case 'word':
      return element.negate ? '\\W' : '\\w';
    case 'space':
      return element.negate ? NO_SPACE : SPACE;
    case 'property':
      if (element.strings || /^(?:Script_Extensions|scx)$/.test(element.key))
        throw new TypeError('RE2 has no sets of scripts');
      return `\\${element.negate ? 'P' : 'p'}{${element.value ?? element.key}}`;
  }
}

const ANY = '[\\x{0}-\\x{10ffff}]';
const NONE = '[^\\x{0}-\\x{10ffff}]';
/** The characters that `.` matches. */
const NO_LINE_END = '\\x{0}-\\x{9}\\x{b}\\x{c}\\x{e}-\\x{2027}\\x{202a}-\\x{10ffff}';
const SPACE = '\\x{9}-\\x{d} \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const NO_SPACE =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}' +
  '\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';
