import type { PoolClient } from 'pg';
import type { WaterApplication } from '@headrace/contract/farms';
import { millimetresPerMinute } from '@headrace/contract/rules/water-application';
import { ofUnits, type UnitKey, unitKeyArrays } from '../../db/unit-keys.ts';

/** What a sprinkler gives. */
export interface UnitRates {
  readonly lps: number;
  /** As of a full circle. */
  readonly mmPerMin: number;
  /** It waters a part of a circle. */
  readonly isPart: boolean;
}

/** What groups are set to, where those that are set agree. */
const agreed = 'case when count(distinct g.wal_config) = 1 then min(g.wal_config::text)::jsonb end';
const setGroups = (farmId: string) =>
  `device_group_member m join device_group g on g.farm_id = m.farm_id and g.id = m.group_id
    where m.farm_id = ${farmId} and g.wal_config is not null`;

/** What a device's groups are set to, where those that are set agree; else what its farm is. */
export const waterOf = (farmId: string, deviceId: string): string => `coalesce((
    select ${agreed} from ${setGroups(farmId)} and m.device_id = ${deviceId}),
  (select f.wal_config from farm f where f.id = ${farmId}))`;

/** The first of that of all devices whose groups are set: of thousands, one by one takes twenty times as long. */
export const agreedWaters = (farmId: string): string =>
  `(select m.device_id, ${agreed} as water from ${setGroups(farmId)} group by m.device_id)`;

/** Whether a device's sprinkler waters a part of a circle. */
export const isPartOf = (device: string): string =>
  `coalesce((${device}.settings->>'isPartSprinkler')::boolean, false)`;

export const ratesOf = (water: WaterApplication, isPart: boolean): UnitRates => ({
  lps: water.sprinklerFlow,
  mmPerMin: millimetresPerMinute(water),
  isPart,
});

const text = `select k.device_id as "deviceId", ${waterOf('k.farm_id', 'k.device_id')} as water, ${isPartOf('d')} as "isPart"
  from ${ofUnits}
  join device d on d.farm_id = k.farm_id and d.id = k.device_id`;

/** What these sprinklers give as it is set now, by device. */
export async function readRates(
  client: PoolClient,
  units: readonly UnitKey[],
): Promise<ReadonlyMap<number, UnitRates>> {
  if (units.length === 0) return new Map();
  const { rows } = await client.query<{ deviceId: number; water: WaterApplication; isPart: boolean }>({
    name: 'unit-rates',
    text,
    values: unitKeyArrays(units),
  });
  return new Map(rows.map(({ deviceId, water, isPart }) => [deviceId, ratesOf(water, isPart)]));
}
