import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { FarmIcon } from './farms.ts';
import { MailedKey } from './registration.ts';
import { supportReason } from './rules/support-reason.ts';
import { OwnProof } from './second-step.ts';
import { nullable, Success, Time, TypedText, Uid } from './schemas.ts';
import { flags, needs, resources } from './permissions.ts';
import { inviteFailures, type InviteFailure } from './texts.ts';

/** Rights as the share wizard sends them; what is missing is none. `Account` (16) comes with whole accounts, not by hand. */
export const SharedPermissions = Type.Object({
  ...Object.fromEntries(
    resources.map((name) => [name, Type.Optional(Type.Integer({ minimum: 0, maximum: 31 }))]),
  ),
  ...Object.fromEntries(flags.map((name) => [name, Type.Optional(Type.Boolean())])),
});
export type SharedPermissions = Static<typeof SharedPermissions>;

/** 1 Custom, 2 FarmManager, 3 Agent, 4 Guest. */
export const ShareTemplate = Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3), Type.Literal(4)]);

/** A share at any time of its life. `key` names it; the secret that accepts it is only in the mail. */
export const Invite = Type.Object({
  key: Uid,
  farmName: Type.String(),
  farmerName: Type.String(),
  /** Name of the account, once the address belongs to one. */
  agentName: Type.String(),
  email: Type.String(),
  isAccountShare: Type.Boolean(),
  accepted: Type.Boolean(),
  rejected: Type.Boolean(),
  farmUID: nullable(Uid),
  template: Type.Integer(),
  sentAt: Time,
  answeredAt: nullable(Time),
  /** After this the share ends by itself. */
  endsAt: nullable(Time),
  lastUsedAt: nullable(Time),
});
export type Invite = Static<typeof Invite>;

export { inviteFailures, type InviteFailure };

export const InviteInfo = Type.Object({
  success: Type.Boolean(),
  reason: nullable(Type.Enum(['INVALID_KEY', 'IS_SUBSCRIBER', 'ALREADY_USED', 'ALREADY_SUBSCRIBED'])),
  name: Type.String({ description: 'of the farm; empty for a whole account' }),
  farmer: Type.String(),
  icon: nullable(FarmIcon),
  description: Type.String(),
  farmUID: nullable(Uid),
  isAccountShare: Type.Boolean(),
  endsAt: nullable(Time),
  permissions: nullable(SharedPermissions),
});
export type InviteInfo = Static<typeof InviteInfo>;

export const listInvites = defineEndpoint({
  key: 'GET /invites',
  tag: 'Sharing',
  summary: "An owner's shares, or those that an agent was invited to: accepted, then rejected, then pending",
  needs: needs.login,
  reply: Type.Object({ invites: Type.Array(Invite) }),
});

/** A second step of signing in, asked of the people with whom farms are shared. */
export const SharersSecondStep = Type.Object({
  /** From when on the caller's own farms are shut to people without; null: nobody is asked. */
  from: nullable(Time),
  /** Whether the caller has one. */
  hasOwn: Type.Boolean(),
  /** With whom the caller's farms are shared; who has none comes first. */
  people: Type.Array(
    Type.Object({ name: Type.String(), email: Type.String(), hasSecondStep: Type.Boolean() }),
  ),
  /** Who asks the caller, who has none, and what is shut from when on. */
  askedBy: Type.Array(
    Type.Object({
      owner: Type.String(),
      farms: Type.Array(Type.Object({ farmUID: Type.String(), farmName: Type.String() })),
      from: Time,
    }),
  ),
  /** Owners who ask it of the caller, whether there is one or not: what removing it would shut. */
  requiredBy: Type.Array(Type.Object({ owner: Type.String(), from: Time })),
});
export type SharersSecondStep = Static<typeof SharersSecondStep>;

export const getSharersSecondStep = defineEndpoint({
  key: 'GET /sharing/second-step',
  tag: 'Sharing',
  summary: 'Who asks whom for a second step of signing in: the caller as an owner, and owners of the caller',
  needs: needs.login,
  reply: SharersSecondStep,
});

