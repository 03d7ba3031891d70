import Type, { type Static } from 'typebox';
import { FORBIDDEN_TEXT, NOT_FOUND_TEXT } from './texts.ts';

/** Every failure but that of POST /account/auth has this body. `requestId` finds the server's log line. */
export const ErrorReply = Type.Object({
  errorMessage: Type.String(),
  code: Type.Optional(Type.String()),
  field: Type.Optional(Type.String()),
  requestId: Type.Optional(Type.String()),
  /** Of a 409 between two people: the record as it is now. */
  current: Type.Optional(Type.Unknown()),
});
export type ErrorReply = Static<typeof ErrorReply>;

/** Typed failures and the status each answers with. 466 and 505 are the specification's own. */
export const errorStatus = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  tooLarge: 413,
  /** The body is of a content type that the call doesn't take. */
  unsupportedType: 415,
  /** An Idempotency-Key that was used for something else. */
  keyReused: 422,
  tooMany: 429,
  listNotLoaded: 466,
  internal: 500,
  notReady: 503,
  // The machine's, not the caller's: the same call works later, and the reply says after how many seconds to ask (Retry-After).
  databaseAway: 503,
  busy: 503,
  diskFull: 503,
  gatewayUnavailable: 505,
  // Of invitations; their sentences are in sharing.ts.
  INVALID_KEY: 404,
  IS_SUBSCRIBER: 403,
  ALREADY_USED: 409,
  ALREADY_SUBSCRIBED: 409,
} as const;
export type ErrorCode = keyof typeof errorStatus;

export { FORBIDDEN_TEXT, NOT_FOUND_TEXT };
