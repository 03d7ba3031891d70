import type { BodyOf, Endpoint, QueryOf, ReplyOf } from './endpoint.ts';
import * as accounts from './accounts.ts';
import * as broker from './broker.ts';
import * as changes from './changes.ts';
import * as commands from './commands.ts';
import * as codecs from './codecs.ts';
import * as farms from './farms.ts';
import * as gateways from './gateways.ts';
import * as irrigationDevices from './irrigation-devices.ts';
import * as pois from './pois.ts';
import * as registry from './registry.ts';
import * as repeaters from './repeaters.ts';
import * as sensors from './sensors.ts';
import * as settings from './settings.ts';
import * as tanks from './tanks.ts';

/** Every endpoint there is: the docs, the wall test and the browser's types come from this list. */
export const endpoints = [
  accounts.auth,
  accounts.logout,
  accounts.pageView,
  settings.getSettings,
  settings.putSettings,
  settings.imsSettings,
  farms.farmsCard,
  farms.farmsSummary,
  farms.getFarm,
  farms.farmsOfUser,
  farms.listFarms,
  farms.createFarm,
  farms.updateFarm,
  farms.deleteFarm,
  farms.farmContents,
  farms.getTimezone,
  farms.refreshTimezone,
  farms.updateTimezone,
  farms.ownerAccounts,
  farms.suggestAddress,
  changes.listChanges,
  farms.permissionsList,
  sensors.sensorDevices,
  sensors.sensorList,
  sensors.getSensor,
  sensors.createSensor,
  sensors.updateSensor,
  sensors.updateSensorSettings,
  sensors.deleteSensor,
  irrigationDevices.irrigationDevices,
  irrigationDevices.hasChanges,
  irrigationDevices.getIpc,
  irrigationDevices.createIpc,
  irrigationDevices.updateIpc,
  irrigationDevices.deleteIpc,
  irrigationDevices.bulkEditIpcs,
  irrigationDevices.flagAsSpare,
  irrigationDevices.flagAsPartSprinkler,
  irrigationDevices.flagReconfigure,
  irrigationDevices.convertToPlaceholder,
  irrigationDevices.convertToPoi,
  irrigationDevices.returnToService,
  irrigationDevices.lastFarmIdAndChannel,
  irrigationDevices.resetSchedulesIndex,
  irrigationDevices.replaceIpcBattery,
  irrigationDevices.spareUnits,
  irrigationDevices.ipcsForRepeater,
  irrigationDevices.podsInfo,
  irrigationDevices.resetIpcLocations,
  irrigationDevices.resetAllLocations,
  irrigationDevices.searchDevices,
  repeaters.repeaterDevices,
  repeaters.getRepeater,
  repeaters.createRepeater,
  repeaters.updateRepeater,
  repeaters.deleteRepeater,
  repeaters.replaceRepeaterBattery,
  repeaters.groupsAndIpcsForRepeater,
  pois.listPois,
  pois.getPoi,
  pois.createPoi,
  pois.updatePoi,
  pois.deletePoi,
  pois.convertPoiToIpc,
  pois.convertPoiToSensor,
  registry.macOfIpc,
  registry.macOfGateway,
  registry.macOfSensor,
  registry.macTest,
  codecs.listCodecs,
  codecs.getCodec,
  codecs.createCodec,
  codecs.updateCodec,
  codecs.deleteCodec,
  codecs.tryCodec,
  codecs.putDecoding,
  codecs.getDecoding,
  gateways.gatewayDevices,
  gateways.getGateway,
  gateways.createGateway,
  gateways.updateGateway,
  gateways.deleteGateway,
  gateways.createIntegrationKey,
  gateways.listIntegrationKeys,
  gateways.deleteIntegrationKey,
  gateways.rotateDeviceKey,
  commands.sendCommand,
  commands.listCommands,
  commands.getCommand,
  commands.cancelCommand,
  tanks.tankSummaries,
  tanks.tankBasicInfo,
  tanks.tankFullInfo,
  tanks.levelHistory,
  tanks.usageHistory,
  tanks.batteryHistory,
  tanks.flowHistory,
  tanks.tankSite,
  broker.brokerAuthenticate,
] as const satisfies readonly Endpoint[];

/** The API as types: `Api['GET /lvl/suminfo']['reply']`. */
export type Api = {
  [E in (typeof endpoints)[number] as E['key']]: { query: QueryOf<E>; body: BodyOf<E>; reply: ReplyOf<E> };
};
export type ApiKey = keyof Api;
