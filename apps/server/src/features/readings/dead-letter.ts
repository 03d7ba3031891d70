import { parseTopic } from '@headrace/device/topics';
import type { Sender } from '../../mqtt/transport.ts';
import type { HeldPart, UplinkMessage } from './uplink.ts';

/** A message, or a part of one, that can't be stored, and why. */
export interface DeadLetter {
  readonly at: Date;
  readonly reason: string;
  /** The same for the same fault, whatever times and places in lists its words name. */
  readonly key: string;
  readonly topic: string;
  readonly sender: string;
  /** MAC of the device that it is about; empty where that isn't known. */
  readonly device: string;
  readonly farmId: number | null;
  /** Size of the whole message. */
  readonly bytes: number;
  readonly message: UplinkMessage;
  /** The whole message is there, and can be taken after all. */
  readonly canComeAgain: boolean;
  /** It waits for our clock, until this time. */
  readonly heldUntil: Date | null;
}

interface About {
  readonly farmId: number | null;
  readonly heldUntil?: Date | null;
}

export function deadLetterOf(
  held: HeldPart,
  reason: string,
  { farmId, heldUntil = null }: About,
): DeadLetter {
  const { message } = held;
  const text = asText(reason, 500);
  return {
    at: message.receivedAt,
    reason: text,
    key: keyOf(text),
    topic: asText(message.topic, 500),
    sender: senderText(message.sender),
    device: deviceOf(held),
    farmId,
    bytes: held.wholeBytes ?? message.payload.length,
    message,
    canComeAgain: held.wholeBytes === undefined && isOfReadings(message.topic),
    heldUntil,
  };
}

/** Numbers differ from message to message; what is as long as a MAC address names a device. */
function keyOf(reason: string): string {
  return reason
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
    .replace(/(?<![0-9A-Fa-f])\d{1,11}(?![0-9A-Fa-f])/g, '#')
    .slice(0, 200);
}

/** Of readings that were ahead of our clock. */
export const AHEAD_KEY = 'time … is more than # minutes ahead of the clock';

function deviceOf({ part, topic }: HeldPart): string {
  switch (part.kind) {
    case 'item':
      return part.mac;
    case 'network':
      return part.uplink.devEui;
    case 'network-event':
      return part.event.devEui;
    case 'problem':
      return part.device ?? (topic?.transport === 'chirpstack' ? topic.devEui : '');
    case 'state':
    case 'hello':
    case 'status':
    case 'ack':
      return '';
    default:
      return part satisfies never;
  }
}

/** What a gateway says of itself counts when it is said: of that nothing can be taken later. */
function isOfReadings(name: string): boolean {
  const topic = parseTopic(name);
  if (topic?.transport !== 'gateway')
    return topic?.transport === 'chirpstack' || topic?.transport === 'the-things-stack';
  return topic.kind !== 'state' && topic.kind !== 'hello' && topic.kind !== 'ack';
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
