import type { IPublishPacket } from 'mqtt-packet';
import { BrokerSession } from './broker-session.ts';
import { parseBrokerUrl } from './broker-address.ts';
import { Counters } from './counters.ts';
import type { DeviceMessage, DoorLog, MqttDoor, OnOversize } from './door.ts';
import { HeldBudget } from './held-budget.ts';
import { type Amount, MAX_HELD } from './limits.ts';
import { OutgoingQueue } from './outgoing-queue.ts';
import { until } from './until.ts';

export interface ExternalBrokerOptions {
  /** mqtt://user:pass@host:1883 or mqtts://… */
  url: string;
  /** PEM of the broker's authority, when the system does not know it. */
  ca?: string;
  /** Must stay the same over restarts and be nobody else's: the broker keeps our session under it. */
  clientId: string;
  /** Topic filters, subscribed with QoS 1. A shared one is divided among the servers of `shareGroup`. */
  subscriptions: readonly { filter: string; shared: boolean }[];
  /** Set when several servers share the work: `ingest` makes `$share/ingest/…` of the shared filters. */
  shareGroup?: string;
  onOversize: OnOversize;
  log?: DoorLog;
  clock?: () => Date;
  keepaliveS?: number;
  /** Waits between attempts to connect: doubling, with jitter. */
  reconnectMs?: { min: number; max: number };
  maxHeld?: Amount;
  /** Our own messages while the broker is away. */
  maxOutgoing?: Amount;
  stopWithinMs?: number;
}

const MAX_OUTGOING: Amount = { messages: 10_000, bytes: 32 * 1024 * 1024 };
const SENDER = { kind: 'broker' } as const;

/**
 * Takes messages from a broker that runs elsewhere. That broker acknowledges the device; we acknowledge the broker, each
 * message once it is stored and as many at a time as the broker lets us have: the promise holds hop by hop.
 */
export function createExternalBroker(options: ExternalBrokerOptions): MqttDoor {
  const address = parseBrokerUrl(options.url);
  const log = options.log ?? (() => undefined);
  const clock = options.clock ?? (() => new Date());
  const delays = options.reconnectMs ?? { min: 1_000, max: 30_000 };
  const counters = new Counters();
  const held = new HeldBudget(options.maxHeld ?? MAX_HELD);
  const outgoing = new OutgoingQueue(options.maxOutgoing ?? MAX_OUTGOING);
  const filters = options.subscriptions.map(({ filter, shared }) =>
    shared && options.shareGroup !== undefined ? `$share/${options.shareGroup}/${filter}` : filter,
  );
  let phase: 'idle' | 'running' | 'stopping' = 'idle';
  let session: BrokerSession | undefined;
  let isReady = false;
  /** The session that is paused until there is room. */
  let waiting: BrokerSession | undefined;
  let failures = 0;
  let reconnectTimer: NodeJS.Timeout | undefined;
  let deliver: (message: DeviceMessage) => void = () => undefined;

  function connect(): void {
    const own: BrokerSession = new BrokerSession(
      {
        address,
        clientId: options.clientId,
        filters,
        keepaliveS: options.keepaliveS ?? 30,
        ...(options.ca !== undefined && { ca: options.ca }),
      },
      {
        onReady: () => ready(own),
        onPublish: (packet) => take(own, packet),
        onPuback: (packetId) => outgoing.acknowledged(packetId),
        onOversize: async ({ topic, payloadBytes, head }) => {
          counters.add('oversize');
          await options.onOversize({ sender: SENDER, topic, bytes: payloadBytes, head, receivedAt: clock() });
        },
        onClosed: (reason) => closed(reason),
      },
    );
    session = own;
  }

  function ready(own: BrokerSession): void {
    isReady = true;
    failures = 0;
    log('broker connected', { host: address.host });
    outgoing.attach(({ topic, payload, retain, packetId, dup }) =>
      own.send({ cmd: 'publish', topic, payload, qos: 1, retain, dup, messageId: packetId }),
    );
  }

  function closed(reason: string): void {
    outgoing.detach();
    isReady = false;
    session = undefined;
    if (phase !== 'running') return;
    counters.add(reason === 'malformed' ? 'malformed' : 'connectionLost');
    const delay = backOff(failures++, delays);
    log('broker connection lost', { host: address.host, reason, againInMs: delay });
    reconnectTimer = setTimeout(connect, delay);
  }

  function take(own: BrokerSession, packet: IPublishPacket): void {
    // Unacknowledged, so the broker sends it again to whoever connects next.
    if (phase !== 'running') return;
    const payload = Buffer.isBuffer(packet.payload) ? packet.payload : Buffer.from(packet.payload);
    const { topic, retain: retained, qos, messageId } = packet;
    let isSettled = false;
    held.take(payload.length);
    const settle = () => {
      if (isSettled) return false;
      isSettled = true;
      held.release(payload.length);
      return true;
    };
    const ack = () => {
      if (settle() && qos > 0) own.send({ cmd: 'puback', ...(messageId !== undefined && { messageId }) });
    };
    try {
      deliver({ topic, payload, sender: SENDER, retained, receivedAt: clock(), ack });
    } catch (error) {
      log('message not taken', { topic, error });
      settle();
      own.end('message not taken');
    }
    if (!held.hasRoom()) waitForRoom(own);
  }

  function waitForRoom(own: BrokerSession): void {
    if (waiting === own) return;
    waiting = own;
    own.pause();
    held.whenRoom(() => {
      waiting = undefined;
      if (held.hasRoom()) own.resume();
      else waitForRoom(own);
    });
  }

  return {
    start(onMessage) {
      deliver = onMessage;
      phase = 'running';
      connect();
      return Promise.resolve();
    },

    publish(topic, payload, { retain = false } = {}) {
      if (phase !== 'running') return Promise.reject(new Error('the door to the broker is shut'));
      return outgoing.add(topic, payload, retain);
    },

    async stop() {
      if (phase !== 'running') return;
      phase = 'stopping';
      clearTimeout(reconnectTimer);
      session?.resume(); // What is still to come is ignored, except for acknowledgements.
      const isQuiet = () => held.messages === 0 && (outgoing.size === 0 || session === undefined);
      await until(isQuiet, options.stopWithinMs ?? 5_000);
      session?.close();
      await until(() => session === undefined, 1_000);
      session?.end('stopped');
      outgoing.rejectAll(new Error('stopped before the broker acknowledged'));
      phase = 'idle';
    },

    status: () => ({ connected: isReady, held: held.messages, dropped: counters.all() }),

    disconnect: () => undefined,
  };
}

/** Half of a doubling wait is fixed and half is chance, so that many servers don't return at the same moment. */
function backOff(failures: number, { min, max }: { min: number; max: number }): number {
  const ceiling = Math.min(max, min * 2 ** Math.min(failures, 10));
  return Math.round(ceiling / 2 + (Math.random() * ceiling) / 2);
}
