import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { unitIsLive } from '../../db/under-way.ts';

/** What a sprinkler is to water by, as far as an alert of its schedule asks. */
export interface SentSchedule {
  /** When it was last changed, epoch ms. */
  readonly wantedAt: number;
  /** It has not reached the unit, or the unit took it and has not said since what it holds. */
  readonly isOnItsWay: boolean;
}

export function createSendsRepo(db: Db) {
  return {
    /** Of these units those that are to water by something. */
    async sentSchedules(
      farmId: number,
      deviceIds: readonly number[],
      now: number,
    ): Promise<ReadonlyMap<number, SentSchedule>> {
      if (deviceIds.length === 0) return new Map();
      const { rows } = await sql<SentSchedule & { id: number }>`
        select p.device_id as id, date_part('epoch', p.wanted_at) * 1000 as "wantedAt",
          (coalesce(p.catch_up_until > ${new Date(now)}, false) or coalesce(h.crc = p.crc, false)
            or exists (select from command_unit u where u.farm_id = p.farm_id and u.device_id = p.device_id
              and u.entries is not null and ${sql.raw(unitIsLive('u'))})) as "isOnItsWay"
        from unit_program p
        left join unit_held h on h.farm_id = p.farm_id and h.device_id = p.device_id and h.until is null
          and h.how = 'answered'
        where p.farm_id = ${farmId} and p.device_id = any(${[...deviceIds]}::int[])`.execute(db);
      return new Map(rows.map(({ id, ...sent }) => [id, sent]));
    },
  };
}
