import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';

type Pair = readonly [before: DeviceRow, after: DeviceRow];

/** Serial numbers and MACs that go from one device to another: each is free before it is taken. The caller writes who has them then. */
export async function freeIdentities(trx: Db, farmId: number, pairs: readonly Pair[]): Promise<void> {
  const moved = pairs.filter(
    ([before, after]) => before.mac !== after.mac || before.serial_number !== after.serial_number,
  );
  if (moved.length < 2) return;
  await sql`update device set mac = null, serial_number = ''
    where farm_id = ${farmId} and id = any(${moved.map(([{ id }]) => id)})`.execute(trx);
}
