import { UPLINKS_KEPT } from '@headrace/contract/limits';
import type { Db } from '../../db/client.ts';
import type { Messages } from '../messages/messages.ts';
import { notifyFarm } from '../messages/notify-farm.ts';

/** Tells the farm's people that a codec isn't run any more, and leads to a sensor that it was decoding. */
export async function tellSwitchedOff(
  { db, messages }: { db: Db; messages: Pick<Messages, 'notify'> },
  { farmId, name, reason }: { farmId: number; name: string; reason: string },
  now: Date,
): Promise<void> {
  const codec = await db
    .selectFrom('codec as c')
    .innerJoin('farm as f', 'f.id', 'c.farm_id')
    .select(['c.id', 'c.off_at', 'f.uid as farmUid', 'f.name as farmName'])
    .where('c.farm_id', '=', farmId)
    .where('c.name', '=', name)
    .executeTakeFirst();
  if (!codec?.off_at) return;
  const sensor = await db
    .selectFrom('device')
    .select('uid')
    .where('farm_id', '=', farmId)
    .where('deleted_at', 'is', null)
    .where('codec_id', '=', codec.id)
    .executeTakeFirst();
  await notifyFarm(
    { db, messages },
    farmId,
    {
      title: `Codec ${name} is switched off`,
      message: `On ${codec.farmName} ${reason}. Its sensors get no new values until it is mended or another one is chosen; their messages are kept for ${UPLINKS_KEPT.days} days and can then be decoded.`,
      ...(sensor && { link: `/sensor-device/${codec.farmUid}/${sensor.uid}` }),
      isMinor: true,
      dedupeKey: `codec ${codec.id} switched off ${codec.off_at.toISOString()}`,
    },
    now,
  );
}
