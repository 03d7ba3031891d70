import type { BodyOf, Endpoint, QueryOf, Raw, ReplyOf } from './endpoint.ts';
import * as accountDetails from './account-details.ts';
import * as accounts from './accounts.ts';
import * as batteryLife from './battery-life.ts';
import * as broker from './broker.ts';
import * as changes from './changes.ts';
import * as commands from './commands.ts';
import * as codecs from './codecs.ts';
import * as deadLetters from './dead-letters.ts';
import * as deletedFarms from './deleted-farms.ts';
import * as exportsOfFarm from './exports.ts';
import * as farms from './farms.ts';
import * as flow from './flow.ts';
import * as gatewayIo from './gateway-io.ts';
import * as gateways from './gateways.ts';
import * as groups from './groups.ts';
import * as mapUnits from './map-units.ts';
import * as headlines from './headlines.ts';
import * as health from './health.ts';
import * as backups from './backups.ts';
import * as imports from './imports.ts';
import * as insights from './insights.ts';
import * as irrDiary from './irr-diary.ts';
import * as irrigationAdvice from './irrigation-advice.ts';
import * as irrigationDevices from './irrigation-devices.ts';
import * as moves from './moves.ts';
import * as alertAnswers from './alert-answers.ts';
import * as alertPauses from './alert-pauses.ts';
import * as alertTrial from './alert-trial.ts';
import * as alerts from './alerts.ts';
import * as notificationWays from './notification-ways.ts';
import * as notifications from './notifications.ts';
import * as longJobs from './long-jobs.ts';
import * as holds from './paddock-holds.ts';
import * as pois from './pois.ts';
import * as radio from './radio-health.ts';
import * as preview from './preview.ts';
import * as reports from './reports.ts';
import * as registration from './registration.ts';
import * as registry from './registry.ts';
import * as repeaters from './repeaters.ts';
import * as scheduleTemplates from './schedule-templates.ts';
import * as scheduleSets from './schedule-sets.ts';
import * as schedules from './schedules.ts';
import * as sensors from './sensors.ts';
import * as series from './series.ts';
import * as waterings from './waterings.ts';
import * as settings from './settings.ts';
import * as sharing from './sharing.ts';
import * as soilMoisture from './soil-moisture.ts';
import * as sprinklerHistory from './sprinkler-history.ts';
import * as sprinklerInfo from './sprinkler-info.ts';
import * as restriction from './restriction.ts';
import * as supply from './supply.ts';
import * as tanks from './tanks.ts';
import * as timeline from './timeline.ts';
import * as tlm from './tlm.ts';
import * as undo from './undo.ts';
import * as unitList from './unit-list.ts';
import * as usage from './usage.ts';
import * as walk from './walk-list.ts';
import * as weather from './weather.ts';

