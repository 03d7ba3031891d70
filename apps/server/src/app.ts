import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { BrokerAddress } from '@headrace/contract/settings';
import type { Db } from './db/client.ts';
import { createAccessRepo } from './features/access/access.repo.ts';
import { accessRoutes } from './features/access/access.routes.ts';
import { createAccessService } from './features/access/access.service.ts';
import { accountsRoutes } from './features/accounts/accounts.routes.ts';
import { createAccounts } from './features/accounts/accounts.ts';
import { createSessions } from './features/accounts/sessions.ts';
import { createChangesRepo } from './features/changes/changes.repo.ts';
import { changesRoutes } from './features/changes/changes.routes.ts';
import { createChangesService } from './features/changes/changes.service.ts';
import { createCodecsRepo } from './features/codecs/codecs.repo.ts';
import { codecsRoutes } from './features/codecs/codecs.routes.ts';
import { createCodecsService } from './features/codecs/codecs.service.ts';
import type { Sandbox } from './features/codecs/sandbox/sandbox.ts';
import { type Commands, createCommands } from './features/commands/commands.ts';
import { commandsRoutes } from './features/commands/commands.routes.ts';
import { brokerRoutes } from './features/device-doors/broker.routes.ts';
import { createDeviceSignIn } from './features/device-doors/device-sign-in.ts';
import { createFarmEditService } from './features/farms/farm-edit.service.ts';
import { createDeviceRecords } from './features/devices/device-records.ts';
import { createLocations } from './features/devices/locations.ts';
import { createFarmsRepo } from './features/farms/farms.repo.ts';
import { farmsRoutes } from './features/farms/farms.routes.ts';
import { createFarmsService } from './features/farms/farms.service.ts';
import { createFlowRepo } from './features/flow/flow.repo.ts';
import { flowRoutes } from './features/flow/flow.routes.ts';
import { createFlowService } from './features/flow/flow.service.ts';
import { createGatewayIo } from './features/gateway-io/gateway-io.ts';
import { gatewayIoRoutes } from './features/gateway-io/gateway-io.routes.ts';
import { geocodeRoutes } from './features/geocode/geocode.routes.ts';
import { createGeocodeService } from './features/geocode/geocode.service.ts';
import type { GeocoderSettings } from './features/geocode/geocoder.ts';
import { createGatewaysRepo } from './features/gateways/gateways.repo.ts';
import { gatewaysRoutes } from './features/gateways/gateways.routes.ts';
import { createGatewaysService } from './features/gateways/gateways.service.ts';
import { createGroupsRepo } from './features/groups/groups.repo.ts';
import { groupsRoutes } from './features/groups/groups.routes.ts';
import { createGroupsService } from './features/groups/groups.service.ts';
import { createFarmUnits } from './features/irrigation-devices/farm-units.ts';
import { irrigationDevicesRoutes } from './features/irrigation-devices/irrigation-devices.routes.ts';
import { createIrrigationDevicesService } from './features/irrigation-devices/irrigation-devices.service.ts';
import { createUnitsRepo } from './features/irrigation-devices/units.repo.ts';
import { createUnitFlags } from './features/irrigation-devices/unit-flags.ts';
import { createMessages } from './features/messages/create-messages.ts';
import { createPageViewsRepo } from './features/analytics/page-views.repo.ts';
import { pageViewRoutes } from './features/analytics/page-views.routes.ts';
import { createPageViewsService } from './features/analytics/page-views.service.ts';
import { notificationsRoutes } from './features/notifications/notifications.routes.ts';
import { createNotificationsRepo } from './features/notifications/notifications.repo.ts';
import { createNotificationsService } from './features/notifications/notifications.service.ts';
import { createOutboxRepo } from './features/outbox/outbox.repo.ts';
import { registerOutboxPage } from './features/outbox/outbox-page.ts';
import { createPushDevicesRepo } from './features/notifications/push-devices.repo.ts';
import { createPushDevicesService } from './features/notifications/push-devices.service.ts';
import { createConversions } from './features/pois/conversions.ts';
import { createPoisRepo } from './features/pois/pois.repo.ts';
import { poisRoutes } from './features/pois/pois.routes.ts';
import { createPoisService } from './features/pois/pois.service.ts';
import { liveStatusEvent } from './features/readings/live-status-event.ts';
import { createRegistryRepo } from './features/registry/registry.repo.ts';
import { registryRoutes } from './features/registry/registry.routes.ts';
import { createRegistryService } from './features/registry/registry.service.ts';
import { createRepeatersRepo } from './features/repeaters/repeaters.repo.ts';
import { repeatersRoutes } from './features/repeaters/repeaters.routes.ts';
import { createRepeatersService } from './features/repeaters/repeaters.service.ts';
import { createSearchRepo } from './features/search/search.repo.ts';
import { searchRoutes } from './features/search/search.routes.ts';
import { createSearchService } from './features/search/search.service.ts';
import { createSensorConfig } from './features/sensor-config/sensor-config.ts';
import { sensorConfigRoutes } from './features/sensor-config/sensor-config.routes.ts';
import { createSensorMonitorRepo } from './features/sensors/sensor-monitor.repo.ts';
import { createSensorMonitor } from './features/sensors/sensor-monitor.service.ts';
import { createSensorsRepo } from './features/sensors/sensors.repo.ts';
import { sensorsRoutes } from './features/sensors/sensors.routes.ts';
import { createSensorsService } from './features/sensors/sensors.service.ts';
import { createInsightsRepo } from './features/insights/insights.repo.ts';
import { insightsRoutes } from './features/insights/insights.routes.ts';
import { createInsightsService } from './features/insights/insights.service.ts';
import { headlinesRoutes } from './features/headlines/headlines.routes.ts';
import { createHeadlinesService } from './features/headlines/headlines.service.ts';
import { createInstallation } from './features/settings/installation.ts';
import { createSettingsRepo } from './features/settings/settings.repo.ts';
import { settingsRoutes } from './features/settings/settings.routes.ts';
import { createSettingsService } from './features/settings/settings.service.ts';
import { endShares } from './features/sharing/end-shares.ts';
import { sharingRoutes } from './features/sharing/sharing.routes.ts';
import { createAddReading } from './features/soil-moisture/add-reading.ts';
import { createSoilMoistureRepo } from './features/soil-moisture/soil-moisture.repo.ts';
import { soilMoistureRoutes } from './features/soil-moisture/soil-moisture.routes.ts';
import { createSoilMoistureService } from './features/soil-moisture/soil-moisture.service.ts';
import { createSprinklerStatusRepo } from './features/sprinklers/sprinkler-status.repo.ts';
import { sprinklerStatusRoutes } from './features/sprinklers/sprinkler-status.routes.ts';
import { createSprinklerStatusService } from './features/sprinklers/sprinkler-status.service.ts';
import { supportRoutes } from './features/support/support.routes.ts';
import { createSupportService } from './features/support/support.service.ts';
import { createTanksRepo } from './features/tanks/tanks.repo.ts';
import type { WeatherDriver } from './features/weather/weather-driver.ts';
import { weatherRoutes } from './features/weather/weather.routes.ts';
import { createWeatherService } from './features/weather/weather.service.ts';
import { createTlmRepo } from './features/tlm/tlm.repo.ts';
import { tlmRoutes } from './features/tlm/tlm.routes.ts';
import { createTlmService } from './features/tlm/tlm.service.ts';
import { tankRoutes } from './features/tanks/tanks.routes.ts';
import { createTanksService } from './features/tanks/tanks.service.ts';
import type { TrustedProxies } from './http/trusted-proxies.ts';
import { createHttpApp } from './http/create-http-app.ts';
import { registerDocumentation } from './http/documentation.ts';
import { registerHealth, type Readiness } from './http/health.ts';
import { createMount } from './http/mount.ts';
import { registerWebApp } from './http/web-app.ts';
import type { LiveBus, LiveEvent } from './live/live-bus.ts';
import type { MqttDoor } from './mqtt/door.ts';
import { createLiveHub, type LiveHub } from './live/live-hub.ts';
import { registerLive } from './live/live-route.ts';

