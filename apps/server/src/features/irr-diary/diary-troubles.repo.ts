import { sql } from 'kysely';
import { commandTypes } from '@headrace/contract/command-types';
import type { DiaryFacts } from '@headrace/contract/rules/schedule/diary-reasons';
import type { Db } from '../../db/client.ts';
import { unitIsLive } from '../../db/under-way.ts';
import type { Span } from './diary-units.repo.ts';

const { Inhibit, Uninhibit, InhibitGroup, UninhibitGroup, ValveOff, TurnGroupValvesOff, Replace } =
  commandTypes;
const stops = [Inhibit, InhibitGroup];
const lifts = [Uninhibit, UninhibitGroup];
const offs = [ValveOff, TurnGroupValvesOff];

/** A time in which a sprinkler was to water, epoch ms. */
export interface AskedSpan extends Span {
  readonly deviceId: number;
}

/** Something that happened to a sprinkler, epoch ms. */
interface At {
  readonly deviceId: number;
  readonly at: number;
}
export type OrderRow = DiaryFacts['orders'][number] & At;
export interface ChargeRow extends At {
  readonly percent: number;
}
/** A record that was put out of service, or back. */
export interface ServiceRow extends Pick<At, 'at'> {
  readonly uid: string;
  readonly isOut: boolean;
}

const ms = (column: string) => sql`round(date_part('epoch', ${sql.ref(column)}) * 1000)::float8`;
const spansOf = (spans: readonly AskedSpan[]) => sql`
  unnest(${spans.map(({ deviceId }) => deviceId)}::int[], ${spans.map(({ from }) => new Date(from))}::timestamptz[],
    ${spans.map(({ to }) => new Date(to))}::timestamptz[]) as k (device_id, from_at, to_at)`;

/** What may explain that sprinklers did not do what they were to do: a fixed number of queries, however many they are. */
export function createDiaryTroublesRepo(db: Db) {
  return {
    /** When their valves were said to be closed in these times. */
    async saidClosed(farmId: number, spans: readonly AskedSpan[]): Promise<At[]> {
      if (spans.length === 0) return [];
      const { rows } = await sql<At>`
        select distinct k.device_id as "deviceId", ${ms('r.at')} as at
        from ${spansOf(spans)}
        join series s on s.farm_id = ${farmId} and s.device_id = k.device_id and s.metric = 'valve'
        join reading r on r.farm_id = s.farm_id and r.series_id = s.id and r.value = 0
          and r.at between k.from_at and k.to_at
        order by at`.execute(db);
      return rows;
    },

    /** When each was heard last before the end of these times; `to` names which. */
    async heardBefore(farmId: number, spans: readonly AskedSpan[]): Promise<(At & { to: number })[]> {
      if (spans.length === 0) return [];
      const { rows } = await sql<At & { to: number }>`
        select k.device_id as "deviceId", ${ms('k.to_at')} as to, max(${ms('r.at')}) as at
        from ${spansOf(spans)}
        join series s on s.farm_id = ${farmId} and s.device_id = k.device_id and s.metric in ('valve', 'clock')
        cross join lateral (select at from reading where farm_id = s.farm_id and series_id = s.id and at <= k.to_at
          order by at desc limit 1) r
        group by k.device_id, k.to_at`.execute(db);
      return rows;
    },

    /** Inhibits, Uninhibits and Valve Offs that were not taken back: the first two from the tap on, the last when it was done. */
    async orders(farmId: number, deviceIds: readonly number[], before: number): Promise<OrderRow[]> {
      if (deviceIds.length === 0) return [];
      const { rows } = await sql<OrderRow>`
        select u.device_id as "deviceId", coalesce(a.name, '') as by, coalesce(h.reason, '') as note,
          case when c.type = any(${offs}::int[]) then ${ms('u.at')} else ${ms('c.created_at')} end as at,
          case when h.id is not null then 'hold' when c.type = any(${stops}::int[]) then 'inhibit' when c.type = any(${lifts}::int[]) then 'uninhibit'
            else 'valveOff' end as kind
        from command_unit u join command c on c.farm_id = u.farm_id and c.id = u.command_id
        left join account a on a.id = c.account_id
        left join paddock_hold h on h.farm_id = c.farm_id and h.command_id = c.id
        where u.farm_id = ${farmId} and u.device_id = any(${deviceIds}::int[]) and u.at < ${new Date(before)}
          and c.type = any(${[...stops, ...lifts, ...offs]}::int[])
          and (u.state = 'done' or c.type <> all(${offs}::int[]) and ${sql.raw(unitIsLive('u'))})
        order by at`.execute(db);
      return rows;
    },

    async swaps(farmId: number, deviceIds: readonly number[], { from, to }: Span): Promise<At[]> {
      if (deviceIds.length === 0) return [];
      const { rows } = await sql<At>`
        select u.device_id as "deviceId", ${ms('u.at')} as at
        from command_unit u join command c on c.farm_id = u.farm_id and c.id = u.command_id
        where u.farm_id = ${farmId} and u.device_id = any(${deviceIds}::int[]) and c.type = ${Replace}
          and u.state = 'done' and u.at >= ${new Date(from)} and u.at < ${new Date(to)}
        order by u.at`.execute(db);
      return rows;
    },

    /** What each said of its battery last before a moment, by days. */
    async charges(farmId: number, deviceIds: readonly number[], before: number): Promise<ChargeRow[]> {
      if (deviceIds.length === 0) return [];
      const { rows } = await sql<ChargeRow>`
        select s.device_id as "deviceId", r.last_value as percent, ${ms('r.last_at')} as at
        from series s
        cross join lateral (select last_value, last_at from reading_day d
          where d.farm_id = s.farm_id and d.series_id = s.id and d.at < ${new Date(before)}
          order by d.at desc limit 1) r
        where s.farm_id = ${farmId} and s.device_id = any(${deviceIds}::int[]) and s.metric = 'charge'`.execute(
        db,
      );
      return rows;
    },

    /** When these records were put out of service and back, oldest first. */
    async service(farmId: number, uids: readonly string[]): Promise<ServiceRow[]> {
      if (uids.length === 0) return [];
      const { rows } = await sql<ServiceRow>`
        select l.uid, ${ms('l.at')} as at, (f->>'to')::boolean as "isOut"
        from change_log l cross join lateral jsonb_array_elements(l.fields) f
        where l.farm_id = ${farmId} and l.uid = any(${uids}::text[]) and f->>'field' = 'outOfService'
          and jsonb_typeof(f->'to') = 'boolean'
        order by l.at`.execute(db);
      return rows;
    },
  };
}
export type DiaryTroublesRepo = ReturnType<typeof createDiaryTroublesRepo>;
