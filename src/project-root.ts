import { basename, dirname } from 'node:path';

const above = dirname(__dirname);

/** The folder of `package.json` and `openapi.yaml`, whether this file runs from `src` or, compiled, from `dist/src`. */
export const projectRoot = basename(above) === 'dist' ? dirname(above) : above;
