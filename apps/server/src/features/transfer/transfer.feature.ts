import type { Db } from '../../db/client.ts';
import { EACH_MINUTE } from '../../jobs/rhythm.ts';
import type { Core, Feature } from '../../feature.ts';
import type { DeviceRecords } from '../devices/device-records.ts';
import type { GatewaysService } from '../gateways/gateways.service.ts';
import type { Messages } from '../messages/messages.ts';
import type { RegistryService } from '../registry/registry.service.ts';
import type { SchedulesService } from '../schedules/schedules.service.ts';
import type { SeriesService } from '../series/series.service.ts';
import { createBackupFailures } from './backups/backup-failures.ts';
import { createBackupJobs } from './backups/backup-jobs.ts';
import { createBackupStore } from './backups/backup-store.ts';
import { createBackupsRepo } from './backups/backups.repo.ts';
import { backupsRoutes } from './backups/backups.routes.ts';
import { createBackupsService } from './backups/backups.service.ts';
import { createExportsService } from './exports.service.ts';
import { createFarmContentRepo } from './farm-content.repo.ts';
import { createImportsService } from './imports.service.ts';
import { transferRoutes } from './transfer.routes.ts';

interface Uses {
  readonly gateways: { readonly service: GatewaysService };
  readonly messages: Messages;
  readonly schedules: { readonly service: SchedulesService };
  readonly series: { readonly service: SeriesService };
  readonly records: DeviceRecords;
  readonly registry: { readonly service: RegistryService };
}

/** A farm's configuration as files, out and in. */
export function createTransferFeature(
  { db, ofJobs, now, log }: Core,
  { schedules, series, records, registry, gateways, messages }: Uses,
): Feature {
  const content = createFarmContentRepo(db);
  const ofPeople = backupsOn(db);
  const { jobs } = backupsOn(ofJobs.db);
  const exports = createExportsService(content, schedules.service, series.service);
  const imports = createImportsService(content, records, registry.service, ofPeople.store);
  return {
    routes: (mount) => {
      transferRoutes(mount, exports, imports);
      backupsRoutes(mount, createBackupsService(db, { ...ofPeople, records }));
    },
    jobs: [{ name: 'farm backups', everyMs: EACH_MINUTE, run: () => jobs.run(now()) }],
  };

  function backupsOn(on: Db) {
    const backups = createBackupsRepo(on);
    const parts = { content: createFarmContentRepo(on), gateways: gateways.service };
    const store = createBackupStore(backups, parts.content);
    const own = createBackupJobs(
      on,
      { backups, store, failures: createBackupFailures(on) },
      { ...parts, messages, log },
    );
    return { ...parts, backups, store, jobs: own };
  }
}
