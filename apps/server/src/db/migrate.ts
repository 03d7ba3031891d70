import { type Migration, Migrator } from 'kysely';
import type { Db } from './client.ts';
import * as spine from './migrations/0001-spine.ts';
import * as deviceFacts from './migrations/0002-device-facts.ts';
import * as outbox from './migrations/0003-outbox.ts';
import * as commands from './migrations/0004-commands.ts';
import * as brokers from './migrations/0005-brokers.ts';
import * as codecs from './migrations/0006-codecs.ts';
import * as records from './migrations/0007-records.ts';
import * as farmClockChanges from './migrations/0008-farm-clock-changes.ts';
import * as deviceSearch from './migrations/0009-device-search.ts';
import * as accounts from './migrations/0010-accounts.ts';
import * as shares from './migrations/0011-shares.ts';
import * as outboxPush from './migrations/0012-outbox-push.ts';
import * as awaitedMail from './migrations/0014-awaited-mail.ts';
import * as settingsByRadio from './migrations/0015-settings-by-radio.ts';
import * as fewDevices from './migrations/0016-few-devices.ts';
import * as oneSessionAtTheBroker from './migrations/0017-one-session-at-the-broker.ts';
import * as commandLanes from './migrations/0018-lanes.ts';
import * as macAsSent from './migrations/0019-mac-as-sent.ts';
import * as ioVersions from './migrations/0020-io-versions.ts';
import * as oneUnitASerial from './migrations/0021-one-unit-a-serial.ts';
import * as changeBatches from './migrations/0022-change-batches.ts';
import * as flowByTime from './migrations/0023-flow-by-time.ts';
import * as levelDays from './migrations/0024-level-days.ts';
import * as uplinks from './migrations/0025-uplinks.ts';
import * as keptLetters from './migrations/0026-kept-letters.ts';
import * as accountsThatHold from './migrations/0029-accounts-that-hold.ts';
import * as idempotency from './migrations/0030-idempotency.ts';
import * as latestHeardAt from './migrations/0032-latest-heard-at.ts';
import * as restorableFarms from './migrations/0032-restorable-farms.ts';
import * as wateringRuns from './migrations/0043-watering-runs.ts';
import * as messagesOnce from './migrations/0044-messages-once.ts';
import * as longJobs from './migrations/0045-long-jobs.ts';
import * as filesMade from './migrations/0048-files-made.ts';
import * as unitProgrammes from './migrations/0051-unit-programmes.ts';
import * as unitStops from './migrations/0052-unit-stops.ts';
import * as decodedAnew from './migrations/0054-decoded-anew.ts';
import * as healthDays from './migrations/0055-health-days.ts';
import * as scheduleTemplates from './migrations/0059-schedule-templates.ts';
import * as setGroups from './migrations/0060-set-groups.ts';
import * as setRecords from './migrations/0061-set-records.ts';
import * as farmSupply from './migrations/0065-farm-supply.ts';
import * as ratesOfRuns from './migrations/0068-rates-of-runs.ts';
import * as catchUp from './migrations/0071-catch-up.ts';
import * as paddockHolds from './migrations/0072-paddock-holds.ts';
import * as radioDays from './migrations/0075-radio-days.ts';
import * as accessNews from './migrations/0078-access-news.ts';
import * as endsOfHolds from './migrations/0079-ends-of-holds.ts';
import * as leavingUnits from './migrations/0080-leaving-units.ts';
import * as unitGroupings from './migrations/0088-unit-groupings.ts';
import * as irrigationAdvice from './migrations/0089-irrigation-advice.ts';
import * as waysToldTruly from './migrations/0090-ways-told-truly.ts';
import * as alerts from './migrations/0091-alerts.ts';
import * as wasShelved from './migrations/0092-was-shelved.ts';
import * as undoneInhibits from './migrations/0093-undone-inhibits.ts';
import * as oneNoticeForOneCause from './migrations/0098-one-notice-for-one-cause.ts';
import * as untilSomebodyAnswers from './migrations/0099-until-somebody-answers.ts';
import * as supplyMains from './migrations/0106-supply-mains.ts';
import * as farmBackups from './migrations/0110-farm-backups.ts';
import * as endedCommands from './migrations/0118-ended-commands.ts';
import * as backupRuns from './migrations/0138-backup-runs.ts';
import * as backupFailures from './migrations/0139-backup-failures.ts';
import * as answers from './migrations/0140-answers.ts';
import * as morePeople from './migrations/0141-more-people.ts';
import * as smsReplies from './migrations/0147-sms-replies.ts';
import * as movedGroupings from './migrations/0148-moved-groupings.ts';
import * as unitsUnderWay from './migrations/0149-units-under-way.ts';
import * as floodsHeldBack from './migrations/0150-floods-held-back.ts';
import * as waterTakes from './migrations/0154-water-takes.ts';
import * as endsOfSessions from './migrations/0158-ends-of-sessions.ts';
import * as secondStep from './migrations/0159-second-step.ts';
import * as claimedMacs from './migrations/0161-claimed-macs.ts';
import * as floodsToldInParts from './migrations/0162-floods-told-in-parts.ts';
import * as whatWasAddedSince from './migrations/0164-what-was-added-since.ts';
import * as wordsOfTheRegister from './migrations/0165-words-of-the-register.ts';
import * as pausesOfDevices from './migrations/0169-pauses-of-devices.ts';
import * as anotherUnitInItsPlace from './migrations/0170-another-unit-in-its-place.ts';
import * as takePacks from './migrations/0173-take-packs.ts';
import * as settledDays from './migrations/0174-settled-days.ts';
import * as secondStepOfSharers from './migrations/0176-second-step-of-sharers.ts';
import * as ownProofs from './migrations/0179-own-proofs.ts';
import * as toldOffsets from './migrations/0190-told-offsets.ts';
import * as replaces from './migrations/0192-replaces.ts';
import * as clocksBefore from './migrations/0195-clocks-before.ts';
import * as whatAMessageTold from './migrations/0198-what-a-message-told.ts';
import * as incidentsThatAreOver from './migrations/0199-incidents-that-are-over.ts';
import * as wherePeopleRead from './migrations/0200-where-people-read.ts';
import * as missingInPacks from './migrations/0204-missing-in-packs.ts';
import * as guessesByBrowser from './migrations/0207-guesses-by-browser.ts';
import * as actsInTheLog from './migrations/0208-acts-in-the-log.ts';
import * as refusedEscalations from './migrations/0212-refused-escalations.ts';
import * as commandsSeen from './migrations/0213-commands-seen.ts';
import * as changesDoneAsOne from './migrations/0218-changes-done-as-one.ts';
import * as commandsWholeAtOnce from './migrations/0219-commands-whole-at-once.ts';
import * as programmesInPlace from './migrations/0220-programmes-in-place.ts';
import * as whoCancelled from './migrations/0221-who-cancelled.ts';
import { StartError } from './start-error.ts';

