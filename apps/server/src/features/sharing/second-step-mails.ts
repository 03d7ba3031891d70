import { mailedName } from '@headrace/contract/rules/plain-name';
import type { Mail, Note } from '../messages/messages.ts';
import { timeOf } from './labels.ts';
import type { Asker, AskingOwner, Sharer } from './sharers-second-step.repo.ts';

type Owner = Pick<AskingOwner, 'name' | 'email'>;
/** In mails, which go to strangers: a name that is more than a name isn't shown, the proved address is. */
const nameOf = ({ name, email }: Owner) => mailedName(name) ?? email;
const to = ({ email, name }: Owner) => ({ to: email, name });
/** Nobody's farm decides the zone: the people are in several. */
const when = (at: Date) => timeOf(at, null);
const action = { label: 'Set it up', path: '/security' };
const HOW =
  'Set up an authenticator app or a passkey in Password & Security: it takes two minutes, and everything opens again at once.';
const ALERTS = 'Alerts of these farms come to you as before.';
const NAMED = 5;

/** What people are told of a second step that an owner asks for: by mail, and the same in the bell. */
export const secondStepMails = {
  asked: (one: Sharer, owner: Owner & { from: Date }): Mail => ({
    ...to(one),
    subject: `${nameOf(owner)} asks for two-step sign-in`,
    paragraphs: [
      `From ${when(owner.from)} on you can open the farms of ${nameOf(owner)} only if your account has two-step sign-in.`,
      HOW,
      ALERTS,
    ],
    action,
  }),
  soon: (one: Sharer, owner: AskingOwner): Mail => ({
    ...to(one),
    subject: `The farms of ${nameOf(owner)} are soon shut to you`,
    paragraphs: [
      `Your account has no two-step sign-in yet. From ${when(owner.from)} on you can't open the farms of ${nameOf(owner)} without it.`,
      HOW,
      ALERTS,
    ],
    action,
  }),
  shut: (one: Sharer, owner: Asker): Mail => ({
    ...to(one),
    subject: `The farms of ${nameOf(owner)} are shut to you`,
    paragraphs: [
      `${nameOf(owner)} asks for two-step sign-in, and your account has none. So you can't open the farms of ${nameOf(owner)} now.`,
      HOW,
      ALERTS,
    ],
    action,
  }),
  /** To whoever removed it, or had it removed. */
  ended: (one: Sharer, owners: readonly Asker[], now: Date): Mail => ({
    ...to(one),
    subject: owners.some(({ from }) => from <= now)
      ? 'Farms are shut to you without two-step sign-in'
      : 'Farms will be shut to you without two-step sign-in',
    paragraphs: ['Your account has no two-step sign-in any more.', ...shutText(owners, now), HOW, ALERTS],
    action,
  }),
  notAsked: (one: Sharer, owner: Owner): Mail => ({
    ...to(one),
    subject: `${nameOf(owner)} no longer asks for two-step sign-in`,
    paragraphs: [`The farms of ${nameOf(owner)} open with your password alone again.`],
    action: { label: 'Open Headrace', path: '/' },
  }),
  toOwner: (owner: AskingOwner, people: readonly Sharer[]): Mail => ({
    ...to(owner),
    subject:
      owner.told === 'soon'
        ? 'Your farms are soon shut to people without two-step sign-in'
        : 'Your farms are shut to people without two-step sign-in',
    paragraphs: [
      owner.told === 'soon'
        ? `From ${when(owner.from)} on they can't open your farms: ${namesOf(people)}.`
        : `They can't open your farms until it is set up: ${namesOf(people)}.`,
      'You can end this in Manage Access.',
    ],
    action: { label: 'Manage Access', path: '/invitations' },
  }),
} as const;

/** What is shut now, and what will be. */
function shutText(owners: readonly Asker[], now: Date): string[] {
  const shut = owners.filter(({ from }) => from <= now);
  const later = owners.filter(({ from }) => from > now);
  return [
    ...(shut.length > 0 ? [`You can't open the farms of ${namesOf(shut)} now.`] : []),
    ...later
      .slice(0, NAMED)
      .map((owner) => `From ${when(owner.from)} on you can't open the farms of ${nameOf(owner)}.`),
    ...(later.length > NAMED ? [`${later.length - NAMED} more owners will require it too.`] : []),
  ];
}

const namesOf = (people: readonly Owner[]): string => {
  const names = people.slice(0, NAMED).map(nameOf).join(', ');
  return people.length > NAMED ? `${names} and ${people.length - NAMED} more` : names;
};

export const asNote = ({ subject, paragraphs, action: way }: Mail): Note => ({
  title: subject,
  message: paragraphs.join(' '),
  ...(way && { link: way.path }),
  isMinor: true,
});
