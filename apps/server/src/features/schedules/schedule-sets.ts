import { sql } from 'kysely';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';

export interface ScheduleSet {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  /** Until its waterings come round; null: its settings don't say. */
  readonly cycleMinutes: number | null;
}

/** What a set has for a unit; of one in several groups, its lines are named one after another. */
export interface SetUnit {
  readonly entries: readonly ScheduleEntry[];
  readonly scheduleGroup: string;
}

export interface NewSetUnit extends SetUnit {
  readonly deviceId: number;
  readonly groupUid: string;
  readonly groupName: string;
}

export interface NewSet {
  readonly uid: string;
  readonly name: string;
  readonly cycleMinutes: number;
  /** A unit of two groups is in it for each. */
  readonly units: readonly NewSetUnit[];
}

const DAY_MINUTES = 1440;
/** Rows in a statement: the database takes 65,535 values in one. */
const ROWS_AT_ONCE = 5000;

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
      return byDevice(rows);
    },

    /** A set stays as it is stored: who plans anew stores another. Its id. */
    async store(farmId: number, { uid, name, cycleMinutes, units }: NewSet): Promise<number> {
      const { id } = await db
        .insertInto('schedule_set')
        .values({ farm_id: farmId, uid, name, settings: JSON.stringify({ cycleLen: cycleMinutes }) })
        .returning('id')
        .executeTakeFirstOrThrow();
      const rows = units.map(({ deviceId, groupUid, groupName, scheduleGroup, entries }) => ({
        farm_id: farmId,
        set_id: id,
        device_id: deviceId,
        group_uid: groupUid,
        group_name: groupName,
        schedule_group: scheduleGroup,
        entries: JSON.stringify(entries),
      }));
      for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
        await db
          .insertInto('schedule_set_unit')
          .values(rows.slice(from, from + ROWS_AT_ONCE))
          .execute();
      return id;
    },
  };
}
export type ScheduleSets = ReturnType<typeof createScheduleSets>;

function byDevice(rows: readonly (SetUnit & { readonly deviceId: number })[]): ReadonlyMap<number, SetUnit> {
  const found = new Map<number, SetUnit>();
  for (const row of rows.toSorted((one, other) => compareNatural(one.scheduleGroup, other.scheduleGroup))) {
    const before = found.get(row.deviceId);
    found.set(row.deviceId, before ? together(before, row) : row);
  }
  return found;
}

/** In the order in which units keep entries: their CRC is reckoned in it. */
const together = (one: SetUnit, other: SetUnit): SetUnit => ({
  scheduleGroup: `${one.scheduleGroup}, ${other.scheduleGroup}`,
  entries: [...one.entries, ...other.entries].toSorted(
    (first, second) =>
      first.cycle - second.cycle ||
      (first.start % DAY_MINUTES) - (second.start % DAY_MINUTES) ||
      first.duration - second.duration,
  ),
});
