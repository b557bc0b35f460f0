/** Certificates for tests, by openssl. */
import { execFileSync } from 'node:child_process';

/** The program that makes them, for `describeWith`. */
export const OPENSSL = '/usr/bin/openssl';

const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];

interface CertificateOptions {
  subject?: string;
  /** Whom it is for. */
  names?: string;
  /** Options of openssl for the key. */
  algorithm?: readonly string[];
}

/** Writes a certificate that signs itself, for two days, and its key. */
export function makeCertificate(
  key: string,
  certificate: string,
  { subject = '/CN=localhost', names = 'DNS:localhost', algorithm = EC }: CertificateOptions = {},
): void {
  const options = ['-x509', ...algorithm, '-nodes', '-days', '2', '-subj', subject];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync(OPENSSL, ['req', ...options, '-addext', `subjectAltName=${names}`, ...files], { stdio: 'ignore' });
}
