/** What is printed once the service has started; the curl line is made from the contract's own example, or of a GET. */
import { ONE_OFF } from './auth/tokens';
import { type Document, type MediaType, resolve, schemeKind, type SecurityRequirement } from './contract/document';
import type { Contract } from './contract/operations';
import type { LogTime } from './settings';
import { stringifyJson } from './json/json';
import { canRead, isForm, isJson } from './contract/media-type';

export interface BannerOptions {
  /** The one-off token of this run, if there is one. */
  token: string | undefined;
  docs: boolean;
  /** A line to try it with, in place of the one from the contract's own examples. */
  curl?: string | undefined;
}

/** What is known of a service that has started. */
export interface Banner {
  /** The title, version and address. */
  msg: string;
  baseUrl: string;
  /** The documentation page. */
  docs?: string | undefined;
  /** The token of this run. */
  token?: string | undefined;
  /** A line that works as it stands. */
  curl?: string | undefined;
}

export function bannerOf(contract: Contract, baseUrl: string, { token, docs, curl: other }: BannerOptions): Banner {
  return {
    baseUrl,
    docs: docs ? `${baseUrl}/docs` : undefined,
    token: isAsked(contract) ? token : undefined,
    curl: other ?? curl(contract, baseUrl, token),
    msg: `${contract.document.info.title} ${contract.document.info.version} at ${baseUrl}`,
  };
}

/** Whether any operation asks for a credential. */
function isAsked({ operations }: Contract): boolean {
  return operations.some(({ security }) => security.some((requirement) => Object.keys(requirement).length > 0));
}

/** The banner as a line of JSON, like those of the log but not in it: the token must not get into a collector of logs. */
export function bannerLine(banner: Banner, logTime: LogTime): string {
  const now = new Date();
  return `${JSON.stringify({ level: 'info', time: logTime === 'epoch' ? now.getTime() : now, ...banner })}\n`;
}

/** The banner for a person at a terminal; `note` introduces the token. */
export function bannerText({ msg, docs, token, curl }: Banner, note = 'Token, for this run only'): string {
  const lines = [msg];
  if (docs !== undefined) lines.push(`Documentation, to try it in a browser: ${docs}`);
  if (token !== undefined) lines.push(`${note}: ${token}`);
  if (curl !== undefined) lines.push(`Try it: ${curl}`);
  return `${lines.join('\n')}\n`;
}

/** Of the first operation that has an example of its body, or else of the first GET; of none that has other required parameters. */
function curl({ document, operations }: Contract, baseUrl: string, token?: string): string | undefined {
  let get: string | undefined;
  for (const { method, path, requestBody, parameters, security } of operations) {
    const credential = credentialOption(document, security[0] ?? {}, token);
    if (credential === undefined || parameters.some(({ required }) => required)) continue;
    if (method === 'GET') get ??= `curl -i ${baseUrl}${path} ${credential}`.trimEnd();
    for (const [mediaType, content] of Object.entries(requestBody?.content ?? {})) {
      const value = exampleOf(document, content);
      if (value === undefined || !canRead(mediaType) || isForm(mediaType)) continue;
      const text = typeof value === 'string' && !isJson(mediaType) ? value : stringifyJson(value);
      const options = [credential, `-H 'Content-Type: ${mediaType}'`, `-d '${text.replaceAll("'", String.raw`'\''`)}'`];
      return `curl -i -X ${method} ${baseUrl}${path} ${options.filter((option) => option !== '').join(' ')}`;
    }
  }
  return get;
}

/** The first example in the contract itself. */
function exampleOf(document: Document, { example, examples = {} }: MediaType): unknown {
  try {
    const all = Object.values(examples).map((each) => resolve(document, each).value);
    return [example, ...all].find((value) => value !== undefined);
  } catch {
    return undefined; // a reference leads nowhere, which is no reason not to start
  }
}

/** The option with which curl satisfies a security requirement; undefined if there is none. */
export function credentialOption(
  document: Document,
  requirement: SecurityRequirement,
  token?: string,
): string | undefined {
  const [scheme, ...others] = Object.keys(requirement).map((name) => document.components?.securitySchemes?.[name]);
  if (scheme === undefined) return '';
  if (others.length > 0) return undefined;
  switch (schemeKind(scheme)) {
    case 'http bearer':
      return `-H "Authorization: Bearer ${token ?? '$TOKEN'}"`;
    case 'http basic':
      return `-u "${token === undefined ? '$USERNAME:$PASSWORD' : `${ONE_OFF}:${token}`}"`;
    case 'apiKey in header':
      return `-H "${scheme.name}: ${token ?? '$API_KEY'}"`;
    default:
      return undefined;
  }
}
