import { type Turn, turnsOf } from '@headrace/contract/rules/schedule/turns';
import { turnsSteadyUntil } from '@headrace/contract/rules/schedule/turns-steady';
import type { Db } from '../../db/client.ts';
import { createKept } from '../../kept.ts';
import { createPast, type KeptPast, type Past } from './kept-past.ts';
import { createKeptLines, type KeptLines, type SteadyTurns } from './kept-lines.ts';
import type { Shown } from './present-timeline.ts';
import type { Around } from './timeline-lines.ts';
import { isShown, type LineUnit, lineUnitMaker, type TimelineFacts } from './turn-units.ts';

/** Waterings of all farms that are kept in memory, some 300 bytes each: a week of five thousand sprinklers has eighty thousand. */
const KEPT = 240_000;
/** What a time takes by itself, as so many waterings: whoever asks for thousands of times fills no memory. */
const VIEW = 500;

/** With what they were made of, and since when they hold (epoch ms). */
interface KeptTurns extends SteadyTurns {
  readonly sources: readonly unknown[];
  readonly from: number;
  readonly isShown: boolean;
}

/** What is kept of a time of a farm. */
interface View {
  readonly past: KeptPast;
  readonly units: Map<number, KeptTurns>;
  /** Of all its units. */
  turns: number;
  /** What all sprinklers give is reckoned from: the same text as long as it is. */
  water: string;
  readonly lines: KeptLines;
}

/**
 * What was made of the sprinklers of farms, kept by the time that is shown. The database is asked each time what has changed; only who
 * has other facts, or of whom time tells another thing, is reckoned anew. So a report that comes late needs to tell nobody.
 */
export function createKeptViews(db: Db) {
  const views = createKept<View>(KEPT);

  const keyOf = (farmId: number, { clock, from, to }: Shown) => JSON.stringify([farmId, clock, from, to]);

  function viewOf(farmId: number, shown: Shown): View {
    const key = keyOf(farmId, shown);
    const known = views.get(key);
    if (known) return known;
    const past = createPast(db, farmId, shown);
    const view: View = { past, units: new Map(), turns: 0, water: '', lines: createKeptLines() };
    views.set(key, view, VIEW);
    return view;
  }

  return {
    past: (farmId: number, shown: Shown): Promise<Past> => viewOf(farmId, shown).past.read(),

    /** By what sprinklers hold. */
    turns(facts: TimelineFacts, shown: Shown) {
      const { id: farmId } = facts.farm;
      const view = viewOf(farmId, shown);
      const units = bringUnits(view, facts, shown);
      views.set(keyOf(farmId, shown), view, VIEW + view.past.size() + view.turns);
      return { units, draw: (around: Around) => view.lines(units, around) };
    },
  };
}
export type KeptViews = ReturnType<typeof createKeptViews>;

/** In the order of the facts. Loops: of thousands that stay as they are nothing is made. */
function bringUnits(view: View, facts: TimelineFacts, shown: Shown): readonly KeptTurns[] {
  const water = JSON.stringify([facts.farm.wal_config, [...facts.groupWater]]);
  if (water !== view.water) view.water = water;
  const { isMadeOf, sources, make } = lineUnitMaker(facts, view.water);
  const shownUnits: KeptTurns[] = [];
  for (const known of facts.units) {
    const { id } = known.row;
    const before = view.units.get(id);
    const isSame = before !== undefined && isMadeOf(before.sources, known);
    let unit = before;
    if (!isSame || shown.now < before.from || shown.now >= before.until) {
      unit = turnsBy(
        isSame ? before.unit : make(known),
        isSame ? before.sources : sources(known),
        before,
        shown,
      );
      view.units.set(id, unit);
      view.turns += unit.turns.length - (before?.turns.length ?? 0);
    }
    if (unit?.isShown) shownUnits.push(unit);
  }
  if (view.units.size > facts.units.length) forgetOthers(view, facts);
  return shownUnits;
}

/** Who is no more. */
function forgetOthers(view: View, { units }: TimelineFacts): void {
  const ids = new Set(units.map(({ row }) => row.id));
  for (const [id, { turns }] of view.units)
    if (!ids.has(id)) {
      view.units.delete(id);
      view.turns -= turns.length;
    }
}

function turnsBy(
  unit: LineUnit,
  sources: readonly unknown[],
  before: KeptTurns | undefined,
  shown: Shown,
): KeptTurns {
  const turns = turnsOf(unit, { ...shown, zone: shown.clock });
  const mark = before && isDrawnAs(before.unit, unit) && areDrawnAs(before.turns, turns) ? before.mark : {};
  const until = turnsSteadyUntil(unit, turns, shown.now);
  return { unit, turns, sources, from: shown.now, until, mark, isShown: isShown(unit) };
}

/** Whether lines are drawn with the same of it. */
function isDrawnAs(one: LineUnit, other: LineUnit): boolean {
  return (
    one.id === other.id &&
    one.line === other.line &&
    one.heldState === other.heldState &&
    one.isInSet === other.isInSet &&
    one.isNewsLate === other.isNewsLate &&
    one.lps === other.lps &&
    one.facts.isInhibited === other.facts.isInhibited &&
    one.status.id === other.status.id &&
    one.status.name === other.status.name &&
    one.status.outOfService === other.status.outOfService &&
    isShown(one) === isShown(other) &&
    JSON.stringify([one.groups, one.status.belief]) === JSON.stringify([other.groups, other.status.belief])
  );
}

const areDrawnAs = (ones: readonly Turn[], others: readonly Turn[]): boolean =>
  ones.length === others.length && ones.every((one, nth) => isTurnAs(one, others[nth]));

const isTurnAs = (one: Turn, other: Turn | undefined): boolean =>
  other !== undefined &&
  one.startAt === other.startAt &&
  one.endAt === other.endAt &&
  one.sign === other.sign &&
  one.plan === other.plan &&
  one.planned?.startAt === other.planned?.startAt &&
  one.planned?.endAt === other.planned?.endAt;
