import { sql } from 'kysely';
import { meterTypes } from '@headrace/contract/sensor-types';
import type { TakeEntries, TakeMeterEntries, TakeMetric } from '@headrace/contract/water-takes';
import { takeMetrics } from '@headrace/contract/water-takes';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { claimOnce } from '../../db/once.ts';
import { lockTakes } from './lock-takes.ts';

export interface RegisterRow {
  readonly uid: string;
  readonly meterId: number;
  readonly at: Date;
  readonly register: number;
  readonly note: string;
  readonly by: string;
}

export interface MeterRow extends Omit<TakeMeterEntries, 'startsAt' | 'endsAt'> {
  readonly id: number;
  readonly uid: string;
  readonly takeId: number;
  readonly deviceId: number;
  readonly device: string;
  readonly isGone: boolean;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
}

export interface TakeRecord extends TakeEntries {
  readonly id: number;
  readonly uid: string;
  readonly version: number;
  readonly updatedAt: Date;
  readonly meters: readonly MeterRow[];
  readonly readings: readonly RegisterRow[];
}

/** What is stored of a meter: its sensor by id. */
export type NewMeter = Omit<TakeMeterEntries, 'deviceUID'> & {
  readonly uid: string;
  readonly deviceId: number;
};

/** A sensor that may be a meter, with the metrics of a meter that it has told. */
export type MeterSensor = Pick<DeviceRow, 'id' | 'uid' | 'name' | 'type' | 'settings'> & {
  readonly told: readonly TakeMetric[];
};

const toTime = (text: string | null) => (text === null ? null : new Date(text));

