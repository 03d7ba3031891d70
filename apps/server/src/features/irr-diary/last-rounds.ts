import type { Timezone } from '@headrace/contract/farms';
import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import {
  lastRound,
  type Round,
  type RoundSpan,
  roundStart,
} from '@headrace/contract/rules/schedule/last-round';
import { occurrences } from '@headrace/contract/rules/schedule/occurrences';
import type { FarmRow } from '../../db/schema.ts';
import { wateringClock } from '../farm-clock/farm-zone.ts';
import type { DiaryFactsRepo, PlanFacts } from './diary-facts.repo.ts';
import type { DiaryUnitsRepo, Span } from './diary-units.repo.ts';
import { createKept } from '../../kept.ts';
import { planSpans } from './plan-spans.ts';

/** The longest that a report may be late after a planned end before nobody waits for it, ms. */
const GRACE = 10 * 60_000;
/** Troubles that a proof names; the diary has them all. */
export const PROOF_TROUBLES = 200;
/** What a farm waters by shows in so many days where its day begins. */
const SAMPLE_DAYS = 8;
/** Waterings of all farms that are kept in memory, and sprinklers, whose prints are kept with them. */
const KEPT = 100_000;

interface Planned {
  readonly print: string;
  readonly spans: readonly RoundSpan[];
}

interface Parts {
  readonly units: DiaryUnitsRepo;
  readonly facts: DiaryFactsRepo;
}

/** When a farm's last watering day was. */
export function createLastRounds({ units, facts }: Parts) {
  const kept = createKept<Planned>(KEPT);

  /** All that was planned in the days before `now`, and is in today and tomorrow; reckoned anew once a plan is another. */
  async function planned(farm: FarmRow, now: number): Promise<readonly RoundSpan[]> {
    const zone = wateringClock(farm);
    const today = dayStart(zone, now);
    const span = { from: addDays(zone, today, -SAMPLE_DAYS), to: addDays(zone, today, 2) };
    const key = JSON.stringify([farm.id, span, zone]);
    const known = kept.get(key);
    if (known && known.print === (await facts.planPrint(farm.id, span))) return known.spans;
    const { print, plans } = await facts.plans(farm.id, span);
    const spans = plans.flatMap((plan) => roundSpans(plan, zone, span));
    kept.set(key, { print, spans }, spans.length + plans.length);
    return spans;
  }

  return {
    /** Days of the diary that come to no more than so many sprinklers times days. */
    async daysAPage(farmId: number, unitDays: number): Promise<number> {
      return Math.max(1, Math.floor(unitDays / Math.max(1, await units.count(farmId))));
    },

    /** The last that is over, and from when until when it was planned, epoch ms; null: there was none in a week. */
    async last(farm: FarmRow, now: number): Promise<(Round & RoundSpan) | null> {
      const zone = wateringClock(farm);
      const all = await planned(farm, now);
      const inRound = ({ from, to }: Round) => all.filter(({ startAt }) => startAt >= from && startAt < to);
      const round = lastRound(roundStart(all, zone), zone, now, GRACE, inRound);
      if (!round) return null;
      const of = inRound(round);
      const [startAt, endAt] = of.reduce(
        ([first, last], one) => [Math.min(first, one.startAt), Math.max(last, one.endAt)],
        [Number.POSITIVE_INFINITY, 0],
      );
      return { ...round, startAt, endAt };
    },
  };
}
export type LastRounds = ReturnType<typeof createLastRounds>;

const roundSpans = ({ unit, held }: PlanFacts, zone: Timezone, span: Span): RoundSpan[] =>
  planSpans(held, unit.wanted, span).flatMap(({ programme, since, until }) =>
    occurrences(programme, zone, Math.max(since, span.from), Math.min(until ?? span.to, span.to)).map(
      ({ startAt, endAt }) => ({ startAt, endAt }),
    ),
  );
