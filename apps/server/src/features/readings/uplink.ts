import { decodeGatewayMessage, type GatewayMessage } from '@headrace/device/decode';
import { decodeUplink, type NetworkUplink } from '@headrace/device/decode-uplink';
import type { FieldMapping } from '@headrace/device/field-mapping';
import type {
  AckMessage,
  HelloMessage,
  IpcItem,
  StateMessage,
  StatusMessage,
} from '@headrace/device/messages';
import {
  ioReadings,
  ipcReadings,
  type Reading,
  repeaterReadings,
  sensorReadings,
} from '@headrace/device/readings';
import {
  type DecodedEvent,
  decodeNetworkEvent,
  type NetworkEvent,
  type NetworkFact,
} from '@headrace/device/network-events';
import { type DeviceTopic, parseTopic } from '@headrace/device/topics';
import type { DeviceKind } from '../../db/schema.ts';
import type { DeviceMessage } from '../../mqtt/transport.ts';
import type { DueUplink } from './raw-uplinks.ts';

/** The smallest thing that is stored or set aside by itself: one item of a list, one fact of a gateway, or why it can't be read. */
export type Part =
  | ItemPart
  | { readonly kind: 'state'; readonly body: StateMessage }
  | { readonly kind: 'hello'; readonly body: HelloMessage }
  | { readonly kind: 'status'; readonly body: StatusMessage }
  | { readonly kind: 'ack'; readonly body: AckMessage }
  | NetworkPart
  | { readonly kind: 'network-event'; readonly event: NetworkEvent }
  | ProblemPart;

/** What can't be read; `device` is the MAC of the device that it is about, where that is known. */
export interface ProblemPart {
  readonly kind: 'problem';
  readonly reason: string;
  readonly device?: string | null;
}

/** An uplink; `decoding` is what the sensor's own codec made of it, once it has. */
export interface NetworkPart {
  readonly kind: 'network';
  readonly uplink: NetworkUplink;
  readonly decoding?: Decoding;
  /** How long that took, ms. */
  readonly tookMs?: number;
}

export type Decoding =
  | {
      readonly ok: true;
      readonly object: object;
      readonly warnings: readonly string[];
      /** The codec's own, for a sensor without one. */
      readonly mapping: FieldMapping | null;
    }
  | {
      readonly ok: false;
      readonly reason: string;
      /** It wasn't run, and has to be. */
      readonly isUntried?: boolean;
    };

/** What a gateway says of one device at one time. */
export interface ItemPart {
  readonly kind: 'item';
  readonly deviceKind: DeviceKind;
  readonly mac: string;
  /** ISO-8601 UTC. */
  readonly at: string;
  readonly readings: readonly Reading[];
  readonly facts: readonly TextFact[];
}

export interface TextFact {
  readonly name: 'ipcCrc' | 'mode' | 'polledAt' | 'via' | NetworkFact['name'];
  readonly value: string;
}

export interface Uplink {
  readonly topic: DeviceTopic | null;
  /** None: nothing in it is for storing (a downlink on its way). */
  readonly parts: readonly Part[];
}

/** A message that was kept because it was not taken, and comes again. */
export interface Replay {
  /** 0: of no farm that was known. */
  readonly farmId: number;
  readonly messageId: string;
  /** Why it, or a part of it, was not taken again; null when all of it was. */
  refused: string | null;
}

export type UplinkMessage = Pick<
  DeviceMessage,
  'topic' | 'payload' | 'sender' | 'retained' | 'receivedAt'
> & { readonly replay?: Replay };

/** One part of a message that is held until everything of it is stored. */
export interface HeldPart {
  readonly message: UplinkMessage;
  /** It was stored when it came, and this is what its codec made of it. */
  readonly due?: DueUplink;
  readonly topic: Uplink['topic'];
  readonly part: Part;
  /** Size of the message when `payload` is only its beginning. */
  readonly wholeBytes?: number;
}

/** What a message says, without knowing whose it is. Never throws. */
export function readUplink({ topic: name, payload }: Pick<DeviceMessage, 'topic' | 'payload'>): Uplink {
  const topic = parseTopic(name);
  switch (topic?.transport) {
    case undefined:
      return { topic, parts: [{ kind: 'problem', reason: 'no such topic in the device agreement' }] };
    case 'gateway-down':
      return { topic, parts: [] };
    case 'gateway': {
      const decoded = decodeGatewayMessage(topic.kind, payload);
      if (!decoded.ok) return { topic, parts: [{ kind: 'problem', reason: decoded.reason }] };
      const problems = decoded.problems.map(
        ({ reason, mac }): Part => ({ kind: 'problem', reason, device: mac }),
      );
      return { topic, parts: [...gatewayParts(decoded.message, topic.mac), ...problems] };
    }
    case 'chirpstack':
    case 'the-things-stack': {
      if (topic.event !== 'up') return { topic, parts: eventParts(decodeNetworkEvent(topic, payload)) };
      const decoded = decodeUplink(topic, payload);
      if (!decoded.ok) {
        const { reason, devEui = null } = decoded;
        return { topic, parts: [{ kind: 'problem', reason, device: devEui }] };
      }
      return { topic, parts: [{ kind: 'network', uplink: decoded.uplink }] };
    }
    default:
      return topic satisfies never;
  }
}

function eventParts(decoded: DecodedEvent): Part[] {
  if (!decoded.ok) return [{ kind: 'problem', reason: decoded.reason }];
  return decoded.event ? [{ kind: 'network-event', event: decoded.event }] : [];
}

function gatewayParts(message: GatewayMessage, gatewayMac: string): Part[] {
  switch (message.kind) {
    case 'state':
    case 'hello':
    case 'status':
    case 'ack':
      return [message];
    case 'sensor':
      return message.items.map((item) => itemOf('sensor', item, sensorReadings(item.values)));
    case 'repeater':
      return message.items.map((item) => itemOf('repeater', item, repeaterReadings(item)));
    case 'ipc':
      return message.items.map((item) => itemOf('sprinkler', item, ipcReadings(item), ipcFacts(item)));
    case 'io': {
      const item = { mac: gatewayMac, at: message.body.at };
      return [itemOf('gateway', item, ioReadings(message.body))];
    }
    default:
      return message satisfies never;
  }
}

function itemOf(
  deviceKind: DeviceKind,
  { mac, at }: { mac: string; at: string },
  readings: Reading[],
  facts: TextFact[] = [],
): ItemPart {
  return { kind: 'item', deviceKind, mac, at, readings, facts };
}

function ipcFacts(item: IpcItem): TextFact[] {
  return (['ipcCrc', 'mode', 'polledAt', 'via'] as const).flatMap((name) => {
    const value = item[name];
    return value === undefined ? [] : [{ name, value }];
  });
}
