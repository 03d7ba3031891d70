import Type, { type Static } from 'typebox';
import { LoginReply } from './accounts.ts';
import { defineEndpoint } from './endpoint.ts';
import { PASSKEY_NAME_MAX } from './limits.ts';
import { needs } from './permissions.ts';
import { LineText, nullable, Success, Time, TypedText } from './schemas.ts';

const secret = Type.String({ maxLength: 256 });
/** Base64url, as browsers write what authenticators say. */
const bytes = (most: number) => Type.String({ pattern: `^[\\w-]{1,${most}}={0,2}$` });
const Attachment = Type.Optional(Type.Union([Type.Literal('platform'), Type.Literal('cross-platform')]));
const extensions = Type.Object({});
/** For the browser alone: W3C Web Authentication, "…OptionsJSON". */
const BrowserOptions = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true });

/** What an authenticator signed: W3C Web Authentication, AuthenticationResponseJSON. */
export const PasskeyAnswer = Type.Object({
  id: bytes(1400),
  rawId: bytes(1400),
  type: Type.Literal('public-key'),
  authenticatorAttachment: Attachment,
  clientExtensionResults: extensions,
  response: Type.Object({
    clientDataJSON: bytes(2000),
    authenticatorData: bytes(2000),
    signature: bytes(2000),
    userHandle: Type.Optional(bytes(100)),
  }),
});
export type PasskeyAnswer = Static<typeof PasskeyAnswer>;

/** A passkey that was just made: RegistrationResponseJSON. */
export const NewPasskey = Type.Object({
  id: bytes(1400),
  rawId: bytes(1400),
  type: Type.Literal('public-key'),
  authenticatorAttachment: Attachment,
  clientExtensionResults: extensions,
  response: Type.Object({
    clientDataJSON: bytes(2000),
    attestationObject: bytes(20_000),
    transports: Type.Optional(Type.Array(Type.String({ pattern: '^[\\w-]{1,20}$' }), { maxItems: 10 })),
  }),
});
export type NewPasskey = Static<typeof NewPasskey>;

/** The password was right, and more is asked for. */
export const answerSecondStep = defineEndpoint({
  key: 'POST /account/auth/second-step',
  tag: 'Account',
  summary:
    'Finish signing in: with the ticket of the first step and a code of the authenticator app, or a recovery code. isOver: begin again with the password. With remember, rememberKey saves this browser the code for 30 days',
  needs: needs.nothing,
  perMinute: 30,
  body: Type.Object({
    ticket: Type.String({ pattern: '^[\\w-]{20,60}$' }),
    code: TypedText({ maxLength: 60 }),
    remember: Type.Boolean(),
  }),
  reply: Type.Object({
    success: Type.Boolean(),
    isOver: Type.Optional(Type.Boolean()),
    /** Too many codes were tried today: a recovery code, a passkey or a new password by mail goes on. */
    isShut: Type.Optional(Type.Boolean()),
    data: Type.Optional(LoginReply),
    rememberKey: Type.Optional(Type.String()),
    /** Where a recovery code was used: how many are left. */
    codesLeft: Type.Optional(Type.Integer()),
  }),
});

export const beginPasskeySignIn = defineEndpoint({
  key: 'POST /account/auth/passkey/begin',
  tag: 'Account',
  summary: 'What the browser needs to sign in with a passkey; holds for five minutes',
  needs: needs.nothing,
  perMinute: 60,
  reply: Type.Object({ options: BrowserOptions }),
});

export const passkeySignIn = defineEndpoint({
  key: 'POST /account/auth/passkey',
  tag: 'Account',
  summary:
    'Sign in with a passkey, without the password. success is false when it is none of ours, or was asked too long ago',
  needs: needs.nothing,
  perMinute: 30,
  body: Type.Object({ answer: PasskeyAnswer }),
  reply: Type.Object({ success: Type.Boolean(), data: Type.Optional(LoginReply) }),
});

const passkeyId = Type.String({ pattern: '^[0-9a-f-]{1,40}$' });

export const Passkey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  createdAt: Time,
  lastUsedAt: nullable(Time),
  /** Kept by more than one device, as by a phone's cloud. */
  isSynced: Type.Boolean(),
});
export type Passkey = Static<typeof Passkey>;

