import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { type App, createApp } from './app.ts';
import type { Config } from './config.ts';
import { openDatabaseSource } from './database-source.ts';
import { connectDatabase } from './db/client.ts';
import { migrate } from './db/migrate.ts';
import { createDevices, type Devices, doorLog, registerDeviceMetrics } from './devices.ts';
import { forgetExpired } from './features/accounts/forget-expired.ts';
import { createCodecRunner } from './features/codecs/codec-runner.ts';
import { createCodecsRepo } from './features/codecs/codecs.repo.ts';
import { createSandbox } from './features/codecs/sandbox/sandbox.ts';
import { forgetOldCommands } from './features/commands/commands.repo.ts';
import { purgeDeadLetters } from './features/dead-letters/dead-letters.repo.ts';
import { readOrMakeDemoSecret } from './features/demo/demo-secret.ts';
import { seedDemo } from './features/demo/seed-demo.ts';
import { purgeFarms } from './features/farms/purge-farms.ts';
import { rebuildFarmRollups } from './features/farms/rebuild-farm-rollups.ts';
import { offlineWeather } from './features/weather/offline-weather.ts';
import { createOpenMeteo } from './features/weather/open-meteo.ts';
import type { WeatherDriver } from './features/weather/weather-driver.ts';
import { housekeeping } from './jobs/housekeeping.ts';
import { runJobs } from './jobs/run-every.ts';
import { createLocalBus, createMqttBus, type LiveBus, type LiveListener } from './live/live-bus.ts';
import { publicBroker } from './mqtt/public-address.ts';
import { brokerClientId, type OutsideDoors } from './outside-doors.ts';
import { listenToDatabase } from './live/database-news.ts';
import { startSending } from './sending.ts';
import { joinServers, type RegistryDuties } from './server-registry.ts';
import { holdServerLock } from './single-server-lock.ts';

export interface RunningServer {
  url: string;
  mqttPort: number | null;
  stop(): Promise<void>;
}

const here = dirname(fileURLToPath(import.meta.url));
const webFolder = join(here, '../../web/dist');

