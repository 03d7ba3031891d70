import webPush from 'web-push';
import type { Db } from '../../db/client.ts';
import { cut } from '../../cut.ts';
import { againAfter, SendFailure } from '../outbox/send-failure.ts';
import type { Sender } from '../outbox/send-outbox.ts';
import { createPushDevicesRepo } from './push-devices.repo.ts';
import { isPushAddress } from './push-hosts.ts';
import { usableVapidKeys, type VapidKeys } from './vapid-keys.ts';

export interface PushSettings {
  readonly db: Db;
  /** Where the push service finds us: `https://…` or `mailto:…`. Null: not known, and nothing goes to Apple's. */
  readonly subject: string | null;
  readonly pushHosts: readonly string[];
  /** A browser lost its subscription: its account's pages are told. */
  readonly onChanged: (accountId: number) => void;
}

const TIMEOUT_MS = 10_000;
/** A message that could not be delivered for a day is of no use, s. */
const TTL_S = 86_400;
/** RFC 8291: 4,096 bytes, less the header of the encryption. */
const PAYLOAD_MAX_BYTES = 3900;
/** Apple's service refuses a token whose subject isn't real (403 BadJwtToken); the others take any. */
const NO_SUBJECT = 'mailto:operator@localhost';
const NO_APPLE_TEXT =
  "Apple's push service needs the operator's address: PUBLIC_URL as https, or MAIL_FROM. Nothing was sent.";
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
    async send({ recipient, body, expiresAt }, now) {
      const device = await devices.byUid(recipient);
      if (!device) throw new SendFailure('This browser takes no push messages any more.', 'for ever');
      const isPast = device.expires_at !== null && device.expires_at <= now;
      if (isPast || !isPushAddress(device.endpoint, pushHosts))
        return forget(recipient, device.account_id, 'The subscription of this browser has ended.');
      if (subject === null && isApple(device.endpoint)) throw new SendFailure(NO_APPLE_TEXT, 'for ever');
      const { status, location, retryAfter } = await postByEach(
        (await usableVapidKeys(db, now)).map((keys) => ({ subject: subject ?? NO_SUBJECT, ...keys })),
        (keys) => post(device, body, keys, secondsUntil(expiresAt, now)),
      );
      if (status === 404 || status === 410)
        return forget(recipient, device.account_id, `The push service answered ${status}: it is gone.`);
      if (status === 403)
        throw new SendFailure(
          'The push service refused our key: this browser has to subscribe again.',
          'for ever',
        );
      if (status < 200 || status > 299)
        throw new SendFailure(
          `The push service answered ${status}.`,
          'this',
          [],
          againAfter(retryAfter, now),
        );
      return { providerId: location };
    },
  };
}

const isApple = (endpoint: string): boolean => new URL(endpoint).hostname.endsWith('.push.apple.com');

const secondsUntil = (expiresAt: Date | null, now: Date): number =>
  expiresAt === null ? TTL_S : Math.min(TTL_S, Math.max(0, Math.floor((+expiresAt - +now) / 1000)));

type Vapid = { subject: string } & VapidKeys;

/** Firefox's push service answers 401 to another key than that of the subscription, the others 403. */
const isRefusedKey = (status: number): boolean => status === 401 || status === 403;

/** By the first pair that the push service takes. */
async function postByEach(
  [keys, ...others]: readonly Vapid[],
  post: (keys: Vapid) => Promise<PushReply>,
): Promise<PushReply> {
  if (!keys) throw new Error('There is no pair of keys to send by.');
  const reply = await post(keys);
  return isRefusedKey(reply.status) && others.length > 0 ? postByEach(others, post) : reply;
}

interface PushReply {
  readonly status: number;
  /** What the push service calls the message. */
  readonly location: string | undefined;
  readonly retryAfter: string | null;
}

async function post(
  device: { endpoint: string; p256dh: string; auth: string },
  body: string,
  vapidDetails: Vapid,
  ttl: number,
): Promise<PushReply> {
  const { endpoint, p256dh, auth } = device;
  const request = detailsOf({ endpoint, keys: { p256dh, auth } }, body, vapidDetails, ttl);
  try {
    const reply = await fetch(request.endpoint, {
      method: request.method,
      headers: request.headers as Record<string, string>,
      body: request.body ? new Uint8Array(request.body) : null,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await reply.body?.cancel();
    return {
      status: reply.status,
      location: reply.headers.get('location')?.slice(0, 500),
      retryAfter: reply.headers.get('retry-after'),
    };
  } catch (error) {
    const cause =
      error instanceof Error ? ((error.cause as { code?: string } | undefined)?.code ?? error.name) : '';
    throw new SendFailure(`The push service did not answer: ${cause}.`, 'this');
  }
}

function detailsOf(...given: Parameters<typeof encrypt>) {
  try {
    return encrypt(...given);
  } catch {
    throw new SendFailure('The keys of this subscription are not valid.', 'for ever');
  }
}

const encrypt = (subscription: webPush.PushSubscription, body: string, vapidDetails: Vapid, ttl: number) => {
  const message = JSON.parse(body) as PushMessage;
  const { topic } = message;
  return webPush.generateRequestDetails(subscription, fitting(message), {
    TTL: ttl,
    vapidDetails,
    contentEncoding: 'aes128gcm',
    ...(topic && { topic }),
    ...(message.isUrgent && { urgency: 'high' }),
  });
};

interface PushMessage {
  title: string;
  message: string;
  link: string;
  key?: string;
  topic?: string;
  isUrgent?: true;
}

/** A long message is cut rather than lost. */
function fitting(message: PushMessage): string {
  const whole = JSON.stringify(message);
  if (Buffer.byteLength(whole) <= PAYLOAD_MAX_BYTES) return whole;
  return JSON.stringify({
    ...message,
    title: cut(message.title, 200),
    message: `${cut(message.message, 500)}…`,
    link: cut(message.link, 300),
  });
}
