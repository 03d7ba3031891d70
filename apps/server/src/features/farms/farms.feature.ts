import type { Core, Feature } from '../../feature.ts';
import { EACH_HOUR } from '../../jobs/rhythm.ts';
import type { AccessFeature } from '../access/access.feature.ts';
import type { Messages } from '../messages/messages.ts';
import type { SettingsFeature } from '../settings/settings.feature.ts';
import { createDeletedFarmsService } from './deleted-farms.service.ts';
import { createFarmEditService, type FarmEditService } from './farm-edit.service.ts';
import type { FarmSources } from './farm-summary.ts';
import { createFarmsRepo } from './farms.repo.ts';
import { farmsRoutes } from './farms.routes.ts';
import { createFarmsService } from './farms.service.ts';
import { purgeFarms } from './purge-farms.ts';
import { rebuildFarmRollups } from './rebuild-farm-rollups.ts';

export interface FarmsFeature extends Feature {
  readonly edit: FarmEditService;
}

type Sources = { readonly [Name in keyof FarmSources]: { readonly service: FarmSources[Name] } };

export interface FarmsNeeds extends Sources {
  readonly access: AccessFeature;
  readonly settings: SettingsFeature;
  readonly messages: Messages;
}

/** Farms: their cards, forms, clocks, and those that were deleted. */
export function createFarmsFeature(core: Core, needs: FarmsNeeds): FarmsFeature {
  const { db, ofJobs, now, onDevicesChanged } = core;
  const { access, settings } = needs;
  const { onAccessChanged } = access;
  const farms = createFarmsService(createFarmsRepo(db), access.service, {
    tanks: needs.tanks.service,
    flow: needs.flow.service,
    soil: needs.soil.service,
    sprinklers: needs.sprinklers.service,
    insights: needs.insights.service,
    diary: needs.diary.service,
    commands: needs.commands.service,
  });
  const deleted = createDeletedFarmsService(db, { onDevicesChanged, onAccessChanged });
  const edit = createFarmEditService(db, {
    farms,
    access: access.service,
    messages: needs.messages,
    effects: {
      mayCreate: async () => (await settings.operatorSettings()).newFarmCreation,
      disconnect: core.disconnectSender,
      onDevicesChanged,
      onAccessChanged,
    },
  });
  return {
    edit,
    routes: (mount) => farmsRoutes(mount, farms, edit, deleted),
    jobs: [
      { name: 'deleted farms', everyMs: EACH_HOUR, run: () => purgeFarms(ofJobs.db, now()) },
      { name: 'farm clocks', everyMs: 30_000, run: () => rebuildFarmRollups(ofJobs.pool, now()) },
    ],
  };
}
