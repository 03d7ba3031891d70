import { sql } from 'kysely';
import type { Radio } from '@headrace/contract/rules/spare-readiness';
import type { Db } from '../../db/client.ts';

/** Of a farm that has no units yet. spec 2 §5 */
export const FIRST_RADIO: Radio = { farmId: '01:01', channel: 1 };

const radioText = sql<string>`coalesce(settings->>'farmId', ${FIRST_RADIO.farmId})`;
const channelText = sql<number>`coalesce((settings->>'channel')::int, ${FIRST_RADIO.channel})`;
const units = (db: Db, farmId: number) =>
  db
    .selectFrom('device')
    .where('farm_id', '=', farmId)
    .where('kind', '=', 'sprinkler')
    .where('deleted_at', 'is', null)
    .select([radioText.as('farmId'), channelText.as('channel')]);

/** The radio farm id and channel that most of the farm's sprinklers in service have; null without any. */
export async function radioOfFarm(db: Db, farmId: number): Promise<Radio | null> {
  const radio = await units(db, farmId)
    .where(sql<boolean>`coalesce((settings->>'isSpareUnit')::boolean, false) is false
      and coalesce((settings->>'outOfService')::boolean, false) is false`)
    .groupBy([sql`1`, sql`2`])
    .orderBy(sql`count(*)`, 'desc')
    .orderBy(sql`1`)
    .orderBy(sql`2`)
    .executeTakeFirst();
  return radio ?? null;
}

/** What was last entered on the farm. */
export async function lastRadio(db: Db, farmId: number): Promise<Radio> {
  const radio = await units(db, farmId)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return radio ?? FIRST_RADIO;
}
