#!/usr/bin/env node
/** The program with all its commands, for an installation without a compiler: `plant-store COMMAND`. */
import './node-version';
import { engineCommands, projectOf, runCommands } from './engine';

runCommands({
  name: 'plant-store',
  version: projectOf(__dirname).version,
  commands: {
    start: { does: 'serves the contract', load: () => import('./main.js') },
    ...engineCommands,
    migrate: {
      does: 'brings the schema of the store up to date',
      load: () => import('./plants/commands/migrate.js'),
    },
    plants: {
      does: 'exports, imports and verifies the plants of a store',
      load: () => import('./plants/commands/plants.js'),
    },
  },
});
