// Generated from openapi.yaml by `npm run generate`. Do not edit: change the contract and generate again.
/* eslint-disable */
import type { Handled } from '../src/contract/handled';
import type { Table } from '../src/operations';

export type Handlers = [
  /** POST /plants */
  Handled<"createPlant", Table>,
];
