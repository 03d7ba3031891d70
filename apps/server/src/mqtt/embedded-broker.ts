import { type EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Aedes, type AedesOptions, type Client } from 'aedes';
import { Counters } from './counters.ts';
import type { DoorLog, MqttDoor, OnOversize } from './door.ts';
import { HeldBudget } from './held-budget.ts';
import { type ConnectionOptions, LimitedConnection } from './limited-connection.ts';
import {
  type Amount,
  MAX_CONNECT_BYTES,
  MAX_CONTROL_BYTES,
  MAX_HELD,
  MAX_HELD_PER_CLIENT,
  MAX_PAYLOAD_BYTES,
  MAX_SKIM_BYTES,
  OVERSIZE_HEAD_BYTES,
} from './limits.ts';
import { type Authenticate, createSignIn } from './sign-in.ts';
import { mayPublish, maySubscribe } from './topic-rights.ts';
import { until } from './until.ts';
import { createUplinkGate } from './uplink-gate.ts';

export interface EmbeddedBrokerOptions {
  host: string;
  /** 0 takes any free port; see EmbeddedBroker.port. */
  port: number;
  authenticate: Authenticate;
  onOversize: OnOversize;
  log?: DoorLog;
  clock?: () => Date;
  maxConnections?: number;
  /** How long a connection may take until its CONNECT is complete. */
  connectTimeoutMs?: number;
  /** How long a client may leave what we send it unread. */
  drainTimeoutMs?: number;
  maxFailuresPerMinute?: number;
  maxHeld?: Amount;
  maxHeldPerClient?: Amount;
  /** How long stop() waits for held messages. */
  stopWithinMs?: number;
}

export interface EmbeddedBroker extends MqttDoor {
  /** The real port once started. */
  readonly port: number;
}

const MAX_SUBSCRIPTIONS = 32;
const TCP_PROBE_AFTER_MS = 60_000;
const FAREWELL_WITHIN_MS = 1_000;

/**
 * An MQTT 3.1.1 broker in this process. Keeps nothing on disk: after a start every gateway counts as offline until it
 * says hello.
 */
