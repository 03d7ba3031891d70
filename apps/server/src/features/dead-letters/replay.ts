import { parseTopic } from '@headrace/device/topics';
import type { Sender } from '../../mqtt/transport.ts';
import type { UplinkMessage } from '../readings/uplink.ts';
import type { DeadLettersRepo, KeptFilter, KeptMessageRow } from './dead-letters.repo.ts';

/** Takes a message as if its device had sent it again; null when all of it was taken, else why not. */
export type TakeAgain = (message: UplinkMessage) => Promise<string | null>;

export interface Replayed {
  taken: number;
  failed: number;
  left: number;
  /** Why the last one failed; empty where none did. */
  reason: string;
}

const AT_ONCE = 20;
const WITHIN_MS = 10_000;

interface ReplayLimits {
  readonly withinMs?: number;
  /** Aborted, it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Told after each few: how many were tried of all. */
  readonly onSome?: (tried: number, count: number) => void;
}

/**
 * Tries kept messages again, each once, in the order in which they came, for some 10 s unless said otherwise; what fails is kept anew behind those it
 * began with. Rejects while the database doesn't answer: then nothing is lost, and it can be called again.
 */
export async function replay(
  repo: DeadLettersRepo,
  takeAgain: TakeAgain,
  filter: KeptFilter,
  { withinMs = WITHIN_MS, signal, onSome = () => {} }: ReplayLimits = {},
): Promise<Replayed> {
  const { count, last } = await repo.countAndLast(filter);
  if (last === null) return { taken: 0, failed: 0, left: 0, reason: '' };
  const until = performance.now() + withinMs;
  const done = { taken: 0, failed: 0, reason: '' };
  let after = filter.after;
  while (performance.now() < until) {
    signal?.throwIfAborted();
    const some = await repo.messages({ ...filter, after, upTo: last }, AT_ONCE);
    if (some.length === 0) break;
    const outcomes = await Promise.all(some.map((row) => takeAgain(messageOf(row, filter.readyAt))));
    for (const reason of outcomes)
      if (reason === null) done.taken += 1;
      else {
        done.failed += 1;
        done.reason = reason;
      }
    after = some.at(-1)?.id;
    onSome(done.taken + done.failed, count);
  }
  return { ...done, left: Math.max(0, count - done.taken - done.failed) };
}

/** `now`: of what waited for our clock, whose own word of when it came is wrong. */
function messageOf(row: KeptMessageRow, now?: Date): UplinkMessage {
  const { farmId, id, receivedAt, topic, payload } = row;
  return {
    topic,
    payload,
    receivedAt: now ?? receivedAt,
    sender: senderOf(row),
    // Old news: it says nothing of who is in contact now.
    retained: true,
    replay: { farmId, messageId: id, refused: null },
  };
}

/** What came through an outside broker speaks, once its farm is known, for that farm alone. */
function senderOf({ farmId, topic, sender }: KeptMessageRow): Sender {
  const kept = sender as unknown as Sender;
  if (farmId === 0 || kept.kind === 'gateway' || kept.kind === 'network') return kept;
  const parsed = parseTopic(topic);
  return parsed?.transport === 'gateway'
    ? { kind: 'gateway', farmId, deviceId: 0, mac: parsed.mac }
    : { kind: 'network', farmId, keyId: 0 };
}
