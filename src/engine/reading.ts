export { BUNDLE, type ServedDocument, bundleHead, namesOtherFiles, readServed } from './contract/bundle';
export { isDiscriminator, namesOfBranch } from './contract/discriminator';
export { digestOf } from './contract/digest';
export {
  type Content,
  type Document,
  type Header,
  METHODS,
  isIgnored,
  type MediaType,
  type Parameter,
  type Path,
  type PathItem,
  type ResponseObject,
  type Schema,
  type SecurityRequirement,
  type SecurityScheme,
  pathOf,
  pointerOf,
  resolve,
  schemeKind,
  follow,
} from './contract/document';
export { readDocument } from './contract/files';
export { isFile } from './contract/form-fields';
export { keyFor, WITHOUT_BODY } from './contract/statuses';
export { type Annotation, isAnnotated, refuseAnnotated } from './schema/read-write-only';
export { canRead, isForm, isJson } from './contract/media-type';
export { normalize } from './contract/normalize';
export { type Contract, type ContractOperation, operationsOf, serverPath } from './contract/operations';
export { ContractProblems, problemLines } from './contract/problems';
export { readYaml, withDoubles } from './contract/read-yaml';
export { fileOf, referencesIn, sourcesOf } from './contract/sources';
export {
  allSchemas,
  isInt64,
  isInt64Format,
  isSchema,
  partsOf,
  placedSchemas,
  reachableSchemas,
  typesOf,
  withoutExtensions,
} from './contract/traverse';
export { CONTRACT_BYTES_MAX, Folders } from './contract/folders';
export { isText } from './contract/folders';
export { lookUp } from './contract/document';
export { refuseReferences } from './contract/sources';
export { withoutParameters } from './contract/media-type';
export { judgeStructure } from './rules/structure-rules';
