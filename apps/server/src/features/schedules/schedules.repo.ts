import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';
import { mapInTurns } from '../../jobs/in-turns.ts';

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
    /**
     * Of these sets, by sprinkler; those that left the farm aren't among them. In two readings: joined, 5,000 units of a farm that has just grown
     * by as many cost fifteen seconds, for the database plans as for one.
     */
    async units(farmId: number, setIds: readonly number[]): Promise<SetUnitRow[]> {
      if (setIds.length === 0) return [];
      const rows = await db
        .selectFrom('schedule_set_unit')
        .select([
          'set_id as setId',
          'device_id as deviceId',
          'group_uid as groupUid',
          'group_name as groupName',
          'schedule_group as scheduleGroup',
          'entries',
        ])
        .where('farm_id', '=', farmId)
        .where('set_id', 'in', [...setIds])
        .execute();
      const devices = await db
        .selectFrom('device')
        .select(['id', 'name', 'serial_number as serialNumber'])
        .where('farm_id', '=', farmId)
        .where('deleted_at', 'is', null)
        .execute();
      const named = new Map(devices.map(({ id, ...names }) => [id, names]));
      const units = await mapInTurns(rows, ({ deviceId, ...row }) => {
        const names = named.get(deviceId);
        return names ? [{ ...row, ...names }] : [];
      });
      return units.flat();
    },

    groups: (farmId: number): Promise<{ name: string; uid: string }[]> =>
      db.selectFrom('device_group').select(['name', 'uid']).where('farm_id', '=', farmId).execute(),
  };
}
export type SchedulesRepo = ReturnType<typeof createSchedulesRepo>;
