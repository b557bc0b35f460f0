/** The root of the project, where every server is started. */
import { join } from 'node:path';

export const root = join(__dirname, '..', '..', '..');
