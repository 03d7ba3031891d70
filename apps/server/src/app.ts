import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { AppOptions } from './app-options.ts';
import type { Core, Feature } from './feature.ts';
import { createAccessFeature } from './features/access/access.feature.ts';
import { createAccountsFeature, createLiveSessions } from './features/accounts/accounts.feature.ts';
import { createPageViewsFeature } from './features/analytics/page-views.feature.ts';
import { createChangesFeature } from './features/changes/changes.feature.ts';
import { createCodecsFeature, type CodecsFeature } from './features/codecs/codecs.feature.ts';
import { createCommandsFeature } from './features/commands/commands.feature.ts';
import type { Commands } from './features/commands/commands.ts';
import { createConversionsFeature } from './features/conversions/conversions.feature.ts';
import { createDemoFeature } from './features/demo/demo.feature.ts';
import { createDeadLettersFeature } from './features/dead-letters/dead-letters.feature.ts';
import { createAlertsFeature } from './features/alerts/alerts.feature.ts';
import { createBatteryLifeFeature } from './features/battery-life/battery-life.feature.ts';
import { createBrokerFeature } from './features/device-connections/broker.feature.ts';
import { createDevicesFeature } from './features/devices/devices.feature.ts';
import { createFarmsFeature } from './features/farms/farms.feature.ts';
import { createFlowCheckFeature } from './features/flow-check/flow-check.feature.ts';
import { createFlowFeature } from './features/flow/flow.feature.ts';
import { createGatewayIoFeature } from './features/gateway-io/gateway-io.feature.ts';
import { createGatewaysFeature } from './features/gateways/gateways.feature.ts';
import { createGeocodeFeature } from './features/geocode/geocode.feature.ts';
import { createGroupsFeature } from './features/groups/groups.feature.ts';
import { createHeadlinesFeature } from './features/headlines/headlines.feature.ts';
import { createHealthFeature } from './features/health/health.feature.ts';
import { createHoldsFeature } from './features/holds/holds.feature.ts';
import { createInsightsFeature } from './features/insights/insights.feature.ts';
import { createIrrDiaryFeature } from './features/irr-diary/irr-diary.feature.ts';
import { createIrrigationAdviceFeature } from './features/irrigation-advice/irrigation-advice.feature.ts';
import { createIrrigationDevicesFeature } from './features/irrigation-devices/irrigation-devices.feature.ts';
import type { LongJobType } from './features/long-jobs/long-job-type.ts';
import { createLongJobsFeature } from './features/long-jobs/long-jobs.feature.ts';
import { createMessages } from './features/messages/create-messages.ts';
import { createTestWaysFeature } from './features/messages/test-ways.feature.ts';
import { createNotificationsFeature } from './features/notifications/notifications.feature.ts';
import { createOperatorFeature } from './features/operator/operator.feature.ts';
import { createOutboxFeature } from './features/outbox/outbox.feature.ts';
import { createPoisFeature } from './features/pois/pois.feature.ts';
import { createRadioHealthFeature } from './features/radio-health/radio-health.feature.ts';
import { createReadingsFeature } from './features/readings/readings.feature.ts';
import { createMacClaimsFeature } from './features/mac-claims/mac-claims.feature.ts';
import { createRegistryFeature } from './features/registry/registry.feature.ts';
import { createAnnexFeature } from './features/plan-annex/plan-annex.feature.ts';
import { createReportsFeature } from './features/reports/reports.feature.ts';
import { createRepeatersFeature } from './features/repeaters/repeaters.feature.ts';
import { createSchedulesFeature } from './features/schedules/schedules.feature.ts';
import { createSearchFeature } from './features/search/search.feature.ts';
import { createSensorConfigFeature } from './features/sensor-config/sensor-config.feature.ts';
import { createSensorsFeature } from './features/sensors/sensors.feature.ts';
import { createSeriesFeature } from './features/series/series.feature.ts';
import { createSettingsFeature } from './features/settings/settings.feature.ts';
import { createSharingFeature } from './features/sharing/sharing.feature.ts';
import { createSmsRepliesFeature } from './features/sms-replies/sms-replies.feature.ts';
import { createSoilMoistureFeature } from './features/soil-moisture/soil-moisture.feature.ts';
import { createSprinklersFeature } from './features/sprinklers/sprinklers.feature.ts';
import { createSupportFeature } from './features/support/support.feature.ts';
import { createTanksFeature } from './features/tanks/tanks.feature.ts';
import { createTimelineFeature } from './features/timeline/timeline.feature.ts';
import { createTlmFeature } from './features/tlm/tlm.feature.ts';
import { createBackupBefore } from './features/transfer/backups/backup-before.ts';
import { createTransferFeature } from './features/transfer/transfer.feature.ts';
import { createUndoFeature } from './features/undo/undo.feature.ts';
import { createUsageFeature } from './features/usage/usage.feature.ts';
import { createWalkListFeature } from './features/walk-list/walk-list.feature.ts';
import { createWaterTakesFeature } from './features/water-takes/water-takes.feature.ts';
import { createWateringsFeature } from './features/waterings/waterings.feature.ts';
import { createWeatherFeature } from './features/weather/weather.feature.ts';
import { hubOf } from './app-hub.ts';
import { openHttp } from './http-app.ts';
import type { Job } from './jobs/run-every.ts';
import type { LiveHub } from './live/live-hub.ts';
import type { AccessListener } from './live/database-news.ts';
import type { LivePublisher } from './live/live-publisher.ts';

