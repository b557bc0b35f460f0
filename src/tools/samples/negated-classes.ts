/** Negated classes of a pattern. Of each, fast-check looks for a character in printable ASCII alone, without end if it excludes all of that. */
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { expressionOf } from '../../engine/tooling';

/** The pattern with characters beyond printable ASCII in the place of classes that exclude it; undefined if a class has none of them either. */
export function withoutEndlessClasses(pattern: string): string | undefined {
  const { unicode, flags } = expressionOf(pattern);
  const classes: AST.CharacterClass[] = [];
  visitRegExpAST(PARSER.parsePattern(pattern, 0, pattern.length, { unicode }), {
    onCharacterClassEnter: (each) => void classes.push(each),
  });
  let changed = pattern;
  for (const { negate, start, end, raw } of classes.reverse()) {
    const one = new RegExp(`^${raw}$`, flags);
    const isOf = (character: string): boolean => one.test(character);
    if (!negate || PRINTABLE.some(isOf)) continue;
    const others = OTHERS.filter(isOf);
    if (others.length === 0) return undefined;
    changed = `${changed.slice(0, start)}[${others.join('')}]${changed.slice(end)}`;
  }
  return changed;
}

const PARSER = new RegExpParser({ ecmaVersion: 2024 });
const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index));
const OTHERS = Array.from('植物éЖ\u{1F331}\t\n');
