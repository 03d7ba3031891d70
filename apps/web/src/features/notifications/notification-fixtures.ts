import type { Notification, Notifications } from '@headrace/contract/notifications';
import { HOUR, uid } from '../../testing/fixtures.ts';

export const preferences = { sendSms: false, sendPush: false, sendEmail: false, sendAction: true };

export const buildNote = (n: number, over: Partial<Notification> = {}): Notification => ({
  _id: uid(n),
  title: `Note ${n}`,
  message: `What note ${n} says.`,
  isRead: false,
  at: new Date(Date.now() - n * HOUR).toISOString(),
  link: '',
  ...over,
});

export const buildNotifications = (
  list: Notification[],
  over: Partial<Notifications> = {},
): Notifications => ({
  list,
  count: list.filter(({ isRead }) => !isRead).length,
  hash: 'h',
  deviceId: null,
  ...preferences,
  ...over,
});
