import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { ServerFrame } from '@headrace/contract/live';
import type { Notification, Notifications } from '@headrace/contract/notifications';
import { call, errorText } from '../../api/client.ts';
import { toast } from '../../ui/toasts.ts';

/** As many as the server lists. */
const SHOWN = 50;

/** The newest notifications, how many are unread, and by which ways the account wants to hear. */
export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: ({ signal }) => call('GET /notifications', { signal }),
  staleTime: Infinity,
});

/** When and by which ways the account wants to hear of alerts. */
export const notificationWaysQuery = queryOptions({
  queryKey: ['notification-ways'],
  queryFn: ({ signal }) => call('GET /notification/ways', { signal }),
});

/** What went by none of the ways that the account wants, and why. */
export const heldBackQuery = queryOptions({
  queryKey: ['notification-held-back'],
  queryFn: ({ signal }) => call('GET /notification/held-back', { signal }),
  refetchOnMount: 'always',
});

/** The browsers that take push messages for the account. */
export const pushDevicesQuery = queryOptions({
  queryKey: ['push-devices'],
  queryFn: async ({ signal }) => (await call('GET /notification/list-devices', { signal })).subscriptions,
});

type NotificationFrame = Extract<ServerFrame, { type: 'notifications' | 'new_notification' }>;

/** Takes in what the live connection says: the whole list, or one more. */
export function receiveNotification(queryClient: QueryClient, frame: NotificationFrame): void {
  if (frame.type === 'notifications') {
    queryClient.setQueryData(notificationsQuery.queryKey, frame.data);
    // The frame comes too when a browser subscribes or is removed.
    void queryClient.invalidateQueries({ queryKey: pushDevicesQuery.queryKey });
    return;
  }
  const { alert, ...note } = frame.data;
  if (alert) toast.live(note.message);
  change(queryClient, (before) => withNew(before, note));
}

/** Whether the account wants to be told in the app of what its commands did. It does unless it said otherwise. */
export const wantsActions = (queryClient: QueryClient): boolean =>
  queryClient.getQueryData(notificationsQuery.queryKey)?.sendAction ?? true;

export function change(queryClient: QueryClient, update: (before: Notifications) => Notifications): void {
  queryClient.setQueryData(notificationsQuery.queryKey, (before) => before && update(before));
}

function withNew(before: Notifications, note: Notification): Notifications {
  if (before.list.some(({ _id }) => _id === note._id)) return before;
  return { ...before, list: [note, ...before.list].slice(0, SHOWN), count: before.count + 1 };
}

const withRead = (before: Notifications, id: string): Notifications => ({
  ...before,
  list: before.list.map((note) => (note._id === id ? { ...note, isRead: true } : note)),
  count: Math.max(0, before.count - 1),
});

const withAllRead = (before: Notifications): Notifications => ({
  ...before,
  list: before.list.map((note) => ({ ...note, isRead: true })),
  count: 0,
});

/** Marks as read, here at once; where the server doesn't take it, as it was. */
export function useMarkRead(): { read: (id: string) => void; readAll: () => void } {
  const queryClient = useQueryClient();
  const onError = (error: Error) => {
    toast.error(errorText(error));
    void queryClient.invalidateQueries({ queryKey: notificationsQuery.queryKey });
  };
  const one = useMutation({
    mutationFn: (id: string) => call('PUT /notification', { query: { id } }),
    onMutate: (id) => change(queryClient, (before) => withRead(before, id)),
    onError,
  });
  const all = useMutation({
    mutationFn: () => call('PUT /notification/all-read'),
    onMutate: () => change(queryClient, withAllRead),
    onError,
  });
  return { read: one.mutate, readAll: all.mutate };
}
