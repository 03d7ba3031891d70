/** What both MQTT transports offer, so that what is behind them need not know which one is in use. */

export type Sender =
  /** Signed in with its MAC (upper-case hex, no separators) and its device key. */
  | { kind: 'gateway'; farmId: number; deviceId: number; mac: string }
  /** A LoRaWAN network server with a farm's integration key. */
  | { kind: 'network'; farmId: number; keyId: number }
  /** Ourselves or the operator. */
  | { kind: 'server' }
  /** An external broker: who sent the message is not known, only the topic says. */
  | { kind: 'broker' };

export interface DeviceMessage {
  topic: string;
  payload: Buffer;
  sender: Sender;
  /** The broker repeats what it had kept from before we subscribed (external broker only), so it is old news. */
  retained: boolean;
  receivedAt: Date;
  /** Call once the message, or its dead letter, is stored. Later calls do nothing. */
  ack(): void;
}

/** A function is asked each time the message leaves: for what would be wrong by the time a broker that is away is back. */
export type Payload = string | (() => string);

export interface MqttTransport {
  /** Resolves when listening (embedded), or when the first attempt to connect is under way (external). */
  start(onMessage: (message: DeviceMessage) => void): Promise<void>;
  /** QoS 1. Rejects when the transport is closed or, externally, when too much already waits for the broker. */
  publish(topic: string, payload: Payload, options?: { retain?: boolean }): Promise<void>;
  /** Stops taking work, waits a bounded time for held messages, then closes. What is unacknowledged is sent again. */
  stop(): Promise<void>;
  status(): TransportStatus;
  /** Ends the sessions of one sender (see senderKey), as after its key was rotated. Nothing to do for an external broker. */
  disconnect(senderKey: string): void;
}

export interface TransportStatus {
  connected: boolean;
  /** Messages taken in and not yet acknowledged. */
  held: number;
  /** How long a message takes from the broker to us at present, ms; 0 for the embedded one. */
  lagMs: number;
  /** Why it doesn't work as it should, with the remedy where there is one; null when it does. */
  trouble: string | null;
  /** What was turned away since the start, by reason. */
  dropped: Record<string, number>;
}

/** A message over the size limit: never buffered, only its beginning is kept. */
export interface OversizeReport {
  sender: Sender;
  topic: string;
  /** Size of the whole payload, in bytes. */
  bytes: number;
  /** The first 4 KiB of the payload. */
  head: Buffer;
  receivedAt: Date;
}

/** Stores the dead letter; the message is acknowledged when this resolves, and the connection closed when it rejects. */
export type OnOversize = (report: OversizeReport) => Promise<void> | void;

export type TransportLog = (event: string, details: Record<string, unknown>) => void;

/** Names a sender among the sessions: `gateway:0004A30B001C0530`, `network:7`. */
export function senderKey(sender: Sender): string {
  switch (sender.kind) {
    case 'gateway':
      return `gateway:${sender.mac}`;
    case 'network':
      return `network:${sender.keyId}`;
    case 'server':
    case 'broker':
      return sender.kind;
    default:
      return sender satisfies never;
  }
}
