import type { Pause as PauseReply } from '@headrace/contract/alert-pauses';
import { farmClock } from '@headrace/contract/rules/alerts/alert-texts';
import type { PauseTime } from '@headrace/contract/rules/alerts/snooze-times';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { notFound } from '../../http/errors.ts';
import { tellServers } from '../../live/database-news.ts';
import { accountsWithFlag } from '../access/who-may-hear.ts';
import type { By } from '../devices/record-change.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { Messages } from '../messages/messages.ts';
import { type AlertRulesRepo, lockRules } from './alert-rules.repo.ts';
import { FARM } from './observation.ts';
import { nameOf, pause, resume } from './pauses.ts';
import { snoozeUntil } from './snooze-until.ts';

/** Work on the farm, or an alert that is known for now: what begins meanwhile is in the bell alone until a time. */
export function createPausesService(
  db: Db,
  rules: Pick<AlertRulesRepo, 'find'>,
  messages: Pick<Messages, 'notify'>,
) {
  async function ruleOf(farm: FarmRow, alertUid: string | null, trx: Db) {
    if (alertUid === null) return { id: FARM, name: 'All alerts' };
    const rule = await rules.find(farm.id, alertUid.toLowerCase(), trx);
    if (!rule) throw notFound();
    return rule;
  }

  /** The others hear it in the bell: they would take silence for calm. */
  async function tell(trx: Db, farm: FarmRow, by: By, text: (who: string) => string): Promise<void> {
    const message = text((await nameOf(trx, by.accountId)) ?? 'Somebody');
    for (const accountId of await accountsWithFlag(trx, farm.id, 'notifications', by.now))
      if (accountId !== by.accountId)
        await messages.notify(
          accountId,
          { title: `${farm.name}: alerts`, message, link: `/alerts?farm=${farm.uid}`, ways: [] },
          by.now,
          trx,
        );
    await tellServers(trx, { kind: 'records-changed', farmId: farm.id, record: 'alert', page: by.page });
  }

  return {
    async pause(farm: FarmRow, alertUid: string | null, time: PauseTime, by: By): Promise<PauseReply> {
      const until = new Date(snoozeUntil(farm, time, by.now.getTime()));
      const clock = farmClock(toZone(farm), until.getTime(), by.now.getTime());
      await db.transaction().execute(async (trx) => {
        await lockRules(trx, farm.id);
        const { id: ruleId, name } = await ruleOf(farm, alertUid, trx);
        await pause(trx, { farmId: farm.id, ruleId, until, accountId: by.accountId }, by.now);
        await tell(trx, farm, by, (who) => `${who} paused “${name}” until ${clock}.`);
      });
      return { until: until.toISOString(), text: `Paused until ${clock}.` };
    },

    async resume(farm: FarmRow, alertUid: string | null, by: By): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await lockRules(trx, farm.id);
        const { id: ruleId, name } = await ruleOf(farm, alertUid, trx);
        await resume(trx, farm.id, ruleId);
        await tell(trx, farm, by, (who) => `“${name}” is not paused any more: ${who} ended it.`);
      });
    },
  };
}
export type PausesService = ReturnType<typeof createPausesService>;
