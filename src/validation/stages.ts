/**
 * express-openapi-validator's stages, in our order: it matches the operation and validates the request by `openapi.yaml`;
 * authentication and the reading of the body come between the two.
 */
import type { Express, NextFunction, Request, RequestHandler } from 'express';
import { error as eov, middleware } from 'express-openapi-validator';
import type { OpenApiRequestHandler, OpenApiRequestMetadata } from 'express-openapi-validator/dist/framework/types';
import { ErrorCode } from '../error-codes';
import { ApiError, messageOf } from '../api-error';
import { noSuchPath } from '../http/errors';
import type { Json } from '../http/json';
import type { Contract, ContractOperation } from '../contract/operations';
import { exactRequests } from './exact-request';
import { numberFormats } from './integers';
import { pointerOf } from '../contract/document';
import { servedDocument } from './validator-document';
import { contractViolation, violation } from './violation';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- this is how Express's request is extended
  namespace Express {
    interface Request {
      /** The contract's operation, once the request is matched to one. */
      operation?: ContractOperation;
      /** The validator's view of the same. */
      openapi?: OpenApiRequestMetadata;
      /** The body's media type as the contract writes it, once the body is read. */
      mediaType?: string;
      /** The body as it was written, where it is JSON. */
      json?: Json;
    }
  }
}

export interface ContractStages {
  /** Finds the operation of a request; 404 and 405 come from here. */
  match: RequestHandler;
  /** Holds parameters and body to the contract and leaves them typed and exact. */
  validate: RequestHandler;
}

/**
 * The stages, with the contract loaded; rejects where the validator cannot load it. `basePath` is where the API is mounted:
 * empty, or `/v1` and the like.
 */
export async function contractStages(app: Express, contract: Contract, basePath: string): Promise<ContractStages> {
  const { load, findOperation, validateRequest } = stagesOf(
    middleware({
      apiSpec: servedDocument(contract, basePath),
      validateApiSpec: false, // check.ts has
      validateRequests: true,
      validateResponses: false, // answers.ts does, with int64 exact
      validateSecurity: false, // authenticate.ts does, by the `security` of the matched operation
      fileUploader: false,
      formats: { ...numberFormats },
    }),
  );
  await load(app);

  const routes = new Map(
    contract.operations.map((operation) => [
      operation.id,
      { operation, exact: exactRequests(contract.document, operation) },
    ]),
  );
  const paths = new Set(contract.operations.map(({ path }) => basePath + path));
  /** What the validator finds for a path without parameters, found once; the contract has finitely many of them. */
  const found = new Map<string, { openapi: OpenApiRequestMetadata; operation: ContractOperation }>();

  return {
    match(req, res, next) {
      const query = req.url.indexOf('?');
      const path = query < 0 ? req.url : req.url.slice(0, query);
      const key = `${req.method} ${path}`;
      const known = found.get(key);
      if (known) {
        req.openapi = known.openapi;
        req.operation = known.operation;
        next();
        return;
      }
      if (path.endsWith('/') && !paths.has(path)) {
        // The validator would take it for the path without the slash.
        next(noSuchPath());
        return;
      }
      findOperation(req, res, (error?: unknown) => {
        const operation = routes.get(req.openapi?.schema.operationId ?? '')?.operation;
        if (error || !req.openapi || !operation) {
          next(error ? apiError(error, req) : noSuchPath());
          return;
        }
        if (paths.has(path)) found.set(key, { openapi: req.openapi, operation });
        req.operation = operation;
        next();
      });
    },

    validate(req, res, next) {
      if (/\?./.test(req.url)) refuseQuery(req);
      const restoreExact = routes.get(req.operation?.id ?? '')?.exact(req);
      validateRequest(req, res, (error?: unknown) => {
        if (error) {
          next(apiError(error, req));
          return;
        }
        restoreExact?.();
        next();
      });
    },
  };
}

/** The validator's stages by their names, so that a version that orders them otherwise does not start. */
function stagesOf(stages: OpenApiRequestHandler[]): {
  load: (app: Express) => Promise<void>;
  findOperation: OpenApiRequestHandler;
  validateRequest: OpenApiRequestHandler;
} {
  const names = stages.map(({ name }) => name).join(' ');
  const [pathParams, findOperation, , validateRequest] = stages;
  if (
    names !== 'pathParamsMiddleware metadataMiddleware securityMiddleware requestMiddleware' ||
    !pathParams ||
    !findOperation ||
    !validateRequest
  ) {
    throw new Error(`express-openapi-validator has other stages than it had: ${names}`);
  }
  // The first stage does nothing but wait for the contract, which no request should have to.
  const load = (app: Express): Promise<void> =>
    new Promise((resolve, reject) => {
      const next: NextFunction = (error?: unknown) =>
        error ? reject(new Error(messageOf(error), { cause: error })) : resolve();
      void pathParams(app.request, app.response, next);
    });
  return { load, findOperation, validateRequest };
}

/** What the validator would spend long on, or take apart and sometimes drop: no parameter has brackets in its name. */
function refuseQuery({ query, operation }: Request): void {
  const takesQuery = operation?.parameters.some((parameter) => parameter.in === 'query');
  const [name = takesQuery ? undefined : ''] = Object.keys(query).filter((each) => !takesQuery || each.includes('['));
  if (name !== undefined)
    throw contractViolation(pointerOf(['query', name]), 'expected no parameter of this name', 'one');
}

/** The validator's errors in the contract's words; anything else is no answer to the client, and stays as it is. */
function apiError(error: unknown, request: Request): unknown {
  if (error instanceof eov.NotFound) return noSuchPath();
  if (error instanceof eov.MethodNotAllowed) {
    const allow = error.headers?.Allow ?? '';
    return new ApiError(ErrorCode.MethodNotAllowed, `expected one of the methods ${allow}`, {
      headers: { Allow: allow },
    });
  }
  if (error instanceof eov.BadRequest) {
    const [finding = { path: '', message: '' }] = error.errors;
    return violation(finding, request);
  }
  return error;
}
