/** `generated/package.json`: what `npm pack ./generated` makes a package for clients by. */
import { readContract } from '../project/read-contract';

/** Options of tsc that need nothing but the generated file; what comes out can be imported and required. */
const COMPILE = 'tsc openapi.ts --outDir dist --declaration --strict --skipLibCheck --target es2022 --module commonjs';

/** The text of the file; the package has the contract's name, version and license. */
export function clientManifest(contractFile: string): string {
  const { title, version, license }: Info = readContract(contractFile).document.info;
  const name = title.toLowerCase().match(/[a-z0-9]+/g) ?? ['api'];
  const manifest = {
    name: `${name.join('-')}-client`,
    version: /^\d+\.\d+\.\d+$/.test(version) ? version : '1.0.0',
    description: `The types of ${title}, for clients.`,
    license: license?.identifier ?? license?.name ?? 'UNLICENSED',
    main: 'dist/openapi.js',
    files: ['dist'],
    scripts: { prepack: COMPILE },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

interface Info {
  title: string;
  version: string;
  license?: { name?: string; identifier?: string };
}
