import { sql } from 'kysely';
import { inhibitedCrc, type ScheduleEntry } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';
import { readTurns, type SetTurn } from './set-standing.ts';

/** What a sprinkler on the farm holds. */
export interface HeldNow {
  readonly deviceId: number;
  /** Null: not known, or nothing. */
  readonly entries: readonly ScheduleEntry[] | null;
  readonly cycleDays: number | null;
  readonly isKnown: boolean;
}

/** What people know a sprinkler by. */
export interface UnitNames {
  readonly uid: string;
  readonly name: string;
  readonly serialNumber: string;
}

export function createCompareRepo(db: Db) {
  return {
    turns: (farmId: number, setId: number): Promise<SetTurn[]> => readTurns(db, farmId, [setId]),

    /** Of all sprinklers on the farm; not known: never heard, or it holds one that wasn't sent from here. */
    async held(farmId: number): Promise<HeldNow[]> {
      const { rows } = await sql<HeldNow>`
        select d.id as "deviceId", h.entries, h.cycle_days as "cycleDays",
          h.device_id is not null and (h.entries is not null or h.crc = ${inhibitedCrc}) as "isKnown"
        from device d left join unit_held h on h.farm_id = d.farm_id and h.device_id = d.id and h.until is null
        where d.farm_id = ${farmId} and d.kind = 'sprinkler' and d.deleted_at is null`.execute(db);
      return rows;
    },

    /** Also of those that left the farm. */
    async names(farmId: number): Promise<ReadonlyMap<number, UnitNames>> {
      const rows = await db
        .selectFrom('device')
        .select(['id', 'uid', 'name', 'serial_number as serialNumber'])
        .where('farm_id', '=', farmId)
        .where('kind', '=', 'sprinkler')
        .execute();
      return new Map(rows.map(({ id, ...names }) => [id, names]));
    },
  };
}
export type CompareRepo = ReturnType<typeof createCompareRepo>;
