import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { RawReply } from './raw.ts';
import { mayAnnex } from './rules/may-annex.ts';
import { DayText, LatLng, nullable, Time, Uid } from './schemas.ts';

const tag = 'Reports';
/** Days of an annex unless it is said, and at most. */
export const ANNEX_DAYS = { usual: 365, most: 366 } as const;
/** Leaks that it lists, the newest. */
export const ANNEX_LEAKS = 100;
const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: "YYYY-MM-DD, the farm's day" });
const Count = Type.Integer({ minimum: 0 });
const Millimetres = Type.Number({ minimum: 0, description: 'mm' });
/** The days of a calendar month that are asked for. */
const month = { from: Day, to: Day, days: Count };

const AnnexGroup = Type.Object({
  uid: Uid,
  name: Type.String(),
  sprinklers: { ...Count, description: 'in service now' },
  parts: { ...Count, description: 'of these, that water a part of a circle' },
  middle: nullable(LatLng),
  probe: nullable(
    Type.Object({ name: Type.String(), refillKpa: Type.Number() }, { description: 'as it is set now' }),
  ),
});

const AnnexMonth = Type.Object({
  groupUID: Uid,
  ...month,
  known: { ...Count, description: 'days of which it is known what was given' },
  mm: nullable({ ...Millimetres, description: 'of the known days, mean of its sprinklers; null: none' }),
  mostMm: nullable({
    ...Millimetres,
    description:
      'if what was not heard watered as planned, and valves whose closing was not heard were open all the time',
  }),
  notKnown: { ...Count, description: 'waterings of sprinklers of which nothing is known, or not how long' },
  wateringDays: Count,
  read: { ...Count, description: 'watering days of which the soil at the first start is known' },
  kpa: nullable(Type.Number({ description: 'mean of these' })),
  wetter: nullable({
    ...Count,
    description: 'of these, begun before the refill point; null: no refill point',
  }),
});
export type AnnexMonth = Static<typeof AnnexMonth>;

const AnnexRain = Type.Object({ ...month, known: Count, mm: nullable(Millimetres) });
export type AnnexRain = Static<typeof AnnexRain>;

const AnnexMeter = Type.Object({
  consentNo: Type.String(),
  site: Type.String(),
  device: Type.String(),
  endsAt: nullable(Time),
  verifiedOn: nullable(Day),
  nextVerification: nullable(Day),
});

const AnnexLeak = Type.Object({
  tank: Type.String(),
  since: Time,
  until: nullable({ ...Time, description: 'null: it goes on, or nobody knows when it ended' }),
  watchedUntil: nullable({
    ...Time,
    description: 'it went on then, and no alert has watched it since; null: it is watched, or was to its end',
  }),
});

/** What a farm environment plan asks of a farm's irrigation, as far as it was measured. */
export const PlanAnnex = Type.Object({
  start: Day,
  stop: Day,
  boundaryHa: nullable(Type.Number()),
  irrigatedHa: nullable(Type.Number({ description: 'as a person entered it' })),
  sprinklers: { ...Count, description: 'in service now' },
  groups: Type.Array(AnnexGroup, { description: 'by name' }),
  months: Type.Array(AnnexMonth, { description: 'by group, each by time' }),
  rain: Type.Array(AnnexRain, { description: 'by time' }),
  gauge: nullable(Type.String({ description: 'the site whose rain is counted' })),
  meters: Type.Array(AnnexMeter),
  leaks: Type.Array(AnnexLeak, { description: 'the newest first' }),
  leakCount: Count,
  isWatchedForLeaks: Type.Boolean({ description: 'an alert tells of leaks of tanks now' }),
  toReckon: { ...Count, description: 'days that are being reckoned: ask again' },
});
export type PlanAnnex = Static<typeof PlanAnnex>;

const farm = { farm: { in: 'query', name: 'farmUID' } } as const;
const asked = Type.Object({ farmUID: Uid, start: Type.Optional(DayText), stop: Type.Optional(DayText) });

export const planAnnex = defineEndpoint({
  key: 'GET /reports/plan-annex',
  tag,
  summary: `What a farm environment plan asks of irrigation: depth by month and group, rain, soil at the start of waterings, verification of meters, leaks. The last ${ANNEX_DAYS.usual} days up to yesterday unless it is said, ${ANNEX_DAYS.most} at most. What is not reckoned yet is begun`,
  needs: mayAnnex,
  target: farm,
  query: asked,
  reply: PlanAnnex,
});

export const planAnnexPdf = defineEndpoint({
  key: 'GET /reportspdf/plan-annex',
  tag,
  summary: 'The same as a PDF',
  needs: mayAnnex,
  target: farm,
  query: asked,
  sends: { types: ['application/pdf'] },
  makesFile: true,
  reply: RawReply,
});

export const planAnnexTable = defineEndpoint({
  key: 'GET /reports/plan-annex.csv',
  tag,
  summary: 'The same as a CSV file',
  needs: mayAnnex,
  target: farm,
  query: asked,
  sends: { types: ['text/csv'] },
  makesFile: true,
  reply: RawReply,
});