/** Every endpoint there is: the docs, the wall test and the browser's types come from this list. */
export const endpoints = [
  accounts.auth,
  accounts.authPasswordless,
  accounts.logout,
  accounts.pageView,
  registration.registerOwner,
  registration.registerAgent,
  registration.isRegistered,
  registration.confirmEmail,
  registration.resendConfirmation,
  registration.forgotPassword,
  registration.resetPassword,
  accountDetails.getAccountDetails,
  accountDetails.updateAccountDetails,
  accountDetails.withdrawNewEmail,
  accountDetails.undoEmail,
  accountDetails.changePassword,
  accountDetails.listSessions,
  accountDetails.endSession,
  accountDetails.endOtherSessions,
  accountDetails.downloadAccount,
  accountDetails.closeAccount,
  accountDetails.keepAccount,
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
  deletedFarms.listDeletedFarms,
  deletedFarms.restoreFarm,
  farms.farmContents,
  farms.getTimezone,
  farms.refreshTimezone,
  farms.updateTimezone,
  farms.ownerAccounts,
  farms.suggestAddress,
  usage.farmUsage,
  usage.accountUsage,
  deadLetters.listDeadLetters,
  deadLetters.getDeadLetter,
  deadLetters.replayDeadLetters,
  changes.listChanges,
  undo.undo,
  imports.planImport,
  imports.applyImport,
  imports.importFile,
  backups.listBackups,
  backups.createBackup,
  backups.planRestore,
  backups.restoreBackup,
  backups.deleteBackup,
  exportsOfFarm.exportPods,
  exportsOfFarm.exportRepeaters,
  exportsOfFarm.exportSchedules,
  exportsOfFarm.exportSite,
  exportsOfFarm.exportDevices,
  exportsOfFarm.exportKml,
  exportsOfFarm.exportGeoJson,
  exportsOfFarm.exportReadings,
  moves.moveDevices,
  farms.permissionsList,
  sharing.listInvites,
  sharing.getInvite,
  sharing.acceptInvite,
  sharing.rejectInvite,
  sharing.resendInvite,
  sharing.revokeInvite,
  sharing.listContacts,
  sharing.share,
  sharing.getSharePermissions,
  sharing.updateSharePermissions,
  sharing.deleteShare,
  sharing.accessLog,
  sharing.supportFarms,
  sharing.openSupport,
  sharing.closeSupport,
  alerts.listAlerts,
  alerts.listWatchable,
  alerts.getAlert,
  alerts.createAlert,
  alerts.updateAlert,
  alerts.deleteAlert,
  alerts.listIncidents,
  alerts.getIncident,
  alerts.answerIncident,
  alerts.snoozeIncident,
  alerts.listAlertPeople,
  alertTrial.tryAlert,
  alertTrial.alertsLately,
  alertPauses.pauseAlerts,
  alertPauses.resumeAlerts,
  alertAnswers.askedAlert,
  alertAnswers.answerByKey,
  notifications.getNotifications,
  notifications.readNotification,
  notifications.readAllNotifications,
  notifications.updateNotificationPreferences,
  notificationWays.getNotificationWays,
  notificationWays.setNotificationWays,
  notifications.addPushDevice,
  notifications.listPushDevices,
  notifications.removePushDevice,
  notifications.movePushDevice,
  notifications.messageShown,
  notifications.unsubscribe,
  notifications.testNotification,
  notifications.testProgress,
  sensors.sensorDevices,
  sensors.sensorList,
  sensors.getSensor,
  sensors.createSensor,
  sensors.updateSensor,
  sensors.updateSensorSettings,
  sensors.deleteSensor,
  irrigationDevices.irrigationDevices,
  unitList.unitList,
  irrigationDevices.hasChanges,
  irrigationDevices.getIpc,
  irrigationDevices.createIpc,
  irrigationDevices.updateIpc,
  irrigationDevices.deleteIpc,
  irrigationDevices.bulkEditIpcs,
  irrigationDevices.checkIpcs,
  irrigationDevices.addIpcs,
  irrigationDevices.deleteIpcs,
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
  irrigationDevices.placedDevices,
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
  holds.listHolds,
  holds.addHold,
  holds.changeHold,
  holds.endHold,
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
  codecs.decodeAnew,
  longJobs.listLongJobs,
  longJobs.getLongJob,
  longJobs.cancelLongJob,
  gateways.gatewayDevices,
  gateways.getGateway,
  gateways.createGateway,
  gateways.updateGateway,
  gateways.deleteGateway,
  gateways.createIntegrationKey,
  gateways.listIntegrationKeys,
  gateways.deleteIntegrationKey,
  gateways.rotateDeviceKey,
  groups.listGroups,
  groups.groupsCard,
  groups.getGroup,
  groups.createGroup,
  groups.updateGroup,
  groups.deleteGroup,
  groups.groupDevices,
  groups.addGroupDevices,
  groups.removeGroupDevices,
  groups.removeAllGroupDevices,
  groups.groupInfo,
  groups.irrigationStatus,
  mapUnits.groupUnits,
  groups.ipcStatus,
  commands.sendCommand,
  commands.planCommand,
  commands.listCommands,
  commands.getCommand,
  commands.sendAgain,
  commands.goBackCommand,
  commands.undoCommand,
  commands.cancelCommand,
  tanks.tankSummaries,
  tanks.tankBasicInfo,
  tanks.tankFullInfo,
  tanks.levelHistory,
  tanks.usageHistory,
  tanks.batteryHistory,
  tanks.flowHistory,
  flow.flowSummaries,
  flow.flowHistories,
  soilMoisture.soilSites,
  soilMoisture.soilMoisture,
  soilMoisture.addSoilReading,
  headlines.headlineTemperature,
  headlines.headlineRain,
  headlines.headlineRainForecast,
  headlines.headlineTank,
  headlines.headlineTankFlow,
  headlines.headlineFlow,
  headlines.headlineAccumulatedFlow,
  headlines.headlineIo,
  headlines.headlineMetrics,
  headlines.headlineMetric,
  gatewayIo.gatewayMonitor,
  gatewayIo.saveIoSettings,
  sensors.monitorSensor,
  sensors.sensorHistory,
  series.seriesList,
  series.series,
  waterings.listRuns,
  irrDiary.irrigationDiary,
  irrDiary.irrigationDiaryFile,
  irrDiary.wateringProof,
  irrDiary.wateringProofFile,
  irrDiary.lateClosers,
  reports.diarySummary,
  reports.diarySummaryTable,
  reports.operatingTimes,
  reports.operatingTimePdf,
  reports.operatingTimeTable,
  reports.historyTrendPdf,
  reports.historyTrendTable,
  flow.checkFlow,
  sprinklerInfo.sprinklerInfo,
  sprinklerHistory.sprinklerHistory,
  health.sprinklerHealth,
  health.sprinklerComms,
  health.healthHistory,
  batteryLife.sprinklerBatteryLife,
  batteryLife.repeaterBatteryLife,
  walk.walkList,
  radio.gatewayRadio,
  schedules.farmSchedules,
  schedules.listSchedules,
  timeline.scheduleTimeline,
  preview.previewSchedule,
  irrigationAdvice.irrigationAdvice,
  irrigationAdvice.adviceLedger,
  irrigationAdvice.putAdviceSettings,
  irrigationAdvice.putAdviceDay,
  irrigationAdvice.putAdviceNote,
  restriction.groupTakes,
  supply.getSupply,
  supply.putSupply,
  scheduleSets.listSets,
  scheduleSets.getSet,
  scheduleSets.createSet,
  scheduleSets.deleteSet,
  scheduleSets.restoreSet,
  scheduleSets.compareSets,
  scheduleTemplates.scheduleFarmDetails,
  scheduleTemplates.listTemplates,
  scheduleTemplates.getTemplate,
  scheduleTemplates.createTemplate,
  scheduleTemplates.updateTemplate,
  scheduleTemplates.deleteTemplate,
  scheduleTemplates.restoreTemplate,
  scheduleTemplates.computeTemplate,
  scheduleTemplates.cloneTemplate,
  sensors.createConfigUpdate,
  sensors.deleteConfigUpdate,
  insights.farmInsights,
  weather.weatherForecast,
  tlm.tlmSignup,
  tanks.tankSite,
  broker.brokerAuthenticate,
] as const satisfies readonly Endpoint[];

/** The API as types: `Api['GET /lvl/suminfo']['reply']`. */
export type Api = {
  [E in (typeof endpoints)[number] as E['key']]: { query: QueryOf<E>; body: BodyOf<E>; reply: ReplyOf<E> };
};
export type ApiKey = keyof Api;
/** Calls that answer with a file. */
export type RawKey = { [Key in ApiKey]: Api[Key]['reply'] extends Raw ? Key : never }[ApiKey];
