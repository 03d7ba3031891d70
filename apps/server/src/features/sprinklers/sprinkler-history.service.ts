import type { QueryOf } from '@headrace/contract/endpoint';
import {
  SPRINKLER_HISTORY_MOST,
  type SprinklerHistory,
  type sprinklerHistory,
} from '@headrace/contract/sprinkler-history';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import type { BatteryLifeService } from '../battery-life/battery-life.service.ts';
import type { CommandsService } from '../commands/commands.service.ts';
import { requireKind } from '../devices/device-entries.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { historyRange } from '../series/history-range.ts';
import type { WateringsService } from '../waterings/waterings.service.ts';

export interface SprinklerHistoryParts {
  readonly waterings: Pick<WateringsService, 'newest'>;
  readonly commands: Pick<CommandsService, 'lastOf' | 'swapsOf'>;
  readonly batteries: Pick<BatteryLifeService, 'replacements'>;
}

/** What happened at a sprinkler's place. */
export function createSprinklerHistoryService({ waterings, commands, batteries }: SprinklerHistoryParts) {
  return {
    async of(
      farm: FarmRow,
      device: DeviceRow,
      { period, stopAt }: QueryOf<typeof sprinklerHistory>,
      now: Date,
    ): Promise<SprinklerHistory> {
      requireKind(device, 'sprinkler');
      const { from, to } = historyRange(toZone(farm), { days: period, stopAt }, now.getTime());
      // One more than is told, so that it is known whether there are more.
      const asked = { from, to, count: SPRINKLER_HISTORY_MOST + 1 };
      const [runs, sent, swaps, replaced] = await Promise.all([
        waterings.newest(farm, device.id, { ...asked, now: now.getTime() }),
        commands.lastOf(farm.id, device.id, { ...asked, now }),
        commands.swapsOf(farm.id, device.id, asked),
        batteries.replacements(device, { from, to }),
      ]);
      const swapIds = new Set(swaps.map(({ commandId }) => commandId));
      return {
        runs: newest(runs),
        commands: newest(sent).filter(({ command }) => !swapIds.has(command._id)),
        swaps: newest(swaps).map(({ at, from, to, by }) => ({ at: at.toISOString(), from, to, by })),
        batteries: replaced.toReversed(),
        isCut: [runs, sent, swaps].some(({ length }) => length > SPRINKLER_HISTORY_MOST),
      };
    },
  };
}
export type SprinklerHistoryService = ReturnType<typeof createSprinklerHistoryService>;

const newest = <T>(items: readonly T[]): T[] => items.slice(0, SPRINKLER_HISTORY_MOST);
