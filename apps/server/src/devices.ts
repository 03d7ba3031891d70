import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import type { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { topicFilters } from '@headrace/device/topics';
import type { Config } from './config.ts';
import type { Db } from './db/client.ts';
import { createDeviceSignIn } from './features/device-doors/device-sign-in.ts';
import { sendTime } from './features/device-doors/send-time.ts';
import { createIngest, type Ingest } from './features/readings/ingest.ts';
import type { LiveEvent } from './live/live-bus.ts';
import { statusEvent } from './live/status-event.ts';
import type { MqttDoor } from './mqtt/door.ts';
import { createEmbeddedBroker, type EmbeddedBroker } from './mqtt/embedded-broker.ts';
import { createExternalBroker } from './mqtt/external-broker.ts';

export interface Devices {
  ingest: Ingest;
  door: MqttDoor;
  /** Port of the embedded broker; null with an external one. */
  mqttPort(): number | null;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The device side: one MQTT door and the ingest behind it. */
export function createDevices(options: {
  config: Config;
  db: Db;
  pool: Pool;
  log: FastifyBaseLogger;
  now: () => Date;
  publishLive: (events: LiveEvent[]) => void;
}): Devices {
  const { config, db, pool, log, now } = options;
  const ingest = createIngest({
    pool,
    now,
    log,
    retentionDays: config.rawRetentionDays,
    onCommitted: (events) =>
      options.publishLive(
        events.map(({ farmId, farmUid, uid, serialNumber, type, updatedAt }) =>
          statusEvent(farmId, {
            type,
            farmUID: farmUid,
            uid,
            serialNumber,
            updatedAt: updatedAt.toISOString(),
          }),
        ),
      ),
    onHello: (gateway) => {
      sendTime(door, gateway, now()).catch((error: unknown) =>
        log.warn({ err: error, mac: gateway.mac }, 'time not sent'),
      );
    },
  });
  const events = (event: string, details: Record<string, unknown>) => log.debug(details, `mqtt: ${event}`);
  const embedded: EmbeddedBroker | null = config.mqttUrl
    ? null
    : createEmbeddedBroker({
        host: config.mqttHost,
        port: config.mqttPort,
        authenticate: createDeviceSignIn({ db, now }),
        onOversize: (report) => ingest.oversize(report),
        log: events,
        clock: now,
      });
  const door: MqttDoor =
    embedded ??
    createExternalBroker({
      url: config.mqttUrl ?? '',
      clientId: brokerClientId(config.dataDir),
      subscriptions: Object.values(topicFilters).map((filter) => ({
        filter,
        shared: filter !== topicFilters.gatewayState,
      })),
      onOversize: (report) => ingest.oversize(report),
      log: events,
    });
  return {
    ingest,
    door,
    mqttPort: () => embedded?.port ?? null,
    async start() {
      if (embedded) await ingest.markAllOffline();
      await door.start((message) => ingest.accept(message));
    },
    async stop() {
      await door.stop();
      await ingest.drain();
      ingest.stop();
    },
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

/** The same over restarts and another for every server: the broker keeps our session under it. */
function brokerClientId(dataDir: string): string {
  return `headrace-${createHash('sha256').update(`${hostname()} ${dataDir}`).digest('hex').slice(0, 12)}`;
}
