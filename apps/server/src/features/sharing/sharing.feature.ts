import type { Db } from '../../db/client.ts';
import type { Core, Feature } from '../../feature.ts';
import { EACH_MINUTE } from '../../jobs/rhythm.ts';
import type { AccessFeature } from '../access/access.feature.ts';
import type { Messages } from '../messages/messages.ts';
import { endShares } from './end-shares.ts';
import { createSharersSecondStep, type SharersSecondStepService } from './sharers-second-step.service.ts';
import { sharingRoutes } from './sharing.routes.ts';

export interface SharingFeature extends Feature {
  /** This account's last factor was removed: its person hears which farms that shuts. */
  secondStepEnded(accountId: number, now: Date, trx: Db): Promise<void>;
  /** An owner asks the people they share with for a second step, or no more: who it is was proved. */
  requireSecondStep: SharersSecondStepService['set'];
}

/** Farms and accounts shared with others. */
export function createSharingFeature(
  { db, log, now }: Core,
  { messages, access }: { messages: Messages; access: AccessFeature },
): SharingFeature {
  const context = { db, messages, accessChanged: access.accessChanged, log };
  const secondStep = createSharersSecondStep(context);
  return {
    secondStepEnded: secondStep.ended,
    requireSecondStep: secondStep.set,
    routes: (mount) => sharingRoutes(mount, context, { access: access.service, secondStep }),
    jobs: [
      // Writes down and tells what ended by itself.
      { name: 'ended shares', everyMs: EACH_MINUTE, run: () => endShares(context, now()) },
      { name: 'second steps asked for', everyMs: EACH_MINUTE, run: () => secondStep.remind(now()) },
    ],
  };
}
