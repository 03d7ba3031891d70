import { compareNatural } from '@headrace/contract/rules/natural-order';
import { type BusyTime, busyTimes } from '@headrace/contract/rules/schedule/busy-times';
import { farmMinute } from '@headrace/contract/rules/schedule/clock-seams';
import { createFlow } from '@headrace/contract/rules/schedule/planned-flow';
import { type Turn, type TurnSign, turnSigns } from '@headrace/contract/rules/schedule/turns';
import { isTakenAsOpen } from '@headrace/contract/rules/valve-belief';
import type { TimelineLine } from '@headrace/contract/timeline';
import type { MainFlows } from './main-flows.ts';
import { mixedOf } from './mixed-line.ts';
import type { Shown, UnitTurns } from './present-timeline.ts';
import type { HoldTime } from './timeline.repo.ts';
import type { LineUnit } from './turn-units.ts';

/** A line as far as it is known. The busy times are kept as three rows of numbers. */
interface Gathered {
  readonly ids: number[];
  /** With their turns, only while two schedules may be on the line. */
  readonly units: UnitTurns[];
  readonly open: TimelineLine['open'];
  readonly turns: Record<TurnSign, number>;
  readonly starts: number[];
  readonly ends: number[];
  readonly signs: TurnSign[];
  unknown: number;
  newsLate: number;
  next: { readonly unit: LineUnit; readonly turn: Turn } | null;
}

/** Pauses shorter than a pixel or two of a wide screen. */
const bridgeOf = ({ from, to }: Shown) => (to - from) / 400;

/**
 * Gathers lines and the farm's flow, sprinkler by sprinkler: tens of thousands of turns that were kept until the end would cost more
 * to clear away than to reckon.
 */
export function createLines(
  shown: Shown,
  steps: Parameters<typeof createFlow>[0],
  { mains, mixed }: { mains: MainFlows; mixed: ReadonlySet<string> },
) {
  const lines = new Map<string, Gathered>();
  const flow = createFlow(steps);
  let notIn = 0;

  function lineOf(name: string): Gathered {
    let line = lines.get(name);
    if (!line) lines.set(name, (line = emptyLine()));
    return line;
  }

  return {
    add({ unit, turns }: UnitTurns): void {
      const line = lineOf(unit.line);
      line.ids.push(unit.id);
      if (mixed.has(unit.line)) line.units.push({ unit, turns });
      const { status } = unit;
      if (status.belief && isTakenAsOpen(status.belief)) line.open.push(openUnit(status, status.belief));
      if (isUnknown(unit)) {
        line.unknown += 1;
        notIn += 1;
      }
      if (unit.isNewsLate) line.newsLate += 1;
      for (const turn of turns) {
        addTurn(line, turn);
        // What was planned and can have been, or can be.
        const { planned, sign, plan } = turn;
        if (planned && sign !== 'wont' && plan === 'held') {
          flow.add(planned, unit.lps);
          mains.add(unit, planned);
        }
        if (isNext(turn, shown) && (line.next === null || turn.startAt < line.next.turn.startAt))
          line.next = { unit, turn };
      }
    },
    lines: (holds: readonly HoldTime[]): TimelineLine[] => {
      const held = holds.map(({ deviceIds, ...hold }) => ({ hold, ids: new Set(deviceIds) }));
      return [...lines]
        .map(([name, line]) => ({ ...toLine(name, line, shown), holds: holdsOf(line, held) }))
        .toSorted((one, other) => compareNatural(one.name, other.name));
    },
    flow: () => ({ planned: flow.values(), mains: mains.values(), notIn }),
  };
}

const emptyLine = (): Gathered => ({
  ids: [],
  units: [],
  open: [],
  turns: { said: 0, believed: 0, will: 0, unsure: 0, wont: 0, notHeard: 0 },
  starts: [],
  ends: [],
  signs: [],
  unknown: 0,
  newsLate: 0,
  next: null,
});

const isUnknown = ({ heldState, status }: LineUnit): boolean =>
  (heldState === 'foreign' || heldState === 'unknown') && !status.outOfService;

const isNext = ({ startAt, plan, sign }: Turn, { now }: Shown): boolean =>
  startAt > now && plan === 'held' && (sign === 'will' || sign === 'unsure');

function openUnit(
  { id, name }: LineUnit['status'],
  { state, basis, since, until }: NonNullable<LineUnit['status']['belief']>,
): TimelineLine['open'][number] {
  return { uid: id, name, state, basis, since, until };
}

function addTurn(line: Gathered, { startAt, endAt, sign, plan }: Turn): void {
  line.turns[sign] += 1;
  // What is held is what will happen; what is wanted beside it stands with its sprinkler.
  if (plan !== 'held' && sign !== 'unsure') return;
  line.starts.push(startAt);
  line.ends.push(endAt);
  line.signs.push(sign);
}

function toLine(name: string, line: Gathered, shown: Shown): Omit<TimelineLine, 'holds'> {
  const { ids, open, turns, unknown, newsLate } = line;
  const busy = busyTimes(inOrder(line), bridgeOf(shown));
  return {
    id: name,
    name,
    units: ids.length,
    unknown,
    newsLate,
    open,
    next: nextOf(line, shown),
    turns,
    mixed: mixedOf(line.units, shown),
    busy: busy.map((time) => ({ ...time, startMin: farmMinute(shown.zone, time.startAt) })),
  };
}

/** By when they begin. Numbers with their place in them are sorted without a call for each comparison. */
function inOrder({ starts, ends, signs }: Gathered): Omit<BusyTime, 'turns'>[] {
  const first = starts.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const places = Float64Array.from(starts, (at, place) => (at - first) * starts.length + place).sort();
  return Array.from(places, (key) => {
    const place = key % starts.length;
    return { startAt: starts[place] ?? 0, endAt: ends[place] ?? 0, sign: signs[place] ?? turnSigns[0] };
  });
}

function nextOf({ next }: Gathered, { zone }: Shown): TimelineLine['next'] {
  if (next === null) return null;
  const { startAt, endAt, sign } = next.turn;
  const { id, name } = next.unit.status;
  return { uid: id, name, startAt, startMin: farmMinute(zone, startAt), endAt, sign };
}

function holdsOf(
  { ids }: Gathered,
  held: readonly { hold: Omit<HoldTime, 'deviceIds'>; ids: ReadonlySet<number> }[],
): TimelineLine['holds'] {
  return held.flatMap(({ hold, ids: ofHold }) => {
    const units = ids.filter((id) => ofHold.has(id)).length;
    return units > 0 ? [{ ...hold, units }] : [];
  });
}
