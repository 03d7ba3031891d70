import { type Turn, turnsOf } from '@headrace/contract/rules/schedule/turns';
import { turnsSteadyUntil } from '@headrace/contract/rules/schedule/turns-steady';
import type { Db } from '../../db/client.ts';
import { createKept } from '../../kept.ts';
import { createPast, type KeptPast, type Past } from './kept-past.ts';
import { createKeptLines, type KeptLines, type SteadyTurns } from './kept-lines.ts';
import type { Shown, UnitTurns } from './present-timeline.ts';
import type { Around } from './timeline-lines.ts';
import { isShown, lineUnitMaker, type TimelineFacts } from './turn-units.ts';

/** Waterings of all farms that are kept in memory, some 300 bytes each: a week of five thousand sprinklers has eighty thousand. */
const KEPT = 240_000;
/** What a time takes by itself, as so many waterings: whoever asks for thousands of times fills no memory. */
const VIEW = 500;

/** With what they were made of, and since when they hold (epoch ms). */
interface KeptTurns extends SteadyTurns {
  readonly sources: readonly unknown[];
  readonly from: number;
}

/** What is kept of a time of a farm. */
interface View {
  readonly past: KeptPast;
  units: ReadonlyMap<number, KeptTurns>;
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
    const view: View = { past: createPast(db, farmId, shown), units: new Map(), lines: createKeptLines() };
    views.set(key, view, VIEW);
    return view;
  }

  function weigh(farmId: number, shown: Shown, view: View): void {
    let turns = 0;
    for (const unit of view.units.values()) turns += unit.turns.length;
    views.set(keyOf(farmId, shown), view, VIEW + view.past.size() + turns);
  }

  return {
    past: (farmId: number, shown: Shown): Promise<Past> => viewOf(farmId, shown).past.read(),

    /** By what sprinklers hold. */
    turns(facts: TimelineFacts, shown: Shown) {
      const { id: farmId } = facts.farm;
      const view = viewOf(farmId, shown);
      const { sources, make } = lineUnitMaker(facts);
      const units = new Map<number, KeptTurns>();
      for (const known of facts.units) {
        const { id } = known.row;
        units.set(
          id,
          turnsBy(sources(known), view.units.get(id), () => make(known), shown),
        );
      }
      view.units = units;
      weigh(farmId, shown, view);
      const all = [...units.values()].filter(({ unit }) => isShown(unit));
      return { units: all, draw: (around: Around) => view.lines(all, around) };
    },
  };
}
export type KeptViews = ReturnType<typeof createKeptViews>;

function turnsBy(
  sources: readonly unknown[],
  kept: KeptTurns | undefined,
  make: () => UnitTurns['unit'],
  shown: Shown,
): KeptTurns {
  const { now } = shown;
  const isSame = kept !== undefined && kept.sources.every((source, nth) => source === sources[nth]);
  if (isSame && kept.from <= now && now < kept.until) return kept;
  const unit = isSame ? kept.unit : make();
  const turns = turnsOf(unit, { ...shown, zone: shown.clock });
  const made = { unit, turns, sources, from: now, until: turnsSteadyUntil(unit, turns, now) };
  const mark = kept && drawnText(kept) === drawnText(made) ? kept.mark : {};
  return { ...made, mark };
}

/** All of a sprinkler that its line is drawn with. */
function drawnText({
  unit,
  turns,
}: {
  readonly unit: UnitTurns['unit'];
  readonly turns: readonly Turn[];
}): string {
  const { id, line, groups, status, heldState, isInSet, isNewsLate, lps, facts } = unit;
  const { id: uid, name, belief, outOfService } = status;
  return JSON.stringify([
    id,
    line,
    groups,
    uid,
    name,
    belief,
    outOfService,
    heldState,
    isInSet,
    isNewsLate,
    lps,
    facts.isInhibited,
    turns,
  ]);
}
