/** Writes a document as YAML part by part, in turns of the event loop: a megabyte takes half a second, for which other requests would wait. */
import { setImmediate } from 'node:timers/promises';
import { isSchema } from '../contract/traverse';
import { writeYaml } from '../contract/write-yaml';

/** The levels of which each member is a part: a schema is at the third one, below `components` and `schemas`. */
const LEVELS = 3;
const INDENT = '  ';

/** The document as YAML. */
export async function yamlOf(document: object, levels = LEVELS): Promise<string> {
  let text = '';
  for (const [key, member] of Object.entries<unknown>({ ...document })) {
    const name = writeYaml({ [key]: {} });
    const isApart = levels > 1 && isSchema(member) && Object.keys(member).length > 0 && /^[^\n]+ \{\}\n$/.test(name);
    if (isApart)
      text +=
        name.replace(' {}', '') + (await yamlOf(member, levels - 1)).replaceAll(/(^|\n)(?=[^\n])/g, `$1${INDENT}`);
    else text += writeYaml({ [key]: member });
    await setImmediate();
  }
  return text;
}
