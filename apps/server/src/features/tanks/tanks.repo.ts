import { sql } from 'kysely';
import { tankTypes } from '@headrace/contract/sensor-types';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { readDevice } from '../series/device-series.ts';
import { readLatest } from '../series/latest-values.ts';
import { readHours, readRollups } from '../series/read-rollups.ts';
import { type LevelUseQuery, levelUses, type ReadAhead, readAhead } from './level-use.ts';
import type { RollupQuery, RollupSeries } from '../series/rollup-query.ts';
import type { WantedSeries } from '../series/series-limits.ts';

export interface PlaceRow extends DeviceRow {
  online: boolean | null;
  contact_at: Date | null;
  reported_at: Date | null;
}

export interface TankRow extends DeviceRow {
  /** Null: it has none of its own, or that was removed. */
  gateway_uid: string | null;
}

export interface ConfigUpdateRow {
  uid: string;
  created_at: Date;
  type: number;
  config: Record<string, unknown>;
  processed_at: Date | null;
  expires_at: Date | null;
  /** Why it was not done. */
  error: string | null;
  /** Of all the device's updates, not only those listed. */
  last_processed_at: Date | null;
}

/** Waiting ones first; a device with more than this many waiting is not of this world. */
const CONFIG_UPDATES_MAX = 20;

export function createTanksRepo(db: Db) {
  return {
    /** The farm's tanks, or the one with this public id. */
    tanks(farmId: number, uid?: string): Promise<TankRow[]> {
      return db
        .selectFrom('device as d')
        .leftJoin('device as g', (join) =>
          join
            .onRef('g.farm_id', '=', 'd.farm_id')
            .onRef('g.id', '=', 'd.gateway_id')
            .on('g.deleted_at', 'is', null),
        )
        .selectAll('d')
        .select('g.uid as gateway_uid')
        .where('d.farm_id', '=', farmId)
        .where('d.kind', '=', 'sensor')
        .where('d.type', 'in', [...tankTypes])
        .where('d.deleted_at', 'is', null)
        .$if(uid !== undefined, (query) => query.where('d.uid', '=', uid ?? ''))
        .execute();
    },

    latest: (farmId: number, deviceIds: readonly number[]) => readLatest(db, farmId, deviceIds),

    /**
     * By series, the valid value nearest to an hour before its given time (epoch ms), from half an hour to one and a half
     * before it: jitter of a minute must not make it the one of two hours before.
     */
    async hourBefore(
      farmId: number,
      series: readonly { seriesId: number; at: number }[],
    ): Promise<Map<number, number>> {
      if (series.length === 0) return new Map();
      const { rows } = await sql<{ series_id: number; value: number }>`
        select wanted.id as series_id, earlier.value
        from unnest(${series.map((one) => one.seriesId)}::int[],
                    ${series.map((one) => new Date(one.at))}::timestamptz[]) as wanted(id, at)
        cross join lateral (
          select value from reading
          where farm_id = ${farmId} and series_id = wanted.id and value is not null
            and at between wanted.at - interval '90 minutes' and wanted.at - interval '30 minutes'
          order by abs(extract(epoch from wanted.at - interval '1 hour' - at)) limit 1
        ) as earlier`.execute(db);
      return new Map(rows.map((row) => [row.series_id, row.value]));
    },

    device: (
      device: DeviceRow,
      metrics: readonly string[],
      { span, range }: Pick<RollupQuery, 'span' | 'range'>,
    ) => readDevice(db, device, metrics, span, range),

    rollups: (query: RollupQuery, series: readonly WantedSeries[]) => readRollups(db, query, series),

    hours: (farmId: number, starts: readonly number[], series: readonly WantedSeries[]) =>
      readHours(db, farmId, starts, series),

    /** For `levelUses` of one device. */
    readAhead: (device: DeviceRow, query: Omit<LevelUseQuery, 'farmId'>) => readAhead(db, device, query),

    levelUses: (
      query: LevelUseQuery,
      series: readonly WantedSeries[],
      rollups: ReadonlyMap<number, RollupSeries>,
      ahead?: ReadAhead,
    ) => levelUses(db, query, series, rollups, ahead),

    /** When a series was read in (after, to], and the time before, oldest first, epoch ms; invalid readings count, they were received. */
    async readingTimes(
      farmId: number,
      seriesId: number | undefined,
      after: number,
      to: number,
    ): Promise<number[]> {
      if (seriesId === undefined) return [];
      const { rows } = await sql<{ at: Date }>`
        select at from reading
        where farm_id = ${farmId} and series_id = ${seriesId} and at > ${new Date(after)} and at <= ${new Date(to)}
        union all
        (select at from reading where farm_id = ${farmId} and series_id = ${seriesId} and at <= ${new Date(after)}
          order by at desc limit 1)
        order by at`.execute(db);
      return rows.map((row) => row.at.getTime());
    },

    /** What a series said in (after, to], and the last word before, oldest first; epoch ms. */
    async valuesSince(
      farmId: number,
      seriesId: number | undefined,
      after: number,
      to: number,
    ): Promise<{ at: number; value: number }[]> {
      if (seriesId === undefined) return [];
      const { rows } = await sql<{ at: Date; value: number }>`
        select at, value from reading
        where farm_id = ${farmId} and series_id = ${seriesId} and at > ${new Date(after)} and at <= ${new Date(to)}
          and value is not null
        union all
        (select at, value from reading where farm_id = ${farmId} and series_id = ${seriesId} and at <= ${new Date(after)}
          and value is not null order by at desc limit 1)
        order by at`.execute(db);
      return rows.map(({ at, value }) => ({ at: at.getTime(), value }));
    },

    configUpdates(farmId: number, deviceId: number): Promise<ConfigUpdateRow[]> {
      return db
        .selectFrom('config_update')
        .where('farm_id', '=', farmId)
        .where('device_id', '=', deviceId)
        .select(['uid', 'type', 'config', 'created_at', 'processed_at', 'expires_at', 'error'])
        .select(sql<Date | null>`max(processed_at) over ()`.as('last_processed_at'))
        .orderBy(sql`processed_at is null`, 'desc')
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(CONFIG_UPDATES_MAX)
        .execute();
    },

    /** Gateways, repeaters and points of interest, with when they were last heard. */
    places(farmId: number): Promise<PlaceRow[]> {
      return db
        .selectFrom('device')
        .leftJoin('gateway_state as state', (join) =>
          join.onRef('state.farm_id', '=', 'device.farm_id').onRef('state.device_id', '=', 'device.id'),
        )
        .selectAll('device')
        .select(['state.online', 'state.contact_at'])
        .select(
          sql<Date | null>`(select max(latest.at) from series join latest
            on latest.farm_id = series.farm_id and latest.series_id = series.id
            where series.farm_id = device.farm_id and series.device_id = device.id)`.as('reported_at'),
        )
        .where('device.farm_id', '=', farmId)
        .where('device.kind', 'in', ['gateway', 'repeater', 'poi'])
        .where('device.deleted_at', 'is', null)
        .execute();
    },
  };
}
export type TanksRepo = ReturnType<typeof createTanksRepo>;
