import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { readGaps } from '../device-connections/listening.ts';
import { speakingGateway } from '../devices/speaking-gateway.ts';
import { FARM } from './observation.ts';
import { replacedAt } from './replaced-units.ts';

/** When a device was last heard, and by whose radio. Times in epoch ms; null: never. */
export interface ContactRow extends Pick<DeviceRow, 'id' | 'uid' | 'name' | 'kind' | 'type' | 'settings'> {
  readonly heard_at: number | null;
  /** Since when it stands in the place of another unit, where it has not been heard since. */
  readonly replaced_at: number | null;
  /** Of a gateway: whether the broker has it, and since when that is so. */
  readonly online: boolean | null;
  readonly state_at: number | null;
  readonly gateway_id: number | null;
  /** The repeater that last passed a report of a sprinkler on; null: nobody says. */
  readonly via_id: number | null;
  /** How often it says that it reports, min. */
  readonly interval_min: number | null;
}

/** When devices were heard, and by what way; and commands that did not reach all. */
export function createSilenceRepo(db: Db) {
  return {
    /** Of all devices, or of gateways alone, which are few. */
    async contacts(farmId: number, kind: 'gateway' | null = null): Promise<ContactRow[]> {
      const { rows } = await sql<ContactRow>`
        select d.id, d.uid, d.name, d.kind, d.type, d.settings, g.online,
          date_part('epoch', g.state_at) * 1000 as state_at,
          case when d.kind = 'gateway' then date_part('epoch', g.contact_at) else date_part('epoch', v.at) end * 1000
            as heard_at,
          case when v.at is null and v.was_heard and d.kind in ('sprinkler', 'repeater') then
            ${replacedAt} end as replaced_at,
          case when d.kind = 'gateway' then null when d.kind = 'sensor' then d.gateway_id
            else ${speakingGateway(farmId)} end as gateway_id,
          p.id as via_id, v.interval_min
        from device d
        left join device_fact w on w.farm_id = d.farm_id and w.device_id = d.id and w.name = 'via'
        left join device p on p.farm_id = d.farm_id and p.mac = w.value and p.kind = 'repeater' and p.deleted_at is null
        left join gateway_state g on g.farm_id = d.farm_id and g.device_id = d.id
        left join lateral (select count(*) > 0 as was_heard,
            -- What a unit said that another one has replaced is not the word of that.
            max(coalesce(l.heard_at, l.at)) filter (where d.kind = 'sensor' or l.value is not null or l.valid_at is not null)
              as at,
            max(l.value) filter (where s.metric = 'commsIntervalMin') as interval_min
          from series s join latest l on l.farm_id = s.farm_id and l.series_id = s.id
          where s.farm_id = d.farm_id and s.device_id = d.id) v on true
        where d.farm_id = ${farmId} and d.kind <> 'poi' and d.deleted_at is null
          ${kind === null ? sql`` : sql`and d.kind = ${kind}`}`.execute(db);
      return rows;
    },

    /** By which network server's key each of these sensors' newest message came; those that came by none are left out. */
    async integrationKeys(
      farmId: number,
      deviceIds: readonly number[],
    ): Promise<{ device_id: number; key_id: number; name: string }[]> {
      const { rows } = await sql<{ device_id: number; key_id: number; name: string }>`
        select n.device_id, u.key_id, k.name from unnest(${[...deviceIds]}::int[]) as n (device_id)
          cross join lateral (select key_id from uplink
            where farm_id = ${farmId} and device_id = n.device_id order by at desc limit 1) u
          join integration_key k on k.farm_id = ${farmId} and k.id = u.key_id`.execute(db);
      return rows;
    },

    /** Since when what was told as out of contact was away, and when it came back, since that time; null: it was not seen to be back. */
    async returns(farmId: number, since: Date): Promise<Map<number, { from: number; at: number | null }>> {
      const { rows } = await sql<{ device_id: number; since: Date; at: Date | null }>`
        select distinct on (e.device_id) e.device_id, e.since, coalesce(e.ended_at, e.clear_since) as at
        from alert_episode e join alert_incident i on i.farm_id = e.farm_id and i.id = e.incident_id
        where e.farm_id = ${farmId} and i.kind = 'OutOfContact' and e.fired_at is not null
          and (e.state <> 'ended' or e.ended_at > ${since})
        order by e.device_id, coalesce(e.ended_at, e.clear_since) desc nulls first`.execute(db);
      return new Map(
        rows.map((row) => [row.device_id, { from: row.since.getTime(), at: row.at?.getTime() ?? null }]),
      );
    },

    /** Commands to more than one unit that ended since then and did not reach all of them, and of which the rule told nothing yet. */
    async failedCommands(
      farmId: number,
      ruleId: number,
      since: Date,
    ): Promise<{ id: number; name: string; units: number; failed: number; ended_at: Date }[]> {
      const { rows } = await sql<{
        id: number;
        name: string;
        units: number;
        failed: number;
        ended_at: Date;
      }>`with untold as materialized (select c.farm_id, c.id, c.name, c.state_at from command c
          where c.farm_id = ${farmId} and c.state in ('done', 'failed', 'expired') and c.state_at > ${since}
            and exists (select from command_unit f where f.farm_id = ${farmId} and f.command_id = c.id
              and f.state in ('failed', 'expired'))
            and not exists (select from alert_episode e where e.farm_id = ${farmId} and e.rule_id = ${ruleId}
              and e.device_id = ${FARM} and e.part = c.id))
        select c.id, c.name, c.state_at as ended_at, count(*)::int as units,
          (count(*) filter (where u.state in ('failed', 'expired')))::int as failed
        from untold c join command_unit u on u.farm_id = c.farm_id and u.command_id = c.id
        group by c.id, c.name, c.state_at
        having count(*) > 1
        order by c.id`.execute(db);
      return rows;
    },

    gaps: (now: Date) => readGaps(db, now),
  };
}
