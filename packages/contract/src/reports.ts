import Type, { type Static } from 'typebox';
import { DIARY_DAYS } from './irr-diary.ts';
import { defineEndpoint } from './endpoint.ts';
import { needs } from './permissions.ts';
import { RawReply } from './raw.ts';
import { DayText, nullable, Time, Uid } from './schemas.ts';

const tag = 'Reports';
const farm = { farm: { in: 'query', name: 'farmUID' } } as const;
const days = { farmUID: Uid, start: Type.Optional(DayText), stop: Type.Optional(DayText) };

/** How many PDFs the server makes at once and lets wait, and what one may take. */
export const PRINTED = { atOnce: 2, waiting: 20, seconds: 60, megabytes: 256 } as const;

export const diarySummary = defineEndpoint({
  key: 'GET /reportspdf/irrdiary/summary',
  tag,
  summary: `The irrigation diary as a PDF: its sums by day and group, and what went otherwise than planned, with why. The last ${DIARY_DAYS.usual} days unless it is said, ${DIARY_DAYS.most} at most`,
  needs: needs.dashboard,
  target: farm,
  query: Type.Object(days),
  sends: { types: ['application/pdf'] },
  makesFile: true,
  reply: RawReply,
});

export const diarySummaryTable = defineEndpoint({
  key: 'GET /reports/irrigation-diary.csv',
  tag,
  summary: 'Its sums by day and group as a CSV file',
  needs: needs.dashboard,
  target: farm,
  query: Type.Object(days),
  sends: { types: ['text/csv'] },
  makesFile: true,
  reply: RawReply,
});

/** Days that operating times are of, the last one today. */
export const OPERATING_DAYS = 30;

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: "YYYY-MM-DD, the farm's day" });
const Minutes = Type.Number({ minimum: 0 });
const Count = Type.Integer({ minimum: 0 });

/** How long one sprinkler of a set was to water by it, and did; minutes to a tenth. */
export const OperatedUnit = Type.Object({
  unitUID: Uid,
  sprinkler: Type.String(),
  serialNumber: Type.String(),
  scheduleGroup: Type.String({ description: 'its line in the set' }),
  planned: { ...Minutes, description: 'until now, while it held this set; without what it was kept from' },
  unknown: { ...Minutes, description: 'of `planned`: of which nothing is known' },
  actual: nullable({ ...Minutes, description: 'of what was planned; null: nothing is known of it' }),
  share: nullable(
    Type.Number({ description: '`actual` of what is known of `planned`, %; null: there is nothing' }),
  ),
  kept: { ...Minutes, description: 'from which it was kept: inhibited, held or out of service' },
  other: nullable({
    ...Minutes,
    description: 'by other sets, by hand or unplanned; null: it opened, and how long is not known',
  }),
  waterings: Type.Object({
    planned: Count,
    unknown: Count,
    missed: Count,
    kept: Count,
    startNotHeard: { ...Count, description: 'counted from when they were to begin' },
    endNotHeard: { ...Count, description: 'counted until they were to end' },
  }),
  lastWatered: nullable({ ...Time, description: 'when it was last open, as far as is believed' }),
  isRunning: Type.Boolean({ description: 'its valve is open, and its time is not over' }),
});
export type OperatedUnit = Static<typeof OperatedUnit>;

export const OperatingTimes = Type.Object({
  setUID: Uid,
  name: Type.String(),
  isDeleted: Type.Boolean({ description: 'it can be restored for 30 days' }),
  start: Day,
  stop: Day,
  units: Type.Array(OperatedUnit, { description: 'of the set, by name' }),
  gone: { ...Count, description: 'sprinklers of the set that had left the farm before' },
});
export type OperatingTimes = Static<typeof OperatingTimes>;

const ofSet = Type.Object({ farmUID: Uid, scheduleID: { ...Uid, description: 'the schedule set' } });

export const operatingTimes = defineEndpoint({
  key: 'GET /reports/operating-time',
  tag,
  summary: `How long each sprinkler of a schedule set was to water by it in the last ${OPERATING_DAYS} days, and did`,
  needs: needs.dashboard,
  target: farm,
  query: ofSet,
  reply: OperatingTimes,
});

export const operatingTimePdf = defineEndpoint({
  key: 'GET /reportspdf/operatingtime',
  tag,
  summary: 'The same as a PDF',
  needs: needs.dashboard,
  target: farm,
  query: ofSet,
  sends: { types: ['application/pdf'] },
  makesFile: true,
  reply: RawReply,
});

export const operatingTimeTable = defineEndpoint({
  key: 'GET /reports/operating-time.csv',
  tag,
  summary: 'The same as a CSV file',
  needs: needs.dashboard,
  target: farm,
  query: ofSet,
  sends: { types: ['text/csv'] },
  makesFile: true,
  reply: RawReply,
});

export const historyTrendPdf = defineEndpoint({
  key: 'GET /reportspdf/farmhisttrend',
  tag,
  summary: "How many of a farm's sprinklers were of each kind in the last 12 months, by week, as a PDF",
  needs: needs.dashboard,
  target: farm,
  query: Type.Object({ farmUID: Uid }),
  sends: { types: ['application/pdf'] },
  makesFile: true,
  reply: RawReply,
});

export const historyTrendTable = defineEndpoint({
  key: 'GET /reports/history-trend.csv',
  tag,
  summary: 'The same as a CSV file',
  needs: needs.dashboard,
  target: farm,
  query: Type.Object({ farmUID: Uid }),
  sends: { types: ['text/csv'] },
  makesFile: true,
  reply: RawReply,
});

/** Days that a report of tanks is of unless it is said, and at most. */
export const TANK_DAYS = { usual: 30, most: 366 } as const;

export const tanksPdf = defineEndpoint({
  key: 'GET /reportspdf/tanks',
  tag,
  summary: `Lowest and highest level of each tank and what was used of it, by day, as a PDF. The last ${TANK_DAYS.usual} days unless it is said, ${TANK_DAYS.most} at most`,
  needs: needs.tankSummary,
  target: farm,
  query: Type.Object(days),
  sends: { types: ['application/pdf'] },
  makesFile: true,
  reply: RawReply,
});

export const tanksTable = defineEndpoint({
  key: 'GET /reports/tanks.csv',
  tag,
  summary: 'The same as a CSV file',
  needs: needs.tankSummary,
  target: farm,
  query: Type.Object(days),
  sends: { types: ['text/csv'] },
  makesFile: true,
  reply: RawReply,
});
