/**
 * The door for the tools that read contracts, the conformance suite among them: documents, their operations and their schemas as they
 * are written. Nothing here judges a request or an answer.
 */

// Files: a contract of one or several, read, bundled and identified.
export { CONTRACT_BYTES_MAX, Folders, isText } from './contract/folders';
export { fileOf, namesOtherFiles, referencesIn, Sources, sourcesOf, watchedFiles } from './contract/sources';
export { BUNDLE, type ServedDocument, bundleFiles, bundleHead, readDocument, readServed } from './contract/bundle';
export { readYaml, withDoubles } from './contract/read-yaml';
export { writeYaml } from './contract/write-yaml';
export { digestOf } from './contract/digest';

// The document: its parts, references and places.
export {
  type Content,
  type Document,
  type Header,
  type MediaType,
  type Parameter,
  type Path,
  type PathItem,
  type ResponseObject,
  type Schema,
  type SecurityRequirement,
  type SecurityScheme,
  examplesIn,
  follow,
  isHeaderName,
  isHeaderText,
  isIgnored,
  lookUp,
  operationsIn,
  pathOf,
  pathOfPointer,
  placeOf,
  pointerOf,
  resolve,
  schemeKind,
  schemesOf,
} from './contract/document';
export { normalize } from './contract/normalize';
export { isReferenceAlone } from './contract/normalize-schema';

// Operations, and the responses that they declare.
export { canCome, type Contract, type ContractOperation, operationsOf, serverPath } from './contract/operations';
export { namesInPath, pathAsSent } from './contract/paths';
export { WITHOUT_BODY, keyFor } from './contract/statuses';

// Media types and forms.
export {
  canRead,
  isBytes,
  isForm,
  isJson,
  isMultipart,
  isWithin,
  isXml,
  isYaml,
  mostSpecific,
  parametersOf,
  withoutParameters,
} from './contract/media-type';
export { unreadForms } from './contract/form-faults';
export { type Form, isFile, isFileByEncoding } from './contract/form-fields';
export { eventContents, isSequence, itemLimits, itemSchemaOf } from './contract/sequences';

// XML: bodies as the values of their schemas, and back.
export { xmlReader } from './operation/read-xml';
export { writeXml } from './operation/write-xml';
export { xmlRootNameOf } from './operation/xml-part';

// Schemas: traversal, and what their keywords say of a value's type.
export {
  allSchemas,
  applicableSchemas,
  conjoinedSchemas,
  constantsOf,
  isInt64,
  isInt64Format,
  isSchema,
  MAPS,
  type Part,
  partsOf,
  placedSchemas,
  reachableSchemas,
  schemasWithin,
  typesOf,
  withoutExtensions,
} from './contract/traverse';
export { isDiscriminator, nameIn, namesOfBranch, referenceOf } from './contract/discriminator';
export { type Annotation, isAnnotated, refuseAnnotated } from './schema/read-write-only';

// JSON values with exact numbers.
export { canonicalText } from './json/canonical-text';

// Problems of a document, with their places.
export { oneLine } from './process/printable';
export { ContractProblems, type Problem, problemLines } from './contract/problems';
export { judgeStructure } from './rules/structure-rules';
export { referenceProblems } from './rules/reference-rules';
