import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { sprinklersFirst } from '../devices/speaking-gateway.ts';
import type { HeldProgramme, WantedProgramme } from '../sprinklers/programme.ts';
import type { ValveRow } from '../sprinklers/valve-facts.ts';
import type { DeviceKind, FarmRow } from '../../db/schema.ts';
import { unitIsLive } from '../../db/under-way.ts';

/** What the caller may read: a farm and a kind of device there, pair by pair. */
export interface Readable {
  readonly farmIds: readonly number[];
  readonly kinds: readonly DeviceKind[];
}

/** A device that was found, with what it last said. Times in epoch ms; null: it has not said. */
export interface FoundDevice extends ValveRow {
  uid: string;
  kind: DeviceKind;
  name: string;
  serial_number: string;
  farm_name: string;
  farm_uid: string;
  groups: string[];
  out_of_service: boolean;
  is_spare: boolean;
  charge: number | null;
  cycle_day: number | null;
  cycle_day_at: number | null;
  cycle_len: number | null;
  /** Some unit of its farm was sent a schedule. */
  is_scheduled: boolean;
  wanted: WantedProgramme | null;
  held: HeldProgramme | null;
  /** A schedule is being sent to it. */
  is_sending: boolean;
  /** Of the gateway that speaks for it; null: it has not said. */
  charge_threshold: number | null;
  clock_threshold: number | null;
  /** The farm's clock. */
  time_zone_id: FarmRow['time_zone_id'];
  raw_offset: FarmRow['raw_offset'];
  dst_offset: FarmRow['dst_offset'];
  dst_enabled: FarmRow['dst_enabled'];
  clock_before: FarmRow['clock_before'];
}

/** Devices that are looked through for what doesn't begin with the text. */
const SCAN_MAX = 50_000;

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

export function createSearchRepo(db: Db) {
  return {
    /** Those whose name, serial number or MAC begins with the text first, then those that have it in them. */
    async find(readable: Readable, text: string, max: number): Promise<FoundDevice[]> {
      const beginning = await ids(db, readable, text, { before: '', scan: sql``, max, except: [] });
      const left = max - beginning.length;
      const scan = sql`limit ${SCAN_MAX}`;
      const inside =
        left > 0 ? await ids(db, readable, text, { before: '%', scan, max: left, except: beginning }) : [];
      return details(db, [...beginning, ...inside]);
    },
  };
}
export type SearchRepo = ReturnType<typeof createSearchRepo>;

interface How {
  readonly before: '' | '%';
  readonly scan: RawBuilder<unknown>;
  readonly max: number;
  readonly except: readonly number[];
}

async function ids(db: Db, readable: Readable, text: string, how: How): Promise<number[]> {
  const pattern = `${how.before}${escaped(text.toLowerCase())}%`;
  const digits = text.replaceAll(/[\s:.-]/g, '').toUpperCase();
  const ofMac = /^[0-9A-F]{2,16}$/.test(digits) ? `${how.before}${digits}%` : null;
  const matches = sql`(lower(d.name) like ${pattern} or lower(d.serial_number) like ${pattern} or d.mac like ${ofMac}::text)`;
  const farms = [...new Set(readable.farmIds)];
  const devices = sql`select * from device d where d.farm_id = any(${farms}) and d.deleted_at is null`;
  const source = how.before === '' ? sql`(${devices} and ${matches}) d` : sql`(${devices} ${how.scan}) d`;
  const { rows } = await sql<{ id: number }>`select d.id from ${source}
    join unnest(${readable.farmIds}::int[], ${readable.kinds}::text[]) as r (farm_id, kind)
      on r.farm_id = d.farm_id and r.kind = d.kind
    where ${matches} and d.id <> all(${how.except}::int[])
    order by lower(d.name) not like ${pattern}, coalesce(lower(d.serial_number) not like ${pattern}, true), lower(d.name), d.id
    limit ${how.max}`.execute(db);
  return rows.map(({ id }) => id);
}