/** Forward only, in order, listed by hand: what runs is what a reader sees here. */
const migrations: Record<string, Migration> = {
  '0001-spine': spine,
  '0002-device-facts': deviceFacts,
  '0003-outbox': outbox,
  '0004-commands': commands,
  '0005-brokers': brokers,
  '0006-codecs': codecs,
  '0007-records': records,
  '0008-farm-clock-changes': farmClockChanges,
  '0009-device-search': deviceSearch,
  '0010-accounts': accounts,
  '0011-shares': shares,
  '0012-outbox-push': outboxPush,
  '0014-awaited-mail': awaitedMail,
  '0015-settings-by-radio': settingsByRadio,
  '0016-few-devices': fewDevices,
  '0017-one-session-at-the-broker': oneSessionAtTheBroker,
  '0018-lanes': commandLanes,
  '0019-mac-as-sent': macAsSent,
  '0020-io-versions': ioVersions,
  '0021-one-unit-a-serial': oneUnitASerial,
  '0022-change-batches': changeBatches,
  '0023-flow-by-time': flowByTime,
  '0024-level-days': levelDays,
  '0025-uplinks': uplinks,
  '0026-kept-letters': keptLetters,
  '0029-accounts-that-hold': accountsThatHold,
  '0030-idempotency': idempotency,
  '0032-latest-heard-at': latestHeardAt,
  '0032-restorable-farms': restorableFarms,
  '0043-watering-runs': wateringRuns,
  '0044-messages-once': messagesOnce,
  '0045-long-jobs': longJobs,
  '0048-files-made': filesMade,
  '0051-unit-programmes': unitProgrammes,
  '0052-unit-stops': unitStops,
  '0054-decoded-anew': decodedAnew,
  '0055-health-days': healthDays,
  '0059-schedule-templates': scheduleTemplates,
  '0060-set-groups': setGroups,
  '0061-set-records': setRecords,
  '0065-farm-supply': farmSupply,
  '0068-rates-of-runs': ratesOfRuns,
  '0071-catch-up': catchUp,
  '0072-paddock-holds': paddockHolds,
  '0075-radio-days': radioDays,
  '0078-access-news': accessNews,
  '0079-ends-of-holds': endsOfHolds,
  '0080-leaving-units': leavingUnits,
  '0088-unit-groupings': unitGroupings,
  '0089-irrigation-advice': irrigationAdvice,
  '0090-ways-told-truly': waysToldTruly,
  '0091-alerts': alerts,
  '0092-was-shelved': wasShelved,
  '0093-undone-inhibits': undoneInhibits,
  '0098-one-notice-for-one-cause': oneNoticeForOneCause,
  '0099-until-somebody-answers': untilSomebodyAnswers,
  '0106-supply-mains': supplyMains,
  '0110-farm-backups': farmBackups,
  '0118-ended-commands': endedCommands,
  '0138-backup-runs': backupRuns,
  '0139-backup-failures': backupFailures,
  '0140-answers': answers,
  '0141-more-people': morePeople,
  '0147-sms-replies': smsReplies,
  '0148-moved-groupings': movedGroupings,
  '0149-units-under-way': unitsUnderWay,
  '0150-floods-held-back': floodsHeldBack,
  '0154-water-takes': waterTakes,
  '0158-ends-of-sessions': endsOfSessions,
  '0159-second-step': secondStep,
  '0161-claimed-macs': claimedMacs,
  '0162-floods-told-in-parts': floodsToldInParts,
  '0164-what-was-added-since': whatWasAddedSince,
  '0165-words-of-the-register': wordsOfTheRegister,
  '0169-pauses-of-devices': pausesOfDevices,
  '0170-another-unit-in-its-place': anotherUnitInItsPlace,
  '0173-take-packs': takePacks,
  '0174-settled-days': settledDays,
  '0176-second-step-of-sharers': secondStepOfSharers,
  '0179-own-proofs': ownProofs,
  '0190-told-offsets': toldOffsets,
  '0192-replaces': replaces,
  '0195-clocks-before': clocksBefore,
  '0198-what-a-message-told': whatAMessageTold,
  '0199-incidents-that-are-over': incidentsThatAreOver,
  '0200-where-people-read': wherePeopleRead,
  '0204-missing-in-packs': missingInPacks,
  '0207-guesses-by-browser': guessesByBrowser,
  '0208-acts-in-the-log': actsInTheLog,
  '0212-refused-escalations': refusedEscalations,
  '0213-commands-seen': commandsSeen,
  '0218-changes-done-as-one': changesDoneAsOne,
  '0219-commands-whole-at-once': commandsWholeAtOnce,
  '0220-programmes-in-place': programmesInPlace,
  '0221-who-cancelled': whoCancelled,
};

