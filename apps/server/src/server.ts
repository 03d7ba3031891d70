import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import { type App, createApp } from './app.ts';
import type { Gap } from '@headrace/contract/rules/alerts/silence';
import type { Config } from './config.ts';
import type { DatabaseSource } from './database-source.ts';
import type { DatabaseClient, Db } from './db/client.ts';
import { createDevices, type Devices, transportLog, registerDeviceMetrics } from './devices.ts';
import { noteSeen } from './features/device-connections/kept-session.ts';
import { noteListening } from './features/device-connections/listening.ts';
import { createSandbox, usualThreads } from './features/codecs/sandbox/sandbox.ts';
import { releaseHeld } from './features/dead-letters/release-held.ts';
import { watchBackups } from './features/operator/backup/watch-backups.ts';
import { watchFarmBackups } from './features/transfer/backups/watch-farm-backups.ts';
import { watchUnclaimedRoom } from './features/usage/unclaimed-room.ts';
import { offlineWeather } from './features/weather/offline-weather.ts';
import { createOpenMeteo } from './features/weather/open-meteo.ts';
import type { WeatherDriver } from './features/weather/weather-driver.ts';
import { partitionsJob } from './jobs/partitions-job.ts';
import { EACH_MINUTE } from './jobs/rhythm.ts';
import { runLongJobs } from './features/long-jobs/run-long-jobs.ts';
import { type Job, runJobs } from './jobs/run-every.ts';
import { createLocalBus, createMqttBus, type LiveBus, type LiveListener } from './live/live-bus.ts';
import { createLivePublisher } from './live/live-publisher.ts';
import { watchDatabaseSize } from './machine/database-size.ts';
import type { OperatorNotices } from './machine/operator-notices.ts';
import { publicBroker } from './mqtt/public-address.ts';
import { openStorage } from './open-storage.ts';
import { readOrMakeOperatorToken } from './operator-token.ts';
import { brokerClientId, type OutsideTransports } from './outside-transports.ts';
import { listenToDatabase } from './live/database-news.ts';
import { startSending, smsCallbacksOf, waysOf } from './sending.ts';
import { joinServers, type RegistryDuties, type ServerRegistry } from './server-registry.ts';
import { ACCEPT_QUEUE } from './waiting-room.ts';

export interface RunningServer {
  url: string;
  mqttPort: number | null;
  mqttTlsPort: number | null;
  stop(): Promise<void>;
}

/** What people try is answered while they wait for it, or not at all. */
const TRY_QUEUE_MS = 10_000;

const here = dirname(fileURLToPath(import.meta.url));
const webFolder = join(here, '../../web/dist');

/**
 * Starts everything in order behind a database that may still be starting; what was opened is closed in the opposite order, the
 * database too, also when a later step fails.
 */
