import { type RawBuilder, sql } from 'kysely';
import { inhibitedCrc, type ScheduleEntry } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';

/** What a sprinkler is to water by. */
export interface Programme {
  readonly setId: number | null;
  readonly scheduleGroup: string;
  readonly entries: readonly ScheduleEntry[];
  readonly cycleDays: number;
}

interface ProgrammeRow extends Programme {
  readonly deviceId: number;
}

export function createProgrammesRepo(db: Db) {
  async function read(where: RawBuilder<unknown>): Promise<ReadonlyMap<number, Programme>> {
    const { rows } = await sql<ProgrammeRow>`
      select device_id as "deviceId", set_id as "setId", schedule_group as "scheduleGroup", entries, cycle_days as "cycleDays"
      from unit_program where ${where}`.execute(db);
    return new Map(rows.map((row) => [row.deviceId, row]));
  }

  return {
    /** What each of the farm's sprinklers is to water by, by device; one that was never sent anything is left out. */
    wanted: (farmId: number) => read(sql`farm_id = ${farmId}`),

    /** Of these alone. */
    wantedOf: (farmId: number, deviceIds: readonly number[]) =>
      read(sql`farm_id = ${farmId} and device_id = any(${deviceIds}::int[])`),

    /** Sprinklers that may water by something: they are to, or hold what isn't known to be nothing. */
    async mayHold(farmId: number): Promise<ReadonlySet<number>> {
      const { rows } = await sql<{ id: number }>`
        select device_id as id from unit_program where farm_id = ${farmId} and entries <> '[]'
        union
        select device_id from unit_held where farm_id = ${farmId} and until is null
          and (entries <> '[]' or entries is null and crc <> ${inhibitedCrc})`.execute(db);
      return new Set(rows.map(({ id }) => id));
    },
  };
}
