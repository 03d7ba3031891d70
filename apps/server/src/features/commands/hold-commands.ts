import { commandTypes } from '@headrace/contract/command-types';
import type { FarmRow } from '../../db/schema.ts';
import { ApiFailure } from '../../http/errors.ts';
import type { KeepHold, Sender, Sent } from './commands-options.ts';
import { nobodyIsNull } from './released.ts';
import type { Sending } from './sending.ts';

/** What paddock holds begin and end with. */
export function createHoldCommands({ add, checkGateways, dispatch, intend, uninhibitsOf }: Sending) {
  return {
    /** Keeps sprinklers from watering for a while: Inhibit, with what `keep` keeps of it. */
    async hold(
      farm: FarmRow,
      accountId: number,
      { payload, keep }: { payload: { groupUID: string; uids?: string[] }; keep: KeepHold },
      now: Date,
    ): Promise<Sent> {
      const intended = await intend(farm, { farmUID: farm.uid, type: commandTypes.InhibitGroup, payload });
      checkGateways(intended, now);
      const by: Sender = { farm, accountId, requestId: undefined, now, hold: { is: 'begin', keep } };
      return dispatch(farm.id, await add(by, intended), intended.found);
    },

    /**
     * Lets sprinklers water again after a hold, until `until` at the latest; nobody's where a hold ends by itself. `keep` keeps each
     * command that it takes. None where none of them is there and in service, or all must not water for another reason by now.
     */
    async release(
      farm: FarmRow,
      accountId: number | null,
      { uids, until, note, keep }: { uids: string[]; until: Date; note: string; keep: KeepHold },
      now: Date,
    ): Promise<void> {
      const payload = { groupUID: 'FARM', uids };
      const asked = { farmUID: farm.uid, type: commandTypes.UninhibitGroup, payload };
      const intended = await intend(farm, asked).catch((error: unknown) => {
        if (error instanceof ApiFailure) return null;
        throw error;
      });
      if (!intended) return;
      const lifeMs = until.getTime() - now.getTime();
      const by: Sender = { farm, accountId, requestId: undefined, now, hold: { is: 'end', keep } };
      for (const one of await uninhibitsOf({ ...intended, note, lifeMs })) {
        const added = await add(by, { ...one, lifeMs: Math.min(one.lifeMs, lifeMs) }).catch(nobodyIsNull);
        if (added) dispatch(farm.id, added, intended.found);
      }
    },
  };
}
