import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { needs } from './permissions.ts';
import { RawReply } from './raw.ts';
import { diaryReasonCodes } from './rules/schedule/diary-reasons.ts';
import { type Outcome, outcomes } from './rules/schedule/match-runs.ts';
import { diaryBases } from './rules/schedule/unit-diary.ts';
import { DayText, nullable, oneOf, Time, Uid } from './schemas.ts';

const tag = 'Irrigation diary';
/** Most days in one call, and how many come unless it is said. */
export const DIARY_DAYS = { most: 92, usual: 30 } as const;
/** Entries of one page, and sprinklers times days that it looks through at most. */
export const DIARY_PAGE = { entries: 1000, unitDays: 3000 } as const;
/** What can be asked for as `outcome`: one of them, or all that went otherwise than planned. */
export const diaryFilters = [...outcomes, 'troubles'] as const;
export type DiaryFilter = (typeof diaryFilters)[number];

/** Of what went otherwise than planned the worst first; what is not known comes last. */
export const troubleOrder: readonly Outcome[] = ['missed', 'short', 'unplanned', 'late', 'long', 'not known'];

const Least = Type.Object({ least: Type.Number(), most: Type.Number() });

const Reason = Type.Object({
  code: oneOf(diaryReasonCodes),
  at: nullable({ ...Time, description: 'of what shows it' }),
  by: Type.String({ description: "a person's name; empty: nobody's, or not known" }),
  note: Type.String({ description: 'what that person gave as the reason of a hold; empty: nothing' }),
  value: nullable(Type.Number({ description: 's that its clock was fast; % of its battery' })),
});
export type DiaryReason = Static<typeof Reason>;

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: "YYYY-MM-DD, the farm's day" });

/** A watering of a sprinkler, that was or was to be. */
export const DiaryLog = Type.Object({
  day: { ...Day, description: "the farm's day on which it began, or was to, YYYY-MM-DD" },
  unitUID: Uid,
  sprinkler: Type.String(),
  serialNumber: Type.String(),
  group: Type.String({ description: 'its groups of then, by name' }),
  scheduleGroup: Type.String({ description: 'its line of then' }),
  start: Time,
  stop: nullable({ ...Time, description: 'null: it is not known to have closed' }),
  minutes: nullable(Type.Number({ description: 'as far as is believed; null: not known' })),
  mm: nullable(
    Type.Number({
      description:
        'at the rate that was set when it began, as of a full circle; of `basis` plan at the rate of now',
    }),
  ),
  volume: nullable(Type.Number({ description: 'L' })),
  bounds: nullable(
    Type.Object(
      { minutes: Least, mm: Least, volume: Least },
      { description: 'where the figures are not sure: the least and the most that are possible' },
    ),
  ),
  basis: oneOf(diaryBases),
  isPartSprinkler: Type.Boolean({ description: 'it waters a part of a circle: it gave more mm there' }),
  planned: nullable(
    Type.Object({
      start: Time,
      stop: Time,
      minutes: Type.Number(),
      isHeld: Type.Boolean({
        description: 'by what the sprinkler held then; false: by what was last sent to it',
      }),
    }),
  ),
  outcome: oneOf(outcomes),
  isKept: Type.Boolean({ description: 'it was inhibited, held or out of service: no fault' }),
  reasons: Type.Array(Reason, { description: 'what explains it best first' }),
});
export type DiaryLog = Static<typeof DiaryLog>;

const Sum = {
  planned: Type.Integer({ description: 'waterings that were to be, without those that were kept from' }),
  kept: Type.Integer({ description: 'that were to be and were inhibited, held or out of service' }),
  watered: Type.Integer({ description: 'of `planned`: that gave 90 % of their minutes or more' }),
  counts: Type.Object(
    Object.fromEntries(outcomes.map((outcome) => [outcome, Type.Integer()])) as Record<
      (typeof outcomes)[number],
      Type.TInteger
    >,
  ),
  meanMm: nullable(Type.Number({ description: 'of sprinklers of a full circle of which all is known' })),
  evenness: nullable(
    Type.Number({
      description: 'lowest quarter of sprinklers ÷ mean, between sprinklers; not the DU of a bucket test',
    }),
  ),
  measured: Type.Integer({ description: 'sprinklers that the two are of' }),
  litres: Type.Object({
    least: Type.Number(),
    believed: nullable(Type.Number({ description: 'without what is not known; null: nothing is known' })),
    most: Type.Number({ description: 'with what was planned of what is not known, at the rate of now' }),
  }),
};
export const DiarySums = Type.Object(Sum);
export type DiarySums = Static<typeof DiarySums>;

const GroupSum = Type.Object({
  ...Sum,
  uid: nullable({ ...Uid, description: 'null: of sprinklers without a group' }),
  name: Type.String(),
});

