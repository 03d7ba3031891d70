import type { AccountRow } from '../../db/schema.ts';
import type { Mail } from '../messages/messages.ts';
import { keyPath } from './account-keys.ts';

type Person = Pick<AccountRow, 'email' | 'name'>;

export const KNOWN_PASSWORD_SUBJECT = 'Somebody has the password of your Headrace account';
export const TRIED_CODES_SUBJECT = 'Somebody signed in to your Headrace account tries codes';
export const GUESSING_SUBJECT = 'Someone is trying to sign in to your Headrace account';

const leftText = (left: readonly string[]): string[] =>
  left.length === 0
    ? []
    : [
        `What was there before still signs in: ${left.join(', ')}. Remove what is not yours in Password & Security.`,
      ];

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

  passwordSetForYou: (person: Person): Mail => ({
    to: person.email,
    name: person.name,
    subject: 'Your password was set by whoever runs this installation',
    paragraphs: [
      'Whoever runs this installation set a new password for your account, and all browsers were signed out.',
      'If you did not ask for it, set a password of your own now, and ask them who did.',
    ],
    action: { label: 'Set a new password', path: '/forgot-password' },
  }),

  secondStepTakenAway: (person: Person): Mail => ({
    to: person.email,
    name: person.name,
    subject: 'Signing in takes one step again: whoever runs this installation removed the second',
    paragraphs: [
      'Whoever runs this installation removed the authenticator app, the passkeys and the recovery codes of your account, and all browsers were signed out. From now on the password alone signs in.',
      'If you did not ask for it, set a new password now, and ask them who did. You can add a second step again in Password & Security.',
    ],
    action: { label: 'Set a new password', path: '/forgot-password' },
  }),

  /** `key` takes back what was added; null where nothing was, or the address isn't known to be this person's. */
  secondStepChanged: (person: Person, isOn: boolean, key: string | null): Mail => ({
    to: person.email,
    name: person.name,
    subject: isOn ? 'Your ways of signing in were changed' : 'Signing in takes one step again',
    paragraphs: [
      isOn
        ? 'An authenticator app or a passkey of your account was added or removed. Signing in takes two steps: your password and a code of the app, or a passkey.'
        : 'The last authenticator app or passkey of your account was removed. From now on the password alone signs in.',
      key
        ? 'If it was not you, follow this link within seven days: everybody is signed out, what was added since then is removed, and you choose a new password. A new password alone does not remove it.'
        : 'If it was not you, set a new password now, and tell whoever runs this installation.',
    ],
    action: key
      ? { label: 'It was not me', path: keyPath['undo-email'](key) }
      : { label: 'Password & Security', path: '/security' },
  }),

  /** `left`: what opens the account besides its password. */
  addedTakenBack: (person: Person, left: readonly string[]): Mail => ({
    to: person.email,
    name: person.name,
    subject: 'What was added to your account was removed',
    paragraphs: [
      'Everybody was signed out, the former password opens nothing any more, and ways of signing in that were added since that mail are removed. If you have not chosen a new password yet, do so now.',
      ...leftText(left),
    ],
    action: { label: 'Set a new password', path: '/forgot-password' },
  }),

  recoveryCodesMade: (person: Person): Mail => ({
    to: person.email,
    name: person.name,
    subject: 'New recovery codes were made for your account',
    paragraphs: [
      'New recovery codes were made. The former ones open nothing any more.',
      'If it was not you, set a new password now, and tell whoever runs this installation.',
    ],
    action: { label: 'Set a new password', path: '/forgot-password' },
  }),

  recoveryCodeUsed: (person: Person, left: number, isSignIn: boolean): Mail => ({
    to: person.email,
    name: person.name,
    subject: isSignIn ? 'Somebody signed in with a recovery code' : 'Somebody used a recovery code',
    paragraphs: [
      `Somebody ${isSignIn ? 'signed in to your account' : 'changed how your account is signed in to'}, with your password and one of your recovery codes. ${left === 1 ? '1 is left' : `${left} are left`}.`,
      'If it was not you, set a new password now and make new recovery codes.',
    ],
    action: { label: 'Password & Security', path: '/security' },
  }),

  passwordKnown: (person: Person, address: string): Mail => ({
    to: person.email,
    name: person.name,
    subject: KNOWN_PASSWORD_SUBJECT,
    paragraphs: [
      `Somebody at ${address} gave the right password of your account, and five wrong codes after it. Nobody was let in.`,
      'If it was not you, set a new password now: this one is known to somebody else.',
    ],
    action: { label: 'Set a new password', path: '/forgot-password' },
  }),

  /** Setting a new password signs everybody out. */
  codesTried: (person: Person, address: string): Mail => ({
    to: person.email,
    name: person.name,
    subject: TRIED_CODES_SUBJECT,
    paragraphs: [
      `Somebody at ${address} is signed in to your account, gave its right password, and wanted to change your two-step sign-in with five or more wrong codes. Nothing was changed with them.`,
      'If it was not you, set a new password now: everybody is signed out, and the former password opens nothing any more.',
    ],
    action: { label: 'Set a new password', path: '/forgot-password' },
  }),

  /** To the address that the account is to have. */
  newAddress: (person: Person, to: string, key: string): Mail => ({
    to,
    name: person.name,
    subject: 'Please confirm your new e-mail address',
    isAwaited: true,
    paragraphs: [
      'Please follow this link to make this the address of your Headrace account. It works once, for seven days. Until then you sign in with the former one.',
    ],
    action: { label: 'Confirm my new address', path: keyPath['change-email'](key) },
    footnote: 'You get this because somebody gave this address to Headrace. If it was not you, do nothing.',
  }),

  /** To the address that is to be left. */
  addressAsked: (person: Person, key: string): Mail => ({
    to: person.email,
    name: person.name,
    subject: 'The e-mail address of your account is to be changed',
    paragraphs: [
      'Somebody signed in to your account asked for another e-mail address, and gave your password. This address stays valid until the other one is confirmed.',
      'If it was not you, follow this link within seven days: everybody is signed out, this address stays, and you choose a new password.',
    ],
    action: { label: 'It was not me', path: keyPath['undo-email'](key) },
  }),

  /** To the address that was left. */
  addressChanged: (before: Person, key: string): Mail => ({
    to: before.email,
    name: before.name,
    subject: 'The e-mail address of your account was changed',
    isAwaited: true,
    paragraphs: [
      'Your account has another e-mail address from now on, and mail no longer comes here.',
      'If it was not you, follow this link within seven days: everybody is signed out, this address comes back, and you choose a new password.',
    ],
    action: { label: 'Bring this address back', path: keyPath['undo-email'](key) },
  }),

  addressBack: (person: Person, left: readonly string[]): Mail => ({
    to: person.email,
    name: person.name,
    subject: 'The e-mail address of your account is this one again',
    paragraphs: [
      'The change of your address was undone, everybody was signed out, and the former password opens nothing any more. If you have not chosen a new one yet, do so now.',
      ...leftText(left),
    ],
    action: { label: 'Set a new password', path: '/forgot-password' },
  }),

  /** `key` signs in; null where the address isn't known to be this person's. */
  guessing: (person: Person, address: string, key: string | null): Mail => ({
    to: person.email,
    name: person.name,
    subject: GUESSING_SUBJECT,
    paragraphs: [
      `There were many failed attempts to sign in to your account, the last from ${address}. For a quarter of an hour no further attempt of this kind is looked at, not even with the right password. Browsers with which you signed in before are let in as ever.`,
      'If it was you, wait and try again. If it was not, there is nothing you must do; a longer password makes guessing harder.',
      ...(key === null
        ? []
        : [
            'If you have to get in now with another browser, this link signs you in. It works once, within 24 hours.',
          ]),
    ],
    ...(key !== null && { action: { label: 'Sign in', path: keyPath.passwordless(key) } }),
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
