/** The lines that are printed once the service has started; the curl line is made from the contract's own example, or of a GET. */
import { type Document, type MediaType, resolve } from './contract/document';
import { canRead, isForm } from './contract/media-type';
import type { Contract } from './contract/operations';
import { bodyOptions, credentialOption, curlLine } from './curl';
import type { LogTime } from './settings';

export interface BannerOptions {
  /** The one-off token of this run, if there is one. */
  token: string | undefined;
  docs: boolean;
  /** A line to try it with, in place of the one from the contract's own examples. */
  curl?: string | undefined;
}

/** The facts about a service that has started. */
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

/** The line for the first operation that has an example of its body, or else for the first GET; undefined if they need parameters. */
function curl({ document, operations }: Contract, baseUrl: string, token?: string): string | undefined {
  let get: string | undefined;
  for (const { method, path, requestBody, parameters, security } of operations) {
    const credential = credentialOption(document, security[0] ?? {}, token);
    if (credential === undefined || parameters.some(({ required }) => required)) continue;
    if (method === 'GET') get ??= curlLine(method, baseUrl + path, [credential]);
    for (const [mediaType, content] of Object.entries(requestBody?.content ?? {})) {
      const value = exampleOf(document, content);
      if (value === undefined || !canRead(mediaType) || isForm(mediaType)) continue;
      return curlLine(method, baseUrl + path, [credential, ...bodyOptions(mediaType, value)]);
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
