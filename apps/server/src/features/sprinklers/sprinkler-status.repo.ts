import { sql } from 'kysely';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';
import type { DeviceKind, DeviceRow } from '../../db/schema.ts';

type Placed = Pick<DeviceRow, 'uid' | 'name' | 'serial_number' | 'lat' | 'lng'>;

/** A sprinkler with what it last said and what the current set has for it. Times in epoch ms; null: it has not said. */
export interface SprinklerRow extends Placed {
  readonly id: number;
  readonly mac: string | null;
  readonly settings: DeviceRow['settings'];
  /** The gateway that hears it; null: the farm's first for sprinklers. */
  readonly gateway_id: number | null;
  readonly groups: string[] | null;
  readonly status_at: number | null;
  readonly charge: number | null;
  readonly charge_at: number | null;
  readonly clock: number | null;
  readonly hops: number | null;
  readonly valve: number | null;
  readonly valve_at: number | null;
  readonly schedule_num: number | null;
  readonly cycle_day: number | null;
  readonly cycle_day_at: number | null;
  readonly cycle_len: number | null;
  readonly ipc_crc: string | null;
  readonly mode: string | null;
  readonly polled_at: string | null;
  readonly schedule_group: string | null;
  readonly entries: ScheduleEntry[] | null;
  /** Of a spare: another unit in use, here or elsewhere, has its serial number. */
  readonly has_twin: boolean;
}

/** Gateways, repeaters, sensors and points of interest. */
export interface PlaceRow extends Placed {
  readonly id: number;
  readonly kind: Exclude<DeviceKind, 'sprinkler'>;
  readonly type: number;
  readonly status_at: number | null;
  readonly is_member: boolean;
  /** Of a gateway, as it last said them: %, s. */
  readonly charge_threshold: number | null;
  readonly clock_threshold: number | null;
}

export interface GroupKey {
  readonly id: number;
  readonly name: string;
}

const ms = (time: string) => sql.raw(`date_part('epoch', ${time}) * 1000`);
const newest = (metric: string) => sql.raw(`max(l.value) filter (where s.metric = '${metric}')`);
const when = (metric: string) => ms(`max(l.at) filter (where s.metric = '${metric}')`);
const fact = (name: string) => sql.raw(`max(value) filter (where name = '${name}')`);

export function createSprinklerStatusRepo(db: Db) {
  return {
    group(farmId: number, name: string): Promise<GroupKey | undefined> {
      return db
        .selectFrom('device_group')
        .select(['id', 'name'])
        .where('farm_id', '=', farmId)
        .where(sql`lower(name)`, '=', sql`lower(${name})`)
        .executeTakeFirst();
    },

    /** Of the farm, or of one of its groups. Values, facts, groups and schedules are each read once and joined by hash. */
    async sprinklers(
      farmId: number,
      setId: number | null,
      groupId: number | null = null,
    ): Promise<SprinklerRow[]> {
      // Of the whole farm nearly all rows are wanted: looking each up would only cost time.
      const ofThem = (column: string) =>
        groupId === null ? sql`` : sql`and ${sql.raw(column)} in (select id from u)`;
      const { rows } = await sql<SprinklerRow>`
        with u as materialized (select d.* from device d
          where d.farm_id = ${farmId} and d.kind = 'sprinkler' and d.deleted_at is null
            and (${groupId}::int is null or exists (select from device_group_member m
              where m.farm_id = d.farm_id and m.device_id = d.id and m.group_id = ${groupId})))
        select d.id, d.uid, d.name, d.serial_number, d.mac, d.lat, d.lng, d.settings, d.gateway_id, m.groups,
          ${ms('greatest(v.at, f.at)')} as status_at, v.charge, v.charge_at, v.clock, v.hops, v.valve, v.valve_at,
          v.schedule_num, v.cycle_day, v.cycle_day_at, v.cycle_len, f.ipc_crc, f.mode, f.polled_at,
          w.schedule_group, w.entries,
          (d.settings->>'isSpareUnit')::boolean is true and exists (select from device o
            where lower(o.serial_number) = lower(d.serial_number) and o.kind in ('sprinkler', 'repeater')
              and o.deleted_at is null and (o.farm_id, o.id) <> (d.farm_id, d.id)) as has_twin
        from u d
        left join (select s.device_id, max(l.at) as at, ${newest('charge')} as charge, ${when('charge')} as charge_at,
            ${newest('clock')} as clock, ${newest('hops')} as hops, ${newest('valve')} as valve,
            ${when('valve')} as valve_at, ${newest('scheduleNum')} as schedule_num, ${newest('cycleDay')} as cycle_day,
            ${when('cycleDay')} as cycle_day_at, ${newest('cycleLen')} as cycle_len
          from series s join latest l on l.farm_id = s.farm_id and l.series_id = s.id
          where s.farm_id = ${farmId} ${ofThem('s.device_id')} group by s.device_id) v
          on v.device_id = d.id
        left join (select device_id, max(at) as at, ${fact('ipcCrc')} as ipc_crc, ${fact('mode')} as mode,
            ${fact('polledAt')} as polled_at
          from device_fact where farm_id = ${farmId} ${ofThem('device_id')} group by device_id) f
          on f.device_id = d.id
        left join (select x.device_id, array_agg(y.name order by y.id) as groups
          from device_group_member x join device_group y on y.farm_id = x.farm_id and y.id = x.group_id
          where x.farm_id = ${farmId} ${ofThem('x.device_id')} group by x.device_id) m
          on m.device_id = d.id
        left join schedule_set_unit w
          on w.farm_id = ${farmId} and w.set_id = ${setId} and w.device_id = d.id`.execute(db);
      return rows;
    },

    async places(farmId: number, groupId: number | null): Promise<PlaceRow[]> {
      const { rows } = await sql<PlaceRow>`
        select d.id, d.uid, d.kind, d.type, d.name, d.serial_number, d.lat, d.lng,
          ${ms('coalesce(g.contact_at, v.at)')} as status_at,
          (g.settings->>'chargeThreshold')::float8 as charge_threshold,
          (g.settings->>'clockTreshold')::float8 as clock_threshold,
          exists (select from device_group_member m
            where m.farm_id = d.farm_id and m.device_id = d.id and m.group_id = ${groupId}) as is_member
        from device d
        left join gateway_state g on g.farm_id = d.farm_id and g.device_id = d.id
        left join lateral (select max(l.at) as at from series s
          join latest l on l.farm_id = s.farm_id and l.series_id = s.id
          where s.farm_id = d.farm_id and s.device_id = d.id) v on true
        where d.farm_id = ${farmId} and d.kind <> 'sprinkler' and d.deleted_at is null
        order by d.id`.execute(db);
      return rows;
    },

    /** Minutes of the set's cycle, as its settings have them; null: they don't say. */
    async cycleMinutes(farmId: number, setId: number): Promise<number | null> {
      const row = await db
        .selectFrom('schedule_set')
        .select(sql<number | null>`(settings->>'cycleLen')::float8`.as('minutes'))
        .where('farm_id', '=', farmId)
        .where('id', '=', setId)
        .executeTakeFirst();
      return row?.minutes ?? null;
    },
  };
}
export type SprinklerStatusRepo = ReturnType<typeof createSprinklerStatusRepo>;
