/** `generated/openapi.yaml`: a contract of several files as one. */
import { Document, visit } from 'yaml';
import { bundleFiles, bundleHead, Folders, Sources } from '../../engine/reading';

/** The text of the bundle, of files in the contract's folder and the allowed ones; throws ContractProblems if they cannot be bundled. */
export function bundleText(contract: string, allowed: readonly string[] = []): string {
  const sources = new Sources(contract, new Folders(contract, allowed));
  const bundle = new Document(bundleFiles(sources).value, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  // Without quotes it would be a merge, and not a name.
  visit(bundle, {
    Scalar(key, node) {
      if (key === 'key' && node.value === '<<') node.type = 'QUOTE_SINGLE';
    },
  });
  return bundleHead(contract, sources.all()) + bundle.toString({ lineWidth: 0 });
}
