import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { tellServers } from '../../live/database-news.ts';
import type { Messages } from '../messages/messages.ts';
import { isFlooded } from './flood.ts';
import { writeChanges } from './life-writer.ts';
import type { Change } from './plan.ts';
import { tellPeople } from './tell-people.ts';

/** Stores what a look found, and tells people. */
export async function tellChanges(
  trx: Db,
  messages: Messages,
  farm: FarmRow,
  changes: readonly Change[],
  look: { recent: ReadonlyMap<string, number>; now: Date },
): Promise<void> {
  if (changes.length === 0) return;
  const touched = await writeChanges(trx, farm, changes, look);
  const isFlood = await isFlooded(trx, messages, farm, touched, look.now);
  // Of a return, and of what stayed away, one message tells.
  const back = new Set(
    changes.flatMap(({ facts, steps }) => (steps.includes('fired') ? (facts.back?.deviceId ?? []) : [])),
  );
  for (const one of touched) {
    const isSaid = one.what === 'ended' && one.deviceIds?.every((id) => back.has(id)) === true;
    const isQuiet =
      one.isQuiet === true || isSaid || (isFlood && one.what === 'began' && one.class !== 'urgent');
    await tellPeople(trx, messages, farm, { ...one, isQuiet }, look.now);
  }
  await tellServers(trx, { kind: 'records-changed', farmId: farm.id, record: 'alert', page: undefined });
}
