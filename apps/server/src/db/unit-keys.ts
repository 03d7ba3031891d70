import { numberArray } from './sql-arrays.ts';

/** A unit, as a row of its farm. */
export interface UnitKey {
  readonly farmId: number;
  readonly deviceId: number;
}

/** The units that a statement is about, as its table `k`: its first two parameters are their `unitKeyArrays`. */
export const ofUnits = 'unnest($1::int[], $2::int[]) as k (farm_id, device_id)';

export const unitKeyArrays = (units: readonly UnitKey[]): [farmIds: string, deviceIds: string] => [
  numberArray(units.map(({ farmId }) => farmId)),
  numberArray(units.map(({ deviceId }) => deviceId)),
];
