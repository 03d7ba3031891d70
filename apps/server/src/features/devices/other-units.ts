import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { sqlClient } from '../../db/sql-client.ts';
import { standForOthers } from '../programmes/another-unit.ts';

type Pair = readonly [before: DeviceRow, after: DeviceRow];

/** A unit is known by its MAC: where a sprinkler's or repeater's is another now, what the one before it said isn't its word. */
export async function forgetOthers(trx: Db, farmId: number, pairs: readonly Pair[], at: Date): Promise<void> {
  const deviceIds = pairs.flatMap(([before, after]) => (isAnother(before, after) ? after.id : []));
  await standForOthers(sqlClient(trx), { farmId, deviceIds }, at);
}

const isAnother = (before: DeviceRow, after: DeviceRow): boolean =>
  (after.kind === 'sprinkler' || after.kind === 'repeater') && before.mac !== after.mac;
