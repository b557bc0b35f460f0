/** Names for the handlers of operations, unique and safe as identifiers and file names for any `operationId`. */

export interface HandlerName {
  /** The operation's id. */
  id: string;
  /** The name of the constant: `listNotes`. */
  constant: string;
  /** The name of the file, without its ending: `list-notes`. */
  file: string;
}

/** Names that a module's constant cannot have, and those that its file or the table of handlers imports. */
const TAKEN = new Set(
  [
    'abstract any arguments as async await boolean break case catch class const continue debugger declare default delete do else',
    'enum eval export exports extends false finally for function get globalThis if implements import in Infinity instanceof',
    'interface let module NaN never new null number object of package private Promise protected public require return set static',
    'string super switch symbol this throw true try type typeof undefined unknown var void while with yield __dirname __filename',
    'notWritten Operation Handlers handlers errorCodes NotWrittenCode',
  ]
    .join(' ')
    .split(' '),
);
/** File names that Windows reserves. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;
const LENGTH_MAX = 80;

/** A name for each id, in their order; ids that differ in letter case or signs alone get numbers. */
export function handlerNames(ids: readonly string[]): HandlerName[] {
  const taken = new Set<string>();
  return ids.map((id) => {
    const base = constantOf(id);
    for (let number = 1; ; number++) {
      const constant = number === 1 ? base : `${base}${/\d$/.test(base) ? '_' : ''}${number}`;
      const file = fileOf(constant);
      if (taken.has(file)) continue;
      taken.add(file);
      return { id, constant, file };
    }
  });
}

/** The id itself if it is allowed as a name; otherwise its words, as far as they are ASCII. */
function constantOf(id: string): string {
  const [first = '', ...words] = id.normalize('NFKD').match(/[A-Za-z0-9_]+/g) ?? [];
  const joined = first + words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
  const cut = joined.slice(0, LENGTH_MAX);
  const name = /^[A-Za-z]/.test(cut) && /[A-Za-z0-9]/.test(cut) ? cut : `operation${cut}`;
  return TAKEN.has(name) || DEVICE.test(name) ? `${name}Operation` : name;
}

/** The file name of a constant: `getHTTPInfo2` gives `get-http-info2`. */
function fileOf(constant: string): string {
  return constant
    .replaceAll(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3-$2$4')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();
}
