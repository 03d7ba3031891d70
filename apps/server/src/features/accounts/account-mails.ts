import type { AccountRow } from '../../db/schema.ts';
import type { Mail } from '../messages/messages.ts';
import { keyPath } from './account-keys.ts';

type Person = Pick<AccountRow, 'email' | 'name'>;

/** Every mail that is about an account itself. */
export const accountMails = {
  confirmation: (person: Person, key: string): Mail => ({
    to: person.email,
    name: person.name,
    subject: 'Please confirm your e-mail address',
    isAwaited: true,
    paragraphs: [
      'Please follow this link to confirm that this address is yours. It works once, for seven days.',
    ],
    action: { label: 'Confirm my address', path: keyPath['confirm-email'](key) },
    footnote: 'You get this because somebody gave this address to Headrace. If it was not you, do nothing.',
  }),

  reset: (person: Person, key: string): Mail => ({
    to: person.email,
    name: person.name,
    subject: 'Set a new password',
    isAwaited: true,
    paragraphs: [
      'Please follow this link to set a new password. It works once, for one hour. You will be signed out everywhere.',
    ],
    action: { label: 'Set a new password', path: keyPath['reset-password'](key) },
    footnote:
      'You get this because somebody asked for a new password. If it was not you, do nothing: your password stays.',
  }),

  passwordChanged: (person: Person): Mail => ({
    to: person.email,
    name: person.name,
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your account was changed, and all other browsers were signed out.',
      'If it was not you, set a new password now, and tell whoever runs this installation.',
    ],
    action: { label: 'Set a new password', path: '/forgot-password' },
  }),

  /** To the address that was left. */
  addressChanged: (before: Person, after: Person): Mail => ({
    to: before.email,
    name: after.name,
    subject: 'The e-mail address of your account was changed',
    paragraphs: [
      `Your account has the address ${after.email} from now on, and mail no longer comes here.`,
      'If it was not you, tell whoever runs this installation.',
    ],
  }),

  guessing: (person: Person, address: string): Mail => ({
    to: person.email,
    name: person.name,
    subject: 'Someone is trying to sign in to your Headrace account',
    paragraphs: [
      `There were many failed attempts to sign in to your account, the last from ${address}. For a quarter of an hour no further attempt of this kind is looked at, not even with the right password.`,
      'If it was you, wait and try again. If it was not, there is nothing you must do; a longer password makes guessing harder.',
    ],
  }),

  /** `closesAt` and what goes with the account, each in words. */
  closing: (person: Person, closesAt: string, farms: readonly string[]): Mail => ({
    to: person.email,
    name: person.name,
    subject: 'Your account will be closed',
    paragraphs: [
      `Your account will be closed on ${closesAt}, and what is kept about you is deleted then. Until that day you can sign in and keep it.`,
      ...(farms.length > 0 ? [`These farms go with it: ${farms.join('; ')}.`] : []),
    ],
    action: { label: 'Keep my account', path: '/account-details' },
    isMinor: true,
  }),

  kept: (person: Person): Mail => ({
    to: person.email,
    name: person.name,
    subject: 'Your account is kept',
    paragraphs: ['Your account will not be closed. Everything is as it was.'],
    isMinor: true,
  }),

  closed: (person: Person): Mail => ({
    to: person.email,
    name: person.name,
    subject: 'Your account was closed',
    paragraphs: [
      'Your account was closed and what was kept about you is deleted. What its farms measured goes within 30 days.',
    ],
    footnote: 'This is the last mail that comes to this address.',
  }),
} as const;
