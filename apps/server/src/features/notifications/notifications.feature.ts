import type { Core, Feature } from '../../feature.ts';
import { createNotificationsRepo } from './notifications.repo.ts';
import { notificationsRoutes } from './notifications.routes.ts';
import { createNotificationsService } from './notifications.service.ts';
import { registerOneClick } from './one-click.ts';
import { createPushDevicesRepo } from './push-devices.repo.ts';
import { createPushDevicesService } from './push-devices.service.ts';

export interface NotificationsFeature extends Feature {
  /** The name of a browser that takes push messages, by its uid; empty where it is gone. */
  readonly browserOf: (accountId: number, uid: string) => Promise<string>;
}

/** What people were told, and by which ways they want to hear. `pushHosts`: besides those of the usual browsers. */
export function createNotificationsFeature(
  { db, live, now }: Core,
  { pushHosts = [] }: { pushHosts?: readonly string[] },
): NotificationsFeature {
  const onChanged = (accountId: number) => live.notificationsChanged(accountId);
  const devices = createPushDevicesRepo(db);
  const pushDevices = createPushDevicesService(devices, { pushHosts, onChanged });
  const service = createNotificationsService(createNotificationsRepo(db), devices, { onChanged });
  return {
    routes: (mount) => notificationsRoutes(mount, service, pushDevices),
    pages: (http) => registerOneClick(http, service, now),
    browserOf: pushDevices.nameOf,
    liveSources: {
      notifications: ({ accountId, tokenHash }) => service.openingFrame(accountId, tokenHash),
      setNotificationPreferences: async ({ accountId }, wanted, at) =>
        void (await service.setPreferences(accountId, wanted, at)),
    },
  };
}
