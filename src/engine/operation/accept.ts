/** Content negotiation: the media types that a client accepts (RFC 9110 section 12.5.1). */
import type { Request } from 'express';
import { offeredTypes } from '../contract/conditional';
import type { HandlerAnswer } from '../contract/handler-types';
import type { ContractOperation } from '../contract/operations';
import { ApiError } from '../errors/api-error';
import { ErrorCode } from '../errors/error-codes';
import type { Handling } from './handling';
import type { Responses } from './response';

/** Every text that the engine sends is UTF-8: clients may ask for it by name. */
const UTF_8 = ';charset=utf-8';

/** The first of the media types in the client's order, the server's own among equals; undefined if it accepts none. The answer says that it varies. */
export function acceptedOf(req: Request, mediaTypes: readonly string[]): string | undefined {
  if (req.res?.headersSent === false) req.res.vary('Accept');
  const accepted = req.accepts(mediaTypes.flatMap((each) => [each, each + UTF_8]));
  return mediaTypes.find((each) => accepted === each || accepted === each + UTF_8);
}

/** The handling of an operation that declares 406: a request that accepts no success is refused before its handler is called. */
export function withAcceptable(operation: ContractOperation, handling: Handling): Handling {
  const offered = offeredTypes(operation);
  if (offered.length === 0) return handling;
  return {
    ...handling,
    handle(request, context, headers) {
      if (context.accepts(...offered) !== undefined) return handling.handle(request, context, headers);
      throw new ApiError(ErrorCode.NotAcceptable, `expected an Accept that allows ${offered.join(' or ')}`);
    },
  };
}

/** The answer with the media type that the client prefers, or else the first, if its handler leaves the choice open. */
export function withMediaType(given: HandlerAnswer, responses: Responses, req: Request): HandlerAnswer {
  const open = responses.openTypes(given);
  return open.length === 0 ? given : { ...given, mediaType: acceptedOf(req, open) ?? open[0] };
}
