import type { DiaryDay, DiaryLog, DiarySums, WateringProof } from '@headrace/contract/irr-diary';
import { uid } from '../../testing/fixtures.ts';

/** 05:12 on 25 November 2026 in New Zealand, minutes later. */
export const at = (minute: number) =>
  new Date(Date.parse('2026-11-24T16:12:00Z') + minute * 60_000).toISOString();

export const buildLog = (over: Partial<DiaryLog> = {}): DiaryLog => ({
  day: '2026-11-25',
  unitUID: uid(7001),
  sprinkler: 'A1',
  serialNumber: '4001',
  group: 'North',
  scheduleGroup: 'North/1',
  start: at(0),
  stop: at(28),
  minutes: 28,
  mm: 4.83,
  volume: 6720,
  bounds: null,
  basis: 'said',
  isPartSprinkler: false,
  planned: { start: at(0), stop: at(28), minutes: 28, isHeld: true },
  outcome: 'watered',
  isKept: false,
  reasons: [],
  ...over,
});

export const noCounts: DiarySums['counts'] = {
  watered: 0,
  short: 0,
  long: 0,
  late: 0,
  missed: 0,
  'not known': 0,
  'by hand': 0,
  unplanned: 0,
};
export const buildSums = (over: Partial<DiarySums> = {}): DiarySums => ({
  planned: 40,
  kept: 0,
  watered: 38,
  counts: { ...noCounts, watered: 38, missed: 1, 'not known': 1 },
  meanMm: 4.6,
  evenness: 0.67,
  measured: 39,
  litres: { least: 255_360, believed: 255_360, most: 255_360 },
  ...over,
});

export const buildDay = (over: Partial<DiaryDay> = {}): DiaryDay => ({
  day: '2026-11-25',
  ...buildSums(),
  groups: [{ ...buildSums(), uid: uid(8101), name: 'North' }],
  meters: [{ name: 'Bore', litres: 261_000 }],
  ...over,
});

export const buildProof = (over: Partial<WateringProof> = {}): WateringProof => ({
  round: { from: at(-1000), to: at(440), startAt: at(-600), endAt: at(28) },
  ...buildSums({
    planned: 930,
    watered: 928,
    counts: { ...noCounts, watered: 928, 'not known': 2 },
  }),
  missed: 0,
  lines: [{ ...buildSums(), name: 'North/1' }],
  troubles: [],
  ...over,
});
