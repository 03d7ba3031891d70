import Type, { type Static } from 'typebox';
import { Timezone } from './farms.ts';
import { defineEndpoint } from './endpoint.ts';
import { needs } from './permissions.ts';
import { alertClasses } from './rules/alerts/alert-kinds.ts';
import { snoozeTimes } from './rules/alerts/snooze-times.ts';
import { nullable, oneOf, Time, Uid } from './schemas.ts';

const tag = 'Alerts';
/** Whoever guesses is slowed down, and learns nothing. */
const PER_MINUTE = 30;
const Key = Type.String({ minLength: 1, maxLength: 40, pattern: '^[A-Za-z0-9_-]+$' });

/** An incident as whoever got a message of it sees it. */
const AskedAlert = Type.Object({
  uid: Uid,
  farmUID: Uid,
  farmName: Type.String(),
  timezone: Timezone,
  title: Type.String(),
  message: Type.String(),
  class: oneOf(alertClasses),
  state: oneOf(['open', 'answered', 'ended']),
  /** Who answers with this key. */
  as: Type.String(),
  answeredBy: nullable(Type.String()),
  answeredAt: nullable(Time),
  snoozedUntil: nullable(Time),
});
export type AskedAlert = Static<typeof AskedAlert>;

export const askedAlert = defineEndpoint({
  key: 'GET /alerts/answer',
  tag,
  summary:
    'What a message was about, by its key. Nothing is answered by it: programs that look at mails follow links',
  needs: needs.nothing,
  perMinute: PER_MINUTE,
  query: Type.Object({ key: Key }),
  reply: Type.Object({
    alert: nullable(AskedAlert),
  }),
});

export const messageAnswers = ['answer', ...snoozeTimes] as const;
export type MessageAnswer = (typeof messageAnswers)[number];

export const answerByKey = defineEndpoint({
  key: 'POST /alerts/answer',
  tag,
  summary:
    "I'm on it, or a snooze, by the key of a message: of one incident and one person, for a day. Null: the key is none, is too old, or its person is not told of the farm any more. 409 where it got worse than its person has seen",
  needs: needs.nothing,
  perMinute: PER_MINUTE,
  body: Type.Object({
    key: Key,
    answer: oneOf(messageAnswers),
    from: oneOf(['link', 'push']),
    class: Type.Optional({
      ...oneOf(alertClasses),
      description: 'the `class` that a page showed; absent: what the message of the key told is compared',
    }),
  }),
  reply: Type.Object({
    alert: nullable(AskedAlert),
    text: Type.String({ description: 'what became of it' }),
  }),
});
