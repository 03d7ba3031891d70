import type { BodyOf } from '@headrace/contract/endpoint';
import { clockText } from '@headrace/contract/rules/schedule/clock-text';
import type { WaterMain } from '@headrace/contract/schedule-templates';
import type { FarmSupply, putSupply, SupplyEntries, SupplyTime } from '@headrace/contract/supply';
import type { FarmRow } from '../../db/schema.ts';
import { invalid, stale } from '../../http/errors.ts';
import { fieldChanges, logChanges } from '../changes/change-log.ts';
import type { By } from '../devices/record-change.ts';
import { type GroupNames, mainsOnFarm, mainText } from './main-text.ts';
import type { SupplyRepo, SupplyRow } from './supply.repo.ts';

/** What a farm's water supply allows. */
export function createSupplyService(supply: SupplyRepo) {
  return {
    async of(farm: FarmRow): Promise<FarmSupply> {
      const row = await supply.of(farm.id);
      if (row.mains.length === 0) return toSupply(farm, row);
      return toSupply(farm, { ...row, mains: mainsOnFarm(row.mains, await supply.groupNames(farm.id)) });
    },

    /** Throws conflict, with the supply as it is, when somebody was quicker; invalid for a group that isn't the farm's. */
    async put(farm: FarmRow, { version, ...body }: BodyOf<typeof putSupply>, by: By): Promise<FarmSupply> {
      const { maxLps, windows, avoid, notes } = body;
      const groups = await supply.groupNames(farm.id);
      return supply.inTransaction(farm.id, async (trx) => {
        const row = await supply.of(farm.id, trx);
        const before = { ...row, mains: mainsOnFarm(row.mains, groups) };
        const mains = body.mains ? checked(body.mains, groups) : before.mains;
        const entered: SupplyEntries = { maxLps, windows, avoid, mains, notes };
        if (version !== undefined && version !== before.version) throw stale(toSupply(farm, before));
        const fields = fieldChanges(loggedSupply(before, groups), loggedSupply(entered, groups));
        if (fields.length === 0) return toSupply(farm, before);
        const after = { ...entered, version: before.version + 1, updatedAt: by.now };
        await supply.save(trx, farm.id, after, by);
        const { id: farmId, uid, name } = farm;
        const { accountId, page } = by;
        await logChanges(
          trx,
          [{ farmId, accountId, kind: 'farm', uid, name, what: 'changed', fields, page }],
          by.now,
        );
        return toSupply(farm, after);
      });
    },
  };
}
export type SupplyService = ReturnType<typeof createSupplyService>;

function toSupply(
  farm: FarmRow,
  { maxLps, windows, avoid, mains, notes, version, updatedAt }: SupplyRow,
): FarmSupply {
  return {
    farmUID: farm.uid,
    maxLps,
    windows,
    avoid,
    mains,
    notes,
    version,
    updatedAt: updatedAt?.toISOString() ?? null,
  };
}

/** Throws invalid. */
function checked(mains: readonly WaterMain[], groups: GroupNames): WaterMain[] {
  const lower = mains.map((main) => ({ ...main, groups: main.groups.map((uid) => uid.toLowerCase()) }));
  if (lower.some((main) => main.groups.some((uid) => !groups.has(uid))))
    throw invalid('One of the groups is not on this farm, or no longer. Please choose them again.', 'mains');
  if (lower.some((main) => new Set(main.groups).size < main.groups.length))
    throw invalid('A group can be chosen once only for a main.', 'mains');
  return lower;
}

/** As the farm's history shows it. */
const loggedSupply = ({ maxLps, windows, avoid, mains, notes }: SupplyEntries, groups: GroupNames) => ({
  pumpLps: maxLps,
  waterTimes: windows.map(timeText),
  avoidTimes: avoid.map(timeText),
  mains: mains.map((main) => mainText(main, groups)),
  supplyNotes: notes,
});

const timeText = ({ fromMin, toMin, why }: SupplyTime) =>
  `${clockText(fromMin)}–${clockText(toMin)}${why === '' ? '' : ` (${why})`}`;
