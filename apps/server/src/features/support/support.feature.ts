import type { Core, Feature } from '../../feature.ts';
import { EACH_MINUTE } from '../../jobs/rhythm.ts';
import type { AccessFeature } from '../access/access.feature.ts';
import type { Messages } from '../messages/messages.ts';
import { supportRoutes } from './support.routes.ts';
import { createSupportService } from './support.service.ts';

/** The operator's staff on somebody's farm. */
export function createSupportFeature(
  { db, log, now }: Core,
  { messages, access }: { messages: Messages; access: AccessFeature },
): Feature {
  const service = createSupportService({ db, messages, accessChanged: access.accessChanged, log });
  return {
    routes: (mount) => supportRoutes(mount, service),
    jobs: [{ name: 'ended support', everyMs: EACH_MINUTE, run: () => service.endSessions(now()) }],
  };
}