export interface App {
  http: FastifyInstance;
  live: LivePublisher;
  hub: LiveHub;
  /** Whoever listens to the database tells it who may do what no more. */
  accessListener: AccessListener;
  commands: Commands;
  metrics: Registry;
  /** What the features do again and again; whoever runs the app runs them. */
  jobs: readonly Job[];
  /** What takes longer than a call; whoever runs the app runs it. */
  longJobs: readonly LongJobType[];
  /** A gateway has come back and has the time: it is told what it missed. */
  gatewayBack(gateway: { farmId: number; gatewayId: number }): Promise<void>;
  /** Tells the farm's people that a codec costs too much and isn't run any more. */
  codecSwitchedOff: CodecsFeature['switchedOff'];
  /** Devices of these farms have said something that was stored. */
  committed(farmIds: ReadonlySet<number>): void;
  close(): Promise<void>;
}

/** All features in the order of their needs: each gets the core and the features above it that it calls. */
export async function createApp(options: AppOptions): Promise<App> {
  const core: Core = options;
  const features: Feature[] = [];
  const add = <F extends Feature>(feature: F): F => {
    features.push(feature);
    return feature;
  };

  const messages = createMessages(core);
  const settings = add(createSettingsFeature(core, options));
  const notifications = add(createNotificationsFeature(core, options));
  const { sendingBy: ways = ['mail', 'sms', 'push'], smsProvider: callbacks = null } = options;
  add(createTestWaysFeature(core, { messages, ways, browserOf: notifications.browserOf }));
  const sessions = createLiveSessions(core);
  add(createOperatorFeature(core));
  const access = add(createAccessFeature(core, sessions));
  const sharing = add(createSharingFeature(core, { messages, access }));
  add(createSupportFeature(core, { messages, access }));

  const tanks = add(createTanksFeature(core));
  const flow = add(createFlowFeature(core));
  const soil = add(createSoilMoistureFeature(core, options));
  const series = add(createSeriesFeature(core));
  const weather = add(createWeatherFeature(core, options.weather));
  const insights = add(createInsightsFeature(core, settings.service));
  add(createReadingsFeature(core));
  const waterings = add(createWateringsFeature(core));
  const diary = add(createIrrDiaryFeature(core, flow.service));
  const waterTakes = add(createWaterTakesFeature(core, options));
  const { season } = add(createIrrigationAdviceFeature(core, { diary, soil, weather }));
  const schedules = add(createSchedulesFeature(core, access.service));

  const gatewayIo = createGatewayIoFeature(core);
  const { commands } = add(createCommandsFeature(core, gatewayIo, schedules));
  // A gateway that comes back gets its commands first: there may be a stop among them.
  add(gatewayIo);
  add(createHoldsFeature(core, commands.service));
  if (options.installation.demo) add(createDemoFeature(core, commands.service));
  add(createSensorConfigFeature(core));

  const devices = add(createDevicesFeature(core, gatewayIo, createBackupBefore(core.db)));
  const { records } = devices;
  const registry = add(createRegistryFeature(core, access.service));
  add(createMacClaimsFeature(core, { records, messages }));
  const gateways = add(createGatewaysFeature(core, devices));
  const sensors = add(createSensorsFeature(core, devices, flow.service));
  const units = add(createIrrigationDevicesFeature(core, devices, registry.service));
  add(createRepeatersFeature(core, devices, units));
  add(createPoisFeature(core, devices));
  add(createConversionsFeature(core, { records, units: units.units, sensors: sensors.service }));
  add(createUndoFeature(records, gateways.service));
  add(createTransferFeature(core, { schedules, series, records, registry, gateways, messages }));
  const groups = add(createGroupsFeature(core));
  add(createSearchFeature(core, access.service));
  const codecs = add(createCodecsFeature(core, { ...options, records, messages }));
  add(createDeadLettersFeature(core, options.takeAgain));
  add(createBrokerFeature(core));

  const batteryLife = add(createBatteryLifeFeature(core));
  const sprinklers = add(
    createSprinklersFeature(core, {
      farmUnits: units.farmUnits,
      waterings: waterings.service,
      commands: commands.service,
      batteries: batteryLife.service,
    }),
  );
  const services = { sprinklers: sprinklers.service, flow: flow.service, waterings: waterings.service };
  const timeline = add(createTimelineFeature(core, { ...services, ...schedules }));
  add(createFlowCheckFeature(core, { ...services, ...schedules, timeline: timeline.service }));
  const health = add(createHealthFeature(core, sprinklers.service));
  const { printer } = add(createReportsFeature(core, { diary, schedules, health, tanks }));
  add(createWalkListFeature(core, sprinklers.service));
  add(createRadioHealthFeature(core));
  const watched = { sprinklers, tanks, insights, flow, weather, diary, waterTakes };
  const alerts = add(createAlertsFeature(core, { ...options, messages, access, ...watched }));
  add(createAnnexFeature(core, { printer, season, groups, sprinklers, waterings, soil, waterTakes, alerts }));
  add(createSmsRepliesFeature(core, { messages, answers: alerts.answers, callbacks }));
  const farms = add(
    createFarmsFeature(core, {
      access,
      settings,
      messages,
      tanks,
      flow,
      soil,
      sprinklers,
      insights,
      diary,
      commands,
    }),
  );
  add(createAccountsFeature(core, { ...options, sessions, messages, access, sharing, settings, farms }));
  add(createHeadlinesFeature({ soil, tanks, flow, weather, gatewayIo, series }));
  add(createGeocodeFeature(core, settings, options.geocoder));
  add(createChangesFeature(core));
  add(createUsageFeature(core, messages, options));
  add(createTlmFeature(core, messages));
  add(createPageViewsFeature(core));
  add(createOutboxFeature(core));
  const longJobs = () => features.flatMap((feature) => feature.longJobs ?? []);
  add(createLongJobsFeature(core, longJobs));

  const hub = hubOf(core, features);
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  const http = await openHttp(options, { features, access: access.service, hub, metrics });

  return {
    http,
    hub,
    accessListener: access.listener,
    commands,
    metrics,
    live: core.live,
    jobs: features.flatMap(({ jobs }) => jobs ?? []),
    longJobs: longJobs(),
    codecSwitchedOff: codecs.switchedOff,
    ...whatDevicesSaid(features),
    async close() {
      hub.stop();
      await http.close();
      for (const { settle } of features) await settle?.();
    },
  };
}

const whatDevicesSaid = (features: readonly Feature[]): Pick<App, 'gatewayBack' | 'committed'> => ({
  async gatewayBack(gateway) {
    for (const { onHello } of features) await onHello?.(gateway);
  },
  committed(farmIds) {
    for (const { onCommitted } of features) onCommitted?.(farmIds);
  },
});
