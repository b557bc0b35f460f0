/** The banner of a started service: its address, documentation, token, and a curl line to try it. */
import { examplesIn } from './contract/document';
import { canRead, isForm } from './contract/media-type';
import type { Contract } from './contract/operations';
import { pathAsSent } from './contract/paths';
import { docsPath } from './docs/documentation';
import { bodyOptions, credentialOption, curlLine } from './curl';
import type { LogTime } from './process/log';
import { oneLine } from './process/printable';

export interface BannerOptions {
  /** The one-off token of this run, if there is one. */
  token: string | undefined;
  docs: boolean;
  /** A curl line in place of the one that is made from the contract's own examples. */
  curl?: string | undefined;
}

/** The fields of the banner. */
export interface Banner {
  /** The title, version and address. */
  msg: string;
  baseUrl: string;
  /** The documentation page. */
  docs?: string | undefined;
  /** The token of this run. */
  token?: string | undefined;
  /** A curl line that works as it is. */
  curl?: string | undefined;
}

export function bannerOf(contract: Contract, baseUrl: string, { token, docs, curl: other }: BannerOptions): Banner {
  return {
    baseUrl,
    docs: docs ? baseUrl + docsPath(contract) : undefined,
    token: isAsked(contract) ? token : undefined,
    curl: other ?? curl(contract, baseUrl, token),
    msg: oneLine(`${contract.document.info.title} ${contract.document.info.version} at ${baseUrl}`),
  };
}

/** True if any operation requires a credential. */
function isAsked({ operations }: Contract): boolean {
  return operations.some(({ security }) => security.some((requirement) => Object.keys(requirement).length > 0));
}

/** The banner as a line of JSON, like those of the log but not part of it: the token must not get into collected logs. */
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

/**
 * The curl line for the first operation that has an example of its body, or else for the first GET; operations with required parameters are
 * skipped.
 */
function curl({ document, operations }: Contract, baseUrl: string, token?: string): string | undefined {
  let get: string | undefined;
  for (const { method, path, requestBody, parameters, security } of operations) {
    const credential = credentialOption(document, security[0] ?? {}, token);
    if (credential === undefined || parameters.some(({ required }) => required)) continue;
    if (method === 'GET') get ??= curlLine(method, baseUrl + pathAsSent(path), [credential]);
    for (const [mediaType, content] of Object.entries(requestBody?.content ?? {})) {
      const [value] = examplesIn(document, content);
      if (value === undefined || !canRead(mediaType) || isForm(mediaType)) continue;
      return curlLine(method, baseUrl + pathAsSent(path), [credential, ...bodyOptions(mediaType, value)]);
    }
  }
  return get;
}
