import type { ReplyOf } from '@headrace/contract/endpoint';
import type { farmSchedules, listSchedules, ScheduleSet as PublishedSet } from '@headrace/contract/schedules';
import type { FarmRow } from '../../db/schema.ts';
import { notFound } from '../../http/errors.ts';
import { groupBy } from '../../group-by.ts';
import { toSet } from './present-set.ts';
import type { ScheduleSets } from './schedule-sets.ts';
import type { SchedulesRepo } from './schedules.repo.ts';

export function createSchedulesService(sets: ScheduleSets, repo: SchedulesRepo) {
  return {
    /** Throws notFound when there is no set `setUID`. */
    async ofFarm(farm: FarmRow, setUID: string | undefined): Promise<ReplyOf<typeof farmSchedules>> {
      const all = await sets.list(farm.id);
      const asked = setUID === undefined ? all : all.filter(({ uid }) => uid === setUID.toLowerCase());
      if (setUID !== undefined && asked.length === 0) throw notFound('This farm has no such schedule set.');
      const ids = asked.map(({ id }) => id);
      const [units, groups] = await Promise.all([repo.units(farm.id, ids), repo.groups(farm.id)]);
      const bySet = groupBy(units, ({ setId }) => setId);
      const unitsOf = new Map(bySet.map((ofSet) => [ofSet[0]?.setId, ofSet]));
      const shown: PublishedSet[] = [];
      // One after another: all at once, each would take a turn of the thread beside the others'.
      for (const set of asked) shown.push(await toSet(set, unitsOf.get(set.id) ?? [], groups));
      return {
        _id: farm.uid,
        farmUID: farm.uid,
        curr_set: all.find(({ id }) => id === farm.current_set_id)?.uid ?? null,
        sets: shown,
      };
    },

    async list(farm: FarmRow): Promise<ReplyOf<typeof listSchedules>> {
      const all = await sets.list(farm.id);
      return all.map(({ id, uid, name }, index) => ({
        id: uid,
        name,
        default: index === 0,
        selected: id === farm.current_set_id,
      }));
    },
  };
}
export type SchedulesService = ReturnType<typeof createSchedulesService>;
