import type { QueryOf, ReplyOf } from '@headrace/contract/endpoint';
import { type listRuns, RUN_DAYS, RUNS_PER_PAGE, type WateringRun } from '@headrace/contract/waterings';
import { invalid } from '../../http/errors.ts';
import type { Place, RunRow, WateringsRepo } from './waterings.repo.ts';

const DAY_MS = 86_400_000;

export function createWateringsService(repo: WateringsRepo) {
  return {
    /** A sprinkler's last runs, the newest first. */
    async newest(farmId: number, deviceId: number, count: number): Promise<WateringRun[]> {
      return (await repo.newest(farmId, deviceId, count)).map(toRun);
    },

    /** Throws invalid for a time that ends before it begins, or that is longer than can be asked for. */
    async runs(
      farmId: number,
      { from, to, uid, after }: Omit<QueryOf<typeof listRuns>, 'farmUID'>,
    ): Promise<ReplyOf<typeof listRuns>> {
      const span = { from: Date.parse(from), to: Date.parse(to) };
      checkSpan(span, uid === undefined ? RUN_DAYS.ofFarm : RUN_DAYS.ofUnit);
      const place = after === undefined ? null : toPlace(after);
      const rows = await repo.runs({
        farmId,
        ...span,
        uid: uid ?? null,
        after: place,
        limit: RUNS_PER_PAGE + 1,
      });
      const page = rows.slice(0, RUNS_PER_PAGE);
      const last = page.at(-1);
      return {
        runs: page.map(toRun),
        next: last && rows.length > RUNS_PER_PAGE ? `${last.openedAt.getTime()}-${last.id}` : null,
      };
    },
  };
}
export type WateringsService = ReturnType<typeof createWateringsService>;

function toRun({ uid, openedAt, openedHow, openUntil, closedAt, closedHow, commandId }: RunRow): WateringRun {
  return {
    uid,
    openedAt: openedAt.toISOString(),
    openedHow,
    openUntil: openUntil.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
    closedHow,
    commandId,
  };
}

function checkSpan({ from, to }: { from: number; to: number }, days: number): void {
  if (to <= from) throw invalid('Must be after from.', 'to');
  if (to - from > days * DAY_MS) throw invalid(`Must be at most ${days} days after from.`, 'to');
}

function toPlace(text: string): Place {
  const [ms = 0, id = 0] = text.split('-').map(Number);
  return { ms, id };
}
