import type { ReplyOf } from '@headrace/contract/endpoint';
import type { listTakes, MadePack, takeDays, TakeUseNow, WaterTake } from '@headrace/contract/water-takes';
import { uid } from '../../testing/fixtures.ts';

/** Bore 1 of Rākaia Downs, 20 L/s, as on 22 November 2026, 09:00 in New Zealand. */
export const buildTake = (over: Partial<WaterTake> = {}): WaterTake => ({
  uid: uid(9001),
  consentNo: 'CRC012345',
  holder: 'Rākaia Downs Ltd',
  council: 'Environment Canterbury',
  source: 'Bore M36/1234',
  maxLps: 20,
  maxM3Day: 1728,
  maxM37Day: null,
  maxM3Year: 250_000,
  validFrom: '2020-03-14',
  validTo: '2035-03-13',
  restrictionNote: '',
  restrictions: [],
  meters: [
    {
      uid: uid(9002),
      deviceUID: uid(9003),
      metric: 'pulsesTotal',
      site: '123456M1',
      measure: 'Compliance Volume',
      startsAt: '2026-06-30T12:00:00.000Z',
      endsAt: null,
      verifiedOn: '2024-03-14',
      nextVerification: '2029-03-14',
      pipe: 'full',
      m3PerUnit: 0.1,
      isByVolume: false,
      device: 'Bore 1',
      isGone: false,
      readings: [
        { uid: uid(9004), at: '2026-11-20T00:00:00.000Z', register: 45_012.5, note: '', by: 'Mere Ellison' },
      ],
    },
  ],
  version: 3,
  updatedAt: '2026-11-20T00:00:00.000Z',
  ...over,
});

export const buildList = (takes = [buildTake()]): ReplyOf<typeof listTakes> => ({
  takes,
  choices: [{ uid: uid(9003), name: 'Bore 1', metric: 'pulsesTotal', m3PerUnit: 0.1, hasSpoken: true }],
});

export const buildUse = (over: Partial<TakeUseNow> = {}): TakeUseNow => ({
  used: 0,
  cutM3: 0,
  isWhole: true,
  measuredFrom: null,
  measuredTo: null,
  most: null,
  left: null,
  reachedAt: null,
  isRestricted: false,
  ...over,
});

export const buildDays = (over: Partial<ReplyOf<typeof takeDays>> = {}): ReplyOf<typeof takeDays> => ({
  standardTime: 'NZST',
  from: '2026-07-01',
  to: '2026-11-22',
  until: '2026-11-21T19:45:00.000Z',
  days: [
    {
      day: '2026-11-21',
      m3: 1404.2,
      cutM3: 0,
      isWhole: true,
      rows: 96,
      measured: 88,
      shared: 2,
      estimated: 0,
      missing: 6,
      highestLps: 20.6,
      cells: `${'m'.repeat(60)}ss${'-'.repeat(6)}${'z'.repeat(28)}`,
      hasOldSettings: false,
    },
    {
      day: '2026-11-22',
      m3: 57,
      cutM3: 0,
      isWhole: true,
      rows: 31,
      measured: 31,
      shared: 0,
      estimated: 0,
      missing: 0,
      highestLps: 4.44,
      cells: 'm'.repeat(31),
      hasOldSettings: false,
    },
  ],
  taken: { m3: 1461.2, cutM3: 0, isWhole: true },
  gaps: [
    {
      from: '2026-11-21T03:30:00.000Z',
      to: '2026-11-21T05:00:00.000Z',
      rows: 6,
      m3: 26,
      isCut: false,
      cause: 'silent',
      note: '',
    },
  ],
  gapCount: 1,
  exceedances: [
    {
      limit: 'rate',
      at: { from: '2026-11-21T00:00:00.000Z', to: '2026-11-21T00:15:00.000Z' },
      value: 20.444,
      most: 20,
      isWhole: true,
      isWithinAccuracy: true,
      isRestricted: false,
    },
  ],
  exceedanceCount: 1,
  checks: [],
  use: {
    consent: 'valid',
    today: buildUse({ used: 57, most: 1728, left: 1671, reachedAt: '2026-11-22T03:40:00.000Z' }),
    sevenDays: buildUse({ used: 9800 }),
    year: buildUse({ used: 118_400, isWhole: false, most: 250_000, left: 131_600 }),
    lps: 1.11,
  },
  ...over,
});

/** Of the water year before, half made. */
export const buildPack = (over: Partial<MadePack> = {}): MadePack => ({
  id: uid(9010),
  jobId: uid(9012),
  mayCancel: true,
  from: '2025-07-01',
  to: '2026-06-30',
  codes: true,
  gapsLeftOut: false,
  by: 'Mere Ellison',
  askedAt: '2026-11-21T19:59:00.000Z',
  state: 'running',
  progress: 0.4,
  progressText: 'The tables are written.',
  error: '',
  bytes: null,
  keptUntil: '2026-11-28T19:59:00.000Z',
  ...over,
});