/** Consents of a farm and what belongs to them. Every query stays on the farm. */
export function createTakesRepo(db: Db) {
  return {
    /** One change at a time on a farm. */
    inTransaction: <T>(farmId: number, work: (trx: Db) => Promise<T>): Promise<T> =>
      db.transaction().execute(async (trx) => {
        await claimOnce(trx);
        await lockTakes(trx, farmId);
        return work(trx);
      }),

    async takes(farmId: number, from: Db = db): Promise<TakeRecord[]> {
      const [takes, meters, readings] = [
        await readTakes(from, farmId),
        await readMeters(from, farmId),
        await readRegisters(from, farmId),
      ];
      return takes.map((take) => {
        const own = meters.filter(({ takeId }) => takeId === take.id);
        const ids = new Set(own.map(({ id }) => id));
        return { ...take, meters: own, readings: readings.filter(({ meterId }) => ids.has(meterId)) };
      });
    },

    /** Sensors that are meters by their type, or that have told what a meter tells. */
    async sensors(farmId: number): Promise<MeterSensor[]> {
      const { rows } = await sql<MeterSensor>`
        select d.id, d.uid, d.name, d.type, d.settings, coalesce(told.metrics, '{}') as told from device d
        left join lateral (select array_agg(s.metric) as metrics from series s where s.farm_id = d.farm_id
          and s.device_id = d.id and s.metric = any(${[...takeMetrics]}::text[])) told on true
        where d.farm_id = ${farmId} and d.kind = 'sensor' and d.deleted_at is null
          and (told.metrics is not null or d.type = any(${[...meterTypes]}::int[]))`.execute(db);
      return rows;
    },

    async save(
      trx: Db,
      farmId: number,
      { id, uid, version }: { id: number | null; uid: string; version: number },
      take: TakeEntries,
      now: Date,
    ): Promise<number> {
      const values = { ...toColumns(take), uid, version, updated_at: now };
      if (id !== null) {
        await trx
          .updateTable('water_take')
          .set(values)
          .where('farm_id', '=', farmId)
          .where('id', '=', id)
          .execute();
        return id;
      }
      const row = await trx
        .insertInto('water_take')
        .values({ farm_id: farmId, ...values })
        .returning('id')
        .executeTakeFirstOrThrow();
      return row.id;
    },

    /** The meters of a take are these from now on. */
    async saveMeters(trx: Db, farmId: number, takeId: number, meters: readonly NewMeter[]): Promise<void> {
      await trx
        .deleteFrom('take_meter')
        .where('farm_id', '=', farmId)
        .where('take_id', '=', takeId)
        .where('uid', 'not in', meters.length > 0 ? meters.map(({ uid }) => uid) : [''])
        .execute();
      for (const meter of meters) {
        const values = {
          device_id: meter.deviceId,
          metric: meter.metric,
          council_site: meter.site,
          measure_name: meter.measure,
          starts_at: meter.startsAt,
          ends_at: toTime(meter.endsAt),
          verified_on: meter.verifiedOn,
          next_verification: meter.nextVerification,
          pipe: meter.pipe,
          m3_per_unit: meter.m3PerUnit,
          is_by_volume: meter.isByVolume,
        };
        await trx
          .insertInto('take_meter')
          .values({ farm_id: farmId, take_id: takeId, uid: meter.uid, ...values })
          .onConflict((conflict) => conflict.column('uid').doUpdateSet(values))
          .execute();
      }
    },

    async remove(trx: Db, farmId: number, uid: string): Promise<boolean> {
      const { numDeletedRows } = await trx
        .deleteFrom('water_take')
        .where('farm_id', '=', farmId)
        .where('uid', '=', uid)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}
export type TakesRepo = ReturnType<typeof createTakesRepo>;

const toColumns = (take: TakeEntries) => ({
  consent_no: take.consentNo,
  holder: take.holder,
  council: take.council,
  source: take.source,
  max_l_s: take.maxLps,
  max_m3_day: take.maxM3Day,
  max_m3_7day: take.maxM37Day,
  max_m3_year: take.maxM3Year,
  valid_from: take.validFrom,
  valid_to: take.validTo,
  restriction_note: take.restrictionNote,
  restrictions: JSON.stringify(take.restrictions),
});

const readTakes = (db: Db, farmId: number) =>
  db
    .selectFrom('water_take')
    .select([
      'id',
      'uid',
      'consent_no as consentNo',
      'holder',
      'council',
      'source',
      'max_l_s as maxLps',
      'max_m3_day as maxM3Day',
      'max_m3_7day as maxM37Day',
      'max_m3_year as maxM3Year',
      'valid_from as validFrom',
      'valid_to as validTo',
      'restriction_note as restrictionNote',
      'restrictions',
      'version',
      'updated_at as updatedAt',
    ])
    .where('farm_id', '=', farmId)
    .orderBy('consent_no')
    .orderBy('id')
    .execute();

async function readMeters(db: Db, farmId: number): Promise<MeterRow[]> {
  const rows = await db
    .selectFrom('take_meter as m')
    .innerJoin('device as d', (join) =>
      join.onRef('d.farm_id', '=', 'm.farm_id').onRef('d.id', '=', 'm.device_id'),
    )
    .select([
      'm.id',
      'm.uid',
      'm.take_id as takeId',
      'm.device_id as deviceId',
      'd.uid as deviceUID',
      'd.name as device',
      'd.deleted_at as deletedAt',
      'm.metric',
      'm.council_site as site',
      'm.measure_name as measure',
      'm.starts_at as startsAt',
      'm.ends_at as endsAt',
      'm.verified_on as verifiedOn',
      'm.next_verification as nextVerification',
      'm.pipe',
      'm.m3_per_unit as m3PerUnit',
      'm.is_by_volume as isByVolume',
    ])
    .where('m.farm_id', '=', farmId)
    .orderBy('m.council_site')
    .orderBy('m.starts_at')
    .orderBy('m.id')
    .execute();
  return rows.map(({ deletedAt, ...row }) => ({ ...row, isGone: deletedAt !== null }));
}

const readRegisters = (db: Db, farmId: number): Promise<RegisterRow[]> =>
  db
    .selectFrom('take_reading as r')
    .leftJoin('account as a', 'a.id', 'r.account_id')
    .select((eb) => [
      'r.uid',
      'r.meter_id as meterId',
      'r.at',
      'r.register',
      'r.note',
      sql<string>`coalesce(nullif(${eb.ref('a.name')}, ''), ${eb.ref('a.email')}, '')`.as('by'),
    ])
    .where('r.farm_id', '=', farmId)
    .orderBy('r.at', 'desc')
    .orderBy('r.id', 'desc')
    .execute();
