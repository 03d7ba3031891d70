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
import { createTlsListener, type Pems } from './tls-listener.ts';
import { until } from './until.ts';
import { createUplinkGate } from './uplink-gate.ts';

export interface EmbeddedBrokerOptions {
  host: string;
  /** 0 takes any free port; see EmbeddedBroker.port. */
  port: number;
  /** A second door, by TLS. */
  tls?: { host: string; port: number; certificate: Pems };
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
  /** Of the door by TLS; null: there is none. */
  readonly tlsPort: number | null;
  /** For who comes by TLS from now on. */
  renewCertificate(pems: Pems): void;
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
  const door =
    options.tls &&
    createTlsListener(options.tls.certificate, { handshakeTimeoutMs: connectTimeoutMs, counters });
  let running: { aedes: Aedes; servers: Server[]; gate: ReturnType<typeof createUplinkGate> } | undefined;

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

  const isListening = () => running?.servers.every(({ listening }) => listening) ?? false;

  return {
    get port(): number {
      return portOf(running?.servers[0]);
    },

    get tlsPort(): number | null {
      return door ? portOf(running?.servers[1]) : null;
    },

    renewCertificate: (pems) => door?.renew(pems),

    async start(onMessage) {
      const { aedes, gate } = await openBroker(onMessage);
      const servers = [createServer((socket) => entrance.accept(aedes, socket))];
      if (door) servers.push(createServer((socket) => entrance.acceptSealed(aedes, socket, door)));
      running = { aedes, servers, gate };
      await listenAll(servers, options, { most: maxSignedIn + maxSilent.all, counters, log }).catch(
        (error: unknown) => {
          running = undefined;
          aedes.close();
          throw error;
        },
      );
    },

    publish(topic, payload, { retain = false } = {}) {
      const aedes = running?.aedes;
      if (aedes === undefined) return Promise.reject(new Error('the broker is not running'));
      const text = typeof payload === 'string' ? payload : payload();
      return publishBy(aedes, { topic, payload: Buffer.from(text), retain });
    },

    async stop() {
      if (running === undefined) return;
      const { aedes, servers, gate } = running;
      for (const server of servers) server.close();
      gate.shut();
      entrance.shut();
      await until(() => allHeld.messages === 0, options.stopWithinMs ?? 5_000);
      await sayFarewell(entrance);
      await new Promise<void>((resolve) => aedes.close(() => resolve()));
      running = undefined;
    },

    status: () => ({
      connected: isListening(),
      held: allHeld.messages,
      lagMs: 0,
      trouble: isListening() ? null : 'not listening',
      dropped: counters.all(),
    }),

    disconnect: (key) => signIn.disconnect(key),
  };
}

/** The second of them is the door by TLS. None is open unless all are. */
async function listenAll(
  servers: readonly Server[],
  options: Pick<EmbeddedBrokerOptions, 'host' | 'port' | 'tls'>,
  { most, counters, log }: { most: number; counters: Counters; log: TransportLog },
): Promise<void> {
  for (const [place, server] of servers.entries()) {
    const { host, port } = (place === 1 && options.tls) || options;
    server.maxConnections = most;
    server.on('drop', () => counters.add('tooManyConnections'));
    server.listen({ port, host, backlog: ACCEPT_QUEUE });
    await once(server, 'listening').catch((error: unknown) => {
      for (const opened of servers) opened.close();
      throw error;
    });
    server.on('error', (error) => log('listening failed', { error }));
  }
}

async function sayFarewell({ connections }: Entrance): Promise<void> {
  for (const connection of connections) connection.farewell();
  await until(() => connections.size === 0, FAREWELL_WITHIN_MS);
  for (const connection of connections) connection.destroy();
}

function portOf(server: Server | undefined): number {
  const address = server?.address() as AddressInfo | null | undefined;
  if (!address) throw new Error('the broker is not listening');
  return address.port;
}

function publishBy(aedes: Aedes, what: { topic: string; payload: Buffer; retain: boolean }): Promise<void> {
  const packet = { cmd: 'publish', qos: 1, dup: false, ...what } as const;
  return new Promise((resolve, reject) => {
    aedes.publish(packet, (error) => (error ? reject(error) : resolve()));
  });
}
