import { commandTypes } from '@headrace/contract/command-types';
import { demoFarms } from '@headrace/demo/demo-farms';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { ApiFailure } from '../../http/errors.ts';
import type { CommandsService } from '../commands/commands.service.ts';

/** A demo that is older has a life of its own: nothing is sent there without somebody's asking. */
const NEW_FOR_MS = 3_600_000;

/** The newest of the sets that the seed makes. */
const NEWEST = 'Summer';

/** The demo's owner sends the newest set to a group that it has not reached, once its gateway is there; part of the group can't be. */
export async function sendFirst(db: Db, commands: Pick<CommandsService, 'send'>, now: Date): Promise<void> {
  for (const { irrigation, name } of demoFarms()) {
    const group = irrigation?.sendsTo;
    const farm = group && (await newFarm(db, name, now));
    const payload = farm && (await notYetSent(db, farm, group));
    if (!payload) continue;
    const order = { farmUID: farm.uid, type: commandTypes.SendScheduleSet, payload };
    await commands.send(farm, farm.owner_id, order, now).catch((error: unknown) => {
      // Its gateway isn't there yet, or knows no units so far: the next beat tries again.
      if (!(error instanceof ApiFailure)) throw error;
    });
  }
}

const newFarm = (db: Db, name: string, now: Date) =>
  db
    .selectFrom('farm')
    .selectAll()
    .where('is_demo', '=', true)
    .where('name', '=', name)
    .where('created_at', '>', new Date(now.getTime() - NEW_FOR_MS))
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

/** What is to be sent; undefined: something was sent to the farm before, or what it takes is gone. */
async function notYetSent(
  db: Db,
  { id }: FarmRow,
  group: string,
): Promise<{ groupUID: string; setUID: string } | undefined> {
  const found = await db
    .selectFrom('device_group as g')
    .innerJoin('schedule_set as s', 's.farm_id', 'g.farm_id')
    .select(['g.uid as groupUID', 's.uid as setUID'])
    .where('g.farm_id', '=', id)
    .where('g.name', '=', group)
    .where('s.name', '=', NEWEST)
    .where('s.deleted_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('command as c')
            .select('c.id')
            .where('c.farm_id', '=', id)
            .where('c.type', '=', commandTypes.SendScheduleSet),
        ),
      ),
    )
    .executeTakeFirst();
  return found;
}
