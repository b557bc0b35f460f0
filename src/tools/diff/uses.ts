/** The parts of a contract that requests are held to, those of answers that are no errors, and those of content other than JSON, with references followed. */
import { type Contract, type Document, isJson, lookUp, partsOf, pathOf } from '../../engine/reading';
import { isError } from './answers';
import { PARAMETERS } from './comparable';

export interface Uses {
  inRequests: ReadonlySet<unknown>;
  /** What clients read, callbacks and webhooks included. */
  inAnswers: ReadonlySet<unknown>;
  inErrors: ReadonlySet<unknown>;
  /** Requests that the server sends: callbacks and webhooks. */
  inSendings: ReadonlySet<unknown>;
  /** What may be XML. */
  inOthers: ReadonlySet<unknown>;
}

export function usesOf({ document, operations }: Contract): Uses {
  const [inRequests, inAnswers, inOthers] = [new Set<unknown>(), new Set<unknown>(), new Set<unknown>()];
  const [inErrors, inSendings] = [new Set<unknown>(), new Set<unknown>()];
  for (const { at, parameters, requestBody, responses } of operations) {
    addParts(document, [parameters, requestBody], inRequests);
    for (const [status, response] of Object.entries(responses))
      addParts(document, response, isError(status, responses) ? inErrors : inAnswers);
    addParts(document, lookUp(document, [...at, 'callbacks']), inSendings);
  }
  addParts(document, document.webhooks, inSendings);
  for (const part of inSendings) inAnswers.add(part);
  // Parameters lie under an extension in the form that is compared.
  for (const { part, isMap } of [document, Reflect.get(document, PARAMETERS)].flatMap((each) => partsOf(each)))
    for (const [mediaType, content] of Object.entries((!isMap && lookUp(part, ['content'])) || {}))
      if (!isJson(mediaType)) addParts(document, content, inOthers);
  return { inRequests, inAnswers, inErrors, inSendings, inOthers };
}

function addParts(document: Document, part: unknown, found: Set<unknown>): void {
  if (found.has(part)) return;
  for (const { part: each } of partsOf(part)) {
    if (found.has(each)) continue;
    found.add(each);
    if ('$ref' in each && typeof each.$ref === 'string' && each.$ref.startsWith('#/'))
      addParts(document, lookUp(document, pathOf(each.$ref)), found);
  }
}
