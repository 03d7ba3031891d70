import type { Claimed, OutboxRepo, Pace, Taken, Way } from './outbox.repo.ts';
import { SendFailure } from './send-failure.ts';

/** One way of sending. Throws SendFailure; anything else it throws counts as a failure that may pass. */
export interface Sender {
  readonly way: Way;
  readonly pace: Pace;
  send(message: Claimed, now: Date): Promise<Taken>;
}

export interface SendOptions {
  readonly outbox: OutboxRepo;
  readonly senders: readonly Sender[];
  readonly now: () => Date;
  readonly log: { warn(details: object, message: string): void };
  /** The server stops: nothing more is begun. */
  readonly signal?: AbortSignal;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Minutes from one try to the next; then every hour. */
const DELAYS = [1, 5, 15] as const;
/** The last try is made 23 h 21 min after the first. */
export const MAX_TRIES = 27;
/** Messages that nobody could send for longer are not sent: the last of their links ended after 7 days. */
const TOO_OLD_MS = 7 * DAY;
const KEPT_MS = 30 * DAY;
/** One turn of the job takes no longer, so that the next sees what is new, ms. */
const TURN_MS = 30_000;

const delayAfter = (tries: number) => (DELAYS[tries - 1] ?? 60) * MINUTE;

/**
 * Sends what waits and is still of use, the oldest first. At least once: a message whose receipt was lost on the way is sent
 * again. After a failure that others would meet too, as a server that isn't there, the rest of that way waits for the next turn.
 */
export async function sendOutbox(options: SendOptions): Promise<void> {
  const { outbox, senders, now } = options;
  await outbox.purge(new Date(now().getTime() - KEPT_MS));
  await outbox.expire(now());
  await Promise.all(senders.map((sender) => sendWay(sender, options)));
}

async function sendWay(sender: Sender, { outbox, now, log, signal }: SendOptions): Promise<void> {
  await outbox.dropUntriedBefore(sender.way, new Date(now().getTime() - TOO_OLD_MS));
  const until = performance.now() + TURN_MS;
  while (performance.now() < until) {
    if (signal?.aborted) return;
    const at = now();
    const message = await outbox.claim(
      sender.way,
      sender.pace,
      at,
      (tries) => new Date(at.getTime() + delayAfter(tries)),
    );
    if (!message) return;
    let taken: Taken;
    try {
      taken = await sender.send(message, at);
    } catch (error) {
      const failure = error instanceof SendFailure ? error : new SendFailure(textOf(error), 'this');
      const isFinal = failure.reach === 'for ever' || message.tries >= MAX_TRIES;
      const { againAfterMs } = failure;
      const notBefore = againAfterMs === null ? null : new Date(at.getTime() + againAfterMs);
      await outbox.setError(message.id, failure.message, isFinal, notBefore);
      log.warn(
        {
          way: sender.way,
          id: message.id,
          tries: message.tries,
          isFinal,
          error: withoutAddresses(failure.message),
        },
        'not sent',
      );
      if (failure.reach === 'all') return;
      continue;
    }
    await outbox.setSent(message.id, taken, now());
  }
}

/** Mail servers quote whom they refuse; the log names nobody, the outbox does. */
const withoutAddresses = (text: string): string => text.replace(/[^\s<>]+@[^\s<>]+/g, '…@…');

const textOf = (error: unknown) => (error instanceof Error ? error.message : 'unknown failure');
