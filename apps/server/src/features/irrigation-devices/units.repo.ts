import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import type { FarmUnits, Unit, UnitRecord } from './farm-units.ts';
import { remember } from '../../remember.ts';
import { unitLimits } from '../gateways/unit-limits.ts';
import { readGatewayLimits } from '../gateways/unit-limits.repo.ts';

/** A sprinkler as entered, with what it last said; null: it has not said. Times in epoch ms. */
export interface UnitRow extends Omit<UnitRecord, 'device_id' | 'gateway_id' | 'is_unit'> {
  readonly gateway_uid: string | null;
  /** Of a spare: another unit in use, here or elsewhere, has its serial number. */
  readonly has_twin: boolean;
  /** Of a spare: what its gateway calls a low battery (%) and a wrong clock (s). */
  readonly charge_limit: number;
  readonly clock_limit: number;
  readonly status_at: number | null;
  readonly charge: number | null;
  readonly charge_at: number | null;
  readonly clock: number | null;
  readonly mode: string | null;
  readonly polled_at: string | null;
  readonly groups: string[];
}

/** The gateways that the farm's sprinklers name, each once; null: some name none. */
export const unitGateways = (trx: Db, farmId: number): Promise<Pick<DeviceRow, 'gateway_id'>[]> =>
  trx
    .selectFrom('device')
    .select('gateway_id')
    .distinct()
    .where('farm_id', '=', farmId)
    .where('kind', '=', 'sprinkler')
    .where('deleted_at', 'is', null)
    .execute();

export function createUnitsRepo(db: Db, farmUnits: FarmUnits) {
  async function list(farmId: number): Promise<readonly UnitRow[]> {
    const [{ units, twins }, gateways, limits] = await Promise.all([
      farmUnits.withTwins(farmId),
      gatewayUids(db, farmId),
      readGatewayLimits(db, farmId),
    ]);
    const limitsOf = unitLimits(limits);
    return units.map((unit) => {
      const { id, gateway_id, settings } = unit.record;
      // Only spares are judged by them: the others stay the same objects.
      const { charge, clock } = settings['isSpareUnit'] === true ? limitsOf(gateway_id) : noLimits;
      return toRow(unit, twins.has(id), gateways.get(gateway_id ?? 0) ?? null, charge, clock);
    });
  }

  return {
    list,
    radio: (farmId: number) => farmUnits.radio(farmId),

    spares: async (farmId: number): Promise<UnitRow[]> =>
      (await list(farmId)).filter(({ settings }) => settings['isSpareUnit'] === true),

    one: async (farmId: number, deviceId: number): Promise<UnitRow | undefined> =>
      (await list(farmId)).find(({ id }) => id === deviceId),

    /** Of these uids, those of sprinklers on the farm. */
    async ids(
      trx: Db,
      farmId: number,
      uids: readonly string[],
    ): Promise<Pick<DeviceRow, 'id' | 'settings'>[]> {
      return trx
        .selectFrom('device')
        .select(['id', 'settings'])
        .where('farm_id', '=', farmId)
        .where('kind', '=', 'sprinkler')
        .where('deleted_at', 'is', null)
        .where(sql<boolean>`uid = any(${uids})`)
        .execute();
    },

    async counts(farmId: number): Promise<PodCounts> {
      const { rows } = await sql<PodCounts>`select count(*)::int as total,
          count(*) filter (where not (${isSpare} or ${isOut}))::int as "inService",
          count(*) filter (where ${isSpare})::int as spares,
          count(*) filter (where ${flag('isPlaceholder')})::int as placeholders,
          coalesce(array_agg(distinct coalesce(d.settings->>'farmId', '01:01')), '{}') as "farmIds",
          coalesce(array_agg(distinct coalesce((d.settings->>'channel')::int, 1)), '{}') as channels
        from device d where d.farm_id = ${farmId} and d.kind = 'sprinkler' and d.deleted_at is null`.execute(
        db,
      );
      const [counts] = rows;
      return counts ?? { total: 0, inService: 0, spares: 0, placeholders: 0, farmIds: [], channels: [] };
    },

    /** The numbers of entries that the units say they hold become 0 until they report again. */
    async forgetScheduleNumbers(trx: Db, farmId: number): Promise<void> {
      await sql`update latest l set value = 0 from series s join device d on d.farm_id = s.farm_id and d.id = s.device_id
        where l.farm_id = ${farmId} and s.farm_id = ${farmId} and s.id = l.series_id and s.metric = 'scheduleNum'
          and d.kind = 'sprinkler' and d.deleted_at is null`.execute(trx);
    },
  };
}
export type UnitsRepo = ReturnType<typeof createUnitsRepo>;

interface PodCounts {
  total: number;
  inService: number;
  spares: number;
  placeholders: number;
  farmIds: string[];
  channels: number[];
}

/** Of device `d`. */
const flag = (name: string): RawBuilder<boolean> =>
  sql<boolean>`coalesce((d.settings->>${sql.lit(name)})::boolean, false)`;
const isSpare = flag('isSpareUnit');
const isOut = flag('outOfService');

/** By id. */
async function gatewayUids(db: Db, farmId: number): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('device')
    .select(['id', 'uid'])
    .where('farm_id', '=', farmId)
    .where('kind', '=', 'gateway')
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, uid }) => [id, uid]));
}

const noLimits = { charge: 0, clock: Number.MAX_VALUE };

const toRow = remember(
  (
    { record, value, fact, status_at, groups }: Unit,
    hasTwin: boolean,
    gatewayUid: string | null,
    chargeLimit: number,
    clockLimit: number,
  ): UnitRow => {
    const charge = value('charge');
    return {
      ...record,
      gateway_uid: gatewayUid,
      has_twin: hasTwin,
      charge_limit: chargeLimit,
      clock_limit: clockLimit,
      status_at,
      charge: charge?.value ?? null,
      charge_at: charge?.at ?? null,
      clock: value('clock')?.value ?? null,
      mode: fact('mode'),
      polled_at: fact('polledAt'),
      groups: groups.map(({ uid }) => uid),
    };
  },
);
