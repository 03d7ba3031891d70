import { compareNatural } from '@headrace/contract/rules/natural-order';
import { type BusyTime, busyTimes } from '@headrace/contract/rules/schedule/busy-times';
import { farmMinute } from '@headrace/contract/rules/schedule/clock-seams';
import { createFlow, sumOfFlows } from '@headrace/contract/rules/schedule/planned-flow';
import { type Turn, type TurnSign, turnSigns } from '@headrace/contract/rules/schedule/turns';
import { isTakenAsOpen } from '@headrace/contract/rules/valve-belief';
import type { WaterMain } from '@headrace/contract/schedule-templates';
import type { TimelineLine } from '@headrace/contract/timeline';
import { createMainFlows } from './main-flows.ts';
import { mixedOf } from './mixed-line.ts';
import type { Shown, UnitTurns } from './present-timeline.ts';
import type { HoldTime } from './timeline.repo.ts';
import type { LineUnit } from './turn-units.ts';

/** A line as it is drawn, and what it draws from the farm's water in each step, L/s. */
export interface LineDrawing {
  readonly line: Omit<TimelineLine, 'holds'>;
  /** Of its sprinklers. */
  readonly ids: readonly number[];
  readonly flow: readonly number[];
  /** In the order of the farm's mains. */
  readonly mains: readonly (readonly number[])[];
}

/** What lines are drawn with. `groupNames` by their uids. */
export interface Around {
  readonly shown: Shown;
  readonly steps: Parameters<typeof createFlow>[0];
  readonly mains: readonly WaterMain[];
  readonly groupNames: ReadonlyMap<string, string>;
}

/** A line as far as it is known. The busy times are kept as three rows of numbers. */
interface Gathered {
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

/** The lines of these sprinklers. */
export const drawLines = (units: readonly UnitTurns[], around: Around): LineDrawing[] =>
  [...byLine(units)].map(([name, ofLine]) => drawLine(name, ofLine, around));

export function byLine<Unit extends UnitTurns>(units: readonly Unit[]): ReadonlyMap<string, readonly Unit[]> {
  const lines = new Map<string, Unit[]>();
  for (const one of units) {
    const line = lines.get(one.unit.line);
    if (line) line.push(one);
    else lines.set(one.unit.line, [one]);
  }
  return lines;
}

/** A line of these sprinklers. */
export function drawLine(name: string, units: readonly UnitTurns[], around: Around): LineDrawing {
  const { shown, steps } = around;
  const mains = createMainFlows(around.mains, around.groupNames, steps);
  const flow = createFlow(steps);
  const line = emptyLine();
  for (const { unit, turns } of units) {
    addUnit(line, unit);
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
  }
  return {
    line: toLine(name, line, units, shown),
    ids: units.map(({ unit }) => unit.id),
    flow: flow.amounts(),
    mains: mains.amounts(),
  };
}

/** What these lines draw, of the farm and of each of its mains. */
export function flowOf(drawings: readonly LineDrawing[], { steps: { steps }, mains }: Around) {
  return {
    planned: sumOfFlows(
      drawings.map(({ flow }) => flow),
      steps,
    ),
    mains: mains.map(({ name, maxLps }, nth) => ({
      name,
      maxLps,
      planned: sumOfFlows(
        drawings.map((drawing) => drawing.mains[nth] ?? []),
        steps,
      ),
    })),
    notIn: drawings.reduce((sum, { line }) => sum + line.unknown, 0),
  };
}

/** By name, with the holds of their sprinklers. */
export function withHolds(drawings: readonly LineDrawing[], holds: readonly HoldTime[]): TimelineLine[] {
  const held = holds.map(({ deviceIds, ...hold }) => ({ hold, ids: new Set(deviceIds) }));
  return drawings
    .map(({ line, ids }) => ({ ...line, holds: holdsOf(ids, held) }))
    .toSorted((one, other) => compareNatural(one.name, other.name));
}

const emptyLine = (): Gathered => ({
  open: [],
  turns: { said: 0, believed: 0, will: 0, unsure: 0, wont: 0, notHeard: 0 },
  starts: [],
  ends: [],
  signs: [],
  unknown: 0,
  newsLate: 0,
  next: null,
});

function addUnit(line: Gathered, unit: LineUnit): void {
  const { status } = unit;
  if (status.belief && isTakenAsOpen(status.belief)) line.open.push(openUnit(status, status.belief));
  if (isUnknown(unit)) line.unknown += 1;
  if (unit.isNewsLate) line.newsLate += 1;
}

export const isUnknown = ({ heldState, status }: LineUnit): boolean =>
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

function toLine(
  name: string,
  line: Gathered,
  units: readonly UnitTurns[],
  shown: Shown,
): Omit<TimelineLine, 'holds'> {
  const { open, turns, unknown, newsLate } = line;
  const busy = busyTimes(inOrder(line), bridgeOf(shown));
  return {
    id: name,
    name,
    units: units.length,
    unknown,
    newsLate,
    open,
    next: nextOf(line, shown),
    turns,
    mixed: mixedOf(units, shown),
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
  ids: readonly number[],
  held: readonly { hold: Omit<HoldTime, 'deviceIds'>; ids: ReadonlySet<number> }[],
): TimelineLine['holds'] {
  return held.flatMap(({ hold, ids: ofHold }) => {
    const units = ids.filter((id) => ofHold.has(id)).length;
    return units > 0 ? [{ ...hold, units }] : [];
  });
}
