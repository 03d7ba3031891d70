import { sql } from 'kysely';
import { inhibitedCrc } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';
import { unitIsLive } from '../../db/under-way.ts';
import { isLeaving, LEAVING_DAYS } from '../devices/leaving.ts';
import { speakingGatewayOf } from '../devices/speaking-gateway.ts';
import { maxTtl, type OwnTarget } from './own-commands.repo.ts';

/** A sprinkler that left the farm, and whether it was cleared. */
export interface Leaver {
  readonly farmId: number;
  readonly id: number;
  readonly gateway_id: number | null;
}

/** What was sent to clear unit `d` since it left. */
const clears = sql`(select max(u.at) as at, coalesce(bool_or(${sql.raw(unitIsLive('u'))}), false) as "isLive",
    coalesce(bool_or(u.state = 'done'), false) as "isDone"
  from command_unit u join command c on c.farm_id = u.farm_id and c.id = u.command_id
  where u.farm_id = d.farm_id and u.device_id = d.id and u.crc = ${inhibitedCrc} and c.account_id is null
    and c.created_at >= d.deleted_at)`;

/** Sprinklers that left their farms with a schedule; of all owners. */
export function createLeaversRepo(db: Db) {
  return {
    /** Those that are to be cleared, and were not since `before`, whose gateways are there and have their list. */
    async due(
      { now, before, only }: { now: Date; before: Date; only?: OwnTarget },
      from: Db = db,
    ): Promise<OwnTarget[]> {
      const isMeant = only ? sql`d.farm_id = ${only.farmId} and d.id = ${only.deviceId}` : sql`true`;
      const { rows } = await sql<OwnTarget>`
        select d.farm_id as "farmId", s.device_id as "gatewayId", d.id as "deviceId", d.name,
          d.serial_number as "serialNumber", ${maxTtl}
        from device d join farm on farm.id = d.farm_id and farm.deleted_at is null
        join gateway_state s on s.farm_id = d.farm_id and s.device_id = ${speakingGatewayOf}
          and s.online and s.list_rev = s.acked_rev
        cross join lateral ${clears} i
        where ${sql.raw(isLeaving)} and ${isMeant} and not i."isLive" and not i."isDone" and coalesce(i.at <= ${before}, true)
          and d.deleted_at > ${now}::timestamptz - make_interval(days => ${LEAVING_DAYS})`.execute(from);
      return rows;
    },

    /** Those that were cleared, whom nobody reached in time, and who came back, here or elsewhere. */
    async over(now: Date): Promise<Leaver[]> {
      const { rows } = await sql<Leaver>`
        select d.farm_id as "farmId", d.id, d.gateway_id from device d
        cross join lateral ${clears} i
        where d.deleted_at is not null and d.kind = 'sprinkler' and d.settings @> '{"isLeaving": true}' and not i."isLive"
          and (i."isDone" or d.deleted_at <= ${now}::timestamptz - make_interval(days => ${LEAVING_DAYS})
            or not ${sql.raw(isLeaving)})
        limit 1000`.execute(db);
      return rows;
    },
  };
}
