import Type from 'typebox';
import { DIARY_DAYS } from './irr-diary.ts';
import { defineEndpoint } from './endpoint.ts';
import { needs } from './permissions.ts';
import { RawReply } from './raw.ts';
import { DayText, Uid } from './schemas.ts';

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
