import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import {
  lastRound,
  type Round,
  type RoundSpan,
  roundStart,
} from '@headrace/contract/rules/schedule/last-round';
import { occurrences } from '@headrace/contract/rules/schedule/occurrences';
import type { FarmRow } from '../../db/schema.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { byDevice } from './by-key.ts';
import type { DiaryUnitsRepo } from './diary-units.repo.ts';
import { planSpans } from './plan-spans.ts';

const DAY = 86_400_000;
/** The longest that a report may be late after a planned end before nobody waits for it, ms. */
const GRACE = 10 * 60_000;
/** Troubles that a proof names; the diary has them all. */
export const PROOF_TROUBLES = 200;
/** What a farm waters by shows in so many days where its day begins. */
const SAMPLE_DAYS = 8;

/** When a farm's last watering day was. */
export function createLastRounds(units: DiaryUnitsRepo) {
  /** All that was planned in the days before `now`. */
  async function planned(farm: FarmRow, now: number): Promise<RoundSpan[]> {
    const zone = toZone(farm);
    const span = { from: addDays(zone, dayStart(zone, now), -SAMPLE_DAYS), to: now + DAY };
    const [all, held] = await Promise.all([units.units(farm.id, null, span), units.held(farm.id, span)]);
    const heldOf = byDevice(held);
    return all.flatMap(({ id, wanted }) =>
      planSpans(heldOf(id), wanted, span).flatMap(({ programme, since, until }) =>
        occurrences(programme, zone, Math.max(since, span.from), Math.min(until ?? span.to, span.to)),
      ),
    );
  }

  return {
    /** Days of the diary that come to no more than so many sprinklers times days. */
    async daysAPage(farmId: number, unitDays: number): Promise<number> {
      return Math.max(1, Math.floor(unitDays / Math.max(1, await units.count(farmId))));
    },

    /** The last that is over, and from when until when it was planned, epoch ms; null: there was none in a week. */
    async last(farm: FarmRow, now: number): Promise<(Round & RoundSpan) | null> {
      const zone = toZone(farm);
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
