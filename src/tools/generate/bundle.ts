/** `generated/openapi.yaml`: a contract of several files as one. */
import { bundleFiles, bundleHead, Folders, Sources, writeYaml } from '../../engine/reading';

/** The text of the bundle, of files in the contract's folder and the allowed ones; throws ContractProblems if they cannot be bundled. */
export function bundleText(contract: string, allowed: readonly string[] = []): string {
  const sources = new Sources(contract, new Folders(contract, allowed));
  return bundleHead(contract, sources.all()) + writeYaml(bundleFiles(sources).value);
}