/** In the order given. Ids of devices are unlike on all farms. */
async function details(db: Db, deviceIds: readonly number[]): Promise<FoundDevice[]> {
  if (deviceIds.length === 0) return [];
  const { rows } =
    await sql<FoundDevice>`select d.uid, d.kind, d.name, d.serial_number, f.name as farm_name, f.uid as farm_uid,
      array(select g.name from device_group_member m join device_group g on g.farm_id = m.farm_id and g.id = m.group_id
        where m.farm_id = d.farm_id and m.device_id = d.id order by g.name) as groups,
      coalesce((d.settings->>'outOfService')::boolean, false) as out_of_service,
      coalesce((d.settings->>'isSpareUnit')::boolean, false) as is_spare,
      date_part('epoch', greatest(v.at, x.at, s.contact_at)) * 1000 as status_at, v.charge, v.clock, v.valve, v.valve_at,
      v.cycle_day, v.cycle_day_at, v.cycle_len, x.ipc_crc, x.open_since, x.valve_off,
      case when o.opened_at is not null then jsonb_build_object('unansweredUntil', null, 'unansweredClosesBy', null, 'opening', jsonb_build_object(
        'openedAt', date_part('epoch', o.opened_at) * 1000, 'closesBy', date_part('epoch', o.closes_by) * 1000)) end as valve_orders,
      case when p.crc is not null then jsonb_build_object('crc', p.crc, 'entries', p.entries, 'cycle_days', p.cycle_days) end as wanted,
      case when h.crc is not null then jsonb_build_object('crc', h.crc, 'entries', h.entries, 'cycle_days', h.cycle_days, 'how', h.how) end as held,
      exists (select from command_unit u where u.farm_id = d.farm_id and u.device_id = d.id and u.entries is not null
        and ${sql.raw(unitIsLive('u'))}) as is_sending,
      exists (select from unit_program a where a.farm_id = d.farm_id) as is_scheduled, t.charge_threshold, t.clock_threshold,
      f.time_zone_id, f.raw_offset, f.dst_offset, f.dst_enabled, f.clock_before
    from unnest(${deviceIds}::int[]) with ordinality as k (id, position)
    join device d on d.id = k.id
    join farm f on f.id = d.farm_id
    left join gateway_state s on s.farm_id = d.farm_id and s.device_id = d.id
    left join unit_program p on p.farm_id = d.farm_id and p.device_id = d.id
    left join unit_held h on h.farm_id = d.farm_id and h.device_id = d.id and h.until is null
    left join lateral (select max(l.at) as at, max(l.value) filter (where r.metric = 'charge') as charge,
        max(l.value) filter (where r.metric = 'clock') as clock, max(l.value) filter (where r.metric = 'valve') as valve,
        date_part('epoch', max(l.at) filter (where r.metric = 'valve')) * 1000 as valve_at,
        max(l.value) filter (where r.metric = 'cycleDay') as cycle_day,
        date_part('epoch', max(l.at) filter (where r.metric = 'cycleDay')) * 1000 as cycle_day_at,
        max(l.value) filter (where r.metric = 'cycleLen') as cycle_len
      from series r join latest l on l.farm_id = r.farm_id and l.series_id = r.id
      where r.farm_id = d.farm_id and r.device_id = d.id) v on true
    left join lateral (select max(at) as at, max(value) filter (where name = 'ipcCrc') as ipc_crc,
        max(value) filter (where name = 'openSince') as open_since, max(value) filter (where name = 'valveOff') as valve_off
      from device_fact where farm_id = d.farm_id and device_id = d.id) x on true
    left join lateral (select max(u.opened_at) as opened_at, max(u.closes_by) as closes_by from command_unit u
      where u.farm_id = d.farm_id and u.device_id = d.id and u.opened_at is not null and u.closed_at is null
        and (u.mac is null or u.mac = d.mac)) o on true
    left join lateral (select (p.settings->>'chargeThreshold')::float8 as charge_threshold,
        (p.settings->>'clockTreshold')::float8 as clock_threshold
      from device g join gateway_state p on p.farm_id = g.farm_id and p.device_id = g.id
      where g.farm_id = d.farm_id and g.kind = 'gateway' and g.deleted_at is null
      order by g.id is distinct from d.gateway_id, ${sql.raw(sprinklersFirst)}, g.id limit 1) t on true
    order by k.position`.execute(db);
  return rows;
}
