import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { FarmEntry } from './farms.ts';
import { Success, TypedText, Uid } from './schemas.ts';
import { needs } from './permissions.ts';

/** What is typed may be wrong in any way: the rules of `rules/account-form.ts` say so by field. */
const typed = TypedText({ maxLength: 300 });
const secret = Type.String({ maxLength: 256 });

const person = {
  name: typed,
  email: typed,
  password: secret,
  passwordConfirmation: secret,
  newsletter: Type.Optional(Type.Boolean()),
  mobile: typed,
  countryCode: Type.Union([Type.Integer({ minimum: 0, maximum: 999 }), TypedText({ maxLength: 4 })]),
  acceptedTerms: TypedText({
    minLength: 1,
    maxLength: 40,
    pattern: '\\S',
    description: 'the date of the terms that were accepted',
  }),
};

export const OwnerRegistration = Type.Object({
  ...person,
  notes: Type.Optional(TypedText({ maxLength: 2000 })),
  farms: Type.Array(FarmEntry, { minItems: 1, maxItems: 1 }),
});
export type OwnerRegistration = Static<typeof OwnerRegistration>;

export const AgentRegistration = Type.Object(person);
export type AgentRegistration = Static<typeof AgentRegistration>;

export const registerOwner = defineEndpoint({
  key: 'POST /account/register',
  tag: 'Account',
  summary:
    'Register a farm owner with the first farm, both or neither. A link to confirm the address is mailed',
  needs: needs.nothing,
  // A farm's boundary has up to 10,000 corners.
  bodyMaxBytes: 768 * 1024,
  perMinute: 20,
  body: OwnerRegistration,
  reply: Type.Object({ id: Uid }),
});

export const registerAgent = defineEndpoint({
  key: 'POST /agent/register',
  tag: 'Account',
  summary: 'Register an agent: a manager, contractor or invitee',
  needs: needs.nothing,
  perMinute: 20,
  body: AgentRegistration,
  reply: Success,
});

export const isRegistered = defineEndpoint({
  key: 'GET /account/is-registered',
  tag: 'Account',
  summary: 'Whether an e-mail address has an account, for forms',
  needs: needs.nothing,
  perMinute: 60,
  query: Type.Object({ email: typed }),
  reply: Type.Object({ registered: Type.Boolean() }),
});

/** Keys of mails: 43 characters that name 32 random bytes. */
export const MailedKey = Type.String({ minLength: 1, maxLength: 100 });

export const confirmEmail = defineEndpoint({
  key: 'POST /account/confirm-email',
  tag: 'Account',
  summary:
    'Follow the link that was mailed to the address; success is false when the key is wrong, used or old',
  needs: needs.nothing,
  perMinute: 30,
  body: Type.Object({ key: MailedKey }),
  reply: Success,
});

export const resendConfirmation = defineEndpoint({
  key: 'POST /account/resend-confirmation',
  tag: 'Account',
  summary: 'Mail the link to confirm the address again',
  needs: needs.login,
  perMinute: 20,
  reply: Success,
});

export const forgotPassword = defineEndpoint({
  key: 'POST /account/forgot-password',
  tag: 'Account',
  summary: 'Mail a link to set a new password. The answer is the same for known and unknown addresses',
  needs: needs.nothing,
  perMinute: 20,
  body: Type.Object({ email: typed }),
  reply: Success,
});

export const resetPassword = defineEndpoint({
  key: 'POST /account/reset-password',
  tag: 'Account',
  summary:
    'Set a new password with a mailed key; ends all sessions. A wrong, used or old key answers 400, field key',
  needs: needs.nothing,
  perMinute: 30,
  body: Type.Object({ key: MailedKey, password: secret, passwordConfirmation: secret }),
  reply: Success,
});
