import { call } from '../../api/client.ts';

/** Apple's devices, Macs too (iPads say that they are one): instant messages are not offered there. spec 1 §6 */
export const isAppleDevice = (): boolean => /iPhone|iPad|iPod|Macintosh/.test(navigator.userAgent);

/** Without https (but for localhost) a browser has no service worker. */
export const hasPush = (): boolean =>
  'serviceWorker' in navigator && typeof PushManager !== 'undefined' && typeof Notification !== 'undefined';

/** What this browser takes push messages with, or null. */
export async function pushSubscription(): Promise<PushSubscription | null> {
  if (!hasPush()) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/**
 * Subscribes this browser and tells the server. Returns the device's id. Fails as the browser does, or with an
 * ApiError; a subscription that the server doesn't take is ended again.
 */
export async function subscribe(vapidPublicKey: string): Promise<string> {
  await navigator.serviceWorker.register('/sw.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  const isOurs = before !== null && keyOf(before) === vapidPublicKey;
  // Made for another server key, it would be refused by the push service.
  if (!isOurs) await before?.unsubscribe();
  const subscription = isOurs
    ? before
    : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: vapidPublicKey });
  try {
    const { id } = await call('POST /notification/add-device', { body: bodyOf(subscription) });
    await rememberSubscription(subscription);
    return id;
  } catch (error) {
    await subscription.unsubscribe();
    throw error;
  }
}

/** This browser takes no more push messages; its push service tells whoever sends one. */
export async function unsubscribe(): Promise<void> {
  await (await pushSubscription())?.unsubscribe();
}

/** The service worker reads it when its push service replaces the subscription: some browsers don't say then what it was. */
export async function rememberSubscription(subscription: PushSubscription): Promise<void> {
  if (!('caches' in globalThis)) return;
  const { endpoint, auth } = bodyOf(subscription);
  const kept = { endpoint, auth, key: keyOf(subscription) };
  const cache = await caches.open('push-subscription');
  await cache.put('/push-subscription', Response.json(kept));
}

function bodyOf(subscription: PushSubscription) {
  const { endpoint, expirationTime, keys } = subscription.toJSON();
  return {
    endpoint: endpoint ?? '',
    expirationTime: expirationTime ?? null,
    p256dh: keys?.['p256dh'] ?? '',
    auth: keys?.['auth'] ?? '',
  };
}

/** The server key of a subscription, in base64url without padding as the server gives its own. */
export function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
