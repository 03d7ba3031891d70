import { createHash } from 'node:crypto';
import type { BodyOf } from '@headrace/contract/endpoint';
import type { addPushDevice, movePushDevice, PushDevice } from '@headrace/contract/notifications';
import { invalid, notFound } from '../../http/errors.ts';
import { browserName } from '../../http/browser-name.ts';
import type { Browser, PushDevicesRepo } from './push-devices.repo.ts';
import { isPushAddress } from './push-hosts.ts';

export const UNKNOWN_PUSH_SERVICE_TEXT =
  'This browser uses a push service that this server does not know. Please ask its operator to allow it.';

export interface PushDevicesOptions {
  /** Hosts of push services besides those of the usual browsers. */
  readonly pushHosts: readonly string[];
  readonly onChanged: (accountId: number) => void;
}

/** The browsers that take an account's push messages. */
export function createPushDevicesService(
  devices: PushDevicesRepo,
  { pushHosts, onChanged }: PushDevicesOptions,
) {
  return {
    /** Throws when the address is none of a push service. */
    async add(
      accountId: number,
      { endpoint, expirationTime, p256dh, auth }: BodyOf<typeof addPushDevice>,
      browser: Browser,
      now: Date,
    ): Promise<{ id: string }> {
      if (!isPushAddress(endpoint, pushHosts)) throw invalid(UNKNOWN_PUSH_SERVICE_TEXT, 'endpoint');
      const subscription = { endpoint, expiresAt: timeOf(expirationTime), p256dh, auth };
      const { uid, former } = await devices.add(accountId, subscription, browser, now);
      for (const id of new Set([accountId, ...former])) onChanged(id);
      return { id: uid };
    },

    /** Answers the same where nothing has these secrets: whoever guesses learns nothing. */
    async move({ before, ...now }: BodyOf<typeof movePushDevice>): Promise<void> {
      if (!isPushAddress(now.endpoint, pushHosts)) throw invalid(UNKNOWN_PUSH_SERVICE_TEXT, 'endpoint');
      const { endpoint, expirationTime, p256dh, auth } = now;
      const accountId = await devices.move(before, {
        endpoint,
        expiresAt: timeOf(expirationTime),
        p256dh,
        auth,
      });
      if (accountId !== null) onChanged(accountId);
    },

    /** Empty where the account has no such device any more. */
    async nameOf(accountId: number, uid: string): Promise<string> {
      const row = (await devices.ofAccount(accountId)).find((device) => device.uid === uid);
      return row ? browserName(row.user_agent) : '';
    },

    async ofAccount(accountId: number, deviceUid: string): Promise<PushDevice[]> {
      const rows = await devices.ofAccount(accountId);
      return rows.map((row) => ({
        id: row.uid,
        browser: browserName(row.user_agent),
        ip: row.address,
        createdAt: row.created_at.toISOString(),
        isThis: deviceUid !== '' && row.device_uid === deviceUid,
        endpointHash: createHash('sha256').update(row.endpoint).digest('hex'),
      }));
    },

    async remove(accountId: number, uid: string): Promise<void> {
      if (!(await devices.remove(accountId, uid))) throw notFound();
      onChanged(accountId);
    },
  };
}
export type PushDevicesService = ReturnType<typeof createPushDevicesService>;

/** Browsers give milliseconds since 1970. What is no time in this or the next century is taken as none. */
function timeOf(milliseconds: number | null | undefined): Date | null {
  const isTime = typeof milliseconds === 'number' && milliseconds > 0 && milliseconds < Date.UTC(2200, 0);
  return isTime ? new Date(milliseconds) : null;
}
