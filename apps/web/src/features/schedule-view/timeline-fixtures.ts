import type { Timeline, TimelineLine, TimelineTurn, TimelineUnit } from '@headrace/contract/timeline';
import { rakaia, uid } from '../../testing/fixtures.ts';

/** Times of tests on 21 November on the farm's clock (New Zealand's summer, UTC+13). */
export const at = (clock: string): number => Date.parse(`2026-11-21T${clock}:00+13:00`);

export const buildTurn = (from: string, to: string, over: Partial<TimelineTurn> = {}): TimelineTurn => ({
  startAt: at(from),
  startMin: Number(from.slice(0, 2)) * 60 + Number(from.slice(3)),
  endAt: at(to),
  sign: 'will',
  plan: 'held',
  planned: { startAt: at(from), endAt: at(to) },
  saidUntil: null,
  outcome: null,
  isByCommand: false,
  clock: 'plain',
  shiftS: 0,
  reasons: [],
  ...over,
});

export const buildLineUnit = (n: number, over: Partial<TimelineUnit> = {}): TimelineUnit => ({
  line: 'North',
  uid: uid(6000 + n),
  name: `A${n}`,
  serialNumber: `IPC${n}`,
  held: 'wanted',
  heldSet: 'Summer',
  wantedSet: 'Summer',
  isInSet: true,
  isInService: true,
  isInhibited: false,
  heardAt: at('09:50'),
  lps: 4,
  mmPerMin: 0.172,
  turns: [],
  ...over,
});

export const buildLine = (name: string, over: Partial<TimelineLine> = {}): TimelineLine => ({
  id: name,
  name,
  units: 2,
  unknown: 0,
  newsLate: 0,
  open: [],
  next: null,
  turns: { said: 0, believed: 0, will: 2, unsure: 0, wont: 0, notHeard: 0 },
  mixed: null,
  holds: [],
  busy: [{ startAt: at('12:00'), startMin: 720, endAt: at('12:56'), sign: 'will', turns: 2 }],
  ...over,
});

export const buildTimeline = (over: Partial<Timeline> = {}): Timeline => ({
  farmUID: rakaia._id,
  from: at('00:00'),
  to: at('00:00') + 86_400_000,
  now: at('10:00'),
  plan: { of: 'held', name: '' },
  lines: [buildLine('North')],
  units: [],
  seams: [],
  clockSet: null,
  flow: {
    from: at('00:00'),
    stepMin: 15,
    planned: Array.from({ length: 96 }, (_, step) => (step >= 48 && step < 52 ? 8 : 0)),
    notIn: 0,
    maxLps: null,
    mains: [],
    meters: [],
  },
  ...over,
});
