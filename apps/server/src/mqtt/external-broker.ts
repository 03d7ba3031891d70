import { type BrokerTls, parseBrokerUrl } from './broker-address.ts';
import { createBrokerIntake, SENDER } from './broker-intake.ts';
import { BrokerSession, CLOSED_BY_BROKER } from './broker-session.ts';
import { Counters } from './counters.ts';
import type { DeviceMessage, TransportLog, MqttTransport, OnOversize } from './transport.ts';
import { Heartbeat } from './heartbeat.ts';
import { HeldBudget } from './held-budget.ts';
import { type Amount, MAX_HELD } from './limits.ts';
import { OutgoingQueue } from './outgoing-queue.ts';
import { TakeOverWatch } from './take-over-watch.ts';
import { until } from './until.ts';

export interface ExternalBrokerOptions {
  /** mqtt://user:pass@host:1883 or mqtts://… */
  url: string;
  tls?: BrokerTls;
  /** Nobody else's; with a session that is kept, also the same over restarts. */
  clientId: string;
  /** What to do when somebody else uses it too. */
  usedTwice?: string;
  /** Nothing is kept for us while we are away: for what is of no use later, or is said again. */
  clean?: boolean;
  /** Topic filters, subscribed with QoS 1. */
  filters: readonly string[];
  /** Topic, for us alone, on which we measure how far we lag behind. */
  heartbeat?: string;
  heartbeatMs?: number;
  /** Signed in and subscribed, each time anew. */
  onConnected?: (session: { isNew: boolean }) => void;
  /** Topics on which the broker speaks of itself, and who listens. */
  hints?: { topics: readonly string[]; hear(topic: string, text: string): void };
  onOversize: OnOversize;
  log?: TransportLog;
  clock?: () => Date;
  keepaliveS?: number;
  /** Waits between attempts to connect: doubling, with jitter. */
  reconnectMs?: { min: number; max: number };
  maxHeld?: Amount;
  /** Our own messages while the broker is away. */
  maxOutgoing?: Amount;
  stopWithinMs?: number;
}

const HEARTBEAT_MS = 5_000;
const MAX_OUTGOING: Amount = { messages: 10_000, bytes: 32 * 1024 * 1024 };

/**
 * Takes messages from a broker that runs elsewhere. That broker acknowledges the device; we acknowledge the broker, each
 * message once it is stored and as many at a time as the broker lets us have: the promise holds hop by hop.
 */
