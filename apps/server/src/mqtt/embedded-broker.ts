import { type EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { Aedes, type Client } from 'aedes';
import { ACCEPT_QUEUE, type WaitingRoomLimits } from '../waiting-room.ts';
import { connectionLimits } from './connection-limits.ts';
import { Counters } from './counters.ts';
import type { TransportLog, MqttTransport, OnOversize } from './transport.ts';
import { Entrance } from './entrance.ts';
import { HeldBudget } from './held-budget.ts';
import type { LimitedConnection } from './limited-connection.ts';
import { type Amount, MAX_HELD, MAX_SILENT } from './limits.ts';
import { type Authenticate, createSignIn } from './sign-in.ts';
import { createSubscribeGate } from './subscribe-gate.ts';
import { until } from './until.ts';
import { createUplinkGate } from './uplink-gate.ts';

export interface EmbeddedBrokerOptions {
  host: string;
  /** 0 takes any free port; see EmbeddedBroker.port. */
  port: number;
  authenticate: Authenticate;
  onOversize: OnOversize;
  log?: TransportLog;
  clock?: () => Date;
  /** Clients that have signed in, at most. */
  maxConnections?: number;
  /** Connections that have not said yet who they are. */
  maxSilent?: WaitingRoomLimits;
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

export interface EmbeddedBroker extends MqttTransport {
  /** The real port once started. */
  readonly port: number;
}

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
  const noted = new WeakSet<Client>();
  const maxSignedIn = options.maxConnections ?? 5_000;
  const maxSilent = options.maxSilent ?? MAX_SILENT;
  const connectTimeoutMs = options.connectTimeoutMs ?? 10_000;
  const signIn = createSignIn({
    authenticate: options.authenticate,
    maxFailuresPerMinute: options.maxFailuresPerMinute ?? 30,
    maxSignedIn,
    counters,
    log,
    clock,
  });
  let running: { aedes: Aedes; server: Server; gate: ReturnType<typeof createUplinkGate> } | undefined;

  const entrance = new Entrance({
    maxSilent,
    connectTimeoutMs,
    counters,
    connection: connectionLimits({
      senderOf: signIn.senderOf,
      onOversize: options.onOversize,
      maxHeldPerClient: options.maxHeldPerClient,
      allHeld,
      counters,
      log,
      clock,
    }),
  });

  async function openBroker(onMessage: Parameters<MqttTransport['start']>[0]) {
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
      connectTimeout: connectTimeoutMs,
      drainTimeout: options.drainTimeoutMs ?? 10_000,
      preConnect(client, packet, done) {
        entrance.letIn(client.conn);
        signIn.preConnect(client, packet, done);
      },
      authenticate: (client, username, password, done) =>
        void signIn.authenticate(client, username, password, done),
      authorizePublish: gate.authorizePublish,
      authorizeSubscribe: createSubscribeGate(signIn.senderOf, counters),
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
      const server = createServer((socket) => entrance.accept(aedes, socket));
      server.maxConnections = maxSignedIn + maxSilent.all;
      server.on('drop', () => counters.add('tooManyConnections'));
      server.listen({ port: options.port, host: options.host, backlog: ACCEPT_QUEUE });
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
      return publishBy(aedes, { topic, payload: Buffer.from(payload), retain });
    },

    async stop() {
      if (running === undefined) return;
      const { aedes, server, gate } = running;
      server.close();
      gate.shut();
      entrance.shut();
      await until(() => allHeld.messages === 0, options.stopWithinMs ?? 5_000);
      const { connections } = entrance;
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

function publishBy(aedes: Aedes, what: { topic: string; payload: Buffer; retain: boolean }): Promise<void> {
  const packet = { cmd: 'publish', qos: 1, dup: false, ...what } as const;
  return new Promise((resolve, reject) => {
    aedes.publish(packet, (error) => (error ? reject(error) : resolve()));
  });
}
