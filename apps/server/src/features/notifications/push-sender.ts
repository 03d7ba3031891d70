import webPush from 'web-push';
import type { Db } from '../../db/client.ts';
import { cut } from '../../cut.ts';
import { SendFailure } from '../outbox/send-failure.ts';
import type { Sender } from '../outbox/send-outbox.ts';
import { createPushDevicesRepo } from './push-devices.repo.ts';
import { isPushAddress } from './push-hosts.ts';
import { readOrMakeVapidKeys } from './vapid-keys.ts';

export interface PushSettings {
  readonly db: Db;
  /** Where the push service finds us: `https://…` or `mailto:…`. */
  readonly subject: string;
  readonly pushHosts: readonly string[];
  /** A browser lost its subscription: its account's pages are told. */
  readonly onChanged: (accountId: number) => void;
}

const TIMEOUT_MS = 10_000;
/** A message that could not be delivered for a day is of no use, s. */
const TTL_S = 86_400;
/** RFC 8291: 4,096 bytes, less the header of the encryption. */
const PAYLOAD_MAX_BYTES = 3900;
const PACE = { perMinute: 600, perRecipientAndHour: 60 };

/** To a browser, through its maker's push service, encrypted for this browser alone. */
export function createPushSender({ db, subject, pushHosts, onChanged }: PushSettings): Sender {
  const devices = createPushDevicesRepo(db);

  async function forget(uid: string, accountId: number, why: string): Promise<never> {
    await devices.forget(uid);
    onChanged(accountId);
    throw new SendFailure(why, 'for ever');
  }

  return {
    way: 'push',
    pace: PACE,
    async send({ recipient, body }, now) {
      const device = await devices.byUid(recipient);
      if (!device) throw new SendFailure('This browser takes no push messages any more.', 'for ever');
      const isPast = device.expires_at !== null && device.expires_at <= now;
      if (isPast || !isPushAddress(device.endpoint, pushHosts))
        return forget(recipient, device.account_id, 'The subscription of this browser has ended.');
      const status = await post(device, body, { subject, ...(await readOrMakeVapidKeys(db, now)) });
      if (status === 404 || status === 410)
        return forget(recipient, device.account_id, `The push service answered ${status}: it is gone.`);
      if (status < 200 || status > 299) throw new SendFailure(`The push service answered ${status}.`, 'this');
    },
  };
}

async function post(
  device: { endpoint: string; p256dh: string; auth: string },
  body: string,
  vapidDetails: { subject: string; publicKey: string; privateKey: string },
): Promise<number> {
  const { endpoint, p256dh, auth } = device;
  const request = detailsOf({ endpoint, keys: { p256dh, auth } }, fitting(body), vapidDetails);
  try {
    const reply = await fetch(request.endpoint, {
      method: request.method,
      headers: request.headers as Record<string, string>,
      body: request.body ? new Uint8Array(request.body) : null,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await reply.body?.cancel();
    return reply.status;
  } catch (error) {
    const cause =
      error instanceof Error ? ((error.cause as { code?: string } | undefined)?.code ?? error.name) : '';
    throw new SendFailure(`The push service did not answer: ${cause}.`, 'this');
  }
}

function detailsOf(...[subscription, body, vapidDetails]: Parameters<typeof encrypt>) {
  try {
    return encrypt(subscription, body, vapidDetails);
  } catch {
    throw new SendFailure('The keys of this subscription are not valid.', 'for ever');
  }
}

const encrypt = (
  subscription: webPush.PushSubscription,
  body: string,
  vapidDetails: { subject: string; publicKey: string; privateKey: string },
) =>
  webPush.generateRequestDetails(subscription, body, {
    TTL: TTL_S,
    vapidDetails,
    contentEncoding: 'aes128gcm',
  });

/** A long message is cut rather than lost. */
function fitting(body: string): string {
  if (Buffer.byteLength(body) <= PAYLOAD_MAX_BYTES) return body;
  const { title, message, link } = JSON.parse(body) as { title: string; message: string; link: string };
  return JSON.stringify({
    title: cut(title, 200),
    message: `${cut(message, 500)}…`,
    link: cut(link, 300),
  });
}
