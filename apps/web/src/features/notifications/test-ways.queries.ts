import { queryOptions } from '@tanstack/react-query';
import type { MessageProgress, NotificationWay } from '@headrace/contract/notifications';
import { call } from '../../api/client.ts';

const LOOK_EVERY_MS = 2000;
/** Of a receipt that may never come, ms. */
const LOOK_FOR_MS = 5 * 60_000;

/** How far the messages of a test got; looked at again while more can become of them. */
export const testProgressQuery = (id: string) => {
  const until = Date.now() + LOOK_FOR_MS;
  return queryOptions({
    queryKey: ['notification-test', id],
    queryFn: ({ signal }) => call('GET /notification/test', { query: { id }, signal }),
    refetchInterval: ({ state }) => {
      const messages = state.data?.messages ?? [];
      const isOver = messages.length > 0 && messages.every(isFinal);
      return isOver || Date.now() > until ? false : LOOK_EVERY_MS;
    },
  });
};

/** Nobody ever says that a mail arrived; a browser does, and most providers of SMS. */
const isFinal = ({ way, state }: MessageProgress): boolean =>
  state !== 'queued' && !(state === 'sent' && way !== 'email');

const takers: Record<NotificationWay, string> = {
  sms: 'the SMS provider has it',
  push: "the browser's push service has it",
  email: 'the mail server has it',
};

const arrivals: Record<NotificationWay, string> = {
  sms: 'the phone has it, says the SMS provider',
  push: 'the browser showed it',
  email: '',
};

/** What became of a message, and no more than is known. */
export function progressText({ way, state, nextTryAt, reason }: MessageProgress): string {
  switch (state) {
    case 'queued':
      return nextTryAt === null ? 'Waits to be sent' : `Not sent yet, it is tried again. ${reason}`;
    case 'sent':
      return `Sent: ${takers[way]}`;
    case 'delivered':
      return `Arrived: ${arrivals[way]}`;
    case 'failed':
      return `Failed. ${reason}`;
    case 'expired':
      return 'Not sent in time';
    case 'cancelled':
      return 'Called off';
    default:
      return state satisfies never;
  }
}
