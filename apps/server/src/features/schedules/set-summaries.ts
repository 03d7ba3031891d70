import type { SetSummary } from '@headrace/contract/schedule-sets';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { notFound } from '../../http/errors.ts';
import { toSummary } from './present-set-summary.ts';
import type { SchedulesRepo } from './schedules.repo.ts';
import { readFarmNow, readTurns } from './set-standing.ts';
import { readUsage } from './set-usage.ts';
import type { SetRow, SetsRepo } from './sets.repo.ts';

interface Repos {
  readonly sets: SetsRepo;
  readonly schedules: SchedulesRepo;
}

/** Sets as lists and their own pages show them. */
export function createSetSummaries(db: Db, { sets, schedules }: Repos) {
  /** Each set with what is around it; how far it has got and where the farm differs of those that are sent, or `isWhole` of all. */
  async function summaries(farm: FarmRow, rows: readonly SetRow[], isWhole = false): Promise<SetSummary[]> {
    const usage = await readUsage(db, farm.id);
    const isSent = ({ id }: SetRow) => usage.get(id)?.isCurrent || usage.get(id)?.isWanted;
    const looked = rows.filter((row) => isWhole || isSent(row)).map(({ id }) => id);
    const [groups, farmGroups, turns] = await Promise.all([
      sets.groups(
        farm.id,
        rows.map(({ id }) => id),
      ),
      schedules.groups(farm.id),
      readTurns(db, farm.id, looked),
    ]);
    const farmNow = looked.length > 0 ? await readFarmNow(db, farm.id) : null;
    const ofSet = <T extends { readonly setId: number }>(items: readonly T[], { id }: SetRow) =>
      items.filter(({ setId }) => setId === id);
    return rows.map((row) =>
      toSummary(row, {
        groups: ofSet(groups, row),
        farmGroups,
        usage: usage.get(row.id),
        now: farmNow && looked.includes(row.id) ? { farm: farmNow, turns: ofSet(turns, row) } : null,
      }),
    );
  }

  async function summaryOf(farm: FarmRow, uid: string, isWhole = false): Promise<SetSummary> {
    const row = await sets.known(db, farm.id, uid);
    const [summary] = row ? await summaries(farm, [row], isWhole) : [];
    if (!summary) throw notFound('This farm has no such schedule set.');
    return summary;
  }

  return { summaries, summaryOf };
}