export interface AppOptions {
  db: Db;
  pool: Pool;
  log: FastifyBaseLogger;
  now: () => Date;
  /** Where people reach the app: links in mails begin with it. */
  publicUrl: string;
  /** Folder of the built web app. */
  webFolder: string;
  installation: { demo: boolean; tileUrl: string; tileAttribution: string };
  /** How others reach the broker; null: not known. */
  broker: () => BrokerAddress | null;
  /** Hosts of push services besides those of the usual browsers. */
  pushHosts?: readonly string[];
  /** Finds addresses; without it our own gazetteer does. */
  geocoder?: GeocoderSettings | null;
  /** Rain forecasts; without it there are none. */
  weather?: WeatherDriver | null;
  refuseDemoAccounts: boolean;
  /** New accounts wait for the operator's approval. */
  requireApproval?: boolean;
  trustedProxies: TrustedProxies;
  operatorToken: string | null;
  requestsPerMinute?: number;
  /** Older readings are refused; as many days as usual unless said. */
  rawRetentionDays?: number;
  /** To the live connections of other servers. */
  bus: LiveBus;
  /** What device messages and the broker add to /readyz. */
  deviceReadiness: () => Record<string, string>;
  /** Ends a sender's broker sessions, as after its key was withdrawn. */
  disconnectSender: (senderKey: string) => void;
  /** Where payload codecs are run; the app doesn't close it. */
  sandbox: Sandbox;
  /** Devices of a farm were added, changed or removed. */
  onDevicesChanged: (farmId: number) => void;
  /** To a gateway, through the broker. */
  publishDown: MqttDoor['publish'];
}

