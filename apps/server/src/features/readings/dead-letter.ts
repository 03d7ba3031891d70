import type { Sender } from '../../mqtt/door.ts';
import type { HeldPart } from './uplink.ts';

/** A message, or a part of one, that can't be stored, and why. */
export interface DeadLetter {
  readonly at: Date;
  readonly reason: string;
  readonly topic: string;
  readonly sender: string;
  readonly farmId: number | null;
  /** Size of the whole message. */
  readonly bytes: number;
  /** Its first 4 KiB. */
  readonly payload: Buffer;
}

const KEPT_BYTES = 4096;

export function deadLetterOf(held: HeldPart, reason: string, farmId: number | null): DeadLetter {
  const { topic, payload, sender, receivedAt } = held.message;
  return {
    at: receivedAt,
    reason: asText(reason, 500),
    topic: asText(topic, 500),
    sender: senderText(sender),
    farmId,
    bytes: held.wholeBytes ?? payload.length,
    payload: payload.subarray(0, KEPT_BYTES),
  };
}

export function senderText(sender: Sender): string {
  switch (sender.kind) {
    case 'gateway':
      return `gateway ${sender.mac}`;
    case 'network':
      return `network server with key ${sender.keyId}`;
    case 'server':
    case 'broker':
      return sender.kind;
    default:
      return sender satisfies never;
  }
}

/** PostgreSQL keeps no NUL in text. */
function asText(text: string, length: number): string {
  return text.replaceAll('\0', '\\0').slice(0, length);
}
