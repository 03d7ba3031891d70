import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { nullable, Success, Time, Uid } from './schemas.ts';
import { needs } from './permissions.ts';

export const Notification = Type.Object({
  _id: Uid,
  title: Type.String(),
  message: Type.String(),
  isRead: Type.Boolean(),
  at: Time,
  /** Path in the app that it is about; empty for none. */
  link: Type.String(),
});
export type Notification = Static<typeof Notification>;

export const NotificationPreferences = Type.Object({
  sendSms: Type.Boolean(),
  sendPush: Type.Boolean(),
  sendEmail: Type.Boolean(),
  sendAction: Type.Boolean(),
});
export type NotificationPreferences = Static<typeof NotificationPreferences>;

/** The newest 50, how many are unread, and the preferences: as the live connection gives it. */
export const Notifications = Type.Object({
  list: Type.Array(Notification),
  count: Type.Integer({ description: 'unread' }),
  hash: Type.String({ description: 'changes when the list does' }),
  ...NotificationPreferences.properties,
  deviceId: nullable(Type.String()),
});
export type Notifications = Static<typeof Notifications>;

export const getNotifications = defineEndpoint({
  key: 'GET /notifications',
  tag: 'Notifications',
  summary: 'The newest notifications, how many are unread, and the preferences',
  needs: needs.login,
  reply: Notifications,
});

export const readNotification = defineEndpoint({
  key: 'PUT /notification',
  tag: 'Notifications',
  summary: 'Mark one notification as read',
  needs: needs.login,
  query: Type.Object({ id: Uid }),
  reply: Success,
});

export const readAllNotifications = defineEndpoint({
  key: 'PUT /notification/all-read',
  tag: 'Notifications',
  summary: 'Mark all notifications as read',
  needs: needs.login,
  reply: Success,
});

export const updateNotificationPreferences = defineEndpoint({
  key: 'PUT /notification/settings',
  tag: 'Notifications',
  summary: 'By which ways the account wants to hear. SMS needs a mobile number',
  needs: needs.login,
  body: NotificationPreferences,
  reply: NotificationPreferences,
});

/** A browser that takes push messages. */
export const PushDevice = Type.Object({
  id: Uid,
  browser: Type.String(),
  ip: Type.String(),
  createdAt: Time,
  /** This browser, by the DeviceUID header. */
  isThis: Type.Boolean(),
});
export type PushDevice = Static<typeof PushDevice>;

export const addPushDevice = defineEndpoint({
  key: 'POST /notification/add-device',
  tag: 'Notifications',
  summary: "Take this browser's push subscription",
  needs: needs.login,
  perMinute: 20,
  body: Type.Object({
    endpoint: Type.String({ maxLength: 2000, pattern: '^https?://' }),
    expirationTime: Type.Optional(nullable(Type.Number())),
    p256dh: Type.String({ minLength: 80, maxLength: 100, pattern: '^[A-Za-z0-9_=-]+$' }),
    auth: Type.String({ minLength: 16, maxLength: 40, pattern: '^[A-Za-z0-9_=-]+$' }),
  }),
  reply: Type.Object({ id: Uid }),
});

export const listPushDevices = defineEndpoint({
  key: 'GET /notification/list-devices',
  tag: 'Notifications',
  summary: 'The browsers that take push messages for this account',
  needs: needs.login,
  reply: Type.Object({ subscriptions: Type.Array(PushDevice) }),
});

export const removePushDevice = defineEndpoint({
  key: 'DELETE /notification/remove-device',
  tag: 'Notifications',
  summary: 'Send no more push messages to a browser',
  needs: needs.login,
  query: Type.Object({ id: Uid }),
  reply: Success,
});
