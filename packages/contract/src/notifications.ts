import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { LineText, nullable, oneOf, Success, Time, Uid } from './schemas.ts';
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
  body: Type.Object({
    ...NotificationPreferences.properties,
    zone: Type.Optional(
      LineText({
        minLength: 1,
        maxLength: 60,
        description: "whose wall clock its person has: a farm's times name theirs where that is another",
      }),
    ),
  }),
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
  /** SHA-256 of its subscription's address, in hex: a browser compares it with what it has. */
  endpointHash: Type.String(),
});
export type PushDevice = Static<typeof PushDevice>;

/** What a browser's push service gives it. */
const pushSubscription = {
  endpoint: Type.String({ maxLength: 2000, pattern: '^https?://' }),
  expirationTime: Type.Optional(nullable(Type.Number())),
  p256dh: Type.String({ minLength: 80, maxLength: 100, pattern: '^[A-Za-z0-9_=-]+$' }),
  auth: Type.String({ minLength: 16, maxLength: 40, pattern: '^[A-Za-z0-9_=-]+$' }),
};

export const addPushDevice = defineEndpoint({
  key: 'POST /notification/add-device',
  tag: 'Notifications',
  summary: "Take this browser's push subscription",
  needs: needs.login,
  perMinute: 20,
  body: Type.Object(pushSubscription),
  reply: Type.Object({ id: Uid }),
});

/** Of a service worker, which has no session: it names the secrets of the subscription that its browser took from it. */
export const movePushDevice = defineEndpoint({
  key: 'POST /notification/move-device',
  tag: 'Notifications',
  summary: "A browser's push subscription was replaced by another: messages go there from now on",
  needs: needs.nothing,
  perMinute: 20,
  body: Type.Object({
    ...pushSubscription,
    before: Type.Object({ endpoint: pushSubscription.endpoint, auth: pushSubscription.auth }),
  }),
  reply: Success,
});

/** Of a service worker: it holds the key that came with the message. */
export const messageShown = defineEndpoint({
  key: 'POST /notification/shown',
  tag: 'Notifications',
  summary: 'A browser showed a push message',
  needs: needs.nothing,
  perMinute: 60,
  body: Type.Object({ key: Type.String({ minLength: 20, maxLength: 60, pattern: '^[A-Za-z0-9_-]+$' }) }),
  reply: Success,
});

/** Of whoever follows the link in a mail. Mail programs do it by `POST /unsubscribe` (RFC 8058). */
export const unsubscribe = defineEndpoint({
  key: 'POST /notification/unsubscribe',
  tag: 'Notifications',
  summary: 'No more notifications by e-mail, by the key of a mail',
  needs: needs.nothing,
  perMinute: 20,
  body: Type.Object({ key: Type.String({ minLength: 1, maxLength: 120, pattern: '^[A-Za-z0-9_.-]+$' }) }),
  reply: Type.Object({ success: Type.Boolean({ description: 'false: the key is none of ours' }) }),
});

const NotificationWay = oneOf(['sms', 'push', 'email']);
export type NotificationWay = Static<typeof NotificationWay>;

export const testNotification = defineEndpoint({
  key: 'POST /notification/test',
  tag: 'Notifications',
  summary: 'Send me a test by one way',
  needs: needs.login,
  perMinute: 6,
  body: Type.Object({ way: NotificationWay }),
  reply: Type.Object({ id: Uid }),
});

const messageStates = ['queued', 'sent', 'delivered', 'failed', 'expired', 'cancelled'] as const;

/** How far one message got. `sent`: somebody took it; `delivered`: somebody said that it arrived. */
export const MessageProgress = Type.Object({
  way: NotificationWay,
  /** A number, an address, or the browser's name. */
  to: Type.String(),
  state: oneOf(messageStates),
  at: Time,
  /** When it is tried again. */
  nextTryAt: nullable(Time),
  sentAt: nullable(Time),
  deliveredAt: nullable(Time),
  /** Why it didn't go, or the last try failed; empty for none. */
  reason: Type.String(),
});
export type MessageProgress = Static<typeof MessageProgress>;

export const testProgress = defineEndpoint({
  key: 'GET /notification/test',
  tag: 'Notifications',
  summary: 'How far the messages of a test got',
  needs: needs.login,
  query: Type.Object({ id: Uid }),
  reply: Type.Object({ messages: Type.Array(MessageProgress) }),
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
