/**
 * The door for the tools that serve, generate and mock: the engine's own judgement of documents, values and credentials. The conformance
 * suite does not import it, because it judges with schemas, parameters and security of its own.
 */

// Contracts: loaded as the server loads them, and what is refused.
export { declaredKey } from './contract/statuses';
export { type LoadedContract, judgeDocument, loadContract } from './rules/load-contract';
export { type ErrorOptions, canBeAnswered, serverErrors } from './rules/error-rules';
export { patternWarnings } from './rules/schema-rules';
export { schemaNames } from './rules/schema-names';
export { leaveOutUnserved } from './rules/unserved';
export { writePublishedSchemas } from './rules/write-published-schemas';

// Values: schemas, formats, patterns, and how messages quote values.
export { type Schemas, compiledSchemas } from './schema/schemas';
export { forgetInherited, isMiscounted } from './schema/evaluated';
export { taggedBranches } from './schema/discriminator';
export { OWN_FORMATS } from './schema/formats';
export { compilePattern, expressionOf } from './schema/patterns';
export { compileReferred } from './schema/compile-referred';
export { Steps, type Validator } from './schema/steps';
export { sayValue, sayWrong } from './schema/violation';

// Requests and answers.
export type { Mock } from './operation/dispatch';
export type { AnyRequest } from './operation/handling';
export { OneReader } from './operation/parameter-reader';
export { createRouter } from './operation/router';
export { Responses } from './operation/response';
export type { Sequence } from './operation/sequence';

// Credentials.
export { credentialInvalid, credentialMissing } from './auth/challenges';
export { canVerify } from './auth/verifiers';

// Running: the banner of a start, lines of curl, and watched files.
export { type Banner, bannerText } from './banner';
export { stampOf, type Watch, watchFile } from './process/watch-file';
export { bodyOptions, credentialOption, curlLine, quoted, shellWord } from './curl';
