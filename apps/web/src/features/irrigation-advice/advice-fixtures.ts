import type {
  AdviceSettings,
  GroupAdvice,
  IrrigationAdvice,
  LedgerDay,
} from '@headrace/contract/irrigation-advice';
import { defaultSoil } from '@headrace/contract/rules/schedule/soil-settings';
import { rakaia, uid } from '../../testing/fixtures.ts';

const nothing: AdviceSettings = {
  soil: null,
  knownDay: null,
  knownMm: null,
  probeUID: null,
  refillKpa: null,
  usualEt0Mm: null,
  rainSiteUID: null,
  version: 0,
  updatedAt: null,
  by: '',
};

/** North lacks 21.8 of 65 mm on 22 November 2026, 09:00 in New Zealand. */
export const buildGroup = (over: Partial<GroupAdvice> = {}): GroupAdvice => ({
  groupUID: uid(8001),
  name: 'North',
  sprinklers: 40,
  heardAt: '2026-11-21T19:40:00.000Z',
  soil: defaultSoil,
  soilFrom: 'default',
  tawMm: 65,
  settings: { ...nothing, knownDay: '2026-11-19', knownMm: 21 },
  cycle: { mm: 4.83, days: 0, from: 'sent' },
  state: 'advised',
  stateDay: null,
  since: '2026-11-19',
  depletionMm: 24.8,
  leastMm: 24.8,
  fullness: 0.618,
  today: { rainMm: null, appliedMm: 0 },
  notKnown: 0,
  rainNotKnown: 2,
  probe: null,
  advice: {
    cycles: 2,
    mm: 9.65,
    leastCycles: 2,
    isByProbe: false,
    fullnessAtLastTurn: 0.618,
    heldBackUntil: null,
    rainAheadMm: 0,
    outlook: [
      { day: '2026-11-23', fullness: 0.68, depletionMm: 20.8, cycles: 0 },
      { day: '2026-11-24', fullness: 0.61, depletionMm: 25.3, cycles: 3 },
    ],
  },
  ...over,
});

export const withoutStart = buildGroup({
  groupUID: uid(8002),
  name: 'South',
  heardAt: null,
  settings: nothing,
  state: 'noStart',
  since: null,
  depletionMm: null,
  leastMm: null,
  fullness: null,
  advice: null,
});

export const buildAdvice = (over: Partial<IrrigationAdvice> = {}): IrrigationAdvice => ({
  farmUID: rakaia._id,
  at: '2026-11-21T20:00:00.000Z',
  day: '2026-11-22',
  settings: nothing,
  weather: {
    source: 'The met office',
    isDemo: false,
    fetchedAt: '2026-11-21T19:30:00.000Z',
    isStale: false,
  },
  gauge: { uid: uid(8101), name: 'Line A soil' },
  sites: [{ uid: uid(8101), name: 'Line A soil' }],
  groups: [buildGroup(), withoutStart],
  ...over,
});

export const buildLedgerDay = (over: Partial<LedgerDay> = {}): LedgerDay => ({
  day: '2026-11-21',
  et0Mm: 4.5,
  et0From: 'forecast',
  etcMm: 4.28,
  rainMm: 1,
  rainFrom: 'gauge',
  forecastMm: 6,
  appliedMm: 2.41,
  notKnown: 1,
  depletionMm: 24.8,
  fullness: 0.618,
  advised: { at: '2026-11-20T17:10:00.000Z', cycles: 2, mm: 9.65, isHeldBack: true },
  note: 'Two rounds from noon',
  noteBy: 'Olive Owner',
  noteAt: '2026-11-21T01:00:00.000Z',
  ...over,
});
