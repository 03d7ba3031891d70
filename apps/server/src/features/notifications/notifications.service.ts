import { createHash } from 'node:crypto';
import type { ServerFrame } from '@headrace/contract/live';
import type { NotificationPreferences, Notifications } from '@headrace/contract/notifications';
import { isZone } from '../farm-clock/is-zone.ts';
import { invalid, notFound } from '../../http/errors.ts';
import type { NotificationsRepo } from './notifications.repo.ts';
import type { PushDevicesRepo } from './push-devices.repo.ts';

export const NO_MOBILE_TEXT = 'SMS needs a mobile number. Please add one to your account first.';

type Row = Awaited<ReturnType<NotificationsRepo['newest']>>[number];

export interface NotificationsServiceOptions {
  /** The list, its count or the preferences of an account are others now. */
  readonly onChanged: (accountId: number) => void;
}

export function createNotificationsService(
  notifications: NotificationsRepo,
  devices: PushDevicesRepo,
  { onChanged }: NotificationsServiceOptions,
) {
  async function preferencesOf(accountId: number) {
    const account = await notifications.recipient(accountId);
    if (!account) throw notFound();
    const preferences = {
      sendSms: account.send_sms,
      sendPush: account.send_push,
      sendEmail: account.send_email,
      sendAction: account.send_action,
    };
    return { preferences, hasMobile: account.mobile !== null };
  }

  /** The account's newest 50 for one of its browsers, which is told by its DeviceUID. */
  async function ofAccount(accountId: number, deviceUid: string): Promise<Notifications> {
    const rows = await notifications.newest(accountId);
    const { preferences } = await preferencesOf(accountId);
    return {
      list: rows.map(present),
      count: await notifications.unread(accountId),
      hash: hashOf(rows),
      ...preferences,
      deviceId: await devices.idOfBrowser(accountId, deviceUid),
    };
  }

  /** Throws when SMS is wanted and there is no number, and for a zone that there is none of. */
  async function setPreferences(
    accountId: number,
    { zone, ...wanted }: NotificationPreferences & { zone?: string },
    now: Date,
  ): Promise<NotificationPreferences> {
    const { hasMobile } = await preferencesOf(accountId);
    if (wanted.sendSms && !hasMobile) throw invalid(NO_MOBILE_TEXT, 'sendSms');
    if (zone !== undefined && !isZone(zone)) throw invalid('There is no such time zone.', 'zone');
    const { sendSms, sendPush, sendEmail, sendAction } = wanted;
    const preferences = { sendSms, sendPush, sendEmail, sendAction };
    await notifications.setPreferences(accountId, { ...preferences, ...(zone && { zone }) }, now);
    onChanged(accountId);
    return preferences;
  }

  return {
    ofAccount,
    setPreferences,

    async openingFrame(accountId: number, tokenHash: Buffer): Promise<ServerFrame> {
      const deviceUid = await devices.deviceUidOfSession(tokenHash);
      return { type: 'notifications', data: await ofAccount(accountId, deviceUid) };
    },

    async read(accountId: number, uid: string): Promise<void> {
      if (!(await notifications.read(accountId, uid))) throw notFound();
      onChanged(accountId);
    },

    /** False: the key is none of ours. */
    async unsubscribe(key: string, now: Date): Promise<boolean> {
      const accountId = await notifications.accountOfUnsubscribeKey(key);
      if (accountId === null) return false;
      const { preferences } = await preferencesOf(accountId);
      await notifications.setPreferences(accountId, { ...preferences, sendEmail: false }, now);
      onChanged(accountId);
      return true;
    },

    async readAll(accountId: number): Promise<void> {
      await notifications.readAll(accountId);
      onChanged(accountId);
    },
  };
}
export type NotificationsService = ReturnType<typeof createNotificationsService>;

const present = ({ uid, title, message, link, at, is_read }: Row) => ({
  _id: uid,
  title,
  message,
  link,
  isRead: is_read,
  at: at.toISOString(),
});

/** Changes with what is listed and what is read of it. */
function hashOf(rows: readonly Row[]): string {
  const facts = rows.map(({ uid, is_read }) => `${uid}${is_read ? 'r' : 'u'}`).join();
  return createHash('sha1').update(facts).digest('hex');
}