/** A day of the farm, with what its groups and its meters say. */
export const DiaryDay = Type.Object({
  day: Day,
  ...Sum,
  groups: Type.Array(GroupSum, {
    description: 'by name, as sprinklers were grouped then; a sprinkler of several groups counts in each',
  }),
  meters: Type.Array(Type.Object({ name: Type.String(), litres: Type.Number() }), {
    description: 'what went through each of them on the day, for whatever it was',
  }),
});
export type DiaryDay = Static<typeof DiaryDay>;

const farm = { farm: { in: 'query', name: 'farmUID' } } as const;
const asked = {
  farmUID: Uid,
  start: Type.Optional(DayText),
  stop: Type.Optional(DayText),
  group: Type.Optional({ ...Uid, description: 'of this group alone' }),
  outcome: Type.Optional(oneOf(diaryFilters)),
};

export const irrigationDiary = defineEndpoint({
  key: 'GET /irr-diary-logs',
  tag,
  summary: `What was watered, the newest day first: the last ${DIARY_DAYS.usual} days unless it is said, ${DIARY_DAYS.most} at most; ${DIARY_PAGE.entries} entries a page`,
  needs: needs.dashboard,
  target: farm,
  query: Type.Object({
    ...asked,
    after: Type.Optional(
      Type.String({
        pattern: '^\\d{4}-\\d{2}-\\d{2}(\\.\\d{1,6})?$',
        description: '`next` of the page before',
      }),
    ),
  }),
  reply: Type.Object({
    logs: Type.Array(DiaryLog),
    days: Type.Array(DiaryDay, {
      description: 'that this page is the first to tell of, whatever `outcome` is asked for',
    }),
    next: nullable(Type.String({ description: 'null: that is all' })),
  }),
});
export type DiaryPage = Static<(typeof irrigationDiary)['reply']>;

export const irrigationDiaryFile = defineEndpoint({
  key: 'GET /irr-diary-logs/csv',
  tag,
  summary: 'The same as a CSV file, whole',
  needs: needs.dashboard,
  target: farm,
  query: Type.Object(asked),
  sends: { types: ['text/csv'] },
  makesFile: true,
  reply: RawReply,
});

const Line = Type.Object({ ...Sum, name: Type.String({ description: 'the line' }) });

/** What the last watering day that is over came to. */
export const WateringProof = Type.Object({
  round: nullable(
    Type.Object(
      {
        from: Time,
        to: Time,
        startAt: { ...Time, description: 'when the first of it was to begin' },
        endAt: { ...Time, description: 'when the last of it was to end' },
      },
      { description: 'null: nothing was to water in the last week, as far as is known' },
    ),
  ),
  ...Sum,
  missed: Type.Integer({
    description: 'sprinklers that were missed or cut short, though nobody kept them from it',
  }),
  lines: Type.Array(Line, { description: 'by name' }),
  troubles: Type.Array(DiaryLog, { description: 'short, missed, late, not known and unplanned ones' }),
});
export type WateringProof = Static<typeof WateringProof>;

export const wateringProof = defineEndpoint({
  key: 'GET /irr-diary-logs/last',
  tag,
  summary:
    "The farm's last watering that is over, by line: planned, watered, mm, and what was short or missed",
  needs: needs.countSprinklers,
  target: farm,
  query: Type.Object({ farmUID: Uid }),
  reply: WateringProof,
});

export const wateringProofFile = defineEndpoint({
  key: 'GET /irr-diary-logs/last/csv',
  tag,
  summary: 'The same as a CSV file, each sprinkler by itself',
  needs: needs.countSprinklers,
  target: farm,
  query: Type.Object({ farmUID: Uid }),
  sends: { types: ['text/csv'] },
  makesFile: true,
  reply: RawReply,
});

/** Days back that late closings are told of, and sprinklers at most. */
export const LATE_CLOSERS = { days: 7, most: 100 } as const;

/** A sprinkler whose valve closed later than it was to. */
export const LateCloser = Type.Object({
  unitUID: Uid,
  sprinkler: Type.String(),
  serialNumber: Type.String(),
  group: Type.String({ description: 'its groups, by name' }),
  scheduleGroup: Type.String({ description: 'its line' }),
  times: Type.Integer({ description: 'waterings that closed late' }),
  worst: Type.Object({
    dueAt: { ...Time, description: 'when it was to close' },
    least: Type.Number({ description: 'min after that: it still said that it was open' }),
    most: nullable(
      Type.Number({ description: 'min after that: it said that it had closed; null: it has not' }),
    ),
  }),
});
export type LateCloser = Static<typeof LateCloser>;

export const lateClosers = defineEndpoint({
  key: 'GET /irr-diary-logs/late-closers',
  tag,
  summary: `Sprinklers that said they were open past their end in the last ${LATE_CLOSERS.days} days, the worst first; ${LATE_CLOSERS.most} at most`,
  needs: needs.dashboard,
  target: farm,
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ units: Type.Array(LateCloser) }),
});