export const SecondStepState = Type.Object({
  /** Since when signing in takes two steps; null: it doesn't. */
  since: nullable(Time),
  hasApp: Type.Boolean(),
  passkeys: Type.Array(Passkey),
  recoveryCodesLeft: Type.Integer(),
  /** The name of the site that passkeys are made for; null: there can be none at this address. */
  passkeySite: nullable(Type.String()),
});
export type SecondStepState = Static<typeof SecondStepState>;

export const getSecondStep = defineEndpoint({
  key: 'GET /account/second-step',
  tag: 'Account',
  summary: 'What the caller signs in with besides the password',
  needs: needs.login,
  reply: SecondStepState,
});

/** Whoever has only an open browser changes nothing: the password, and where there is a second step that too, by a code or a passkey. */
export const OwnProof = Type.Object({
  password: secret,
  /** Of the authenticator app, or a recovery code. */
  code: Type.Optional(TypedText({ maxLength: 60 })),
  /** Asked for by POST /account/auth/passkey/begin. */
  passkey: Type.Optional(PasskeyAnswer),
});
export type OwnProof = Static<typeof OwnProof>;

/** Shown once; empty where there are some already. */
const RecoveryCodes = Type.Object({ recoveryCodes: Type.Array(Type.String()) });

export const beginAuthenticator = defineEndpoint({
  key: 'POST /account/authenticator/begin',
  tag: 'Account',
  summary:
    'A new secret for an authenticator app, as text, as its address and as the QR code of that (SVG). Nothing changes before its first code. Needs the password, and the second step where there is one',
  needs: needs.login,
  perMinute: 20,
  body: OwnProof,
  reply: Type.Object({ secret: Type.String(), uri: Type.String(), qr: Type.String() }),
});

export const confirmAuthenticator = defineEndpoint({
  key: 'POST /account/authenticator',
  tag: 'Account',
  summary: 'Use the authenticator app from now on: with its first code, within 15 minutes',
  needs: needs.login,
  perMinute: 20,
  body: Type.Object({ code: TypedText({ maxLength: 20 }) }),
  reply: RecoveryCodes,
});

export const removeAuthenticator = defineEndpoint({
  key: 'POST /account/authenticator/remove',
  tag: 'Account',
  summary: 'Use no authenticator app any more. Needs the password and the second step',
  needs: needs.login,
  perMinute: 20,
  body: OwnProof,
  reply: Success,
});

export const renewRecoveryCodes = defineEndpoint({
  key: 'POST /account/recovery-codes',
  tag: 'Account',
  summary:
    'Ten new recovery codes in the place of those there are; none without an app or a passkey. Needs the password and the second step',
  needs: needs.login,
  perMinute: 20,
  body: OwnProof,
  reply: RecoveryCodes,
});

export const beginPasskey = defineEndpoint({
  key: 'POST /account/passkey/begin',
  tag: 'Account',
  summary:
    'What the browser needs to make a passkey; holds for five minutes. Needs the password, and the second step where there is one',
  needs: needs.login,
  perMinute: 20,
  body: OwnProof,
  reply: Type.Object({ options: BrowserOptions }),
});

export const addPasskey = defineEndpoint({
  key: 'POST /account/passkey',
  tag: 'Account',
  summary:
    'Keep a passkey that the browser has just made. success is false when it is not what was asked for, or was asked too long ago',
  needs: needs.login,
  perMinute: 20,
  bodyMaxBytes: 64 * 1024,
  body: Type.Object({ made: NewPasskey }),
  reply: Type.Object({ success: Type.Boolean(), ...RecoveryCodes.properties }),
});

export const renamePasskey = defineEndpoint({
  key: 'POST /account/passkey/rename',
  tag: 'Account',
  summary:
    'Give a passkey another name. Needs the password and the second step. success is false when there is none of this id',
  needs: needs.login,
  perMinute: 20,
  body: Type.Object({
    id: passkeyId,
    name: LineText({ maxLength: PASSKEY_NAME_MAX }),
    ...OwnProof.properties,
  }),
  reply: Success,
});

export const removePasskey = defineEndpoint({
  key: 'POST /account/passkey/remove',
  tag: 'Account',
  summary:
    'Forget a passkey. Needs the password and the second step. success is false when there is none of this id',
  needs: needs.login,
  perMinute: 20,
  body: Type.Object({ id: passkeyId, ...OwnProof.properties }),
  reply: Success,
});
