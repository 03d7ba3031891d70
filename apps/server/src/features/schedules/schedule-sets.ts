import { sql } from 'kysely';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';

export interface ScheduleSet {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  /** Until its waterings come round; null: its settings don't say. */
  readonly cycleMinutes: number | null;
}

/** What a set has for a unit. */
export interface SetUnit {
  readonly entries: readonly ScheduleEntry[];
  readonly scheduleGroup: string;
}

export interface NewSet {
  readonly uid: string;
  readonly name: string;
  readonly cycleMinutes: number;
  readonly units: readonly (SetUnit & { readonly deviceId: number })[];
}

/** Sets of schedules, for this feature and for those who send them; every query stays on the farm. */
export function createScheduleSets(db: Db) {
  const sets = (farmId: number) =>
    db
      .selectFrom('schedule_set')
      .select(['id', 'uid', 'name', sql<number | null>`(settings->>'cycleLen')::float8`.as('cycleMinutes')])
      .where('farm_id', '=', farmId);

  return {
    byUid: (farmId: number, uid: string): Promise<ScheduleSet | undefined> =>
      sets(farmId).where('uid', '=', uid.toLowerCase()).executeTakeFirst(),

    /** The oldest first. */
    list: (farmId: number): Promise<ScheduleSet[]> =>
      sets(farmId).orderBy('created_at').orderBy('id').execute(),

    /** What the set has for each unit, by device. */
    async units(farmId: number, setId: number): Promise<ReadonlyMap<number, SetUnit>> {
      const rows = await db
        .selectFrom('schedule_set_unit')
        .select(['device_id as deviceId', 'schedule_group as scheduleGroup', 'entries'])
        .where('farm_id', '=', farmId)
        .where('set_id', '=', setId)
        .execute();
      return new Map(rows.map((row) => [row.deviceId, row]));
    },

    /** A set stays as it is stored: who plans anew stores another. Its id. */
    async store(farmId: number, { uid, name, cycleMinutes, units }: NewSet): Promise<number> {
      const { id } = await db
        .insertInto('schedule_set')
        .values({ farm_id: farmId, uid, name, settings: JSON.stringify({ cycleLen: cycleMinutes }) })
        .returning('id')
        .executeTakeFirstOrThrow();
      const rows = units.map(({ deviceId, scheduleGroup, entries }) => ({
        farm_id: farmId,
        set_id: id,
        device_id: deviceId,
        schedule_group: scheduleGroup,
        entries: JSON.stringify(entries),
      }));
      if (rows.length > 0) await db.insertInto('schedule_set_unit').values(rows).execute();
      return id;
    },
  };
}
export type ScheduleSets = ReturnType<typeof createScheduleSets>;
