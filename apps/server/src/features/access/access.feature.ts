import type { Core, Feature } from '../../feature.ts';
import { createAccessRepo } from './access.repo.ts';
import type { AccessListener } from '../../live/database-news.ts';
import { accessRoutes } from './access.routes.ts';
import { type AccessOptions, type AccessService, createAccessService } from './access.service.ts';
import { createRememberedAccess } from './remembered-access.ts';

export interface AccessFeature extends Feature {
  readonly service: AccessService;
  /** Until it hears of changes, rights are asked for each time. */
  readonly listener: AccessListener;
  /** This account's rights are others now: on all servers, and on its open pages. */
  accessChanged(accountId: number): Promise<void>;
  /** The same of several, where nobody waits for it. */
  onAccessChanged(accountIds: readonly number[]): void;
}

/** Who may do what on which farm. */
export function createAccessFeature(
  { db, log, live, now }: Core,
  sessions: AccessOptions['sessions'],
): AccessFeature {
  const remembered = createRememberedAccess();
  const service = createAccessService(createAccessRepo(db), { sessions, log, remembered });
  const permissionsFrame = async (accountId: number, at: Date) => ({
    type: 'permissions' as const,
    data: await service.permissionsOf(accountId, at),
  });
  async function accessChanged(accountId: number): Promise<void> {
    await live.accessChanged(accountId);
    live.toAccount(accountId, await permissionsFrame(accountId, now()));
  }
  return {
    service,
    listener: remembered.listener,
    routes: (mount) => accessRoutes(mount, service),
    openingFrames: async (accountId, at) => [await permissionsFrame(accountId, at)],
    liveSources: {
      grantsOf: async (accountId, at) =>
        (await service.grants(accountId, at)).map(({ farm, permissions, endsAt }) => ({
          endsAt,
          farmId: farm.id,
          farmUID: farm.uid,
          permissions,
        })),
    },
    accessChanged,
    onAccessChanged(accountIds) {
      for (const id of accountIds)
        void accessChanged(id).catch((err: unknown) => log.warn({ err }, 'new rights not told'));
    },
  };
}
