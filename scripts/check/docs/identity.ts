/** Compares title, version, license and address of the service, wherever they appear, with the contract. */
import type { Contract } from '../../../src/engine/contract/operations';
import { mentions } from './markdown';
import { defaultAddress } from './variables';

/** The parts of package.json and package-lock.json that repeat the contract. */
export interface Manifest {
  name: string;
  version: string;
  license: string;
}

/** Parts of the contract that the server does not use. */
interface Published {
  info: { title: string; version: string; license?: { identifier?: string } };
  servers?: { url: string; variables?: { base_url?: { default?: string } } }[];
}

export function identityProblems(readme: string, manifest: Manifest, lock: Manifest, contract: Contract): string[] {
  const { info, servers }: Published = contract.document;
  const { title, version, license } = info;
  const at = (key: keyof typeof info): string => contract.place(['info', key]);
  const base = servers?.[0]?.variables?.base_url;
  const byDefault = `the service is by default at ${defaultAddress()}`;
  return [
    differ('package.json', manifest.version, version, `${at('version')} has the version ${version}`),
    differ('package-lock.json', lock.version, version, `${at('version')} has the version ${version}`),
    ...mentions(readme, new RegExp(`${title} (\\d+\\.\\d+\\.\\d+)`, 'g')).map(({ line, text }) =>
      differ(`README.md:${line}`, text, version, `${at('version')} has the version ${version}`),
    ),
    differ('README.md:1', mentions(readme, /^# (.*)/g)[0]?.text, title, `${at('title')} has the title ${title}`),
    differ('package.json', manifest.name, kebab(title), `${at('title')} has the title ${title}`),
    differ('package.json', manifest.license, license?.identifier, `${at('license')} has ${license?.identifier}`),
    base?.default === undefined ? [] : differ(contract.place(['servers']), base.default, defaultAddress(), byDefault),
    ...mentions(readme, /http:\/\/(?:localhost|127\.0\.0\.1):\d+/g).map(({ line, text }) =>
      differ(`README.md:${line}`, text, defaultAddress(), byDefault),
    ),
  ].flat();
}

function differ(where: string, is: string | undefined, should: string | undefined, why: string): string[] {
  return is === should ? [] : [`${where} says ${is ?? 'nothing'}, but ${why}`];
}

function kebab(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}