export const putSharersSecondStep = defineEndpoint({
  key: 'PUT /sharing/second-step',
  tag: 'Sharing',
  summary:
    "Ask the people with whom the caller's farms are shared for a second step of signing in: in a week, who has none cannot open these farms. Or ask no more, which needs what signing in takes: the password, and the second step where there is one",
  needs: needs.subscriber,
  // Each time the people are told.
  perMinute: 5,
  body: Type.Object({ required: Type.Boolean(), ...Type.Partial(OwnProof).properties }),
  reply: SharersSecondStep,
});

export const getInvite = defineEndpoint({
  key: 'GET /invite',
  tag: 'Sharing',
  summary: 'What the key of an invitation gives. With a token: whether this account could accept it',
  needs: needs.nothing,
  perMinute: 60,
  query: Type.Object({ key: MailedKey }),
  reply: InviteInfo,
});

export const acceptInvite = defineEndpoint({
  key: 'POST /accept-invite',
  tag: 'Sharing',
  summary:
    'Accept by the mailed key, or by the key of the list where the account has the confirmed address it was sent to. A refusal has the reason as its `code`',
  needs: needs.login,
  perMinute: 60,
  body: Type.Object({ key: MailedKey }),
  reply: Type.Object({ farmUID: nullable(Uid), permissions: SharedPermissions }),
});

export const rejectInvite = defineEndpoint({
  key: 'POST /reject-invite',
  tag: 'Sharing',
  summary: 'Reject an invitation, by the same keys as accepting it',
  needs: needs.login,
  perMinute: 60,
  body: Type.Object({ key: MailedKey }),
  reply: Success,
});

export const resendInvite = defineEndpoint({
  key: 'POST /resend-invite',
  once: true,
  tag: 'Sharing',
  summary: 'Mail a pending invitation again, to an address without an account; the earlier link ends',
  needs: needs.payingSubscriber,
  perMinute: 20,
  body: Type.Object({ key: Uid }),
  reply: Success,
});

export const revokeInvite = defineEndpoint({
  key: 'POST /revoke-invite',
  tag: 'Sharing',
  summary: 'End a share or take back an invitation: the owner, or the one it was given to',
  needs: needs.login,
  body: Type.Object({ key: Uid }),
  reply: Success,
});

const person = {
  name: TypedText({ maxLength: 300 }),
  email: TypedText({ maxLength: 300 }),
  newsletter: Type.Optional(Type.Boolean()),
  mobile: Type.Optional(TypedText({ maxLength: 40 })),
  countryCode: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 999 }))),
  notes: Type.Optional(TypedText({ maxLength: 2000 })),
};

/** Someone to share with. With a password an agent's account is made at once, which must change it. */
export const ShareContact = Type.Object({
  ...person,
  password: Type.Optional(Type.String({ maxLength: 256 })),
  passwordConfirmation: Type.Optional(Type.String({ maxLength: 256 })),
  active: Type.Optional(Type.Boolean()),
});
export type ShareContact = Static<typeof ShareContact>;

export const Contact = Type.Object({ ...person, email: Type.String() });
export type Contact = Static<typeof Contact>;

export const listContacts = defineEndpoint({
  key: 'GET /contacts',
  tag: 'Sharing',
  summary: 'The people this owner has shared with, each once',
  needs: needs.subscriber,
  reply: Type.Object({
    contacts: Type.Array(Contact),
    invitations: Type.Object({
      left: Type.Integer({ description: 'how many more may be sent now' }),
      limit: Type.Integer({ description: 'in 24 hours' }),
      moreAt: nullable({ ...Time, description: 'from when on more may be sent; null: none was sent lately' }),
    }),
  }),
});

export const share = defineEndpoint({
  key: 'POST /permissions',
  once: true,
  tag: 'Sharing',
  summary: 'Invite people to farms or to the whole account; all are invited or none is',
  needs: needs.payingSubscriber,
  perMinute: 20,
  body: Type.Object({
    contacts: Type.Array(ShareContact, { minItems: 1, maxItems: 50 }),
    farms: Type.Array(Uid, { maxItems: 1000 }),
    isAccountShare: Type.Boolean(),
    template: ShareTemplate,
    permissions: SharedPermissions,
    endsAt: Type.Optional(nullable(Time)),
  }),
  reply: Type.Object({ invites: Type.Array(Invite) }),
});

