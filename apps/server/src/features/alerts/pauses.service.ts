import type { Pause as PauseReply } from '@headrace/contract/alert-pauses';
import { farmClock } from '@headrace/contract/rules/alerts/alert-texts';
import type { PauseTime } from '@headrace/contract/rules/alerts/snooze-times';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { invalid, notFound } from '../../http/errors.ts';
import { tellServers } from '../../live/database-news.ts';
import { accountsWithFlag } from '../access/who-may-hear.ts';
import type { By } from '../devices/record-change.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { Messages } from '../messages/messages.ts';
import { type AlertRulesRepo, lockRules } from './alert-rules.repo.ts';
import { FARM } from './observation.ts';
import { nameOf, pause, resume } from './pauses.ts';
import { snoozeUntil } from './snooze-until.ts';

/** An alert, a device, or (neither) all of the farm. */
interface Named {
  readonly alertUID?: string | null;
  readonly deviceUID?: string;
}

interface Paused {
  readonly farmId: number;
  readonly ruleId: number;
  readonly deviceId: number;
  readonly name: string;
}

/** Work on the farm, or an alert that is known for now: what begins meanwhile is in the bell alone until a time. */
export function createPausesService(
  db: Db,
  rules: Pick<AlertRulesRepo, 'find' | 'device'>,
  messages: Pick<Messages, 'notify'>,
) {
  /** Throws notFound for what is none of the farm's, and invalid for an alert and a device at once. */
  async function pausedBy(farm: FarmRow, { alertUID, deviceUID }: Named, trx: Db): Promise<Paused> {
    const farmId = farm.id;
    if (alertUID && deviceUID)
      throw invalid('Please pause an alert or a device, not both at once.', 'deviceUID');
    if (deviceUID) {
      const device = await rules.device(farmId, deviceUID.toLowerCase(), trx);
      if (!device) throw notFound();
      return { farmId, ruleId: FARM, deviceId: device.id, name: `All alerts of ${device.name}` };
    }
    const deviceId = 0;
    if (!alertUID) return { farmId, ruleId: FARM, deviceId, name: 'All alerts' };
    const rule = await rules.find(farmId, alertUID.toLowerCase(), trx);
    if (!rule) throw notFound();
    return { farmId, ruleId: rule.id, deviceId, name: rule.name };
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
    async pause(farm: FarmRow, named: Named, time: PauseTime, by: By): Promise<PauseReply> {
      const until = new Date(snoozeUntil(farm, time, by.now.getTime()));
      const clock = farmClock(toZone(farm), until.getTime(), by.now.getTime());
      await db.transaction().execute(async (trx) => {
        await lockRules(trx, farm.id);
        const { name, ...what } = await pausedBy(farm, named, trx);
        await pause(trx, { ...what, until, accountId: by.accountId }, by.now);
        await tell(trx, farm, by, (who) => `${who} paused “${name}” until ${clock}.`);
      });
      return { until: until.toISOString(), text: `Paused until ${clock}.` };
    },

    async resume(farm: FarmRow, named: Named, by: By): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await lockRules(trx, farm.id);
        const { name, ...what } = await pausedBy(farm, named, trx);
        await resume(trx, what);
        await tell(trx, farm, by, (who) => `“${name}” is not paused any more: ${who} ended it.`);
      });
    },
  };
}
export type PausesService = ReturnType<typeof createPausesService>;
