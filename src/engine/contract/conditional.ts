/** Answers that depend on headers which a contract need not declare: they are given where it has their statuses, by their codes. */
import type { ContractOperation } from './operations';
import { declaredKey } from './statuses';

/** The answers of an operation to conditional requests, and to those for a part (RFC 9110 sections 13 and 14). */
export interface ConditionalAnswers {
  /** 304, for a client that has the body already. */
  notModified: boolean;
  /** The media types of 206; none if it is not declared. */
  partial: readonly string[];
  /** 416, for a part that the body does not have. */
  notSatisfiable: boolean;
}

/** Undefined for an operation that is no GET or HEAD, or declares no `ETag` or `Last-Modified` with its 200. */
export function conditionalAnswers(operation: ContractOperation): ConditionalAnswers | undefined {
  const { method, responses } = operation;
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const { headers = {} } = responses[declaredKey(operation, 200) ?? ''] ?? {};
  if (!Object.keys(headers).some(isValidator)) return undefined;
  const partial = method === 'GET' ? responses['206'] : undefined; // HEAD has no ranges: RFC 9110 section 14.2
  return {
    notModified: responses['304'] !== undefined,
    partial: partial ? Object.keys(partial.content ?? { '*/*': {} }) : [],
    notSatisfiable: partial !== undefined && responses['416'] !== undefined,
  };
}

/** True for a header whose value changes with the body. */
export function isValidator(name: string): boolean {
  return /^(?:etag|last-modified)$/i.test(name);
}

/** The media types of successes, one of which a client has to accept, where 406 is declared; none if a range leaves them open. */
export function offeredTypes({ responses }: ContractOperation): string[] {
  if (!responses['406']) return [];
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const mediaTypes = successes.flatMap(([, { content = {} }]) => Object.keys(content));
  return mediaTypes.some((each) => each.includes('*')) ? [] : mediaTypes;
}
