import type { MessageProgress, NotificationWay } from '@headrace/contract/notifications';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import { invalid, notFound } from '../../http/errors.ts';
import type { MessageState } from './messages.ts';
import type { TestWaysOptions } from './test-ways.feature.ts';

type Way = MessageState['way'];

/** Whoever asked for it looks at it: later it is of no use, ms. */
const OF_USE_MS = 10 * 60_000;

const wayOf: Record<NotificationWay, Way> = { sms: 'sms', push: 'push', email: 'mail' };
const nameOf: Record<Way, NotificationWay> = { sms: 'sms', push: 'push', mail: 'email' };

const notSetUp: Record<Way, string> = {
  mail: 'This Headrace sends no e-mail yet: its operator has to set up a mail server.',
  sms: 'This Headrace sends no SMS yet: its operator has to set up an SMS provider.',
  push: '',
};
const nobodyThere: Record<Way, string> = {
  mail: 'Nothing to test: switch Email on, and confirm your address.',
  sms: 'Nothing to test: switch SMS on, and add a mobile number to your account.',
  push: 'Nothing to test: switch Instant Messages on, and subscribe a browser.',
};

export function createTestWaysService(db: Db, { messages, ways, browserOf }: TestWaysOptions) {
  async function present(accountId: number, row: MessageState): Promise<MessageProgress> {
    return {
      way: nameOf[row.way],
      to: row.way === 'push' ? await browserOf(accountId, row.recipient) : row.recipient,
      state: row.state,
      at: row.at.toISOString(),
      nextTryAt: row.state === 'queued' && row.tries > 0 ? isoOf(row.next_try_at) : null,
      sentAt: isoOf(row.sent_at),
      deliveredAt: isoOf(row.delivered_at),
      reason: row.error,
    };
  }

  return {
    /** Throws when the account doesn't hear by this way, or nobody does. */
    async send(accountId: number, name: NotificationWay, now: Date): Promise<{ id: string }> {
      const way = wayOf[name];
      if (!ways.includes(way)) throw invalid(notSetUp[way], 'way');
      const id = newUid(now);
      const note = {
        title: 'Headrace: a test',
        message: 'Messages by this way reach you.',
        link: '/?settings=alerts',
        dedupeKey: keyOf(id),
        expiresAt: new Date(now.getTime() + OF_USE_MS),
        isAwaited: true,
        isUrgent: true,
      } as const;
      const count = await db.transaction().execute((trx) => messages.sendBy(way, accountId, note, now, trx));
      if (count === 0) throw invalid(nobodyThere[way], 'way');
      return { id };
    },

    async progress(accountId: number, id: string): Promise<MessageProgress[]> {
      const rows = await messages.howFar(accountId, keyOf(id));
      if (rows.length === 0) throw notFound();
      return Promise.all(rows.map((row) => present(accountId, row)));
    },
  };
}

const keyOf = (id: string) => `test ${id}`;
const isoOf = (at: Date | null) => at?.toISOString() ?? null;