export function createExternalBroker(options: ExternalBrokerOptions): MqttTransport {
  const address = parseBrokerUrl(options.url);
  const log = options.log ?? (() => undefined);
  const clock = options.clock ?? (() => new Date());
  const delays = options.reconnectMs ?? { min: 1_000, max: 30_000 };
  const counters = new Counters();
  const held = new HeldBudget(options.maxHeld ?? MAX_HELD);
  const outgoing = new OutgoingQueue(options.maxOutgoing ?? MAX_OUTGOING);
  const heart = new Heartbeat();
  const takeOvers = new TakeOverWatch();
  const filters = options.heartbeat === undefined ? options.filters : [...options.filters, options.heartbeat];
  let phase: 'idle' | 'running' | 'stopping' = 'idle';
  let session: BrokerSession | undefined;
  let isReady = false;
  let failures = 0;
  let lastFault = 'not connected yet';
  let reconnectTimer: NodeJS.Timeout | undefined;
  let heartbeatTimer: NodeJS.Timeout | undefined;
  let deliver: (message: DeviceMessage) => void = () => undefined;
  const intake = createBrokerIntake({
    held,
    clock,
    log,
    deliver: (message) => deliver(message),
    ownTopics: ownTopicsOf(options, heart),
  });

  function connect(): void {
    const own: BrokerSession = new BrokerSession(
      {
        address,
        clientId: options.clientId,
        clean: options.clean ?? false,
        filters,
        keepaliveS: options.keepaliveS ?? 30,
        ...(options.tls !== undefined && { tls: options.tls }),
        ...(options.hints && { hints: options.hints.topics }),
      },
      {
        onReady: (isNew) => ready(own, isNew),
        // Unacknowledged otherwise, so the broker sends it again to whoever connects next.
        onPublish: (packet) => {
          if (phase === 'running') intake.take(own, packet);
        },
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

  function ready(own: BrokerSession, isNew: boolean): void {
    isReady = true;
    takeOvers.opened();
    log('broker connected', { host: address.host });
    outgoing.attach(({ topic, payload, retain, packetId, dup }) =>
      own.send({ cmd: 'publish', topic, payload, qos: 1, retain, dup, messageId: packetId }),
    );
    beat();
    options.onConnected?.({ isNew });
  }

  function beat(): void {
    if (options.heartbeat === undefined || !isReady) return;
    outgoing.add(options.heartbeat, heart.beat(), false).catch(() => undefined);
  }

  function closed(reason: string): void {
    outgoing.detach();
    const wasReady = isReady;
    isReady = false;
    session = undefined;
    if (phase !== 'running') return;
    lastFault = reason;
    counters.add(reason === 'malformed' ? 'malformed' : 'connectionLost');
    if (wasReady && takeOvers.closed(reason === CLOSED_BY_BROKER)) failures = 0;
    const delay = backOff(failures++, delays);
    log('broker connection lost', { host: address.host, reason, againInMs: delay });
    if (takeOvers.suspected()) log('broker client id used twice', { clientId: options.clientId });
    reconnectTimer = setTimeout(connect, delay);
  }

  return {
    start(onMessage) {
      deliver = onMessage;
      phase = 'running';
      connect();
      if (options.heartbeat !== undefined)
        heartbeatTimer = setInterval(beat, options.heartbeatMs ?? HEARTBEAT_MS);
      return Promise.resolve();
    },

    publish(topic, payload, { retain = false } = {}) {
      if (phase !== 'running') return Promise.reject(new Error('the connection to the broker is closed'));
      return outgoing.add(topic, payload, retain);
    },

    async stop() {
      if (phase !== 'running') return;
      phase = 'stopping';
      clearTimeout(reconnectTimer);
      clearInterval(heartbeatTimer);
      session?.resume(); // What is still to come is ignored, except for acknowledgements.
      const isQuiet = () => held.messages === 0 && (outgoing.size === 0 || session === undefined);
      await until(isQuiet, options.stopWithinMs ?? 5_000);
      session?.close();
      await until(() => session === undefined, 1_000);
      session?.end('stopped');
      outgoing.rejectAll(new Error('stopped before the broker acknowledged'));
      phase = 'idle';
    },

    status: () => ({
      connected: isReady,
      held: held.messages,
      lagMs: heart.lagMs(),
      trouble: takeOvers.suspected() ? takenOver(options) : isReady ? null : lastFault,
      dropped: counters.all(),
    }),

    disconnect: () => undefined,
  };
}

/** What is no device's message: our heartbeat, and what the broker says of itself. */
function ownTopicsOf(
  { heartbeat, hints }: ExternalBrokerOptions,
  heart: Heartbeat,
): ReadonlyMap<string, (text: string) => void> {
  const topics = new Map<string, (text: string) => void>();
  for (const topic of hints?.topics ?? []) topics.set(topic, (text) => hints?.hear(topic, text));
  if (heartbeat !== undefined) topics.set(heartbeat, (text) => heart.heard(text));
  return topics;
}

function takenOver({
  clientId,
  usedTwice = 'give every server its own SERVER_NAME',
}: ExternalBrokerOptions): string {
  return `the broker ends our connections again and again: another client seems to use the client id ${clientId}, ${usedTwice}`;
}

/** Half of a doubling wait is fixed and half is chance, so that many servers don't return at the same moment. */
function backOff(failures: number, { min, max }: { min: number; max: number }): number {
  const ceiling = Math.min(max, min * 2 ** Math.min(failures, 10));
  return Math.round(ceiling / 2 + (Math.random() * ceiling) / 2);
}
