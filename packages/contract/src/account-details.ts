import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { RawReply } from './raw.ts';
import { MailedKey } from './registration.ts';
import { OwnProof } from './second-step.ts';
import { nullable, Success, Time, TypedText } from './schemas.ts';
import { needs } from './permissions.ts';

const secret = Type.String({ maxLength: 256 });

/** What a person may change of the account. */
export const AccountDetails = Type.Object({
  name: TypedText({ maxLength: 300 }),
  email: TypedText({ maxLength: 300 }),
  newsletter: Type.Boolean(),
  mobile: TypedText({ maxLength: 40 }),
  countryCode: nullable(Type.Integer({ minimum: 0, maximum: 999 })),
  notes: TypedText({ maxLength: 2000 }),
});
export type AccountDetails = Static<typeof AccountDetails>;

/** What signing in takes (`password`, and a second step) is needed with another e-mail address alone. */
export const AccountDetailsEntry = Type.Object({
  ...AccountDetails.properties,
  ...Type.Partial(OwnProof).properties,
});
export type AccountDetailsEntry = Static<typeof AccountDetailsEntry>;

/** The same, with what only the server knows. */
export const OwnAccount = Type.Object({
  ...AccountDetails.properties,
  emailConfirmed: Type.Boolean(),
  /** Takes the place of `email` when the link that went there is followed. */
  pendingEmail: nullable(Type.String()),
  /** Made by an invitation or a key: it signs in by mailed links until a password is set. */
  hasPassword: Type.Boolean(),
  createdAt: Time,
  /** When a closed account's 30 days are over. */
  closesAt: nullable(Time),
});
export type OwnAccount = Static<typeof OwnAccount>;

export const getAccountDetails = defineEndpoint({
  key: 'GET /account/details',
  tag: 'Account',
  summary: "The caller's account",
  beforeNewPassword: true,
  needs: needs.login,
  reply: OwnAccount,
});

export const updateAccountDetails = defineEndpoint({
  key: 'POST /account/details',
  tag: 'Account',
  summary:
    "Change the caller's account. Another e-mail address needs the password, and the second step where there is one, and waits in pendingEmail until it is confirmed; 409 when another account has it",
  needs: needs.login,
  perMinute: 20,
  body: AccountDetailsEntry,
  reply: OwnAccount,
});

export const withdrawNewEmail = defineEndpoint({
  key: 'DELETE /account/new-email',
  tag: 'Account',
  summary: 'Keep the e-mail address: the one that waits to be confirmed is dropped',
  needs: needs.login,
  perMinute: 20,
  reply: OwnAccount,
});

export const undoEmail = defineEndpoint({
  key: 'POST /account/undo-email',
  tag: 'Account',
  summary:
    'Undo a change of the e-mail address, or a way of signing in that was added, with the key that was mailed: all sessions, the password and what was added since to sign in with end. resetKey sets a new password; success is false when the key is wrong, used or old',
  needs: needs.nothing,
  perMinute: 30,
  body: Type.Object({ key: MailedKey }),
  reply: Type.Object({
    success: Type.Boolean(),
    email: Type.Optional(Type.String()),
    resetKey: Type.Optional(Type.String()),
  }),
});

export const changePassword = defineEndpoint({
  key: 'POST /account/change-password',
  tag: 'Account',
  summary: 'Set a new password: ends all other sessions, and this one goes on with the new token',
  beforeNewPassword: true,
  needs: needs.login,
  perMinute: 20,
  body: Type.Object({ currPwd: secret, newPwd: secret }),
  reply: Type.Object({ success: Type.Boolean(), token: Type.String() }),
});

/** A sign-in that goes on. */
export const SignedInDevice = Type.Object({
  id: Type.String(),
  device: Type.String({ description: 'the same for all sign-ins of one browser' }),
  browser: Type.String({ description: 'as "Chrome on Android"' }),
  address: Type.String(),
  signedInAt: Time,
  lastUsedAt: Time,
  /** However much it is used. */
  endsAt: Time,
  /** It gets push messages. */
  hasPush: Type.Boolean(),
  isThis: Type.Boolean(),
});
export type SignedInDevice = Static<typeof SignedInDevice>;

export const listSessions = defineEndpoint({
  key: 'GET /account/sessions',
  tag: 'Account',
  summary: 'Where the account is signed in, the newest use first',
  needs: needs.login,
  reply: Type.Object({ sessions: Type.Array(SignedInDevice) }),
});

export const endSession = defineEndpoint({
  key: 'DELETE /account/session',
  tag: 'Account',
  summary: 'Sign one browser out',
  needs: needs.login,
  query: Type.Object({ id: Type.String({ maxLength: 40 }) }),
  reply: Success,
});

export const endDevice = defineEndpoint({
  key: 'DELETE /account/device',
  tag: 'Account',
  summary: 'Sign one browser out wherever it is signed in twice; the caller stays signed in',
  needs: needs.login,
  query: Type.Object({ id: Type.String({ maxLength: 40 }) }),
  reply: Success,
});

export const renewSession = defineEndpoint({
  key: 'POST /account/session/renew',
  tag: 'Account',
  summary:
    'Stay signed in: with the password, and the second step where there is one, the session goes on with a new token, as if it began now',
  needs: needs.login,
  perMinute: 20,
  body: OwnProof,
  reply: Type.Object({ token: Type.String(), endsAt: Time }),
});

export const endOtherSessions = defineEndpoint({
  key: 'DELETE /account/sessions',
  tag: 'Account',
  summary: 'Sign out everywhere but here',
  needs: needs.login,
  reply: Success,
});

export const downloadAccount = defineEndpoint({
  key: 'GET /account/data',
  tag: 'Account',
  summary: 'Everything that is kept about the caller, as one file',
  needs: needs.login,
  perMinute: 20,
  makesFile: true,
  reply: RawReply,
  sends: { types: ['application/json'] },
});

export const closeAccount = defineEndpoint({
  key: 'POST /account/close',
  tag: 'Account',
  summary:
    'Close the account after 30 days of grace. Needs the password, and the second step where there is one',
  needs: needs.login,
  perMinute: 20,
  body: OwnProof,
  reply: OwnAccount,
});

export const keepAccount = defineEndpoint({
  key: 'DELETE /account/close',
  tag: 'Account',
  summary: 'Keep an account that was to be closed',
  needs: needs.login,
  perMinute: 20,
  reply: OwnAccount,
});
