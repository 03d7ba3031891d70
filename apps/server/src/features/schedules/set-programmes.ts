import { sql } from 'kysely';
import { scheduleCrc } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';
import { createScheduleSets, cycleDaysOf } from './schedule-sets.ts';
import { inDays } from './set-standing.ts';

/** What a set has for each of its sprinklers, by device: what one says that holds it. */
export interface SetProgrammes {
  readonly uid: string;
  readonly name: string;
  readonly isDeleted: boolean;
  readonly cycleDays: number;
  readonly units: ReadonlyMap<number, { readonly crc: string; readonly line: string }>;
}

export type SetProgrammesReader = (farmId: number, uid: string) => Promise<SetProgrammes | null>;

/** Deleted sets too, without sprinklers once they can't be restored any more. Null: the farm never had one of that uid. */
export function createSetProgrammes(db: Db): SetProgrammesReader {
  const sets = createScheduleSets(db);
  return async (farmId, uid) => {
    const set = await db
      .selectFrom('schedule_set')
      .select([
        'id',
        'uid',
        'name',
        'deleted_at',
        sql<number | null>`(settings->>'cycleLen')::float8`.as('cycleMinutes'),
      ])
      .where('farm_id', '=', farmId)
      .where('uid', '=', uid.toLowerCase())
      .executeTakeFirst();
    if (!set) return null;
    const units = await sets.units(farmId, set.id);
    const programmes = [...units].map(
      ([id, { entries, scheduleGroup }]) =>
        [id, { crc: scheduleCrc(inDays(entries)), line: scheduleGroup }] as const,
    );
    return {
      uid: set.uid,
      name: set.name,
      isDeleted: set.deleted_at !== null,
      cycleDays: cycleDaysOf(set, units),
      units: new Map(programmes),
    };
  };
}
