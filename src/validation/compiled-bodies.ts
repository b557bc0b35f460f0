/**
 * A short way through express-openapi-validator. Before it calls what Ajv has compiled of a body's schema, it parses the request's
 * Content-Type and URL and takes the query apart, each time. Where an operation has no parameters, none of that decides anything.
 */
import type { AnyValidateFunction } from 'ajv/dist/core';
import Ajv2020 from 'ajv/dist/2020';
import type { Request } from 'express';
import { ContentType } from 'express-openapi-validator/dist/middlewares/util';
import type { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator';
import type { ContractOperation } from '../contract/operations';

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
   * Whether the request is known to be valid; its body has then been converted. Otherwise the validator has to decide: it compiles the
   * schema for the first request with such a body, and says what is wrong.
   */
  accept(req: Request): boolean {
    const decidesAll = req.operation?.parameters.length === 0 && !req.url.includes('?');
    return decidesAll && this.convert(req);
  }

  /** Converts a valid body; returns false for one that is not, or that the validator has not compiled a schema for yet. */
  convert(req: Request): boolean {
    const { operation, mediaType, openapi } = req;
    if (!operation || mediaType === undefined) return false;
    const check = this.checks.get(operation)?.get(mediaType) ?? this.find(operation, mediaType, openapi?.expressRoute);
    const parts: { body: unknown } = { body: req.body };
    if (check?.(parts) !== true) return false;
    req.body = parts.body;
    return true;
  }

  /** The function for a body, if the validator has compiled it. */
  private find(operation: ContractOperation, mediaType: string, route = ''): AnyValidateFunction | undefined {
    // As the validator names it, ContentType.normalize included.
    const check = this.ajv.getSchema(`${operation.method}-${route}-${ContentType.fromString(mediaType).normalize()}`);
    if (!check) return undefined;
    const ofOperation = this.checks.get(operation) ?? new Map<string, AnyValidateFunction>();
    this.checks.set(operation, ofOperation.set(mediaType, check));
    return check;
  }
}
