import type { Core, Feature } from '../../feature.ts';
import type { BatteryLifeService } from '../battery-life/battery-life.service.ts';
import type { CommandsService } from '../commands/commands.service.ts';
import type { FarmUnits } from '../irrigation-devices/farm-units.ts';
import { createProgrammesRepo } from '../programmes/programmes.repo.ts';
import type { WateringsService } from '../waterings/waterings.service.ts';
import { createSprinklerHistoryService } from './sprinkler-history.service.ts';
import { createSprinklerInfoService } from './sprinkler-info.service.ts';
import { createSprinklerStatusRepo } from './sprinkler-status.repo.ts';
import { sprinklerStatusRoutes } from './sprinkler-status.routes.ts';
import { createSprinklerStatusService, type SprinklerStatusService } from './sprinkler-status.service.ts';

export interface SprinklersFeature extends Feature {
  readonly service: SprinklerStatusService;
}

export interface SprinklersParts {
  readonly farmUnits: FarmUnits;
  readonly waterings: WateringsService;
  readonly commands: CommandsService;
  readonly batteries: BatteryLifeService;
}

/** What sprinklers do at present. */
export function createSprinklersFeature({ db }: Core, parts: SprinklersParts): SprinklersFeature {
  const repo = createSprinklerStatusRepo(db, parts.farmUnits);
  const service = createSprinklerStatusService(repo);
  const info = createSprinklerInfoService(repo, { ...parts, programmes: createProgrammesRepo(db) });
  const history = createSprinklerHistoryService(parts);
  return {
    service,
    routes: (mount) => sprinklerStatusRoutes(mount, service, { info, history }),
    liveSources: {
      sprinklers: service.some,
      sprinklersSentTo: service.sentTo,
      sprinklerCounts: service.countsOf,
    },
  };
}
