import { sql } from 'kysely';
import type { RadioDay } from '@headrace/contract/radio-health';
import type { Db } from '../../db/client.ts';

export function createRadioHealthRepo(db: Db) {
  return {
    /** Days (YYYY-MM-DD) from `from` to `to`, both included, the oldest first. */
    async days(
      { farmId, gatewayId }: { farmId: number; gatewayId: number },
      from: string,
      to: string,
    ): Promise<RadioDay[]> {
      const { rows } = await sql<RadioDay>`
        select day::text, answered, silent, tried_units as "triedUnits", tries, busy_s as "busyS", busy_units as "busyUnits",
          hops_units as "hopsUnits", hops
        from radio_day where farm_id = ${farmId} and gateway_id = ${gatewayId} and day between ${from}::date and ${to}::date
        order by day`.execute(db);
      return rows;
    },
  };
}
