/** The kinds of differences between our server and the middleware, told apart by the request and by what the refusing side says. */
import type { Answered, Sent } from './fork';

/** Answered differently: refused by one side alone, or with two statuses. */
export interface Difference {
  sent: Sent;
  ours: Answered;
  middleware: Answered;
}

/** `accepts`, or the status of a refusal. */
export function outcome({ status }: Answered): string {
  return status < 400 ? 'accepts' : String(status);
}

/** The first kind that fits, in the words of the table; undefined for a difference of no kind. */
export function kindOf(difference: Difference): string | undefined {
  return Object.keys(KINDS).find((kind) => KINDS[kind]?.(difference));
}

const KINDS: Readonly<Record<string, (difference: Difference) => boolean>> = {
  'a path in other letter case, or with a slash at its end': ({ ours }) =>
    ours.status === 404 && ours.body.includes('with its letter case and slashes'),
  'no body, and no `Content-Type`': ({ sent, middleware }) =>
    sent.body === '' && middleware.body === 'unsupported media type undefined',
  'a body that `express.json()` refuses, without a credential': ({ ours, middleware }) =>
    ours.status === 401 && / JSON\b|^unsupported charset/.test(middleware.body),
  '`HEAD` where the contract has `GET`, without a credential': ({ sent, ours }) =>
    sent.method === 'HEAD' && ours.status === 401,
  'a body of XML': ({ sent }) => /xml/i.test(sent.headers['content-type'] ?? ''),
  'JSON that is a text, a number, `true`, `false` or `null`': ({ sent, middleware }) =>
    !/^[[{]/.test(sent.body) && middleware.body.endsWith('is not valid JSON'),
  'a key in the query that is not the first scheme of its alternative of `security`': ({ ours, middleware }) =>
    outcome(ours) === 'accepts' && middleware.body === "Unknown query parameter 'apiKey'",
  'an integer that is out of the range of int64': ({ ours }) => ours.body.includes('expected int64'),
  'a number that is an integer only when it is rounded': ({ ours }) =>
    Number.isInteger(Number(/expected integer, got (-?[\d.]+)/.exec(ours.body)?.[1])),
  'nothing for what is required and has a `default`': ({ ours, middleware }) =>
    ours.body.includes('expected a value, got nothing') && outcome(middleware) === 'accepts',
  'nothing for what has a `default` that its own schema refuses': ({ sent, ours, middleware }) => {
    const [, name] =
      /^request\/(?:body|query)\/([\w-]+) (?:is read-only|must match format)/.exec(middleware.body) ?? [];
    return outcome(ours) === 'accepts' && name !== undefined && !has(sent, name);
  },
  '`null` where `nullable` of 3.0 stands in a contract of 3.1': ({ sent, ours, middleware }) =>
    outcome(ours) === 'accepts' && sent.body.includes(':null') && middleware.body.includes('allowed values'),
  'anything, to an operation with keywords of 3.0 in a contract of 3.1': ({ middleware }) =>
    /^(?:"nullable" cannot be used without "type"|exclusiveM(?:in|ax)imum value must be)/.test(middleware.body),
  'a value whose discriminator names another branch than the one that fits': ({ ours, middleware }) =>
    /body\/(?:connector_properties|config)\b/.test(`${ours.body}${middleware.body}`),
  'a value that fits one branch alone, and whose discriminator names another': ({ sent, ours, middleware }) =>
    outcome(ours) === 'accepts' &&
    /"(?:pet_type|discrim)":"/.test(sent.body) &&
    /^request\/\w+ must be/.test(middleware.body),
  'a value that `mapping` names, beside the name of a schema': ({ sent, ours }) =>
    outcome(ours) === 'accepts' && /"discrim":"Option (?:One|Two)"/.test(sent.body),
  'a text that is only nearly of its format': ({ ours, middleware }) =>
    /\/[\w-]+: expected (?:an? )?[a-z-]+(?: such as \S+)?, got \\?"/.test(ours.body) &&
    outcome(middleware) === 'accepts',
  'a form with a `%` that encodes nothing': ({ ours }) => ours.body.includes('expected percent-encoded UTF-8'),
  'a `multipart/form-data` that is malformed': ({ ours }) =>
    /expected (?:multipart.form-data|whole parts)/.test(ours.body),
  'JSON with bytes that are no UTF-8': ({ ours }) => ours.body.includes('got bytes of another encoding'),
  'an empty body where one is required': ({ sent, ours }) =>
    sent.body === '' && sent.headers['content-type'] !== undefined && ours.body.includes('got none'),
};

/** Whether a request has a parameter of the query, or a property of its body, of this name. */
function has({ target, body }: Sent, name: string): boolean {
  const [, query = ''] = target.split('?');
  return new URLSearchParams(query).has(name) || (body !== '' && name in (JSON.parse(body) as object));
}
