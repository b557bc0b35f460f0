/** `src/service.ts` of a new project, and `src/verifiers.ts` if its contract has schemes that the engine has no verifier for. */
import { type Document, schemeKind } from '../../engine/reading';
import { canVerify } from '../../engine/tooling';
import { literal } from './source-text';
import { fill } from './template';

export function serviceText({ hasErrorBody, hasVerifiers }: { hasErrorBody: boolean; hasVerifiers: boolean }): string {
  const own = [
    ...(hasErrorBody ? [['errorBody', 'error-body']] : []),
    ...(hasVerifiers ? [['verifiersOn', 'verifiers']] : []),
  ];
  return fill('src/service.ts', {
    imports: own.map(([name = '', file = '']) => `import { ${name} } from './${file}';`).join('\n'),
    members: own.map(([name = '']) => `${name},`).join('\n'),
  });
}

/** A verifier that lets nobody in, for each scheme of a kind that the engine has none for; undefined if there is no such scheme. */
export function verifiersText({ components }: Document): string | undefined {
  const schemes = Object.entries(components?.securitySchemes ?? {}).filter(([, each]) => !canVerify(schemeKind(each)));
  if (schemes.length === 0) return undefined;
  const members = schemes.map(
    ([name, scheme]) => `${literal(name)}: {
  scheme: ${literal(schemeKind(scheme))},
  verify: () => {
    throw new ApiError(ErrorCode.TokenMissing, ${literal(`nothing verifies ${JSON.stringify(name)} yet`)});
  },
},`,
  );
  return fill('src/verifiers.ts', { members: members.join('\n') });
}