export function createEmbeddedBroker(options: EmbeddedBrokerOptions): EmbeddedBroker {
  const log = options.log ?? (() => undefined);
  const clock = options.clock ?? (() => new Date());
  const counters = new Counters();
  const allHeld = new HeldBudget(options.maxHeld ?? MAX_HELD);
  const connections = new Set<LimitedConnection>();
  const noted = new WeakSet<Client>();
  const signIn = createSignIn({
    authenticate: options.authenticate,
    maxFailuresPerMinute: options.maxFailuresPerMinute ?? 30,
    counters,
    log,
    clock,
  });
  let running: { aedes: Aedes; server: Server; gate: ReturnType<typeof createUplinkGate> } | undefined;

  const connectionOptions: ConnectionOptions = {
    frames: {
      maxPayload: MAX_PAYLOAD_BYTES,
      maxSkim: MAX_SKIM_BYTES,
      maxControl: MAX_CONTROL_BYTES,
      maxConnect: MAX_CONNECT_BYTES,
      headBytes: OVERSIZE_HEAD_BYTES,
    },
    maxHeld: options.maxHeldPerClient ?? MAX_HELD_PER_CLIENT,
    allHeld,
    onViolation: (connection, reason) => {
      counters.add(reason);
      log('connection closed', { reason, address: connection.remoteAddress });
    },
    onOversize: async (connection, { topic, payloadBytes, head }) => {
      const client = (connection as { client?: Client }).client;
      const sender = client && signIn.senderOf(client);
      if (sender === undefined || !mayPublish(sender, topic)) {
        counters.add('foreignTopic');
        return;
      }
      counters.add('oversize');
      await options.onOversize({ sender, topic, bytes: payloadBytes, head, receivedAt: clock() });
    },
  };

  function accept(aedes: Aedes, socket: Socket): void {
    socket.setNoDelay(true);
    // A client may do without MQTT keep-alive; its silent end is then found by TCP.
    socket.setKeepAlive(true, TCP_PROBE_AFTER_MS);
    const connection = new LimitedConnection(socket, connectionOptions);
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
    aedes.handle(connection);
  }

  const authorizeSubscribe: NonNullable<AedesOptions['authorizeSubscribe']> = (
    client,
    subscription,
    done,
  ) => {
    const sender = signIn.senderOf(client);
    const { subscriptions } = client as Client & { subscriptions: Record<string, unknown> };
    const isAllowed =
      sender !== undefined &&
      maySubscribe(sender, subscription.topic) &&
      (sender.kind === 'server' || Object.keys(subscriptions).length < MAX_SUBSCRIPTIONS);
    if (!isAllowed) counters.add('foreignSubscription');
    done(null, isAllowed ? subscription : null);
  };

  async function openBroker(onMessage: Parameters<MqttDoor['start']>[0]) {
    const gate = createUplinkGate({
      senderOf: signIn.senderOf,
      publish: (packet) => running?.aedes.publish(packet, () => undefined),
      onMessage,
      allHeld,
      counters,
      log,
      clock,
    });
    const aedes = await Aedes.createBroker({
      // Unlimited: with a limit, that many publishes to one stuck client would stop all others until it is dropped.
      concurrency: 0,
      connectTimeout: options.connectTimeoutMs ?? 10_000,
      drainTimeout: options.drainTimeoutMs ?? 10_000,
      preConnect: (client, packet, done) => signIn.preConnect(client, packet, done),
      authenticate: (client, username, password, done) =>
        void signIn.authenticate(client, username, password, done),
      authorizePublish: gate.authorizePublish,
      authorizeSubscribe,
    });
    aedes.on('clientReady', (client) => (client.conn as LimitedConnection).open());
    aedes.on('connectionError', (client, error) => note('connectionError', client, error));
    aedes.on('clientError', (client, error) => note('clientError', client, error));
    (aedes as EventEmitter).on('error', (error: unknown) => log('broker error', { error }));
    return { aedes, gate };
  }

  /** One broken connection may be reported once for everything that was still to be written to it. */
  function note(reason: string, client: Client, error: Error): void {
    if (noted.has(client)) return;
    noted.add(client);
    counters.add(reason);
    log(reason, { message: error.message });
  }

  return {
    get port(): number {
      const address = running?.server.address() as AddressInfo | null | undefined;
      if (!address) throw new Error('the broker is not listening');
      return address.port;
    },

    async start(onMessage) {
      const { aedes, gate } = await openBroker(onMessage);
      const server = createServer((socket) => accept(aedes, socket));
      server.maxConnections = options.maxConnections ?? 5_000;
      server.on('drop', () => counters.add('tooManyConnections'));
      server.listen(options.port, options.host);
      await once(server, 'listening').catch((error: unknown) => {
        aedes.close();
        throw error;
      });
      server.on('error', (error) => log('listening failed', { error }));
      running = { aedes, server, gate };
    },

    publish(topic, payload, { retain = false } = {}) {
      const aedes = running?.aedes;
      if (aedes === undefined) return Promise.reject(new Error('the broker is not running'));
      const packet = {
        cmd: 'publish',
        topic,
        payload: Buffer.from(payload),
        qos: 1,
        retain,
        dup: false,
      } as const;
      return new Promise((resolve, reject) => {
        aedes.publish(packet, (error) => (error ? reject(error) : resolve()));
      });
    },

    async stop() {
      if (running === undefined) return;
      const { aedes, server, gate } = running;
      server.close();
      gate.shut();
      for (const connection of connections) connection.shut();
      await until(() => allHeld.messages === 0, options.stopWithinMs ?? 5_000);
      for (const connection of connections) connection.farewell();
      await until(() => connections.size === 0, FAREWELL_WITHIN_MS);
      for (const connection of connections) connection.destroy();
      await new Promise<void>((resolve) => aedes.close(() => resolve()));
      running = undefined;
    },

    status: () => ({
      connected: running?.server.listening ?? false,
      held: allHeld.messages,
      lagMs: 0,
      trouble: running?.server.listening ? null : 'not listening',
      dropped: counters.all(),
    }),

    disconnect: (key) => signIn.disconnect(key),
  };
}
