/** Ajv's keywords, extended: the code that they make is made with more around it. */
import type { CodeKeywordDefinition, KeywordCxt } from 'ajv';
import type Ajv2020 from 'ajv/dist/2020';

/** Has a keyword of an Ajv's change what its code is made with; other Ajvs keep theirs. */
export function extendKeyword(ajv: Ajv2020, keyword: string, prepare: (cxt: KeywordCxt) => void): void {
  const known = ajv.getKeyword(keyword);
  if (typeof known !== 'object' || !('code' in known)) throw new Error(`Ajv makes no code for ${keyword}`);
  const { code } = known;
  const extended: Pick<CodeKeywordDefinition, 'code'> = {
    code(cxt, rule) {
      prepare(cxt);
      code(cxt, rule);
    },
  };
  Object.assign(known, extended); // in its place among the rules, of which some depend on those before them
}
