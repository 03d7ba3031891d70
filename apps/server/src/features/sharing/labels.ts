import { mailedName } from '@headrace/contract/rules/plain-name';
import type { Mail, Note } from '../messages/messages.ts';
import type { ShareWithPeople } from './shares.repo.ts';
import { whomOf } from './shares.repo.ts';

/** What a share is about. */
export const thingOf = (share: ShareWithPeople): string =>
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

const endSentence = (share: ShareWithPeople): string[] =>
  share.ends_at ? [`It ends by itself on ${timeOf(share.ends_at, share.farm_zone)}.`] : [];

const greeted = (share: ShareWithPeople) => ({
  to: share.agent_email,
  name: share.agent_name || share.contact.name || '',
});

/** In mails, which go to strangers: a name that is more than a name isn't shown, the proved address is. */
const ownerOf = (share: ShareWithPeople): string => mailedName(share.owner_name) ?? share.owner_email;
const inviterOf = (share: ShareWithPeople): string => {
  const name = mailedName(share.owner_name);
  return name === null ? share.owner_email : `${name} (${share.owner_email})`;
};
function mailedThing(share: ShareWithPeople): string {
  if (share.farm_name === null) return `all farms of ${ownerOf(share)}`;
  const name = mailedName(share.farm_name);
  return name === null ? `a farm of ${ownerOf(share)}` : `the farm ${name}`;
}

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
  invited: (share: ShareWithPeople, { key, signInPath, isNewAccount }: MailedKeys): Mail => ({
    ...greeted(share),
    isAwaited: true,
    subject: `${ownerOf(share)} invites you to ${mailedThing(share)}`,
    paragraphs: [
      `${inviterOf(share)} invites you to ${mailedThing(share)} on Headrace, as: ${roleOf(share.template)}.`,
      ...endSentence(share),
      ...(isNewAccount
        ? [
            `An account was made for this address, with a password that ${ownerOf(share)} has chosen and can tell you. When you first sign in you choose one of your own.`,
          ]
        : []),
      'The link shows the invitation, which you accept or reject. It can be accepted once.',
    ],
    action: { label: 'See the invitation', path: `/invite?key=${key}` },
    ...(signInPath && {
      otherAction: { label: 'Sign in without a password (once, within 24 hours)', path: signInPath },
    }),
    footnote: `You get this because ${ownerOf(share)} gave this address to Headrace. If you don't know why, do nothing.`,
  }),

  changed: (share: ShareWithPeople): Mail => ({
    ...greeted(share),
    subject: `Your access to ${mailedThing(share)} was changed`,
    paragraphs: [
      `${ownerOf(share)} changed what you may do on ${mailedThing(share)}. It is now: ${roleOf(share.template)}.`,
      ...endSentence(share),
    ],
    action: { label: 'See my accesses', path: '/invitations' },
  }),

  revoked: (share: ShareWithPeople): Mail => ({
    ...greeted(share),
    subject:
      share.state === 'accepted'
        ? `Your access to ${mailedThing(share)} has ended`
        : `The invitation to ${mailedThing(share)} was taken back`,
    paragraphs: [
      share.state === 'accepted'
        ? `${ownerOf(share)} has ended your access to ${mailedThing(share)}.`
        : `${ownerOf(share)} has taken back the invitation to ${mailedThing(share)}. The link in the earlier mail opens nothing any more.`,
    ],
  }),
} as const;

const link = '/invitations';

/** The same for the bell; `to…` says whose. What was lowered or ended an open page tells by itself: not an alert as well. */
export const shareNotes = {
  toAgentInvited: (share: ShareWithPeople): Note => ({
    title: 'You have an invitation',
    message: `${ownerOf(share)} invites you to ${mailedThing(share)}.`,
    link,
    alert: true,
  }),
  toOwnerAnswered: (share: ShareWithPeople): Note => ({
    title: share.state === 'accepted' ? 'Invitation accepted' : 'Invitation rejected',
    message: `${whomOf(share)} has ${share.state} the invitation to ${mailedThing(share)}.`,
    link,
  }),
  toAgentChanged: (share: ShareWithPeople): Note => ({
    title: 'Your access was changed',
    message: `${ownerOf(share)} changed what you may do on ${mailedThing(share)}. It is now: ${roleOf(share.template)}.`,
    link,
  }),
  toAgentRevoked: (share: ShareWithPeople): Note => ({
    title: share.state === 'accepted' ? 'Your access has ended' : 'An invitation was taken back',
    message: `${ownerOf(share)} has ${share.state === 'accepted' ? 'ended your access' : 'taken back the invitation'} to ${mailedThing(share)}.`,
    link,
    alert: share.state !== 'accepted',
  }),
  toOwnerGivenUp: (share: ShareWithPeople): Note => ({
    title: 'Access given up',
    message: `${whomOf(share)} has given up ${mailedThing(share)}.`,
    link,
  }),
  toAgentEnded: (share: ShareWithPeople): Note => ({
    title: 'Your access has ended',
    message: `Your access to ${mailedThing(share)} has ended, as ${ownerOf(share)} had set.`,
    link,
  }),
  toOwnerEnded: (share: ShareWithPeople): Note => ({
    title: 'A share has ended',
    message: `What ${whomOf(share)} could do on ${mailedThing(share)} has ended, as you had set.`,
    link,
  }),
} as const;
