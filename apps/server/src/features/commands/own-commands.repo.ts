import { type RawBuilder, sql } from 'kysely';
import { commandTypes } from '@headrace/contract/command-types';
import { inhibitedCrc } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';
import { unitIsLive } from '../../db/under-way.ts';
import { speakingGatewayOf } from '../devices/speaking-gateway.ts';
import type { ListBehind } from './list-again.ts';

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
export interface GatewayBehind extends OwnTarget, ListBehind {
  readonly listRev: number;
}

/** A unit that must not water, or is to hold nothing, and holds a schedule, by its checksum. */
export interface StopAgain extends OwnTarget {
  readonly crc: string;
}
/** A unit that must not water, and that no Inhibit stops. */
export interface Unstopped extends OwnTarget {
  readonly uid: string;
}

const { UpdateINCList, IpcReconfigure, ReconfigureGroup, Inhibit, InhibitGroup } = commandTypes;

/** When the mark was set on unit `d`; one from before it was noted counts from the record's last change. */
const markedAt = sql`coalesce((d.settings->>'reconfigureAt')::timestamptz, d.updated_at)`;
/** When device `d` was last heard, by its own time. */
export const heardAt = sql`greatest(
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
export const maxTtl = sql`(s.settings->>'commsMaxTTL')::float8 as "maxTtl"`;

const epochMs = (at: RawBuilder<unknown>) => sql`(extract(epoch from ${at}) * 1000)::float8`;
/** Of this very list to gateway `s`, by whomever. */
const sendings = sql`coalesce((select json_agg(json_build_object('state', n.state, 'at', n.at)) from (
    select u.state, ${epochMs(sql`u.at`)} as at from command_unit u
    where u.farm_id = s.farm_id and u.gateway_id = s.device_id and u.cmd_id = 'list-' || s.list_rev
    order by u.command_id desc limit 20) n), '[]')`;
const isListUnderWay = sql`exists (select from command_unit u
  join command c on c.farm_id = u.farm_id and c.id = u.command_id and c.type = ${UpdateINCList}
  where u.farm_id = s.farm_id and u.gateway_id = s.device_id and ${sql.raw(unitIsLive('u'))})`;

/** Farms of all owners: the server asks on its own behalf. */
export function createOwnCommandsRepo(db: Db) {
  return {
    /** One server at a time queues for a gateway. */
    async lock(trx: Db, gatewayId: number): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtext('headrace own commands'), ${gatewayId})`.execute(trx);
    },

    /**
     * Gateways that are there, don't hold their newest list, to whom none is under way, and who speak for units or once held
     * a list. `only`: one of them.
     */
    async gatewaysBehind(from: Db = db, only?: GatewayBehind): Promise<GatewayBehind[]> {
      const isMeant = only
        ? sql`s.farm_id = ${only.farmId} and s.device_id = ${only.gatewayId} and s.list_rev = ${only.listRev}`
        : sql`true`;
      const { rows } = await sql<GatewayBehind>`
        select s.farm_id as "farmId", s.device_id as "gatewayId", s.device_id as "deviceId", h.name,
          h.serial_number as "serialNumber", s.list_rev as "listRev", ${maxTtl},
          ${epochMs(sql`s.hello_at`)} as "helloAt", ${epochMs(sql`s.status_at`)} as "statusAt", ${sendings} as sendings
        from gateway_state s
        join device h on h.farm_id = s.farm_id and h.id = s.device_id and h.deleted_at is null and h.mac is not null
        join farm on farm.id = s.farm_id and farm.deleted_at is null
        where s.online and s.list_rev <> s.acked_rev and ${isMeant} and not ${isListUnderWay}
          and (s.acked_rev > 0 or exists (select from device d
            where d.farm_id = s.farm_id and d.kind in ('sprinkler', 'repeater') and d.deleted_at is null
              and d.mac is not null and ${speakingGatewayOf} = s.device_id))`.execute(from);
      return rows;
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

    /** Units that must not water and hold a schedule by a word after their newest Inhibit, which has its end, at gateways that are there. */
    async unitsToStopAgain(asked: { before: Date; only?: OwnTarget }, from: Db = db): Promise<StopAgain[]> {
      const { before, only } = asked;
      const isMeant = only ? sql`p.farm_id = ${only.farmId} and p.device_id = ${only.deviceId}` : sql`true`;
      const { rows } = await sql<StopAgain>`
        select d.farm_id as "farmId", s.device_id as "gatewayId", d.id as "deviceId", d.name,
          d.serial_number as "serialNumber", ${maxTtl}, h.crc
        from unit_stop p
        join device d on d.farm_id = p.farm_id and d.id = p.device_id and d.deleted_at is null and d.mac is not null
        join farm on farm.id = d.farm_id and farm.deleted_at is null
        join gateway_state s on s.farm_id = d.farm_id and s.device_id = ${speakingGatewayOf} and s.online
        join unit_held h on h.farm_id = d.farm_id and h.device_id = d.id and h.until is null and h.stopped_at is null
          and h.crc <> ${inhibitedCrc} and h.entries is distinct from '[]'
        left join device_fact f on f.farm_id = d.farm_id and f.device_id = d.id and f.name = 'ipcCrc' and f.value = h.crc
        cross join lateral (select max(u.at) as at, coalesce(bool_or(${sql.raw(unitIsLive('u'))}), false) as "isLive"
          from command_unit u join command c on c.farm_id = u.farm_id and c.id = u.command_id
          where u.farm_id = d.farm_id and u.device_id = d.id and c.type in (${Inhibit}, ${InhibitGroup})) i
        where p.lifted_by is null and ${isMeant} and not i."isLive" and coalesce(i.at <= ${before}, true)
          and greatest(h.since, f.at) > coalesce(i.at, p.since)`.execute(from);
      return rows;
    },

    /**
     * Units that must not water and whose newest Inhibit was taken back before it went out, as where a person thinks better of one
     * that replaced a hold's: nothing else would stop them before they are heard.
     */
    async unstopped(only: readonly OwnTarget[] | null = null, from: Db = db): Promise<Unstopped[]> {
      const isMeant = only
        ? sql`(p.farm_id, p.device_id) in (select * from unnest(${only.map(({ farmId }) => farmId)}::int[],
            ${only.map(({ deviceId }) => deviceId)}::int[]))`
        : sql`true`;
      const { rows } = await sql<Unstopped>`
        select d.farm_id as "farmId", s.device_id as "gatewayId", d.id as "deviceId", d.uid, d.name,
          d.serial_number as "serialNumber", ${maxTtl}
        from unit_stop p
        join device d on d.farm_id = p.farm_id and d.id = p.device_id and d.deleted_at is null and d.mac is not null
        join farm on farm.id = d.farm_id and farm.deleted_at is null
        join gateway_state s on s.farm_id = d.farm_id and s.device_id = ${speakingGatewayOf} and s.online
        cross join lateral (select
            (array_agg(u.state = 'cancelled' and u.sending = 0 and c.account_id is not null order by u.command_id desc))[1] as "isTakenBack",
            coalesce(bool_or(u.state = 'done' and u.command_id >= p.command_id), false) as "isDone"
          from command_unit u join command c on c.farm_id = u.farm_id and c.id = u.command_id
          where u.farm_id = d.farm_id and u.device_id = d.id and c.type in (${Inhibit}, ${InhibitGroup})) i
        where p.lifted_by is null and ${isMeant} and i."isTakenBack" and not i."isDone"
        order by d.farm_id, s.device_id, d.name, d.id`.execute(from);
      return rows;
    },

    /**
     * Units that are spare or out of service and hold a schedule by a word after they were cleared last, at gateways that are there
     * and have their list. Not those that were sent it since their record was last changed: somebody wants them to hold it.
     */
    async unitsToClear(asked: { before: Date; only?: OwnTarget }, from: Db = db): Promise<StopAgain[]> {
      const { before, only } = asked;
      const isMeant = only ? sql`d.farm_id = ${only.farmId} and d.id = ${only.deviceId}` : sql`true`;
      const { rows } = await sql<StopAgain>`
        select d.farm_id as "farmId", s.device_id as "gatewayId", d.id as "deviceId", d.name,
          d.serial_number as "serialNumber", ${maxTtl}, h.crc
        from device d
        join farm on farm.id = d.farm_id and farm.deleted_at is null
        join gateway_state s on s.farm_id = d.farm_id and s.device_id = ${speakingGatewayOf}
          and s.online and s.list_rev = s.acked_rev
        join unit_held h on h.farm_id = d.farm_id and h.device_id = d.id and h.until is null and h.stopped_at is null
          and h.crc <> ${inhibitedCrc} and h.entries is distinct from '[]'
        left join device_fact f on f.farm_id = d.farm_id and f.device_id = d.id and f.name = 'ipcCrc' and f.value = h.crc
        left join unit_program p on p.farm_id = d.farm_id and p.device_id = d.id and p.crc = h.crc
        cross join lateral (select max(u.at) filter (where u.crc = ${inhibitedCrc}) as at,
            coalesce(bool_or(${sql.raw(unitIsLive('u'))}), false) as "isLive"
          from command_unit u where u.farm_id = d.farm_id and u.device_id = d.id and u.entries is not null) i
        where d.kind = 'sprinkler' and d.deleted_at is null and d.mac is not null and ${isMeant}
          and (coalesce((d.settings->>'outOfService')::boolean, false) or coalesce((d.settings->>'isSpareUnit')::boolean, false))
          and coalesce(p.wanted_at < d.updated_at, true)
          and not i."isLive" and coalesce(i.at <= ${before}, true)
          and greatest(h.since, f.at) > coalesce(i.at, '-infinity')`.execute(from);
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
