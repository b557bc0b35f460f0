/** Rules for paths and operations that OpenAPI has in prose only, and for what is not served as it is written. */
import { addressOf, canCome, type ContractOperation, hasNoScheme, serverPath } from '../contract/operations';
import { type Document, isHeaderName, operationsIn, type Parameter, resolve } from '../contract/document';
import { FlatSchema } from '../contract/flat';
import { unreadForms } from '../contract/form-faults';
import { canonical, namesInPath } from '../contract/paths';
import { named, type Problem } from '../contract/problems';
import { unheldKeywords } from '../contract/sequences';
import { applicableSchemas, typesOf } from '../contract/traverse';
import { mediaTypeHint } from './unwise';

/** Pairs of operations of which one is unreachable: their paths differ only in the names of parameters, or in spelling. */
export function* samePathProblems(operations: readonly ContractOperation[]): Generator<Problem> {
  const first = new Map<string, ContractOperation>();
  for (const operation of operations) {
    const key = `${operation.method} ${canonical(operation.path.replaceAll(/\{[^{}]*\}/g, '{}'))}`;
    const other = first.get(key);
    if (!other) first.set(key, operation);
    if (!other) continue;
    const { method, path } = operation;
    const text =
      other.path === path
        ? `${method} ${path} is declared twice: only one of the two can be reached`
        : `the paths ${other.path} and ${path} are one: only one ${method} of it can be reached`;
    yield [other.at, text];
    yield [operation.at, text];
  }
}

/** Faults of an operation: of its parameters, and bodies that nothing reads. */
export function* operationProblems(operation: ContractOperation): Generator<Problem> {
  const { at, requestBody, body, lifecycle } = operation;
  yield* pathProblems(operation);
  for (const [name, fault] of lifecycle.faults) yield [[...at, name], fault];
  if (requestBody && body?.mediaTypes.length === 0) {
    const mediaTypes = Object.keys(requestBody.content);
    yield [
      [...at, 'requestBody', 'content', ...mediaTypes.slice(0, 1)],
      `no reader for bodies of ${mediaTypes.join(' or ')}: give the service one, in its readers`,
    ];
  }
}

/** Paths that are written as other tools write them, so that no request reaches what is meant. */
export function* unservedPaths(operations: readonly ContractOperation[]): Generator<Problem> {
  for (const path of new Set(operations.map((each) => each.path))) {
    const [, written, name] = /\/(:(?=\w)|<(?:\w+:)?)(\w+)/.exec(path) ?? [];
    if (name !== undefined) {
      const placeholder = written?.startsWith('<') ? `<${name}>` : `:${name}`;
      yield named(['paths', path], `${placeholder} in a path is a text like any other: expected {${name}}`);
    }
    if (path.includes('?')) yield named(['paths', path], 'a path has no query: expected query parameters');
    if (path.includes('#')) yield named(['paths', path], 'a path has no fragment: clients send none');
  }
}

/** Servers that clients look for elsewhere than is served: without a scheme, or of a path or an operation. */
export function* unreadServers(document: Document): Generator<Problem> {
  for (const [index, address] of (document.servers ?? []).map(addressOf).entries())
    if (hasNoScheme(address))
      yield [['servers', index, 'url'], `a server without a scheme is read with one: expected http://${address}`];
  const base = serverPath(document);
  for (const [path, written] of Object.entries(document.paths ?? {})) {
    const item = resolve(document, written);
    const own = operationsIn(item).map(({ operation, steps }) => ({ steps, servers: operation.servers }));
    for (const { steps, servers = [] } of [{ steps: [], servers: item.servers }, ...own])
      if (servers.length > 0 && servers.every((each) => serverPath({ servers: [each] }) !== base))
        yield [
          ['paths', path, ...steps, 'servers'],
          'only the first server of the contract says under which path it is served',
        ];
  }
}

const NO_HEADER_NAME = 'a name that no header has';

