import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import type { By } from '../devices/record-change.ts';
import { removeRecords } from '../devices/remove-records.ts';
import type { GatewaysService } from '../gateways/gateways.service.ts';

/** Takes devices off the farm: gateways one by one, for their keys, all others at once. What is to be done after the commit. */
export async function takeDevicesOff(
  trx: Db,
  farmId: number,
  rows: readonly DeviceRow[],
  gateways: Pick<GatewaysService, 'takeOff'>,
  by: By,
): Promise<(() => void)[]> {
  const others = rows.filter(({ kind }) => kind !== 'gateway');
  if (others.length > 0) await removeRecords(trx, farmId, others, by);
  const afterwards: (() => void)[] = [];
  for (const row of rows) if (row.kind === 'gateway') afterwards.push(await gateways.takeOff(trx, row, by));
  return afterwards;
}
