/** What a person reads when the service has started; the line to try it with is made from the contract's own example. */
import type { Contract } from './contract/operations';

/** The address, the one-off token if there is one, and a `curl` line that works as it stands. */
export function banner(contract: Contract, baseUrl: string, token: string | undefined): string {
  const lines = [`${contract.document.info.title} ${contract.document.info.version} at ${baseUrl}`];
  if (token !== undefined) lines.push(`Token, for this run only: ${token}`);
  const line = curl(contract, baseUrl, token ?? '$TOKEN');
  if (line !== undefined) lines.push(`Try it: ${line}`);
  return `${lines.join('\n')}\n`;
}

function curl({ operations }: Contract, baseUrl: string, token: string): string | undefined {
  for (const { method, path, requestBody, parameters } of operations) {
    if (parameters.some(({ required }) => required)) continue;
    for (const [mediaType, { examples = {} }] of Object.entries(requestBody?.content ?? {})) {
      const [example] = Object.values(examples);
      if (example === undefined) continue;
      const body = JSON.stringify(example.value).replaceAll("'", String.raw`'\''`);
      return `curl -i -X ${method} ${baseUrl}${path} -H "Authorization: Bearer ${token}" -H 'Content-Type: ${mediaType}' -d '${body}'`;
    }
  }
  return undefined;
}
