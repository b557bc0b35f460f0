/** The syntax errors of a YAML file in plain words, with how to quote or indent where that is at fault. */
import { isAlias, isMap, isScalar, type Document as YamlDocument, Scalar, visit, type YAMLMap } from 'yaml';

/** The most characters of a line that are looked at. */
const SHOWN_MAX = 60;
/** The longest indentation that is understood. */
const LINE_MAX = 1_000;

/** An error and the offset of what is wrong. */
export interface YamlError {
  offset: number;
  text: string;
}

/** The errors of a document: the first of its syntax, since others may follow from it, else all keys that are there twice, and all wrong aliases. */
export function yamlErrors(text: string, document: YamlDocument): YamlError[] {
  const [first] = document.errors;
  if (first) return [syntaxError(text, document, first.code, first.pos[0], first.message)];
  const anchors = new Map<string, unknown>();
  const found: YamlError[] = [];
  visit(document, {
    Node(_key, node, around) {
      if (isMap(node)) found.push(...repeatedKeys(text, node));
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.set(node.anchor, node);
        return;
      }
      const wrong = wrongAlias(node.source, anchors, around);
      if (wrong !== undefined) found.push({ offset: text.lastIndexOf('*', node.range?.[0]), text: wrong });
    },
  });
  return found.sort((a, b) => a.offset - b.offset);
}

/** The keys that are names of one property, also if they are written as text and as a number: `200` and `'200'`. */
function repeatedKeys(text: string, { items }: YAMLMap): YamlError[] {
  const names = new Set<string>();
  return items.flatMap(({ key }) => {
    const isMerge = isScalar(key) && key.value === '<<' && key.type === Scalar.PLAIN; // of which there may be several
    if (!isScalar(key) || isMerge) return [];
    const name = String(key.value);
    if (!names.has(name)) {
      names.add(name);
      return [];
    }
    const offset = key.range?.[0] ?? 0;
    const [written = ''] = text.slice(offset, offset + SHOWN_MAX).split(/[:\n]/);
    return [{ offset, text: `the key ${written} is there twice: expected one, or another name` }];
  });
}

/** Why an alias cannot be followed: there is no anchor of its name above it, or it is within the value of that anchor. */
function wrongAlias(
  source: string,
  anchors: ReadonlyMap<string, unknown>,
  around: readonly unknown[],
): string | undefined {
  if (anchors.has(source))
    return around.includes(anchors.get(source)) ? `*${source} leads to the value that it is in` : undefined;
  const known = anchors.size > 0 ? `, of those above: ${[...anchors.keys()].slice(0, 5).join(', ')}` : '';
  const hint = `expected an anchor &${source} above it${known}; quote a text that begins with *`;
  return `*${source} leads to no anchor: ${hint}`;
}

function syntaxError(text: string, document: YamlDocument, code: string, offset: number, message: string): YamlError {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const [line = ''] = /^.*/.exec(text.slice(start)) ?? [];
  const indent = /^ */.exec(line)?.[0].length ?? 0;
  const word = start + indent;
  switch (code) {
    case 'TAB_AS_INDENT':
      return { offset, text: 'a tab indents this line: YAML takes spaces only' };
    case 'MISSING_CHAR': {
      const quote = /^Missing closing (['"])/.exec(message)?.[1];
      if (quote === undefined) break;
      return {
        offset: openingQuote(document, offset),
        text: `the ${quote} that begins here has no end: expected another ${quote} at the end of the text, whose further lines are indented deeper than this one`,
      };
    }
    case 'BAD_SCALAR_START': {
      return { offset, text: `a text may not begin with ${text[offset] ?? ''}: quote it, ${quoted(text, offset)}` };
    }
    case 'BLOCK_IN_FLOW': {
      const [inner = ''] = /^[^,\]}\n]*/.exec(text.slice(offset, offset + SHOWN_MAX)) ?? [];
      return inner.includes(': ') ? colonWithin(offset, inner) : { offset, text: message };
    }
    case 'UNEXPECTED_TOKEN': {
      const value = /^ *(?:- +)*(?:[\w$./{}][\w$./{}-]*: +)?/.exec(line)?.[0].length ?? indent;
      if (start + value >= offset) break;
      const hint = line[value] === "'" ? `a ' within it is written twice, ''` : quoted(text, start + value);
      return { offset: start + value, text: `the text goes on behind what YAML takes for its end: quote it, ${hint}` };
    }
    case 'BAD_INDENT':
    case 'MULTILINE_IMPLICIT_KEY':
    case 'BLOCK_AS_IMPLICIT_KEY': {
      const glued = /^\s*(?:-(?=[\w'"{[])|[\w$-]+:(?=[\w'"{[#]))/.exec(line)?.[0];
      if (glued !== undefined && code !== 'BLOCK_AS_IMPLICIT_KEY')
        return { offset: start + glued.length, text: `expected a space behind ${glued.trim()}` };
      if (code === 'BLOCK_AS_IMPLICIT_KEY' && /:(?:\s|$)/.test(text.slice(offset, start + line.length)))
        return colonWithin(offset, text.slice(offset));
      return code === 'BAD_INDENT' ? outOfLine(word, indent) : deeper(text, start, indent);
    }
  }
  return { offset, text: message };
}

/** `rest` is the text at the offset, as far as it may reach. */
function colonWithin(offset: number, rest: string): YamlError {
  return { offset, text: `a text with ": " in it has to be quoted: ${quoted(rest, 0)}` };
}

function outOfLine(offset: number, indent: number): YamlError {
  return {
    offset,
    text: `the line is indented by ${indent} spaces, and belongs to nothing above it: expected as many as a line beside it`,
  };
}

/** The line that is indented deeper than the one before it, or that one if its number of spaces is odd. */
function deeper(text: string, start: number, indent: number): YamlError {
  const next = nextLine(text, start);
  const spaces = /^ */.exec(text.slice(next, next + LINE_MAX))?.[0].length ?? indent;
  const offset = next + spaces;
  if (indent % 2 === 1 && spaces % 2 === 0)
    return {
      offset: start + indent,
      text: `the line is indented by ${indent} spaces, and the next by ${spaces}: expected ${spaces}`,
    };
  return {
    offset,
    text: `the line is indented by ${spaces} spaces, and the one before by ${indent}: expected as many, since that has a value already`,
  };
}

/** The start of the next line that is neither empty nor a comment. */
function nextLine(text: string, start: number): number {
  for (let at = text.indexOf('\n', start) + 1; at > 0; at = text.indexOf('\n', at) + 1) {
    const line = text.slice(at, at + LINE_MAX).trimStart();
    if (line !== '' && !line.startsWith('#') && text[at] !== '\n') return at;
  }
  return start;
}

/** The rest of the line at an offset in quotes. */
function quoted(text: string, offset: number): string {
  const [rest = ''] = text.slice(offset, offset + SHOWN_MAX).split(/\r?\n/);
  return `'${rest.trimEnd().replaceAll("'", "''")}'`;
}

/** The offset of the quoted text that an error is in, or behind. */
function openingQuote(document: YamlDocument, end: number): number {
  let opening = end;
  visit(document, {
    Scalar(_key, node) {
      const isQuoted = node.type === Scalar.QUOTE_SINGLE || node.type === Scalar.QUOTE_DOUBLE;
      if (isScalar(node) && isQuoted && node.range && node.range[0] <= end) opening = node.range[0];
    },
  });
  return opening;
}
