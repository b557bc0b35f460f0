/** Warnings for examples of a contract that their own schemas refuse. The start does not look for them: it would have to compile every schema. */
import { LineCounter } from 'yaml';
import {
  type Path,
  placedSchemas,
  type Problem,
  problemLines,
  type Schema,
  partsOf,
  isSchema,
} from '../../engine/reading';
import { compiledSchemas, type LoadedContract, sayWrong } from '../../engine/tooling';

const YES_OR_NO =
  /^(?<before>[ \t]*(?:- |(?:const|default|example):[ \t]*))(?<word>yes|no|on|off|y|n)[ \t]*(?:#.*)?$/gim;
/** A list between brackets, and such a word in it. */
const FLOW_LIST = /\benum:[ \t]*\[([^\]]{0,10000})\]/g;
const YES_OR_NO_IN_LIST = /(?<before>(?:^|,)\s*)(?<word>yes|no|on|off|y|n)(?=\s*(?:,|$))/gi;

/** Warnings for plain words of a YAML file that are texts in YAML 1.2, and `true` or `false` to readers of YAML 1.1. */
export function wordWarnings(text: string, name: string): string[] {
  const lists = [...text.matchAll(FLOW_LIST)].flatMap(({ 0: whole, 1: list = '', index }) =>
    [...list.matchAll(YES_OR_NO_IN_LIST)].map((match) => ({ match, start: index + whole.length - list.length - 1 })),
  );
  const lines = [...text.matchAll(YES_OR_NO)].map((match) => ({ match, start: 0 }));
  const places = new LineCounter();
  for (let start = 0; start >= 0; start = text.indexOf('\n', start) + 1 || -1) places.addNewLine(start);
  return [...lines, ...lists].map(({ match: { index, groups: { before = '', word = '' } = {} }, start }) => {
    const { line, col } = places.linePos(start + index + before.length);
    return `${name}:${line}:${col} ${word} is text, and a boolean to readers of YAML 1.1: quote it, '${word}'`;
  });
}

export function exampleWarnings({ document, answerSchemas, place }: LoadedContract): string[] {
  const ofRequests = compiledSchemas(document, 'requests');
  const problems = [...examples(document)].flatMap(([value, schema, path]): Problem[] => {
    if (!answerSchemas.has(schema)) return []; // in a place where OpenAPI has none
    const validate = answerSchemas.compileWithin(schema);
    // A value with a reference, or one of requests only, is fine as well.
    if (validate(value)) return [];
    const why = answerSchemas.explain(validate, '');
    if (ofRequests.compileWithin(schema)(value)) return [];
    return [[path, `an example that its schema refuses: ${why}, got ${sayWrong(value)}`]];
  });
  return problemLines(problems, place);
}

type Example = [value: unknown, schema: Schema, path: Path];

/** The examples of schemas, and those beside the schemas of media types, parameters and headers. */
function* examples(document: LoadedContract['document']): Generator<Example> {
  for (const [schema, path] of placedSchemas(document)) yield* examplesOf(schema, schema, path);
  for (const { part, path, isMap } of partsOf(document)) {
    if (isMap || !('schema' in part) || !isSchema(part.schema)) continue;
    yield* examplesOf(part, part.schema, path);
  }
}

function* examplesOf(holder: object, schema: Schema, path: Path): Generator<Example> {
  const { example, examples: list } = holder as { example?: unknown; examples?: unknown };
  if (example !== undefined) yield [example, schema, [...path, 'example']];
  if (Array.isArray(list))
    for (const [index, each] of list.entries()) yield [each, schema, [...path, 'examples', index]];
  else if (isSchema(list))
    for (const [name, each] of Object.entries(list))
      if (isSchema(each) && each.value !== undefined) yield [each.value, schema, [...path, 'examples', name, 'value']];
}
