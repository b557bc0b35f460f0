/** express-openapi-validator, set up as `match.ts` and `validate.ts` use it: two of its stages, with exact numbers. */
import type { Express, NextFunction } from 'express';
import { AjvOptions } from 'express-openapi-validator/dist/framework/ajv/options';
import { OpenApiSpecLoader } from 'express-openapi-validator/dist/framework/openapi.spec.loader';
import type { OpenApiRequestHandler } from 'express-openapi-validator/dist/framework/types';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator';
import { messageOf } from '../api-error';
import type { Contract } from '../contract/operations';
import { exactKeywords } from './exact-number';
import { validatorDocument } from './validator-document';

export interface LibraryStages {
  /** Finds the operation of a request and sets `req.openapi`. */
  findOperation: OpenApiRequestHandler;
  /** Validates parameters and body by the operation's schemas, and converts them. */
  validateRequest: OpenApiRequestHandler;
}

/** The library has no option for Ajv's keywords (its issue 927). */
class ExactAjvOptions extends AjvOptions {
  override get request() {
    return { ...super.request, keywords: exactKeywords({ inRequests: true }) };
  }
}

class ExactValidator extends OpenApiValidator {
  override readonly ajvOpts = new ExactAjvOptions(this.options);
}

/** The library's stages, with the contract loaded and mounted at `basePath`; rejects where it cannot be. */
export async function loadLibrary(app: Express, contract: Contract, basePath: string): Promise<LibraryStages> {
  const apiDoc = validatorDocument(contract, basePath);
  const validator = new ExactValidator({
    apiSpec: apiDoc,
    validateApiSpec: false, // contract/rules.ts has
    validateRequests: true,
    validateResponses: false, // response.ts does
    validateSecurity: false, // authenticate.ts does, by the `security` of the matched operation
    fileUploader: false,
    ajvFormats: { mode: 'full' }, // as for answers; its default takes 2023-02-30 for a date
  });
  const loader = new OpenApiSpecLoader({ apiDoc, validateApiSpec: false, $refParser: { mode: 'bundle' } });
  const stages = validator.installMiddleware(loader.load());
  const names = stages.map(({ name }) => name).join(' ');
  const [pathParams, findOperation, , validateRequest] = stages;
  // A version with other stages, or in another order, must not start.
  if (
    names !== 'pathParamsMiddleware metadataMiddleware securityMiddleware requestMiddleware' ||
    !pathParams ||
    !findOperation ||
    !validateRequest
  ) {
    throw new Error(`express-openapi-validator has other stages than expected: ${names}`);
  }
  // Its first stage waits for the contract to be loaded, which no request should have to.
  await new Promise<void>((resolve, reject) => {
    const next: NextFunction = (error?: unknown) =>
      error ? reject(new Error(messageOf(error), { cause: error })) : resolve();
    void pathParams(app.request, app.response, next);
  });
  return { findOperation, validateRequest };
}
