/** What a stage leaves on the request for the next one; `app.ts` has their order. */
import type { Principal } from './contract/handler-types';
import type { ContractOperation } from './contract/operations';

declare global {
  namespace Express {
    interface Request {
      operation?: ContractOperation;
      principal?: Principal;
    }
  }
}
