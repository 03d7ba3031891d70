import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { ServerFrame } from '@headrace/contract/live';
import { call } from '../../api/client.ts';
import { toast } from '../../ui/toasts.ts';

/** The newest notifications, how many are unread, and by which ways the account wants to hear. */
export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: ({ signal }) => call('GET /notifications', { signal }),
  staleTime: Infinity,
});

type NotificationFrame = Extract<ServerFrame, { type: 'notifications' | 'new_notification' }>;

/** Takes in what the live connection says: the whole list, or one more. */
export function receiveNotification(queryClient: QueryClient, frame: NotificationFrame): void {
  if (frame.type === 'notifications') {
    queryClient.setQueryData(notificationsQuery.queryKey, frame.data);
    return;
  }
  if (frame.data.alert) toast.live(frame.data.message);
  void queryClient.invalidateQueries({ queryKey: notificationsQuery.queryKey });
}
