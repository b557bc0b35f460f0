/**
 * Parts of a contract that no request reaches: webhooks, callbacks, and unused server variables. A fault in one is a warning, and the part
 * is left out.
 */
import { lookUp, type Path, pointerOf } from '../contract/document';
import type { Problem } from '../contract/problems';

/**
 * The document without the unserved parts in which `judge` finds faults, its judgement of the rest, and a warning for each fault; a copy if
 * anything is left out.
 */
export function leaveOutUnserved<Judged extends { problems: readonly Problem[] }>(
  document: unknown,
  judge: (document: unknown) => Judged,
): { document: unknown; judged: Judged; warnings: Problem[] } {
  const warnings: Problem[] = [];
  for (let served = document; ;) {
    const judged = judge(served);
    const faults = judged.problems.flatMap((problem) => {
      const part = unservedPart(served, problem[0]);
      return part ? [{ problem, part }] : [];
    });
    if (faults.length === 0) return { document: served, judged, warnings };
    for (const { problem, part } of faults) {
      const [path, text, ...rest] = problem;
      warnings.push([path, `what is not served is left out: ${text}`, ...rest]);
      served = without(served, part);
    }
  }
}

/** The webhook, callback or variable that a place is in. */
function unservedPart(document: unknown, path: Path): Path | undefined {
  const [first, second] = path;
  if (first === 'webhooks' && path.length > 1) return path.slice(0, 2);
  if (first === 'components' && second === 'callbacks' && path.length > 2) return path.slice(0, 3);
  if (first === 'paths' && path[3] === 'callbacks' && path.length > 4) return path.slice(0, 5);
  const variables = path.indexOf('variables');
  if (path[variables - 2] !== 'servers' || path.length <= variables + 1) return undefined;
  const url = lookUp(document, [...path.slice(0, variables), 'url']);
  const isUsed = typeof url !== 'string' || url.includes(`{${path[variables + 1]}}`);
  // Only the first server of the document determines the address of the API.
  return isUsed && pointerOf(path).startsWith('/servers/0/') ? undefined : path.slice(0, variables + 2);
}

/** A copy without the value at a path, if there is one; the rest is shared. */
export function without(value: unknown, [step = '', ...rest]: Path): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return value;
  const copy: object = Array.isArray(value) ? [...(value as unknown[])] : { ...value };
  if (rest.length === 0) Reflect.deleteProperty(copy, step);
  else Reflect.set(copy, step, without(Reflect.get(copy, step), rest));
  return copy;
}
