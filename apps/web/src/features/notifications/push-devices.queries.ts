import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { PushDevice } from '@headrace/contract/notifications';
import { ApiError, call } from '../../api/client.ts';
import { toast } from '../../ui/toasts.ts';
import { change, pushDevicesQuery } from './notifications.queries.ts';
import { hasPush, pushSubscription, subscribe, unsubscribe } from './push.ts';

/** Whether this browser itself has a subscription; what the server lists may be gone here. */
export const hasSubscriptionQuery = queryOptions({
  queryKey: ['push-subscription'],
  queryFn: async () => (await pushSubscription()) !== null,
  staleTime: 0,
});

/** `vapidPublicKey`: undefined when the installation's settings couldn't be loaded. */
export function useSubscribe(vapidPublicKey: string | undefined, onSubscribed: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => {
      if (!hasPush()) throw new UnsupportedError();
      return subscribe(vapidPublicKey ?? '');
    },
    onSuccess: (deviceId) => {
      change(queryClient, (before) => ({ ...before, deviceId }));
      toast.success('Subscribed successfully.');
      onSubscribed();
    },
    onError: (error) => {
      const isMissing = error instanceof UnsupportedError;
      toast.error(
        isMissing ? 'Sorry, this platform is not supported.' : "Couldn't subscribe to Push Notifications.",
      );
    },
    onSettled: () => renew(queryClient),
  });
}

class UnsupportedError extends Error {}

/** Why it failed and what to do, for below the button. Null: the toast says it all. */
export function whyNotSubscribed(error: Error | null): string | null {
  if (error === null || error instanceof UnsupportedError) return null;
  if (error instanceof ApiError) return error.message;
  if (error.name === 'NotAllowedError')
    return "This browser doesn't let Headrace show notifications. Allow them in its settings for this site, then try again.";
  return "This browser's push service didn't answer. Check the connection and try again.";
}

/** Removes one of the account's browsers; this one is unsubscribed as well, and its id forgotten. */
export function useRemoveDevice() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, isThis }: PushDevice) => {
      await call('DELETE /notification/remove-device', { query: { id } });
      // Nothing is sent to it any more, whatever the browser says.
      if (isThis) await unsubscribe().catch(() => undefined);
    },
    onSuccess: (_reply, { id }) => {
      change(queryClient, (before) => (before.deviceId === id ? { ...before, deviceId: null } : before));
      toast.success('Unsubscribed successfully.');
    },
    onError: () => toast.error("Sorry, couldn't unsubscribe."),
    onSettled: () => renew(queryClient),
  });
}

const renew = (queryClient: QueryClient) =>
  Promise.all(
    [pushDevicesQuery, hasSubscriptionQuery].map(({ queryKey }) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );
