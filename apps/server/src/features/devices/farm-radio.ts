import { sql } from 'kysely';
import type { Radio } from '@headrace/contract/rules/spare-readiness';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';

/** Of a farm that has no units yet. spec 2 §5 */
export const FIRST_RADIO: Radio = { farmId: '01:01', channel: 1 };

/** As entered of a unit. */
export function radioOf({ settings: { farmId, channel } }: Pick<DeviceRow, 'settings'>): Radio {
  return {
    farmId: typeof farmId === 'string' ? farmId : FIRST_RADIO.farmId,
    channel: Number(channel ?? FIRST_RADIO.channel),
  };
}

/** The radio farm id and channel that most of the sprinklers in service have; of several the least. null without any. */
export function mostUsedRadio(units: Iterable<Pick<DeviceRow, 'settings'>>): Radio | null {
  const found = new Map<string, { radio: Radio; units: number }>();
  for (const { settings } of units) {
    if (settings['isSpareUnit'] === true || settings['outOfService'] === true) continue;
    const radio = radioOf({ settings });
    const key = `${radio.farmId} ${radio.channel}`;
    const known = found.get(key);
    if (known) known.units += 1;
    else found.set(key, { radio, units: 1 });
  }
  const [most] = [...found.values()].toSorted(
    (one, other) => other.units - one.units || byRadio(one.radio, other.radio),
  );
  return most?.radio ?? null;
}

function byRadio(one: Radio, other: Radio): number {
  return (one.farmId < other.farmId ? -1 : Number(one.farmId > other.farmId)) || one.channel - other.channel;
}

const radioText = sql<string>`coalesce(settings->>'farmId', ${FIRST_RADIO.farmId})`;
const channelText = sql<number>`coalesce((settings->>'channel')::int, ${FIRST_RADIO.channel})`;
const units = (db: Db, farmId: number) =>
  db
    .selectFrom('device')
    .where('farm_id', '=', farmId)
    .where('kind', '=', 'sprinkler')
    .where('deleted_at', 'is', null)
    .select([radioText.as('farmId'), channelText.as('channel')]);

/** What was last entered on the farm. */
export async function lastRadio(db: Db, farmId: number): Promise<Radio> {
  const radio = await units(db, farmId)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return radio ?? FIRST_RADIO;
}
