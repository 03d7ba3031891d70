import type { FastifyBaseLogger } from 'fastify';
import type { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import type { Config } from './config.ts';
import type { Db } from './db/client.ts';
import type { Settled } from './features/commands/answers.ts';
import { settle } from './features/commands/settle.ts';
import { createCodecRunner } from './features/codecs/codec-runner.ts';
import { createCodecsRepo } from './features/codecs/codecs.repo.ts';
import type { Sandbox } from './features/codecs/sandbox/sandbox.ts';
import { noteSession } from './features/device-connections/note-session.ts';
import { createDeviceSignIn } from './features/device-connections/device-sign-in.ts';
import { sendTime } from './features/device-connections/send-time.ts';
import { type ClocksJob, createClocksJob } from './features/device-connections/tell-clocks.ts';
import { createIngest, type Ingest } from './features/readings/ingest.ts';
import { createOwnClock, type OwnClock } from './features/readings/own-clock.ts';
import { liveStatusEvent } from './features/readings/live-status-event.ts';
import type { LivePublisher } from './live/live-publisher.ts';
import { logRefused } from './http/refused-log.ts';
import type { OperatorNotices } from './machine/operator-notices.ts';
import { type BrokerQueue, watchBrokerQueue } from './mqtt/broker-queue.ts';
import type { TransportLog, TransportStatus, MqttTransport, OnOversize } from './mqtt/transport.ts';
import { type CertificateWatch, watchCertificate } from './mqtt/certificate-files.ts';
import { createEmbeddedBroker } from './mqtt/embedded-broker.ts';
import { brokerClientId, createOutsideTransports, type OutsideTransports } from './outside-transports.ts';

export interface Devices {
  ingest: Ingest;
  ownClock: OwnClock;
  transport: MqttTransport;
  /** Tells the time to gateways that don't know what the farm's clock shows now. */
  clocks: ClocksJob;
  /** Hears what became of messages, from here on. */
  listen(listener: DeviceListener): void;
  /** The same transport where the broker is an outside one; null with the embedded one. */
  outside: OutsideTransports | null;
  /** What waits at an outside broker that says so. */
  queue: BrokerQueue | null;
  /** For /readyz: `ok`, or what is wrong. */
  readiness(): Record<string, string>;
  /** Port of the embedded broker; null with an external one. */
  mqttPort(): number | null;
  /** Of its door by TLS; null: it has none. */
  mqttTlsPort(): number | null;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** What follows from messages of devices, after they were stored. */
export interface DeviceListener {
  /** Devices of these farms have said something. */
  onCommitted(farmIds: ReadonlySet<number>): void;
  /** Gateways' answers to commands. */
  onSettled(settled: Settled): void;
  /** A gateway has come back and has the time. */
  onHello(gateway: { farmId: number; gatewayId: number }): Promise<void>;
  /** A codec costs too much and isn't run any more. */
  onCodecSwitchedOff(farmId: number, codec: { name: string; reason: string }): void;
}

interface DeviceOptions {
  config: Config;
  db: Db;
  pool: Pool;
  log: FastifyBaseLogger;
  now: () => Date;
  live: Pick<LivePublisher, 'publish'>;
  /** Where payload codecs of sensors run; without it nothing is decoded here. */
  codecs?: { sandbox: Sandbox; threads: number };
  /** Tells whoever runs the machine what was lost. */
  notices: OperatorNotices;
}

/** The device side: one MQTT transport and the ingest behind it. */
export function createDevices(options: DeviceOptions): Devices {
  const { config, pool, log, now, live } = options;
  const listeners: DeviceListener[] = [];
  const ownClock = createOwnClock({
    pool,
    now,
    log,
    onDoubt: (sentence) => void options.notices.tell("this server's clock is wrong", [`${sentence}.`]),
  });
  const ingest = createIngest({
    pool,
    now,
    log,
    retentionDays: config.rawRetentionDays,
    limits: config.usageLimits,
    clock: ownClock.watch,
    ...(options.codecs && {
      decoder: createCodecRunner(createCodecsRepo(options.db), {
        ...options.codecs,
        now,
        log,
        onSwitchedOff: (farmId, codec) =>
          listeners.forEach((listener) => listener.onCodecSwitchedOff(farmId, codec)),
      }),
    }),
    onCommitted: (events) => {
      live.publish(events.map(liveStatusEvent));
      const farmIds = new Set(events.map(({ farmId }) => farmId));
      for (const listener of listeners) listener.onCommitted(farmIds);
    },
    settle,
    onSettled: (settled) => listeners.forEach((listener) => listener.onSettled(settled)),
    onHello: (gateway) => {
      const { farmId, deviceId: gatewayId, mac } = gateway;
      const failed = (error: unknown) => log.warn({ err: error, mac }, 'hello not answered');
      // Not a time that gateways and the database say is wrong: theirs is the better one.
      const told = ownClock.watch.doubt() ? Promise.resolve() : sendTime(telling, gateway, now);
      // What waits for it is then sent, or owed, also where the time could not be.
      told
        .catch(failed)
        .then(() => Promise.all(listeners.map((listener) => listener.onHello({ farmId, gatewayId }))))
        .catch(failed);
    },
  });
  const { transport, outside, mqttPort, mqttTlsPort, queue, certificate } = createTransport(
    options,
    (report) => ingest.oversize(report),
  );
  const telling = {
    db: options.db,
    publish: (...message: Parameters<MqttTransport['publish']>) => transport.publish(...message),
    now,
    // What waits for a broker that is away would arrive with a time that is over.
    mayTell: () => ownClock.watch.doubt() === null && transport.status().connected,
    log,
  };
  return {
    ingest,
    transport,
    clocks: createClocksJob(telling),
    outside,
    queue,
    readiness: () => ({
      mqtt: transportFault(transport.status()) ?? queue?.trouble() ?? 'ok',
      ingest: ingestFault(ingest.oldestWaitingMs()) ?? 'ok',
      clock: ownClock.fault() ?? 'ok',
      ...(certificate && { mqttTls: warningOf(certificate.trouble()) }),
    }),
    mqttPort,
    mqttTlsPort,
    ownClock,
    listen: (listener) => void listeners.push(listener),
    async start() {
      if (!outside) await ingest.markAllOffline();
      if (!outside) ingest.decode(true);
      await transport.start((message) => ingest.accept(message));
    },
    async stop() {
      certificate?.stop();
      await transport.stop();
      ingest.decode(false);
      await ingest.drain();
      await ingest.stop();
    },
  };
}

function createTransport(
  { config, db, log, now, notices }: DeviceOptions,
  onOversize: OnOversize,
): Pick<Devices, 'transport' | 'outside' | 'mqttPort' | 'mqttTlsPort' | 'queue'> & {
  certificate: CertificateWatch | null;
} {
  if (config.mqttUrl) {
    const queue = watchBrokerQueue({
      max: config.mqttQueueMax,
      onDropped: (howMany) => void notices.tell('the broker throws messages away', droppedSentences(howMany)),
    });
    const outside = createOutsideTransports({
      url: config.mqttUrl,
      tls: config.mqttTls,
      clientId: brokerClientId(config),
      onOversize,
      log: transportLog(log),
      clock: now,
      hints: queue.hints,
      onSession: ({ isNew }) => {
        noteSession({ db, isNew, now: now(), notices }).catch((error: unknown) =>
          log.warn({ err: error }, 'the session at the broker was not noted'),
        );
      },
    });
    const none = () => null;
    return { transport: outside, outside, queue, mqttPort: none, mqttTlsPort: none, certificate: null };
  }
  const { mqttTlsListener } = config;
  const certificate =
    mqttTlsListener &&
    watchCertificate({
      files: mqttTlsListener,
      now,
      onRenewed(pems) {
        embedded.renewCertificate(pems);
        log.info('the certificate for MQTT was renewed');
      },
      tell: (sentence) => void notices.tell('the certificate for MQTT', [`${sentence}.`]),
    });
  const embedded = createEmbeddedBroker({
    host: config.mqttHost,
    port: config.mqttPort,
    ...(mqttTlsListener &&
      certificate?.first && { tls: { ...mqttTlsListener, certificate: certificate.first } }),
    authenticate: createDeviceSignIn({ db, now }),
    onOversize,
    log: transportLog(log),
    clock: now,
  });
  return {
    transport: embedded,
    outside: null,
    queue: null,
    mqttPort: () => embedded.port,
    mqttTlsPort: () => embedded.tlsPort,
    certificate,
  };
}

const warningOf = (trouble: string | null) => (trouble === null ? 'ok' : `warning: ${trouble}`);

const droppedSentences = (howMany: number) => [
  `The MQTT broker acknowledged ${howMany} messages of devices and threw them away, since more waited for the servers than it keeps (max_queued_messages).`,
  'They are lost, unless the devices keep them. See why the servers are slow or away: /readyz says it.',
];

/** A subscription, or the storing behind it, that is this far behind is not ready, ms. */
const MAX_LAG_MS = 15_000;
const MAX_WAITING_MS = 30_000;
const inSeconds = (ms: number) => `${Math.round(ms / 1000)} s`;

function transportFault({ connected, lagMs, trouble }: TransportStatus): string | null {
  if (!connected) return `not connected: ${trouble ?? 'starting'}`;
  if (trouble !== null) return trouble;
  if (lagMs <= MAX_LAG_MS) return null;
  return `lagging: what the broker has for this server takes ${inSeconds(lagMs)} to arrive, more than ${inSeconds(MAX_LAG_MS)}`;
}

function ingestFault(oldestMs: number): string | null {
  if (oldestMs <= MAX_WAITING_MS) return null;
  return `lagging: the oldest message waits for the database since ${inSeconds(oldestMs)}, more than ${inSeconds(MAX_WAITING_MS)}`;
}

const SERIOUS = new Set(['broker connection lost', 'broker client id used twice', 'message not taken']);

/** What an operator should see of a transport is a warning. */
export function transportLog(log: FastifyBaseLogger): TransportLog {
  return (event, details) => {
    if (event === 'sign-in refused') logRefused(log, 'mqtt', String(details['address']));
    else log[SERIOUS.has(event) ? 'warn' : 'debug'](details, `mqtt: ${event}`);
  };
}

/** What the device side tells the operator's monitoring. */
export function registerDeviceMetrics(registry: Registry, devices: Devices): void {
  const gauges = [
    new Gauge({
      name: 'headrace_mqtt_held_messages',
      help: 'Messages taken from devices and not yet committed',
      registers: [],
      collect() {
        this.set(devices.transport.status().held);
      },
    }),
    new Gauge({
      name: 'headrace_mqtt_dropped_messages',
      help: 'Messages turned away since the start, by reason',
      labelNames: ['reason'],
      registers: [],
      collect() {
        for (const [reason, count] of Object.entries(devices.transport.status().dropped))
          this.set({ reason }, count);
      },
    }),
    new Gauge({
      name: 'headrace_mqtt_lag_seconds',
      help: 'How long a message takes from the outside broker to this server at present',
      registers: [],
      collect() {
        this.set(devices.transport.status().lagMs / 1000);
      },
    }),
    new Gauge({
      name: 'headrace_broker_messages',
      help: 'Messages at an outside Mosquitto: waiting, and thrown away since its start',
      labelNames: ['what'],
      registers: [],
      collect() {
        for (const what of ['waiting', 'dropped'] as const) {
          const count = devices.queue?.[what]();
          if (typeof count === 'number') this.set({ what }, count);
        }
      },
    }),
    new Gauge({
      name: 'headrace_ingest_oldest_seconds',
      help: 'Age of the oldest message taken from devices and not yet committed',
      registers: [],
      collect() {
        this.set(devices.ingest.oldestWaitingMs() / 1000);
      },
    }),
    new Gauge({
      name: 'headrace_clock_behind_seconds',
      help: 'How far our own clock is behind, by the word of gateways, network servers and the database; 0 while it is taken to be right',
      registers: [],
      collect() {
        this.set((devices.ownClock.watch.doubt()?.byMs ?? 0) / 1000);
      },
    }),
    new Gauge({
      name: 'headrace_ingest',
      help: 'Readings, messages and dead letters stored since the start',
      labelNames: ['what'],
      registers: [],
      collect() {
        for (const [what, count] of Object.entries(devices.ingest.metrics())) this.set({ what }, count);
      },
    }),
  ];
  for (const gauge of gauges) registry.registerMetric(gauge);
}
