import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';

/** What a set has for a sprinkler. */
export interface SetUnitRow {
  readonly setId: number;
  readonly name: string;
  readonly serialNumber: string;
  /** '' in both: of a set from before they were kept. */
  readonly groupUid: string;
  /** As it was then. */
  readonly groupName: string;
  readonly scheduleGroup: string;
  readonly entries: readonly ScheduleEntry[];
}

export function createSchedulesRepo(db: Db) {
  return {
    /** Of these sets, by sprinkler; those that left the farm aren't among them. */
    units(farmId: number, setIds: readonly number[]): Promise<SetUnitRow[]> {
      if (setIds.length === 0) return Promise.resolve([]);
      return db
        .selectFrom('schedule_set_unit as u')
        .innerJoin('device as d', (join) =>
          join.onRef('d.farm_id', '=', 'u.farm_id').onRef('d.id', '=', 'u.device_id'),
        )
        .select([
          'u.set_id as setId',
          'd.name',
          'd.serial_number as serialNumber',
          'u.group_uid as groupUid',
          'u.group_name as groupName',
          'u.schedule_group as scheduleGroup',
          'u.entries',
        ])
        .where('u.farm_id', '=', farmId)
        .where('u.set_id', 'in', [...setIds])
        .where('d.deleted_at', 'is', null)
        .execute();
    },

    groups: (farmId: number): Promise<{ name: string; uid: string }[]> =>
      db.selectFrom('device_group').select(['name', 'uid']).where('farm_id', '=', farmId).execute(),
  };
}
export type SchedulesRepo = ReturnType<typeof createSchedulesRepo>;