export async function startServer(
  config: Config,
  log: FastifyBaseLogger,
  opening: Promise<DatabaseSource>,
): Promise<RunningServer> {
  const opened: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of opened.splice(0).toReversed()) {
      await close().catch((error: unknown) => log.error({ err: error }, 'closing failed'));
    }
  };
  try {
    const running = await openAll(config, log, opening, opened);
    return { ...running, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openAll(
  config: Config,
  log: FastifyBaseLogger,
  opening: Promise<DatabaseSource>,
  opened: (() => Promise<unknown>)[],
): Promise<Omit<RunningServer, 'stop'>> {
  const now = () => new Date();
  const source = await opening;
  opened.push(() => source.stop());
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  const storage = await openStorage({ config, log, source, publicUrl, now, opened });
  const { disks, notices, ofCalls, ofDevices, ofJobs } = storage;

  const registry = config.mqttUrl
    ? await joinServers({ databaseUrl: source.url, clientId: brokerClientId(config), log })
    : null;
  opened.push(async () => registry?.stop());
  const bus = createBus(config, log);

  const threads = usualThreads();
  const sandbox = createSandbox({ threads });
  opened.push(() => sandbox.close());
  // A thread of its own: what people try never waits for what sensors send, nor the other way round.
  const trySandbox = createSandbox({ threads: 1, queueMs: TRY_QUEUE_MS });
  opened.push(() => trySandbox.close());
  const live = createLivePublisher(bus);
  const watches = openWatches({ config, db: ofJobs.db, now, notices, opened });
  const devices = createDevices({
    config,
    db: ofDevices.db,
    pool: ofDevices.pool,
    log,
    now,
    notices,
    live,
    codecs: { sandbox, threads },
  });
  const onDevicesChanged = (farmId: number) => {
    devices.ingest.forget(farmId);
    // The farm's clock may be another one.
    devices.clocks.changed();
    bus.tell({ kind: 'devices-changed', farmId });
  };
  const app = await createApp({
    db: ofCalls.db,
    pool: ofCalls.pool,
    ofJobs,
    database: storage.watch,
    log,
    now,
    pushHosts: config.sending.pushHosts,
    sendingBy: waysOf(config.sending),
    smsProvider: smsCallbacksOf(config.sending),
    publicUrl,
    webFolder,
    installation: {
      demo: config.demo && !config.onNetwork,
      ...config.imagery,
    },
    broker: () => publicBroker(config.mqttPublicUrl, devices),
    geocoder: config.geocoder,
    weather: weatherOf(config),
    refuseDemoAccounts: config.onNetwork,
    requireApproval: config.requireApproval,
    secretKey: config.secretKey,
    trustedProxies: config.trustedProxies,
    operatorToken: await readOrMakeOperatorToken(config, log),
    rawRetentionDays: config.rawRetentionDays,
    alertRetentionDays: config.alertRetentionDays,
    usageLimits: config.usageLimits,
    live,
    deviceReadiness: () => ({
      disk: disks.check(),
      ...devices.readiness(),
      ...watches.checks(),
      ...(registry && { servers: registry.trouble() ?? bus.trouble() ?? 'ok' }),
    }),
    disconnectSender(senderKey) {
      devices.transport.disconnect(senderKey);
      bus.tell({ kind: 'sender-disconnected', senderKey });
    },
    onDevicesChanged,
    trySandbox,
    wakeDecoding: () => devices.ingest.wakeDecoding(),
    takeAgain: (message) => devices.ingest.replay(message),
    publishDown: (...message) => devices.transport.publish(...message),
  });
  devices.listen({
    onCommitted: app.committed,
    onSettled: app.commands.settled,
    onHello: app.gatewayBack,
    onCodecSwitchedOff(farmId, codec) {
      onDevicesChanged(farmId);
      app.codecSwitchedOff(farmId, codec);
    },
  });
  registerDeviceMetrics(app.metrics, devices);
  disks.metrics(app.metrics);
  watches.metrics(app.metrics);
  bus.listen(deviceListener(devices));
  await startWork({
    config,
    log,
    now,
    app,
    bus,
    devices,
    registry,
    ofJobs,
    opened,
    notices,
    databaseUrl: source.url,
  });
  const { port } = app.http.server.address() as AddressInfo;
  return {
    url: `http://${shownHost(config.host)}:${port}`,
    mqttPort: devices.mqttPort(),
    mqttTlsPort: devices.mqttTlsPort(),
  };
}

interface WatchOptions extends Pick<Working, 'config' | 'now' | 'notices' | 'opened'> {
  readonly db: Db;
}

/** What the operator is told of: the size of the database, messages of unknown devices, and backups. */
function openWatches({ config, db, now, notices, opened }: WatchOptions) {
  const { databaseMaxBytes: maxBytes, disk } = config;
  const databaseSize = watchDatabaseSize({ db, maxBytes, warnBytes: disk.warnBytes, notices });
  opened.push(async () => databaseSize.stop());
  const unclaimed = watchUnclaimedRoom({ db, now, notices });
  opened.push(async () => unclaimed.stop());
  void unclaimed.look().catch(() => {});
  const backups = watchBackups({ db, now, notices });
  opened.push(async () => backups.stop());
  const farmBackups = watchFarmBackups({ db, now, notices });
  opened.push(async () => farmBackups.stop());
  return {
    checks: () => ({
      letters: unclaimed.check(),
      backups: backups.check(),
      farmBackups: farmBackups.check(),
      ...(maxBytes > 0 && { databaseSize: databaseSize.check() }),
    }),
    metrics(registry: Registry) {
      for (const watch of [unclaimed, databaseSize, backups, farmBackups]) watch.metrics(registry);
    },
  };
}

interface Working {
  readonly config: Config;
  readonly log: FastifyBaseLogger;
  readonly now: () => Date;
  readonly app: App;
  readonly bus: LiveBus;
  readonly devices: Devices;
  readonly registry: ServerRegistry | null;
  readonly ofJobs: DatabaseClient;
  readonly databaseUrl: string;
  readonly notices: OperatorNotices;
  readonly opened: (() => Promise<unknown>)[];
}

/** People first, then devices, then what the server does by itself. */
async function startWork(parts: Working): Promise<void> {
  const { config, log, now, app, bus, devices, registry, ofJobs, opened } = parts;
  await app.http.listen({ port: config.port, host: config.host, backlog: ACCEPT_QUEUE });
  opened.push(() => app.close());
  await bus.start();
  opened.push(() => bus.stop());
  await devices.start();
  opened.push(() => devices.stop());
  if (devices.outside) registry?.watch(leadDuties(devices, devices.outside, app, log));
  const clock = app.commands.startClock();
  opened.push(() => clock.stop());
  const partitions = partitionsJob({ ...ofJobs, now, retentionDays: config.rawRetentionDays });
  const { rawRetentionDays: retentionDays } = config;
  const ofTransports = deviceJobs({ devices, db: ofJobs.db, now, notices: parts.notices, retentionDays });
  const jobs = runJobs(ofJobs.pool, [partitions, ...ofTransports, ...app.jobs], log);
  opened.push(() => jobs.stop());
  const longJobs = runLongJobs({ db: ofJobs.db, types: app.longJobs, now, log, isAlone: !config.mqttUrl });
  opened.push(() => longJobs.stop());
  const { listener } = app.hub;
  const news = listenToDatabase(parts.databaseUrl, listener, log, app.accessListener, longJobs.wake);
  opened.push(() => news.stop());
  const { notificationsChanged: onNotificationsChanged } = app.live;
  const sending = startSending({ config, database: ofJobs, now, log, onNotificationsChanged });
  opened.push(() => sending.stop());
}

/** The operator's source; in the demo without one, weather that is made up and says so. */
function weatherOf({ weather, demo }: Config): WeatherDriver | null {
  if (weather) return createOpenMeteo(weather);
  return demo ? offlineWeather : null;
}

function createBus(config: Config, log: FastifyBaseLogger): LiveBus {
  const { mqttUrl: url, mqttTls: tls } = config;
  if (!url) return createLocalBus();
  return createMqttBus({ url, tls, clientId: `${brokerClientId(config)}-live`, log: transportLog(log) });
}

interface DeviceJobsOptions {
  readonly devices: Devices;
  readonly db: Db;
  readonly now: () => Date;
  readonly notices: OperatorNotices;
  readonly retentionDays: number;
}

const gapSentence = ({ from, to }: Gap) =>
  `Headrace did not listen to devices from ${new Date(from).toISOString()} to ${new Date(to).toISOString()}. Nobody's device was called silent for that, and what devices don't keep is lost.`;

/** Whether our clock is right, and what waits for it; gateways' clocks; and that an outside broker still has what it keeps for us. */
function deviceJobs({ devices, db, now, notices, retentionDays }: DeviceJobsOptions): Job[] {
  return [
    {
      name: 'own clock',
      everyMs: EACH_MINUTE,
      async run() {
        await devices.ownClock.check();
        await releaseHeld(db, devices.ingest.replay, now());
      },
    },
    devices.clocks.job,
    {
      name: 'session at the broker',
      everyMs: 10_000,
      async run() {
        if (devices.outside?.hasSession()) await noteSeen(db, now());
      },
    },
    {
      name: 'listening',
      everyMs: EACH_MINUTE / 2,
      async run() {
        const { mqtt, ingest } = devices.readiness();
        const listens = mqtt === 'ok' && ingest === 'ok' && (devices.outside?.hasSession() ?? true);
        const gap = listens ? await noteListening(db, now(), retentionDays) : null;
        if (gap) await notices.tell('devices were not listened to', [gapSentence(gap)]);
      },
    },
  ];
}

/** Of the one server that takes what devices say. */
function leadDuties(
  { ingest }: Devices,
  transports: OutsideTransports,
  { commands }: App,
  log: FastifyBaseLogger,
): RegistryDuties {
  return {
    onLead(leads) {
      transports.takeUplinks(leads);
      ingest.decode(leads);
      if (!leads) return;
      commands
        .takeOver()
        .catch((error: unknown) => log.warn({ err: error }, 'unanswered commands not sent again'));
    },
    isStuck: transports.isStuck,
  };
}

/** What other servers did to devices and their keys counts here too. */
function deviceListener({ ingest, transport }: Devices): LiveListener {
  return {
    onNews(news) {
      if (news.kind === 'devices-changed') ingest.forget(news.farmId);
      if (news.kind === 'sender-disconnected') transport.disconnect(news.senderKey);
    },
    onGap: () => ingest.forget(),
  };
}

/** As it goes into an address: every interface is this machine too, and IPv6 stands in brackets. */
function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
