import type { Mail, Note } from '../messages/messages.ts';
import type { ToldShare } from './shares.repo.ts';
import { whomOf } from './shares.repo.ts';

/** What a share is about. */
export const thingOf = (share: ToldShare): string =>
  share.farm_name === null ? `all farms of ${share.owner_name}` : `the farm ${share.farm_name}`;

const roles: Readonly<Record<number, string>> = { 2: 'Farm manager', 3: 'Agent', 4: 'Guest' };
export const roleOf = (template: number): string => roles[template] ?? 'Custom rights';

/** In the farm's zone, which is named; UTC for a whole account. */
export function timeOf(at: Date, zone: string | null): string {
  return new Intl.DateTimeFormat('en-NZ', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: zone ?? 'UTC',
    timeZoneName: 'short',
  }).format(at);
}

const endSentence = (share: ToldShare): string[] =>
  share.ends_at ? [`It ends by itself on ${timeOf(share.ends_at, share.farm_zone)}.`] : [];

const greeted = (share: ToldShare) => ({
  to: share.agent_email,
  name: share.agent_name || share.contact.name || '',
});

export interface MailedKeys {
  /** Accepts the invitation. */
  readonly key: string;
  /** Signs the address's agent in, where there is one. */
  readonly signInPath: string | null;
  /** An account was made for the address, with a password that the owner chose. */
  readonly isNewAccount: boolean;
}

/** The mails about a share to the one who has it. */
export const shareMails = {
  invited: (share: ToldShare, { key, signInPath, isNewAccount }: MailedKeys): Mail => ({
    ...greeted(share),
    isAwaited: true,
    subject: `${share.owner_name} invites you to ${thingOf(share)}`,
    paragraphs: [
      `${share.owner_name} (${share.owner_email}) invites you to ${thingOf(share)} on Headrace, as: ${roleOf(share.template)}.`,
      ...endSentence(share),
      ...(isNewAccount
        ? [
            `An account was made for this address, with a password that ${share.owner_name} has chosen and can tell you. When you first sign in you choose one of your own.`,
          ]
        : []),
      'The link shows the invitation, which you accept or reject. It can be accepted once.',
    ],
    action: { label: 'See the invitation', path: `/invite?key=${key}` },
    ...(signInPath && {
      otherAction: { label: 'Sign in without a password (once, within 24 hours)', path: signInPath },
    }),
    footnote: `You get this because ${share.owner_name} gave this address to Headrace. If you don't know why, do nothing.`,
  }),

  changed: (share: ToldShare): Mail => ({
    ...greeted(share),
    subject: `Your access to ${thingOf(share)} was changed`,
    paragraphs: [
      `${share.owner_name} changed what you may do on ${thingOf(share)}. It is now: ${roleOf(share.template)}.`,
      ...endSentence(share),
    ],
    action: { label: 'See my accesses', path: '/invitations' },
  }),

  revoked: (share: ToldShare): Mail => ({
    ...greeted(share),
    subject:
      share.state === 'accepted'
        ? `Your access to ${thingOf(share)} has ended`
        : `The invitation to ${thingOf(share)} was taken back`,
    paragraphs: [
      share.state === 'accepted'
        ? `${share.owner_name} has ended your access to ${thingOf(share)}.`
        : `${share.owner_name} has taken back the invitation to ${thingOf(share)}. The link in the earlier mail opens nothing any more.`,
    ],
  }),
} as const;

const link = '/invitations';

/** The same for the bell; `to…` says whose. What was lowered or ended an open page tells by itself: not an alert as well. */
export const shareNotes = {
  toAgentInvited: (share: ToldShare): Note => ({
    title: 'You have an invitation',
    message: `${share.owner_name} invites you to ${thingOf(share)}.`,
    link,
    alert: true,
  }),
  toOwnerAnswered: (share: ToldShare): Note => ({
    title: share.state === 'accepted' ? 'Invitation accepted' : 'Invitation rejected',
    message: `${whomOf(share)} has ${share.state} the invitation to ${thingOf(share)}.`,
    link,
  }),
  toAgentChanged: (share: ToldShare): Note => ({
    title: 'Your access was changed',
    message: `${share.owner_name} changed what you may do on ${thingOf(share)}. It is now: ${roleOf(share.template)}.`,
    link,
  }),
  toAgentRevoked: (share: ToldShare): Note => ({
    title: share.state === 'accepted' ? 'Your access has ended' : 'An invitation was taken back',
    message: `${share.owner_name} has ${share.state === 'accepted' ? 'ended your access' : 'taken back the invitation'} to ${thingOf(share)}.`,
    link,
    alert: share.state !== 'accepted',
  }),
  toOwnerGivenUp: (share: ToldShare): Note => ({
    title: 'Access given up',
    message: `${whomOf(share)} has given up ${thingOf(share)}.`,
    link,
  }),
  toAgentEnded: (share: ToldShare): Note => ({
    title: 'Your access has ended',
    message: `Your access to ${thingOf(share)} has ended, as ${share.owner_name} had set.`,
    link,
  }),
  toOwnerEnded: (share: ToldShare): Note => ({
    title: 'A share has ended',
    message: `What ${whomOf(share)} could do on ${thingOf(share)} has ended, as you had set.`,
    link,
  }),
} as const;
