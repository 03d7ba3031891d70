import type { QueryOf, ReplyOf } from '@headrace/contract/endpoint';
import { askedEnd } from '@headrace/contract/rules/schedule/match-runs';
import { occurrences } from '@headrace/contract/rules/schedule/occurrences';
import { type listRuns, RUN_DAYS, RUNS_PER_PAGE, type WateringRun } from '@headrace/contract/waterings';
import type { FarmRow } from '../../db/schema.ts';
import { invalid } from '../../http/errors.ts';
import { wateringClock } from '../farm-clock/farm-zone.ts';
import { ratesOf, type UnitRates } from './unit-rates.ts';
import type { Place, RunRow, RunSpan, WateringsRepo } from './waterings.repo.ts';

const DAY_MS = 86_400_000;

/** Times in epoch ms; all of them unless said. */
interface NewestQuery extends Partial<RunSpan> {
  readonly count: number;
  readonly now: number;
}

export interface DayStarts {
  readonly heard: ReadonlySet<number>;
  readonly first: readonly { readonly groupUid: string; readonly nth: number; readonly at: number }[];
}

export function createWateringsService(repo: WateringsRepo) {
  return {
    /** What a sprinkler gives as it is set now: L/s, and mm a minute. */
    async ratesOf(farm: FarmRow, deviceId: number): Promise<Pick<UnitRates, 'lps' | 'mmPerMin'>> {
      const { lps, mmPerMin } = ratesOf((await repo.water(farm.id, deviceId)) ?? farm.wal_config, false);
      return { lps, mmPerMin };
    },

    /** What each of a farm's sprinklers gives as it is set now, by its uid. */
    async rates(farmId: number): Promise<ReadonlyMap<string, UnitRates>> {
      const rows = await repo.rates(farmId);
      return new Map(rows.map(({ uid, water, isPart }) => [uid, ratesOf(water, isPart)]));
    },

    /** When each valve that opened since `from` last opened or closed, by its sprinkler's uid; epoch ms. */
    async moves(farmId: number, from: number): Promise<ReadonlyMap<string, number>> {
      return new Map((await repo.moves(farmId, from)).map(({ uid, at }) => [uid, at.getTime()]));
    },

    /**
     * Of days (when each began, epoch ms, in order; the last is where they end): on which of them the farm's sprinklers were heard, and
     * when each of these groups began to water; by the day's place.
     */
    async dayStarts(farm: FarmRow, groups: readonly string[], starts: readonly number[]): Promise<DayStarts> {
      const heard = new Set(await repo.heardDays(farm.id, starts));
      const first = groups.length === 0 ? [] : await repo.firstStarts(farm.id, groups, starts);
      return { heard, first: first.map(({ groupUid, nth, at }) => ({ groupUid, nth, at: at.getTime() })) };
    },

    /** A sprinkler's last runs that began in a time, the newest first. */
    async newest(
      farm: FarmRow,
      deviceId: number,
      { count, now, ...span }: NewestQuery,
    ): Promise<WateringRun[]> {
      const rows = await repo.newest(
        farm.id,
        deviceId,
        { from: span.from ?? 0, to: span.to ?? now + DAY_MS },
        count,
      );
      return rows.map((row) => toRun(row, farm, now));
    },

    /** Throws invalid for a time that ends before it begins, or that is longer than can be asked for. */
    async runs(
      farm: FarmRow,
      { from, to, uid, after }: Omit<QueryOf<typeof listRuns>, 'farmUID'>,
      now: Date,
    ): Promise<ReplyOf<typeof listRuns>> {
      const span = { from: Date.parse(from), to: Date.parse(to) };
      checkSpan(span, uid === undefined ? RUN_DAYS.ofFarm : RUN_DAYS.ofUnit);
      const place = after === undefined ? null : toPlace(after);
      const rows = await repo.runs({
        farmId: farm.id,
        ...span,
        uid: uid ?? null,
        after: place,
        limit: RUNS_PER_PAGE + 1,
      });
      const page = rows.slice(0, RUNS_PER_PAGE);
      const last = page.at(-1);
      return {
        runs: page.map((row) => toRun(row, farm, now.getTime())),
        next: last && rows.length > RUNS_PER_PAGE ? `${last.openedAt.getTime()}-${last.id}` : null,
      };
    },
  };
}
export type WateringsService = ReturnType<typeof createWateringsService>;

function toRun(row: RunRow, farm: FarmRow, now: number): WateringRun {
  const { uid, openedAt, openedHow, openUntil, closedAt, closedHow, commandId, closesBy, mmPerMin } = row;
  const endsAt = closesBy ?? endByProgramme(row, farm, now);
  return {
    uid,
    openedAt: openedAt.toISOString(),
    openedHow,
    openUntil: openUntil.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
    closedHow,
    commandId,
    endsAt: endsAt?.toISOString() ?? null,
    mmPerMin,
  };
}

/** What the unit held when it opened says when it was to close; null where that isn't known, or asked for nothing then. */
function endByProgramme(row: RunRow, farm: FarmRow, now: number): Date | null {
  const { entries, cycleDays, openedAt, openUntil, closedAt } = row;
  if (entries === null || entries.length === 0) return null;
  const [at, zone] = [openedAt.getTime(), wateringClock(farm)];
  const planned = occurrences({ entries, cycleDays: cycleDays ?? 1 }, zone, at - DAY_MS, at + DAY_MS);
  const run = { openedAt: at, openUntil: openUntil.getTime(), closedAt: closedAt?.getTime() ?? null };
  // How far its clock was off then isn't known any more.
  const end = askedEnd(planned, run, { now, clockS: null });
  return end === null ? null : new Date(end);
}

function checkSpan({ from, to }: { from: number; to: number }, days: number): void {
  if (to <= from) throw invalid('Must be after from.', 'to');
  if (to - from > days * DAY_MS) throw invalid(`Must be at most ${days} days after from.`, 'to');
}

function toPlace(text: string): Place {
  const [ms = 0, id = 0] = text.split('-').map(Number);
  return { ms, id };
}
