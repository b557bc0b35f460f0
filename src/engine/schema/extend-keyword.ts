/** Extends the code that an Ajv generates for one of its own keywords. */
import type { CodeKeywordDefinition, KeywordCxt } from 'ajv';
import type Ajv2020 from 'ajv/dist/2020';

/** Runs `prepare` before an Ajv generates the code of a keyword, or in place of it if that returns true; other Ajvs are unchanged. */
export function extendKeyword(ajv: Ajv2020, keyword: string, prepare: (cxt: KeywordCxt) => unknown): void {
  const known = ajv.getKeyword(keyword);
  if (typeof known !== 'object' || !('code' in known)) throw new Error(`Ajv makes no code for ${keyword}`);
  const { code } = known;
  const extended: Pick<CodeKeywordDefinition, 'code'> = {
    code(cxt, rule) {
      if (prepare(cxt) !== true) code(cxt, rule);
    },
  };
  Object.assign(known, extended); // in place, because some rules depend on the order
}

/** Wraps a method of Ajv so that `act` is called first. */
export function beforeCall(cxt: KeywordCxt, method: 'subschema' | 'error', act: () => unknown): void {
  const own: (...args: never[]) => unknown = cxt[method].bind(cxt);
  Object.assign(cxt, {
    [method]: (...args: never[]): unknown => {
      act();
      return own(...args);
    },
  });
}
