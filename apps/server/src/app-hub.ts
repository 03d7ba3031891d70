import type { ServerFrame } from '@headrace/contract/live';
import type { Core, Feature } from './feature.ts';
import type { createAccessFeature } from './features/access/access.feature.ts';
import type { createLiveSessions } from './features/accounts/accounts.feature.ts';
import type { createNotificationsFeature } from './features/notifications/notifications.feature.ts';
import type { SprinklersFeature } from './features/sprinklers/sprinklers.feature.ts';
import { createLiveHub, type LiveHub } from './live/live-hub.ts';

interface HubParts {
  readonly features: readonly Feature[];
  readonly sessions: ReturnType<typeof createLiveSessions>;
  readonly access: ReturnType<typeof createAccessFeature>;
  readonly notifications: ReturnType<typeof createNotificationsFeature>;
  readonly sprinklers: SprinklersFeature;
}

/** Open pages, and what they are told when they open. */
export const hubOf = (
  core: Core,
  { features, sessions, access, notifications, sprinklers }: HubParts,
): LiveHub =>
  createLiveHub(
    {
      callerOf: sessions.callerOf,
      grantsOf: access.grantsOf,
      ...notifications.liveSources,
      sprinklers: sprinklers.service.some,
      sprinklerCounts: sprinklers.service.countsOf,
      openingFrames: (accountId, now) => framesOf(features, accountId, now),
    },
    core,
  );

async function framesOf(features: readonly Feature[], accountId: number, now: Date): Promise<ServerFrame[]> {
  const frames: ServerFrame[] = [];
  for (const { openingFrames } of features) frames.push(...((await openingFrames?.(accountId, now)) ?? []));
  return frames;
}
