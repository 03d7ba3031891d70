import {
  addPushDevice,
  getNotifications,
  listPushDevices,
  movePushDevice,
  readAllNotifications,
  readNotification,
  removePushDevice,
  unsubscribe,
  updateNotificationPreferences,
} from '@headrace/contract/notifications';
import type { Mount } from '../../http/mount.ts';
import { deviceUidOf } from '../../http/device-uid.ts';
import type { NotificationsService } from './notifications.service.ts';
import type { PushDevicesService } from './push-devices.service.ts';

export function notificationsRoutes(
  mount: Mount,
  notifications: NotificationsService,
  devices: PushDevicesService,
): void {
  mount(getNotifications, ({ caller, request }) =>
    notifications.ofAccount(caller.accountId, deviceUidOf(request)),
  );
  mount(readNotification, async ({ caller, query }) => {
    await notifications.read(caller.accountId, query.id.toLowerCase());
    return { success: true };
  });
  mount(readAllNotifications, async ({ caller }) => {
    await notifications.readAll(caller.accountId);
    return { success: true };
  });
  mount(updateNotificationPreferences, ({ caller, body, now }) =>
    notifications.setPreferences(caller.accountId, body, now),
  );
  mount(addPushDevice, ({ caller, body, request, now }) => {
    const browser = {
      deviceUid: deviceUidOf(request),
      address: request.ip,
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 250),
    };
    return devices.add(caller.accountId, body, browser, now);
  });
  mount(movePushDevice, async ({ body }) => {
    await devices.move(body);
    return { success: true };
  });
  mount(unsubscribe, async ({ body, now }) => ({ success: await notifications.unsubscribe(body.key, now) }));
  mount(listPushDevices, async ({ caller, request }) => ({
    subscriptions: await devices.ofAccount(caller.accountId, deviceUidOf(request)),
  }));
  mount(removePushDevice, async ({ caller, query }) => {
    await devices.remove(caller.accountId, query.id.toLowerCase());
    return { success: true };
  });
}
