import type { Core, Feature } from '../../feature.ts';
import { EACH_MINUTE } from '../../jobs/rhythm.ts';
import type { AccessFeature } from '../access/access.feature.ts';
import type { Messages } from '../messages/messages.ts';
import { endShares } from './end-shares.ts';
import { sharingRoutes } from './sharing.routes.ts';

/** Farms and accounts shared with others. */
export function createSharingFeature(
  { db, log, now }: Core,
  { messages, access }: { messages: Messages; access: AccessFeature },
): Feature {
  const context = { db, messages, accessChanged: access.accessChanged, log };
  return {
    routes: (mount) => sharingRoutes(mount, context, access.service),
    // Writes down and tells what ended by itself.
    jobs: [{ name: 'ended shares', everyMs: EACH_MINUTE, run: () => endShares(context, now()) }],
  };
}
