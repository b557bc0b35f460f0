/**
 * A short way through express-openapi-validator. Before it calls what Ajv has compiled of a body's schema, it parses the request's
 * Content-Type and URL and takes the query apart, each time. Where an operation has no parameters, none of that decides anything.
 */
import type { AnyValidateFunction } from 'ajv/dist/core';
import Ajv2020 from 'ajv/dist/2020';
import type { Request } from 'express';
import { error as eov } from 'express-openapi-validator';
import {
  ajvErrorsToValidatorError,
  augmentAjvErrors,
  ContentType,
} from 'express-openapi-validator/dist/middlewares/util';
import type { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator';
import type { ContractOperation } from '../contract/operations';
import { isNumber } from './number-rules';

export class CompiledBodies {
  private readonly ajv: Ajv2020;
  private readonly checks = new Map<ContractOperation, Map<string, AnyValidateFunction>>();

  /** Throws where the validator keeps its compiled schemas otherwise than it is known to. */
  constructor(requests: RequestValidator) {
    const ajv: unknown = Reflect.get(requests, 'ajvBody');
    if (!(ajv instanceof Ajv2020)) throw new Error('express-openapi-validator has no Ajv of ours for bodies');
    this.ajv = ajv;
  }

  /**
   * Validates and converts the body; throws what is wrong as an error of express-openapi-validator. Returns false where that has to
   * decide itself: it compiles the schema for the first request with such a body.
   */
  validate(req: Request): boolean {
    const decidesAll = req.operation?.parameters.length === 0 && !req.url.includes('?');
    if (!decidesAll) return false;
    const check = this.find(req);
    if (!check) return false;
    const data: { body: unknown } = { body: req.body };
    // The validator must not be asked what is wrong: defaults are in the body by now, with which it may be valid.
    if (check(data) !== true) throw invalid(req, check);
    req.body = data.body;
    return true;
  }

  /** Converts a valid body that is a number itself: the validator converts what a body holds, and not the body. */
  convertNumber(req: Request): void {
    if (!isNumber(req.body)) return;
    const data: { body: unknown } = { body: req.body };
    void this.find(req)?.(data);
    req.body = data.body;
  }

  /** The function for the body of a request, if the validator has compiled it. */
  private find({ operation, mediaType, openapi }: Request): AnyValidateFunction | undefined {
    if (!operation || !openapi || mediaType === undefined) return undefined;
    const known = this.checks.get(operation)?.get(mediaType);
    if (known) return known;
    // As the validator names it, ContentType.normalize included.
    const normalized = ContentType.fromString(mediaType).normalize();
    const check = this.ajv.getSchema(`${operation.method}-${openapi.expressRoute}-${normalized}`);
    if (!check) return undefined;
    const ofOperation = this.checks.get(operation) ?? new Map<string, AnyValidateFunction>();
    this.checks.set(operation, ofOperation.set(mediaType, check));
    return check;
  }
}

/** What the validator throws where a body is invalid. */
function invalid({ path }: Request, { errors }: AnyValidateFunction): Error {
  const findings = ajvErrorsToValidatorError(400, augmentAjvErrors(errors ?? []));
  return new eov.BadRequest({ path, errors: findings.errors });
}