export interface App {
  http: FastifyInstance;
  live: LiveHub;
  commands: Commands;
  metrics: Registry;
  /** A gateway has come back and has the time: it is told what it missed. */
  gatewayBack(gateway: { farmId: number; gatewayId: number }): Promise<void>;
  /** Tells gateways and sensors what changed without us, or was not sent. */
  tellDevices(): Promise<void>;
  /** Deletes accounts whose days of grace are over. */
  closeAccounts(): Promise<void>;
  /** Writes down and tells what ended by itself: shares, and support's sessions. */
  endAccess(): Promise<void>;
  close(): Promise<void>;
}

/** The whole object graph, by hand, so that it can be read from top to bottom. */
export async function createApp(options: AppOptions): Promise<App> {
  const { db, now, log } = options;
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });

  const messages = createMessages({
    db,
    publicUrl: options.publicUrl,
    toAccount: (accountId, frame) => live.toAccount(accountId, frame),
    onNotificationsChanged: (accountId) => live.notificationsChanged(accountId),
  });
  const onNotificationsChanged = (accountId: number) => live.notificationsChanged(accountId);
  const pushDevicesRepo = createPushDevicesRepo(db);
  const pushDevices = createPushDevicesService(pushDevicesRepo, {
    pushHosts: options.pushHosts ?? [],
    onChanged: onNotificationsChanged,
  });
  const notifications = createNotificationsService(createNotificationsRepo(db), pushDevicesRepo, {
    onChanged: onNotificationsChanged,
  });
  const installation = createInstallation(db, { now, fixed: options.installation, broker: options.broker });
  const sessions = createSessions(db, {
    ended: (tokenHash) => live.endSession(tokenHash),
    rotated: (tokenHash) => live.renewSession(tokenHash),
  });
  const access = createAccessService(createAccessRepo(db), { callerOf: sessions.callerOf, log });
  const settings = createSettingsService(createSettingsRepo(db));
  const tanks = createTanksService(createTanksRepo(db));
  const flow = createFlowService(createFlowRepo(db));
  const soilRepo = createSoilMoistureRepo(db);
  const soil = createSoilMoistureService(soilRepo);
  const weather = createWeatherService({ driver: options.weather ?? null, log });
  const farms = createFarmsService(createFarmsRepo(db), access, tanks);
  const byRadio = {
    db,
    pool: options.pool,
    now,
    log,
    tell: (events: LiveEvent[]) => live.publish(events),
    publish: options.publishDown,
  };
  const gatewayIo = createGatewayIo(byRadio);
  const sensorConfig = createSensorConfig(byRadio);
  const records = createDeviceRecords(db, {
    onDevicesChanged(farmId) {
      options.onDevicesChanged(farmId);
      void gatewayIo.devicesChanged(farmId);
    },
  });
  const gateways = createGatewaysService(createGatewaysRepo(db), records, {
    disconnect: options.disconnectSender,
  });
  const codecs = createCodecsService(createCodecsRepo(db), options);
  const sensors = createSensorsService(db, createSensorsRepo(db), records);
  const farmUnits = createFarmUnits(db);
  const units = createIrrigationDevicesService(db, createUnitsRepo(db, farmUnits), records);
  const flags = createUnitFlags(records);
  const conversions = createConversions(db, records, units, sensors);
  const sprinklerStatus = createSprinklerStatusService(createSprinklerStatusRepo(db, farmUnits));

  const live = createLiveHub(
    {
      callerOf: sessions.callerOf,
      grantsOf: async (accountId, at) =>
        (await access.grants(accountId, at)).map(({ farm, permissions }) => ({
          farmId: farm.id,
          farmUID: farm.uid,
          permissions,
        })),
      openingFrames: async (accountId, at) => [
        ...(await settings.openingFrames(accountId)),
        { type: 'permissions', data: await access.permissionsOf(accountId, at) },
      ],
      notifications: ({ accountId, tokenHash }) => notifications.openingFrame(accountId, tokenHash),
      setNotificationPreferences: async ({ accountId }, wanted, at) =>
        void (await notifications.setPreferences(accountId, wanted, at)),
      sprinklers: sprinklerStatus.some,
    },
    options.bus,
    now,
    log,
  );

  const commands = createCommands({
    db,
    pool: options.pool,
    now,
    log,
    live,
    publish: options.publishDown,
    relays: gatewayIo.service,
    onDevicesChanged: options.onDevicesChanged,
  });

  const onAccessChanged = (accountIds: readonly number[]) => {
    for (const id of accountIds)
      void accessChanged(id).catch((err: unknown) => log.warn({ err }, 'new rights not told'));
  };
  const farmEdit = createFarmEditService(db, {
    farms,
    access,
    effects: {
      mayCreate: async () => (await installation.settings()).newFarmCreation,
      disconnect: options.disconnectSender,
      onDevicesChanged: options.onDevicesChanged,
      onAccessChanged,
    },
  });
  async function accessChanged(accountId: number): Promise<void> {
    await live.accessChanged(accountId);
    live.toAccount(accountId, { type: 'permissions', data: await access.permissionsOf(accountId, now()) });
  }

  const sharing = { db, messages, accessChanged, log };
  const support = createSupportService(sharing);
  const accounts = createAccounts({
    db,
    sessions,
    messages,
    refuseDemoAccounts: options.refuseDemoAccounts,
    mayRegister: async () => (await installation.settings()).newAccountCreation,
    requireApproval: options.requireApproval ?? false,
    removeFarm: farmEdit.remove,
    onAccessChanged,
    log,
  });

  const http = await createHttpApp({
    log,
    trustedProxies: options.trustedProxies,
    tileOrigins: originsOf(options.installation.tileUrl),
    ...(options.requestsPerMinute && { requestsPerMinute: options.requestsPerMinute }),
  });
  await registerDocumentation(http);
  await registerLive(http, live);
  const mount = createMount(http, access, now, options.operatorToken);
  accountsRoutes(mount, accounts);
  pageViewRoutes(mount, createPageViewsService(createPageViewsRepo(db)));
  notificationsRoutes(mount, notifications, pushDevices);
  settingsRoutes(mount, settings, installation, (caller, frame) =>
    live.toAccount(caller.accountId, frame, caller.tokenHash),
  );
  accessRoutes(mount, access);
  sharingRoutes(mount, sharing, access);
  supportRoutes(mount, support);
  farmsRoutes(mount, farms, farmEdit);
  geocodeRoutes(
    mount,
    createGeocodeService({
      geocoder: options.geocoder ?? null,
      countries: async () => (await installation.settings()).enabledCountryCodes,
      log,
    }),
  );
  changesRoutes(mount, createChangesService(createChangesRepo(db)));
  tankRoutes(mount, tanks);
  tlmRoutes(mount, createTlmService(db, createTlmRepo(db), messages));
  flowRoutes(mount, flow);
  const addReading = createAddReading(soilRepo, {
    pool: options.pool,
    ...(options.rawRetentionDays && { retentionDays: options.rawRetentionDays }),
    onCommitted: (events) => live.publish(events.map(liveStatusEvent)),
  });
  soilMoistureRoutes(mount, soil, addReading);
  headlinesRoutes(
    mount,
    createHeadlinesService({ soil, tanks, flow, weather, gatewayIo: gatewayIo.service }),
  );
  weatherRoutes(mount, weather);
  insightsRoutes(mount, createInsightsService(createInsightsRepo(db)), settings);
  gatewaysRoutes(mount, gateways);
  sensorsRoutes(mount, sensors, createSensorMonitor(createSensorMonitorRepo(db), flow));
  sensorConfigRoutes(mount, sensorConfig.service);
  gatewayIoRoutes(mount, gatewayIo.service);
  irrigationDevicesRoutes(mount, { units, flags, conversions, locations: createLocations(records) });
  repeatersRoutes(mount, createRepeatersService(db, createRepeatersRepo(db), records, farmUnits), flags);
  poisRoutes(mount, createPoisService(createPoisRepo(db), records), conversions);
  registryRoutes(mount, createRegistryService(createRegistryRepo(db), access));
  groupsRoutes(mount, createGroupsService(createGroupsRepo(db)));
  sprinklerStatusRoutes(mount, sprinklerStatus);
  searchRoutes(mount, createSearchService(createSearchRepo(db), access));
  codecsRoutes(mount, codecs);
  commandsRoutes(mount, commands.service);
  brokerRoutes(mount, createDeviceSignIn({ db, now }));
  registerOutboxPage(http, createOutboxRepo(db), options.operatorToken);
  registerHealth(http, {
    readiness: () => readiness(options),
    metrics,
    operatorToken: options.operatorToken,
  });
  await registerWebApp(http, options.webFolder);

  return {
    http,
    live,
    commands,
    metrics,
    async gatewayBack(gateway) {
      await commands.hello(gateway);
      await gatewayIo.hello(gateway);
      await sensorConfig.hello(gateway);
    },
    async tellDevices() {
      await gatewayIo.tick();
      await sensorConfig.tick();
    },
    closeAccounts: () => accounts.closing.closeDue(now()),
    async endAccess() {
      await endShares(sharing, now());
      await support.endSessions(now());
    },
    async close() {
      live.stop();
      await http.close();
      await accounts.background.settled();
      await commands.done();
    },
  };
}

async function readiness(options: AppOptions): Promise<Readiness> {
  const database = await options.pool.query('select 1').then(
    () => 'ok',
    () => 'not reachable',
  );
  const checks = { database, ...options.deviceReadiness() };
  return { ready: Object.values(checks).every((state) => state === 'ok'), checks };
}

function originsOf(tileUrl: string): string[] {
  if (!tileUrl) return [];
  const { protocol, host } = new URL(tileUrl.replace(/\{s\}/g, 'a'));
  return [`${protocol}//${tileUrl.includes('{s}') ? host.replace(/^a\./, '*.') : host}`];
}
