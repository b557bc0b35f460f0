/** express-openapi-validator, set up as `match.ts` and `validate.ts` use it: how it finds operations and validates requests, with exact numbers. */
import type { Express, NextFunction, Request, Response } from 'express';
import { AjvOptions } from 'express-openapi-validator/dist/framework/ajv/options';
import { OpenApiSpecLoader } from 'express-openapi-validator/dist/framework/openapi.spec.loader';
import type { OpenApiRequestHandler } from 'express-openapi-validator/dist/framework/types';
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator';
import { messageOf } from '../http/api-error';
import type { Contract } from '../contract/operations';
import { CompiledBodies } from './compiled-bodies';
import { exactKeywords } from './exact-number';
import { validatorDocument } from './validator-document';

export interface Validator {
  /** A stage that finds the operation of a request and sets `req.openapi`. */
  findOperation: OpenApiRequestHandler;
  /**
   * Validates parameters and body of a request by the schemas of its operation, and converts them; throws what is wrong as an
   * error of express-openapi-validator.
   */
  validateRequest(req: Request, res: Response): void;
}

/** express-openapi-validator has no option for Ajv's keywords (its issue 927). */
class ExactAjvOptions extends AjvOptions {
  override get request() {
    return { ...super.request, keywords: exactKeywords({ inRequests: true }) };
  }
}

class ExactValidator extends OpenApiValidator {
  override readonly ajvOpts = new ExactAjvOptions(this.options);
}

/** The validator with the contract loaded and mounted at `basePath`; rejects where it cannot be. */
export async function loadValidator(app: Express, contract: Contract, basePath: string): Promise<Validator> {
  const apiDoc = validatorDocument(contract, basePath);
  const configured = new ExactValidator({
    apiSpec: apiDoc,
    validateApiSpec: false, // contract/rules.ts has
    validateRequests: true,
    validateResponses: false, // response.ts does
    validateSecurity: false, // authenticate.ts does, by the `security` of the matched operation
    fileUploader: false,
    ajvFormats: { mode: 'full' }, // as for answers; its default takes 2023-02-30 for a date
  });
  const loading = new OpenApiSpecLoader({ apiDoc, validateApiSpec: false, $refParser: { mode: 'bundle' } }).load();
  const stages = configured.installMiddleware(loading);
  const names = stages.map(({ name }) => name).join(' ');
  const [pathParams, findOperation] = stages;
  // A version with other stages, or in another order, must not start.
  if (
    names !== 'pathParamsMiddleware metadataMiddleware securityMiddleware requestMiddleware' ||
    !pathParams ||
    !findOperation
  ) {
    throw new Error(`express-openapi-validator has other stages than expected: ${names}`);
  }
  // The first stage awaits the loaded contract. It is run once, here, so that requests need not.
  await new Promise<void>((resolve, reject) => {
    const next: NextFunction = (error?: unknown) =>
      error ? reject(new Error(messageOf(error), { cause: error })) : resolve();
    void pathParams(app.request, app.response, next);
  });
  // Called directly: the validator's own stage awaits the loaded contract for every request.
  const requests = new RequestValidator((await loading).apiDoc, configured.ajvOpts.request);
  const bodies = new CompiledBodies(requests);
  return {
    findOperation,
    validateRequest(req, res) {
      if (bodies.validate(req)) return;
      const decision = { valid: false };
      void requests.validate(req, res, () => (decision.valid = true));
      if (!decision.valid) throw new Error('express-openapi-validator has not decided on a request at once');
      bodies.convertNumber(req);
    },
  };
}
