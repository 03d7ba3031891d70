import { type RawBuilder, sql } from 'kysely';
import { commandTypes } from '@headrace/contract/command-types';
import type { Db } from '../../db/client.ts';
import { speakingGatewayOf } from '../devices/speaking-gateway.ts';

/** Whom a command of the server's own is for. */
export interface OwnTarget {
  readonly farmId: number;
  readonly gatewayId: number;
  /** The unit, or the gateway itself. */
  readonly deviceId: number;
  readonly name: string;
  readonly serialNumber: string;
  /** The gateway's `commsMaxTTL`, s; null: it has not said. */
  readonly maxTtl: number | null;
}
export interface GatewayBehind extends OwnTarget {
  readonly listRev: number;
}

const { UpdateINCList, IpcReconfigure, ReconfigureGroup } = commandTypes;

/** When the mark was set on unit `d`; one from before it was noted counts from the record's last change. */
const markedAt = sql`coalesce((d.settings->>'reconfigureAt')::timestamptz, d.updated_at)`;
const heardAt = sql`greatest(
  (select max(l.at) from series s join latest l on l.farm_id = s.farm_id and l.series_id = s.id
    where s.farm_id = d.farm_id and s.device_id = d.id),
  (select max(f.at) from device_fact f where f.farm_id = d.farm_id and f.device_id = d.id))`;
/** Whether it was asked to since the mark, by whomever. */
const wasAsked = sql`exists (select from command_unit u join command c on c.farm_id = u.farm_id and c.id = u.command_id
  where u.farm_id = d.farm_id and u.device_id = d.id and c.type in (${IpcReconfigure}, ${ReconfigureGroup})
    and c.created_at >= ${markedAt})`;
const isDue = sql`d.kind = 'sprinkler' and d.deleted_at is null and d.mac is not null
  and (d.settings->>'reconfigure')::boolean and ${heardAt} > ${markedAt} and not ${wasAsked}`;

/** Of gateway `s`. */
const maxTtl = sql`(s.settings->>'commsMaxTTL')::float8 as "maxTtl"`;

/** Farms of all owners: the server asks on its own behalf. */
export function createOwnCommandsRepo(db: Db) {
  return {
    /** One server at a time queues for a gateway. */
    async lock(trx: Db, gatewayId: number): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtext('headrace own commands'), ${gatewayId})`.execute(trx);
    },

    /** Gateways that are there, don't hold their newest list, and speak for units or once held a list. */
    async gatewaysBehind(): Promise<GatewayBehind[]> {
      const { rows } = await sql<GatewayBehind>`
        select s.farm_id as "farmId", s.device_id as "gatewayId", s.device_id as "deviceId", h.name,
          h.serial_number as "serialNumber", s.list_rev as "listRev", ${maxTtl}
        from gateway_state s
        join device h on h.farm_id = s.farm_id and h.id = s.device_id and h.deleted_at is null and h.mac is not null
        join farm on farm.id = s.farm_id and farm.deleted_at is null
        where s.online and s.list_rev <> s.acked_rev and (s.acked_rev > 0 or exists (select from device d
          where d.farm_id = s.farm_id and d.kind in ('sprinkler', 'repeater') and d.deleted_at is null
            and d.mac is not null and ${speakingGatewayOf} = s.device_id))`.execute(db);
      return rows;
    },

    /** Still behind, and nobody sent this very list since `since` or any list that is under way. */
    async needsList(trx: Db, { farmId, gatewayId, listRev }: GatewayBehind, since: Date): Promise<boolean> {
      return some(
        trx,
        sql`select from gateway_state s where s.farm_id = ${farmId} and s.device_id = ${gatewayId}
          and s.list_rev = ${listRev} and s.acked_rev <> s.list_rev
          and not exists (select from command_unit u join command c on c.farm_id = u.farm_id and c.id = u.command_id
            where u.farm_id = s.farm_id and u.device_id = s.device_id and c.type = ${UpdateINCList}
              and (u.state in ('queued', 'sent', 'accepted')
                or (c.created_at > ${since} and (c.payload->>'listRev')::int = s.list_rev)))`,
      );
    },

    /** Units that are marked and were heard since, whose gateway is there and has its list. */
    async unitsToReconfigure(): Promise<OwnTarget[]> {
      const { rows } = await sql<OwnTarget>`
        select d.farm_id as "farmId", s.device_id as "gatewayId", d.id as "deviceId", d.name,
          d.serial_number as "serialNumber", ${maxTtl}
        from device d join farm on farm.id = d.farm_id and farm.deleted_at is null
        join gateway_state s on s.farm_id = d.farm_id and s.device_id = ${speakingGatewayOf}
          and s.online and s.list_rev = s.acked_rev
        where ${isDue}`.execute(db);
      return rows;
    },

    async needsReconfigure(trx: Db, { farmId, deviceId }: OwnTarget): Promise<boolean> {
      return some(
        trx,
        sql`select from device d where d.farm_id = ${farmId} and d.id = ${deviceId} and ${isDue}`,
      );
    },
  };
}

async function some(trx: Db, query: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql`select 1 where exists (${query})`.execute(trx);
  return rows.length > 0;
}
