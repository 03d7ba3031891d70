import type { QueryClient } from '@tanstack/react-query';
import { globalSettingsQuery } from '../../preferences/settings.queries.ts';
import { change, pushDevicesQuery } from './notifications.queries.ts';
import { keyOf, pushSubscription, rememberSubscription, subscribe } from './push.ts';

/**
 * The server sends to this browser: what it sends to must be what the browser has. A subscription that was lost or replaced, or made for
 * another key of the server, is made anew, unless the browser's person has forbidden messages since; settings offer it then.
 */
export async function mendPush(queryClient: QueryClient): Promise<void> {
  const [devices, subscription, { vapidPublicKey }] = await Promise.all([
    queryClient.fetchQuery(pushDevicesQuery),
    pushSubscription(),
    queryClient.fetchQuery(globalSettingsQuery),
  ]);
  const listed = devices.find(({ isThis }) => isThis);
  if (!listed) return;
  const isSame = subscription && (await hashOf(subscription.endpoint)) === listed.endpointHash;
  if (subscription && isSame && keyOf(subscription) === vapidPublicKey)
    return rememberSubscription(subscription);
  if (Notification.permission !== 'granted') return;
  const deviceId = await subscribe(vapidPublicKey);
  change(queryClient, (before) => ({ ...before, deviceId }));
  await queryClient.invalidateQueries({ queryKey: pushDevicesQuery.queryKey });
}

async function hashOf(endpoint: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
