import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';

/** What a gateway said last are a low battery and a wrong clock; null: nothing. */
export interface GatewayLimits {
  readonly id: number;
  readonly type: number;
  /** Percent. */
  readonly charge_threshold: number | null;
  /** Seconds. */
  readonly clock_threshold: number | null;
}

/** Of all gateways of the farm, the oldest first. */
export async function readGatewayLimits(db: Db, farmId: number): Promise<GatewayLimits[]> {
  const { rows } = await sql<GatewayLimits>`
    select d.id, d.type, (g.settings->>'chargeThreshold')::float8 as charge_threshold,
      (g.settings->>'clockTreshold')::float8 as clock_threshold
    from device d left join gateway_state g on g.farm_id = d.farm_id and g.device_id = d.id
    where d.farm_id = ${farmId} and d.kind = 'gateway' and d.deleted_at is null
    order by d.id`.execute(db);
  return rows;
}
