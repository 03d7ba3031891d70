import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { pagePatterns } from './page-patterns.ts';
import { nullable, Success, Time, TypedText } from './schemas.ts';
import { needs } from './permissions.ts';

export const AccountType = Type.Union([Type.Literal('SUBSCRIBER'), Type.Literal('AGENT')]);
export type AccountType = Static<typeof AccountType>;

export const LoginReply = Type.Object({
  name: Type.String(),
  email: Type.String(),
  token: Type.String(),
  type: AccountType,
  hasMobile: Type.Boolean(),
  sendSms: Type.Boolean(),
  sendPush: Type.Boolean(),
  sendEmail: Type.Boolean(),
  sendAction: Type.Boolean(),
  deviceId: nullable(Type.String()),
  subscriptionValidUntil: Time,
  /** Nothing but a new password is allowed until it is set. */
  mustChangePassword: Type.Boolean(),
  isStaff: Type.Boolean(),
});
export type LoginReply = Static<typeof LoginReply>;

/** The password was right, or is looked at with the second step: more is asked for, within ten minutes. */
export const SecondStepAsked = Type.Object({
  secondStep: Type.Object({
    ticket: Type.String(),
    /** A code of an authenticator app will do. */
    hasApp: Type.Boolean(),
    /** A passkey will do, by `POST /account/auth/passkey`. */
    hasPasskey: Type.Boolean(),
  }),
});
export type SecondStepAsked = Static<typeof SecondStepAsked>['secondStep'];

/** The three failures of sign-in, as plain text. */
export const authFailures = {
  unknown: "User doesn't exist.",
  notApproved: 'Account is not approved.',
  wrong: 'Invalid username/password.',
} as const;

export const auth = defineEndpoint({
  key: 'POST /account/auth',
  tag: 'Account',
  summary:
    'Sign in with e-mail and password. Where the account has a second step, the reply is a ticket for it; rememberKey, from an earlier second step, takes its place',
  needs: needs.nothing,
  textError: true,
  body: Type.Object({
    email: TypedText({ maxLength: 254 }),
    password: Type.String({ maxLength: 256 }),
    rememberKey: Type.Optional(Type.String({ pattern: '^[\\w-]{20,60}$' })),
  }),
  reply: Type.Union([LoginReply, SecondStepAsked]),
});

export const authPasswordless = defineEndpoint({
  key: 'POST /account/auth/passwordless',
  tag: 'Account',
  summary: 'Sign in with a mailed key, once. success is false when it is wrong, used or old',
  needs: needs.nothing,
  perMinute: 30,
  body: Type.Object({ key: Type.String({ minLength: 1, maxLength: 100 }) }),
  reply: Type.Object({
    success: Type.Boolean(),
    data: Type.Optional(LoginReply),
    secondStep: Type.Optional(SecondStepAsked.properties.secondStep),
    hasMobile: Type.Optional(Type.Boolean()),
    sendSms: Type.Optional(Type.Boolean()),
    sendPush: Type.Optional(Type.Boolean()),
    sendEmail: Type.Optional(Type.Boolean()),
    sendAction: Type.Optional(Type.Boolean()),
    deviceId: Type.Optional(nullable(Type.String())),
  }),
});

export const logout = defineEndpoint({
  key: 'POST /account/logout',
  tag: 'Account',
  summary: 'Sign out: this token ends at once',
  beforeNewPassword: true,
  needs: needs.login,
  reply: Success,
});

export const pageView = defineEndpoint({
  key: 'POST /analytics/page-view',
  tag: 'Account',
  summary: 'A page was opened (route pattern only)',
  needs: needs.nothing,
  perMinute: 300,
  body: Type.Object({ key: Type.Unsafe<string>({ type: 'string', enum: [...pagePatterns] }) }),
  reply: Success,
});
