/** `src/service.ts` and `src/cli.ts` of a new project, and `src/verifiers.ts` if its contract has schemes that the engine has no verifier for. */
import { type Document, schemeKind } from '../../engine/reading';
import { canVerify } from '../../engine/tooling';
import { literal } from './source-text';

export function serviceText({ hasErrorBody, hasVerifiers }: { hasErrorBody: boolean; hasVerifiers: boolean }): string {
  return `\
/** All that is ours, in one value: our contract, its handlers, and what they need. */
import { join } from 'node:path';
import { contractDigest } from '../generated/openapi';
import type { Config } from './config';
import type { Service } from './engine';
${hasErrorBody ? "import { errorBody } from './error-body';\n" : ''}\
import { errorCodes, handlers } from './handlers';
import { programVersion, projectRoot } from './project-root';
${hasVerifiers ? "import { verifiersOn } from './verifiers';\n" : ''}
/** The service that the configuration describes. What the handlers need, such as a database, \`open\` opens and closes: see \`Service\`. */
export function serviceOf(_config: Config): Service {
  return {
    contract: join(projectRoot, 'openapi.yaml'),
    digest: contractDigest,
    version: programVersion(),
    handlers,
    errorCodes,${hasErrorBody ? '\n    errorBody,' : ''}${hasVerifiers ? '\n    verifiersOn,' : ''}
  };
}
`;
}

/** `src/cli.ts` */
export function cliText(name: string): string {
  return `\
#!/usr/bin/env node
/** The program with all its commands, for an installation without a compiler: \`${name} COMMAND\`. */
import './node-version';
import { engineCommands, runCommands } from './engine';
import { programVersion } from './project-root';

runCommands({
  name: ${literal(name)},
  version: programVersion(),
  commands: {
    start: { does: 'serves the contract', load: () => import('./main.js') },
    ...engineCommands,
  },
});
`;
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
  return `\
/** Verifiers for the security schemes that the engine has none for; for the others it chooses one by their kind. */
import type { TokenVerifier } from './engine';
import type { Verifiers } from './engine';
import { ApiError } from './engine';
import { ErrorCode } from './engine';

/**
 * Each \`verify\` is given the request, and returns or resolves to who has sent it; \`_tokens\` knows the accepted tokens. Not written
 * yet: nobody is let in.
 */
export const verifiersOn = (_tokens: TokenVerifier): Verifiers => ({
  ${members.join('\n  ')}
});
`;
}
