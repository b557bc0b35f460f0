#!/usr/bin/env node
/** The command line of the tools: what makes services of contracts, and judges them. */
import { engineCommands, runCommands } from '../engine';
import { manifestOf, ownFolder } from './project/own-package';

runCommands({
  name: 'openapi-in-charge',
  version: manifestOf(ownFolder).version,
  commands: {
    new: { does: 'makes a project of your own from a contract', load: () => import('./new/command.js') },
    mock: { does: 'serves any contract without handlers', load: () => import('./mock/command.js') },
    conformance: { does: 'holds a running server to a contract', load: () => import('./conformance/command.js') },
    generate: { does: 'writes the types of openapi.yaml to generated/', load: () => import('./generate/command.js') },
    dev: { does: 'serves a project, and anew after each change', load: () => import('./dev/command.js') },
    check: { does: 'checks everything of a project', load: () => import('./check/command.js') },
    lint: { does: 'holds openapi.yaml to the rules of lint', load: () => import('./generate/lint.js') },
    try: { does: 'starts and stops a project, to see whether it can', load: () => import('./check/start.js') },
    diff: { does: 'lists what openapi.yaml breaks and adds', load: () => import('./diff/command.js') },
    update: { does: 'brings the packages of such a project up to date', load: () => import('./new/update.js') },
    ...engineCommands,
  },
});