/** Warnings for a method, media types, headers and parameters that are not served as their author may expect. */
export function* operationWarnings(
  document: Document,
  { at, method, requestBody, body, parameters, forms, responses }: ContractOperation,
): Generator<Problem> {
  if (!canCome(method))
    yield [at, 'no request with this method can come: the HTTP server of Node does not take it', method];
  const unread = unreadForms(document, requestBody?.content ?? {});
  for (const mediaType of Object.keys(requestBody?.content ?? {})) {
    const meant = mediaTypeHint(mediaType);
    const here = [...at, 'requestBody', 'content', mediaType];
    if (meant !== '') yield named(here, `bodies of ${mediaType} are taken as they are named${meant}`);
    const fault = unread.get(mediaType);
    const why = fault === undefined ? 'have no reader' : `cannot be read (${fault})`;
    if (body && body.mediaTypes.length > 0 && !body.mediaTypes.includes(mediaType))
      yield [here, `bodies of ${mediaType} ${why}: they are answered with 415`];
  }
  for (const [status, { content = {} }] of Object.entries(responses))
    for (const mediaType of Object.keys(content).filter((each) => !each.includes('/')))
      yield named(
        [...at, 'responses', status, 'content', mediaType],
        `${mediaType} is no media type${mediaTypeHint(mediaType)}`,
      );
  const contents = [
    { content: requestBody?.content, steps: ['requestBody'] },
    ...Object.entries(responses).map(([status, { content }]) => ({ content, steps: ['responses', status] })),
  ];
  for (const { content = {}, steps } of contents)
    for (const [mediaType, declared] of Object.entries(content))
      for (const keyword of unheldKeywords(document, mediaType, declared))
        yield named(
          [...at, ...steps, 'content', mediaType],
          `${keyword} of a list is not held where its items come one by one`,
        );
  for (const [status, { headers = {} }] of Object.entries(responses))
    for (const name of Object.keys(headers).filter((each) => !isHeaderName(each)))
      yield [[...at, 'responses', status, 'headers', name], `${NO_HEADER_NAME}: no answer can have it`, name];
  for (const { in: where, name, schema } of parameters) {
    if (where === 'header' && !isHeaderName(name))
      yield [[...at, 'parameters'], `${NO_HEADER_NAME}: no request can have it`, name];
    const types = typesOf(applicableSchemas(document, schema));
    const others = ['integer', 'number', 'boolean'].filter((type) => types.has(type));
    if (types.has('string') && others.length > 0)
      yield [[...at, 'parameters'], `a parameter that may be text or ${others.join(' or ')} is text`, name];
  }
  for (const mediaType of body?.takesCoded ? body.mediaTypes.filter((each) => !body.bytes.includes(each)) : [])
    yield named(
      [...at, 'requestBody', 'content', mediaType],
      'a body that is read has no Content-Encoding, whatever is declared: with one it is answered with 415',
    );
  for (const name of sharedNames(document, parameters))
    yield [[...at, 'parameters'], 'two parameters take the same name: only the first of them gets a value', name];
  for (const [mediaType, { fields, others }] of forms) {
    const here = [...at, 'requestBody', 'content', mediaType];
    for (const [name, { besideText }] of [...fields, ['additionalProperties', others] as const])
      if (besideText.length > 0)
        yield [here, `a field of a form that may be text or ${besideText.join(' or ')} is text`, name];
  }
}

/** The names in a query, or of cookies, that two parameters take: of an object in the style `form` each property has its own. */
function* sharedNames(document: Document, parameters: readonly Parameter[]): Generator<string> {
  const taken = new Set<string>();
  for (const { in: where, name, schema, style = 'form', explode = true } of parameters) {
    if ((where !== 'query' && where !== 'cookie') || style !== 'form') continue;
    const { types, propertyNames } = new FlatSchema(document, [schema]);
    const isObject = explode && types.has('object') && [...types].every((type) => /^(?:object|null)$/.test(type));
    for (const each of isObject ? propertyNames : [name]) {
      if (taken.has(`${where} ${each}`)) yield each;
      taken.add(`${where} ${each}`);
    }
  }
}

/** Rules for parameters that OpenAPI has in prose only: each `{name}` of the path has one, and no two are the same. */
function* pathProblems({ at, path, parameters }: ContractOperation): Generator<Problem> {
  const template = namesInPath(path).map((name) => `path parameter ${name}`);
  const declared = parameters.map(({ name, in: where }) => `${where} parameter ${name}`);
  const here = [...at, 'parameters'];
  const others = declared.filter((name) => name.startsWith('path ') && !template.includes(name));
  for (const name of others) {
    const [meant] = template.filter((each) => !declared.includes(each));
    yield [here, `${name} is not in the path ${path}${meant === undefined ? '' : `: expected ${meant}`}`];
  }
  for (const name of others.length > 0 ? [] : template)
    if (!declared.includes(name)) yield [at, `${name} is not declared`];
  for (const [index, name] of declared.entries())
    if (declared.indexOf(name) !== index) yield [here, `duplicate ${name}`];
  for (const [index, name] of template.entries())
    if (template.indexOf(name) !== index) yield named(['paths', path], `${name} is twice in the path`);
}
