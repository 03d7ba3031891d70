import type { FastifyBaseLogger } from 'fastify';
import type { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import type { Config } from './config.ts';
import type { Db } from './db/client.ts';
import type { Settled } from './features/commands/answers.ts';
import { settle } from './features/commands/settle.ts';
import { createDeviceSignIn } from './features/device-doors/device-sign-in.ts';
import { sendTime } from './features/device-doors/send-time.ts';
import type { UplinkDecoder } from './features/readings/decode-stage.ts';
import { createIngest, type Ingest } from './features/readings/ingest.ts';
import { liveStatusEvent } from './features/readings/live-status-event.ts';
import type { LiveEvent } from './live/live-bus.ts';
import type { DoorLog, DoorStatus, MqttDoor, OnOversize } from './mqtt/door.ts';
import { createEmbeddedBroker } from './mqtt/embedded-broker.ts';
import { brokerClientId, createOutsideDoors, type OutsideDoors } from './outside-doors.ts';

export interface Devices {
  ingest: Ingest;
  door: MqttDoor;
  /** The same door where the broker is an outside one; null with the embedded one. */
  outside: OutsideDoors | null;
  /** For /readyz: `ok`, or what is wrong. */
  readiness(): Record<string, string>;
  /** Port of the embedded broker; null with an external one. */
  mqttPort(): number | null;
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface DeviceOptions {
  config: Config;
  db: Db;
  pool: Pool;
  log: FastifyBaseLogger;
  now: () => Date;
  publishLive: (events: LiveEvent[]) => void;
  /** Runs the payload codecs of sensors; without it none can be decoded here. */
  decoder?: UplinkDecoder;
  onSettled: (settled: Settled) => void;
  /** A gateway has come back and has the time. */
  onHello: (gateway: { farmId: number; gatewayId: number }) => Promise<void>;
}

/** The device side: one MQTT door and the ingest behind it. */
export function createDevices(options: DeviceOptions): Devices {
  const { config, pool, log, now } = options;
  const ingest = createIngest({
    pool,
    now,
    log,
    retentionDays: config.rawRetentionDays,
    ...(options.decoder && { decoder: options.decoder }),
    onCommitted: (events) => options.publishLive(events.map(liveStatusEvent)),
    settle,
    onSettled: options.onSettled,
    onHello: (gateway) => {
      const { farmId, deviceId: gatewayId, mac } = gateway;
      const failed = (error: unknown) => log.warn({ err: error, mac }, 'hello not answered');
      // What waits for it is then sent, or owed, also where the time could not be.
      sendTime(door, gateway, now())
        .catch(failed)
        .then(() => options.onHello({ farmId, gatewayId }))
        .catch(failed);
    },
  });
  const { door, outside, mqttPort } = createDoor(options, (report) => ingest.oversize(report));
  return {
    ingest,
    door,
    outside,
    readiness: () => ({
      mqtt: doorFault(door.status()) ?? 'ok',
      ingest: ingestFault(ingest.oldestWaitingMs()) ?? 'ok',
    }),
    mqttPort,
    async start() {
      if (!outside) await ingest.markAllOffline();
      await door.start((message) => ingest.accept(message));
    },
    async stop() {
      await door.stop();
      await ingest.drain();
      ingest.stop();
    },
  };
}

function createDoor(
  { config, db, log, now }: DeviceOptions,
  onOversize: OnOversize,
): Pick<Devices, 'door' | 'outside' | 'mqttPort'> {
  if (config.mqttUrl) {
    const outside = createOutsideDoors({
      url: config.mqttUrl,
      tls: config.mqttTls,
      clientId: brokerClientId(config),
      onOversize,
      log: doorLog(log),
      clock: now,
    });
    return { door: outside, outside, mqttPort: () => null };
  }
  const embedded = createEmbeddedBroker({
    host: config.mqttHost,
    port: config.mqttPort,
    authenticate: createDeviceSignIn({ db, now }),
    onOversize,
    log: doorLog(log),
    clock: now,
  });
  return { door: embedded, outside: null, mqttPort: () => embedded.port };
}

/** A subscription, or the storing behind it, that is this far behind is not ready, ms. */
const MAX_LAG_MS = 15_000;
const MAX_WAITING_MS = 30_000;
const inSeconds = (ms: number) => `${Math.round(ms / 1000)} s`;

function doorFault({ connected, lagMs, trouble }: DoorStatus): string | null {
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

/** What an operator should see of a door is a warning. */
export function doorLog(log: FastifyBaseLogger): DoorLog {
  return (event, details) => log[SERIOUS.has(event) ? 'warn' : 'debug'](details, `mqtt: ${event}`);
}

/** What the device side tells the operator's monitoring. */
export function registerDeviceMetrics(registry: Registry, devices: Devices): void {
  const gauges = [
    new Gauge({
      name: 'headrace_mqtt_held_messages',
      help: 'Messages taken from devices and not yet committed',
      registers: [],
      collect() {
        this.set(devices.door.status().held);
      },
    }),
    new Gauge({
      name: 'headrace_mqtt_dropped_messages',
      help: 'Messages turned away since the start, by reason',
      labelNames: ['reason'],
      registers: [],
      collect() {
        for (const [reason, count] of Object.entries(devices.door.status().dropped))
          this.set({ reason }, count);
      },
    }),
    new Gauge({
      name: 'headrace_mqtt_lag_seconds',
      help: 'How long a message takes from the outside broker to this server at present',
      registers: [],
      collect() {
        this.set(devices.door.status().lagMs / 1000);
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