/** In the order in which they run: by name, wherever they stand above. */
export const migrationNames: readonly string[] = Object.keys(migrations).toSorted();

export interface MigrateOptions {
  /** The last one to run; all of them unless said. */
  to?: string;
  /** `db` is in a transaction already, which then decides: all or nothing. */
  inTransaction?: boolean;
}

/**
 * Brings the database up to date under a lock, so that servers may start together. Branches land their numbers in any order, and each
 * migration stands by itself: one that is missing runs, also below those that a database has. A database that a newer Headrace
 * has migrated is refused by name.
 */
export async function migrate(db: Db, { to, inTransaction = false }: MigrateOptions = {}): Promise<void> {
  const provider = { getMigrations: async () => migrations };
  const migrator = new Migrator({
    db,
    provider,
    disableTransactions: inTransaction,
    allowUnorderedMigrations: true,
  });
  const { error, results } = await (to ? migrator.migrateTo(to) : migrator.migrateToLatest());
  if (error) {
    refuseNewer(error);
    const failed = results?.find((result) => result.status === 'Error');
    throw new Error(
      `The database could not be migrated${failed ? ` (${failed.migrationName})` : ''}: ${error instanceof Error ? error.message : 'unknown fault'}`,
      {
        cause: error,
      },
    );
  }
}

/** Kysely's words for migrations that we don't know. */
function refuseNewer(error: unknown): void {
  const unknown = /previously executed migration (\S+) is missing/.exec(String(error))?.[1];
  if (!unknown) return;
  throw new StartError(
    `This database was migrated by a newer Headrace (${unknown}, and this one knows up to ${migrationNames.at(-1)}): start that version or a later one, or restore a backup from before the upgrade.`,
  );
}
