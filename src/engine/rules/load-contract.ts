/** Checks a contract before it is served, and reports all problems at once, each with its place. */
import { BUNDLE, readServed, type ServedDocument } from '../contract/bundle';
import { digestOf } from '../contract/digest';
import type { ErrorBodies } from '../errors/error-body';
import { chooseErrorBodies } from './error-bodies';
import { codeNameProblems, type ErrorOptions, missingHeaders } from './error-rules';
import { formProblems } from './form-rules';
import {
  operationProblems,
  operationWarnings,
  samePathProblems,
  unreadServers,
  unservedPaths,
} from './operation-rules';
import { partProblems } from './part-rules';
import { referenceProblems } from './reference-rules';
import { defaultProblems, schemaProblems, schemaWarnings } from './schema-rules';
import { handlerProblems, type Provided, securityProblems } from './service-rules';
import { judgeStructure } from './structure-rules';
import { leaveOutUnserved } from './unserved';
import { unreadExamples, unwiseSchemas } from './unwise';
import { type Contract, operationsOf } from '../contract/operations';
import type { Document } from '../contract/document';
import { ContractProblems, type Problem, problemLines } from '../contract/problems';
import { namesOtherFiles } from '../contract/sources';
import { type PlacedSchema, placedSchemas } from '../contract/traverse';
import { type Limits, limitProblems } from '../operation/limits';
import { compiledSchemas, type Schemas } from '../schema/schemas';

/** The parts of a service that a contract is checked against. */
export interface Served extends ErrorOptions, Provided {
  /** True for media types whose bodies can be read. */
  canRead: (mediaType: string) => boolean;
  /** The contract, if it was read before; by default its file is read. */
  document?: ServedDocument;
  /** Limits of single operations. */
  limits?: Limits;
  /** The digest of the contract that `generated/` was made from; optional. */
  digest?: string;
}

/** A contract that is fit to be served. */
export interface LoadedContract extends Contract {
  /** Its schemas, compiled for answers. */
  answerSchemas: Schemas;
  /** The bodies of errors, as the contract declares them. */
  errorBodies: ErrorBodies;
  /** A line for each part that may not be served as its author expects. */
  warnings: readonly string[];
}

/** Reads and checks the contract; throws ContractProblems with all its faults. */
export function loadContract(file: string, served: Served): LoadedContract {
  const { value: read, place, warnings } = served.document ?? readServed(file);
  const report = (problems: Problem[]): void => {
    if (problems.length > 0)
      throw new ContractProblems(
        problemLines(problems, place),
        problems.map(([path]) => path),
      );
  };
  const { document: kept, judged, warnings: ofUnserved } = leaveOutUnserved(read, judgeDocument);
  if (judged.stage === 'structure') report(judged.problems);
  const value = kept as Document; // its structure is valid
  if (served.digest !== undefined && namesOtherFiles(value))
    report([[[], `it names other files, and there is no ${BUNDLE}: run npm run generate`]]);
  if (judged.stage === 'references') report(judged.problems);
  const operations = operationsOf(value, served.canRead);
  const { problems: ofSchemas, placed } = judged;
  // Schemas that have problems cannot be compiled.
  const schemas = ofSchemas.length === 0 ? compiledSchemas(value, 'answers') : undefined;
  const errors = schemas && chooseErrorBodies(schemas, placed, operations, served);
  report([
    ...digestProblems(read, served),
    ...ofSchemas,
    ...(schemas ? defaultProblems(value, placed, schemas) : []),
    ...(errors?.problems ?? []),
    ...(errors ? codeNameProblems(value, placed, operations, served) : []),
    ...samePathProblems(operations),
    ...operations.flatMap((operation) => [...operationProblems(operation)]),
    ...operations.flatMap((operation) => [...formProblems(value, operation), ...partProblems(value, operation)]),
    ...handlerProblems(operations, served),
    ...limitProblems(
      operations.map(({ id }) => id),
      served.limits ?? {},
    ),
    ...securityProblems(value, operations, served),
  ]);
  if (!schemas || !errors) throw new Error('problems of schemas have been reported');
  const allWarnings = [
    ...warnings,
    ...ofUnserved,
    ...judged.warnings,
    ...errors.warnings,
    ...schemaWarnings(placed),
    ...unwiseSchemas(value, placed),
    ...unreadExamples(value),
    ...unservedPaths(operations),
    ...unreadServers(value),
    ...(value.paths ? [] : [[[], 'no paths are declared: nothing is served'] satisfies Problem]),
    ...operations.flatMap((operation) => [
      ...operationWarnings(value, operation),
      ...missingHeaders(operation, schemas, served),
    ]),
  ];
  return {
    document: value,
    operations,
    place,
    answerSchemas: schemas,
    errorBodies: errors.errorBodies,
    warnings: problemLines(allWarnings, place),
  };
}

/** The result of a check, and its last stage: references are checked if the structure is valid, and schemas if all references lead somewhere. */
interface Judged {
  stage: 'structure' | 'references' | 'schemas';
  problems: Problem[];
  warnings: Problem[];
  /** The schemas, at the last stage. */
  placed: readonly PlacedSchema[];
}

/** Checks a document by itself, without a service. */
export function judgeDocument(document: unknown): Judged {
  const { problems, warnings } = judgeStructure(document);
  if (problems.length > 0) return { stage: 'structure', problems, warnings, placed: [] };
  const value = document as Document; // its structure is valid by judgeStructure
  const ofReferences = [...referenceProblems(value)];
  if (ofReferences.length > 0) return { stage: 'references', problems: ofReferences, warnings, placed: [] };
  const placed = placedSchemas(value);
  return { stage: 'schemas', problems: schemaProblems(value, placed), warnings, placed };
}

function* digestProblems(document: unknown, { digest }: Served): Generator<Problem> {
  if (digest !== undefined && digest !== digestOf(document))
    yield [[], 'generated/openapi.ts was made from another contract: run npm run generate'];
}