export const SharePermissions = Type.Object({
  key: Uid,
  template: Type.Integer(),
  farmUID: nullable(Uid),
  isAccountShare: Type.Boolean(),
  permissions: SharedPermissions,
  endsAt: nullable(Time),
  /** Whose rights they are. */
  name: Type.String(),
  email: Type.String(),
  farmName: Type.String(),
});
export type SharePermissions = Static<typeof SharePermissions>;

export const getSharePermissions = defineEndpoint({
  key: 'GET /permissions',
  tag: 'Sharing',
  summary: "The rights of one of the owner's shares, or the caller's own where `key` is a farm",
  needs: needs.login,
  query: Type.Object({ key: Uid }),
  reply: SharePermissions,
});

export const updateSharePermissions = defineEndpoint({
  key: 'PUT /permissions',
  tag: 'Sharing',
  summary: 'Change what a share allows, and until when. Holds at once',
  needs: needs.subscriber,
  perMinute: 60,
  body: Type.Object({
    key: Uid,
    template: ShareTemplate,
    permissions: SharedPermissions,
    endsAt: Type.Optional(nullable(Time)),
  }),
  reply: SharePermissions,
});

export const deleteShare = defineEndpoint({
  key: 'DELETE /permissions',
  tag: 'Sharing',
  summary: 'End a share: the owner, or the one it was given to',
  needs: needs.login,
  query: Type.Object({ key: Uid }),
  reply: Success,
});

/** Who was given what, by whom and when; and what support did. */
export const AccessEvent = Type.Object({
  id: Type.String(),
  at: Time,
  what: Type.Enum([
    'invited',
    'invited again',
    'accepted',
    'rejected',
    'changed',
    'revoked',
    'given back',
    'given up',
    'ended by itself',
    'support looked',
    'support opened',
    'support closed',
  ]),
  farmName: Type.String({ description: 'empty for the whole account' }),
  by: Type.String(),
  whom: Type.String(),
  /** What changed or why, as one sentence; may be empty. */
  note: Type.String(),
});
export type AccessEvent = Static<typeof AccessEvent>;

export const accessLog = defineEndpoint({
  key: 'GET /access-log',
  tag: 'Sharing',
  summary: "The owner's access log, newest first; `before` is the id of the last one got",
  needs: needs.subscriber,
  query: Type.Object({
    before: Type.Optional(Type.String({ pattern: '^[0-9]{1,18}$' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  }),
  reply: Type.Object({ events: Type.Array(AccessEvent), isLast: Type.Boolean() }),
});

export const SupportFarm = Type.Object({
  farmUID: Uid,
  name: Type.String(),
  ownerName: Type.String(),
  ownerEmail: Type.String(),
  /** The staff member's open support session there. */
  sessionUntil: nullable(Time),
});
export type SupportFarm = Static<typeof SupportFarm>;

export const supportFarms = defineEndpoint({
  key: 'GET /support/farms',
  tag: 'Support',
  summary:
    'Staff: farms by how their name, owner or address begins, at most 20; those with an open session first',
  needs: needs.staff,
  query: Type.Object({ value: Type.String({ maxLength: 100 }) }),
  reply: Type.Object({ farms: Type.Array(SupportFarm) }),
});

export const openSupport = defineEndpoint({
  key: 'POST /support/session',
  tag: 'Support',
  summary: 'Staff: full rights on one farm for an hour, with a reason that its owner reads',
  needs: needs.staff,
  body: Type.Object({
    farmUID: Uid,
    reason: TypedText({
      minLength: supportReason.shortest,
      maxLength: supportReason.longest,
      pattern: supportReason.pattern,
      description: 'a reason in words, of ten characters or more',
    }),
  }),
  reply: SupportFarm,
});

export const closeSupport = defineEndpoint({
  key: 'DELETE /support/session',
  tag: 'Support',
  summary: 'Staff: end a support session',
  needs: needs.staff,
  query: Type.Object({ farmUID: Uid }),
  reply: Success,
});