/** Starts everything in order; what was opened is closed in the opposite order, also when a later step fails. */
export async function startServer(config: Config, log: FastifyBaseLogger): Promise<RunningServer> {
  const opened: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of opened.splice(0).toReversed()) {
      await close().catch((error: unknown) => log.error({ err: error }, 'closing failed'));
    }
  };
  try {
    const running = await openAll(config, log, opened);
    return { ...running, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openAll(
  config: Config,
  log: FastifyBaseLogger,
  opened: (() => Promise<unknown>)[],
): Promise<Omit<RunningServer, 'stop'>> {
  const now = () => new Date();
  const source = await openDatabaseSource(config, log, (error) => {
    log.fatal({ err: error }, 'the database would not run any more');
    process.kill(process.pid, 'SIGTERM');
  });
  opened.push(() => source.stop());
  const lock = await holdServerLock(source.url, { alone: !config.mqttUrl });
  opened.push(() => lock.release());
  const database = connectDatabase(source.url, {
    log: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  opened.push(() => database.close());
  await migrate(database.db);
  if (config.demo) await seedDemo(database.db, await readOrMakeDemoSecret(config.dataDir), now());

  const registry = config.mqttUrl
    ? await joinServers({ databaseUrl: source.url, clientId: brokerClientId(config), log })
    : null;
  opened.push(async () => registry?.stop());
  const bus = createBus(config, log);

  const sandbox = createSandbox();
  opened.push(() => sandbox.close());
  const onDevicesChanged = (farmId: number) => {
    devices.ingest.forget(farmId);
    bus.tell({ kind: 'devices-changed', farmId });
  };

  let app: App | null = null;
  const devices: Devices = createDevices({
    config,
    db: database.db,
    pool: database.pool,
    log,
    now,
    publishLive: (events) => app?.live.publish(events),
    decoder: createCodecRunner(createCodecsRepo(database.db), {
      sandbox,
      now,
      log,
      onSwitchedOff: onDevicesChanged,
    }),
    onSettled: (settled) => app?.commands.settled(settled),
    onHello: async (gateway) => app?.gatewayBack(gateway),
  });
  app = await createApp({
    db: database.db,
    pool: database.pool,
    log,
    now,
    pushHosts: config.sending.pushHosts,
    publicUrl: config.publicUrl ?? `http://localhost:${config.port}`,
    webFolder,
    installation: {
      demo: config.demo && !config.onNetwork,
      tileUrl: config.tileUrl,
      tileAttribution: config.tileAttribution,
    },
    broker: () => publicBroker(config.mqttPublicUrl, devices.mqttPort()),
    geocoder: config.geocoder,
    weather: weatherOf(config),
    refuseDemoAccounts: config.onNetwork,
    requireApproval: config.requireApproval,
    trustedProxies: config.trustedProxies,
    operatorToken: config.operatorToken,
    rawRetentionDays: config.rawRetentionDays,
    bus,
    deviceReadiness: () => ({
      ...devices.readiness(),
      ...(registry && { servers: registry.trouble() ?? bus.trouble() ?? 'ok' }),
    }),
    disconnectSender(senderKey) {
      devices.door.disconnect(senderKey);
      bus.tell({ kind: 'sender-disconnected', senderKey });
    },
    onDevicesChanged,
    sandbox,
    publishDown: (...message) => devices.door.publish(...message),
  });
  registerDeviceMetrics(app.metrics, devices);
  bus.listen(deviceListener(devices));
  const { http } = app;
  await http.listen({ port: config.port, host: config.host });
  opened.push(() => app.close());
  await bus.start();
  opened.push(() => bus.stop());
  await devices.start();
  opened.push(() => devices.stop());
  if (devices.outside) registry?.watch(leadDuties(devices.outside, app, log));
  const clock = app.commands.startClock();
  opened.push(() => clock.stop());
  const jobs = runJobs(
    database.pool,
    housekeeping({
      db: database.db,
      pool: database.pool,
      now,
      retentionDays: config.rawRetentionDays,
      forgetExpired: () => forgetExpired(database.db, now()),
      closeAccounts: app.closeAccounts,
      endAccess: app.endAccess,
      purgeDeadLetters: () => purgeDeadLetters(database.db, now()),
      forgetOldCommands: () => forgetOldCommands(database.db, now()),
      purgeFarms: () => purgeFarms(database.db, now()),
      rebuildFarmRollups: () => rebuildFarmRollups(database.pool, now()),
      tellDevices: app.tellDevices,
    }),
    log,
  );
  opened.push(() => jobs.stop());
  const news = listenToDatabase(source.url, app.live.listener, log);
  opened.push(() => news.stop());
  const onNotificationsChanged = app.live.notificationsChanged;
  const sending = startSending({ config, database, now, log, onNotificationsChanged });
  opened.push(() => sending.stop());
  const { port } = http.server.address() as AddressInfo;
  return {
    url: `http://${shownHost(config.host)}:${port}`,
    mqttPort: devices.mqttPort(),
  };
}

/** The operator's source; in the demo without one, weather that is made up and says so. */
function weatherOf({ weather, demo }: Config): WeatherDriver | null {
  if (weather) return createOpenMeteo(weather);
  return demo ? offlineWeather : null;
}

function createBus(config: Config, log: FastifyBaseLogger): LiveBus {
  const { mqttUrl: url, mqttTls: tls } = config;
  if (!url) return createLocalBus();
  return createMqttBus({ url, tls, clientId: `${brokerClientId(config)}-live`, log: doorLog(log) });
}

/** Of the one server that takes what devices say. */
function leadDuties(doors: OutsideDoors, { commands }: App, log: FastifyBaseLogger): RegistryDuties {
  return {
    onLead(leads) {
      doors.takeUplinks(leads);
      if (!leads) return;
      commands
        .takeOver()
        .catch((error: unknown) => log.warn({ err: error }, 'unanswered commands not sent again'));
    },
    isStuck: doors.isStuck,
  };
}

/** What other servers did to devices and their keys counts here too. */
function deviceListener({ ingest, door }: Devices): LiveListener {
  return {
    onNews(news) {
      if (news.kind === 'devices-changed') ingest.forget(news.farmId);
      if (news.kind === 'sender-disconnected') door.disconnect(news.senderKey);
    },
    onGap: () => ingest.forget(),
  };
}

/** As it goes into an address: every interface is this machine too, and IPv6 stands in brackets. */
function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
