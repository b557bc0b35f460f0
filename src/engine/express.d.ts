/** What each stage of a request's way leaves on the request for those after it; `app.ts` has their order. */
import type { Principal } from './contract/handler-types';
import type { ContractOperation } from './contract/operations';
import type { FormPart } from './http/form';
import type { ValidRequest } from './validation/validator';

declare global {
  namespace Express {
    interface Request {
      /** The contract's operation, once the request is matched to one. */
      operation?: ContractOperation;
      /** Its path parameters as they were sent. */
      pathTexts?: Readonly<Record<string, string>>;
      /** Who sent the request, once it is authenticated. */
      principal?: Principal;
      /** The body's media type as the contract writes it, once the body is read. */
      mediaType?: string;
      /** The fields of the body, where it is a form, until it is validated. */
      formParts?: readonly FormPart[] | undefined;
      /** Whether there are numbers in the body that a double misrepresents. */
      hasExactNumbers?: boolean;
      /** The parameters and the body as handlers get them, once they are validated. */
      values?: ValidRequest;
    }

    interface Locals {
      /** The code of the error that was answered, for the access log. */
      error?: number;
    }
  }
}
