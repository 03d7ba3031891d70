import { sensorTypes } from '@headrace/contract/sensor-types';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { forbidden } from '../../http/errors.ts';

type Typed = Partial<Pick<DeviceRow, 'kind' | 'type'>>;

const isTankUnit = ({ kind, type }: Typed) => kind === 'sensor' && type === sensorTypes.TLM_V3;

/**
 * Throws forbidden when a device would become a tank unit and the farm's owner has no tank telemetry. What is one already
 * stays one and is changed as ever.
 */
export async function refuseNewTank(
  trx: Db,
  farmId: number,
  after: Typed,
  before: Typed = {},
): Promise<void> {
  if (!isTankUnit(after) || isTankUnit(before)) return;
  const owner = await trx
    .selectFrom('farm')
    .innerJoin('account', 'account.id', 'farm.owner_id')
    .select('account.tlm_subscription')
    .where('farm.id', '=', farmId)
    .executeTakeFirst();
  if (owner?.tlm_subscription !== true)
    throw forbidden(
      "Tank telemetry is not part of this farm's subscription. Please ask for it at /tlm/signup.",
    );
}
