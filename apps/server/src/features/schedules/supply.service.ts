import type { BodyOf } from '@headrace/contract/endpoint';
import { clockText } from '@headrace/contract/rules/schedule/clock-text';
import type { FarmSupply, putSupply, SupplyEntries, SupplyTime } from '@headrace/contract/supply';
import type { FarmRow } from '../../db/schema.ts';
import { stale } from '../../http/errors.ts';
import { fieldChanges, logChanges } from '../changes/change-log.ts';
import type { By } from '../devices/record-change.ts';
import type { SupplyRepo, SupplyRow } from './supply.repo.ts';

/** What a farm's water supply allows. */
export function createSupplyService(supply: SupplyRepo) {
  return {
    of: async (farm: FarmRow): Promise<FarmSupply> => toSupply(farm, await supply.of(farm.id)),

    /** Throws conflict, with the supply as it is, when somebody was quicker. */
    async put(farm: FarmRow, { version, ...body }: BodyOf<typeof putSupply>, by: By): Promise<FarmSupply> {
      const { maxLps, windows, avoid, notes } = body;
      const entered: SupplyEntries = { maxLps, windows, avoid, notes };
      return supply.inTransaction(farm.id, async (trx) => {
        const before = await supply.of(farm.id, trx);
        if (version !== undefined && version !== before.version) throw stale(toSupply(farm, before));
        const fields = fieldChanges(inWords(before), inWords(entered));
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
  { maxLps, windows, avoid, notes, version, updatedAt }: SupplyRow,
): FarmSupply {
  return {
    farmUID: farm.uid,
    maxLps,
    windows,
    avoid,
    notes,
    version,
    updatedAt: updatedAt?.toISOString() ?? null,
  };
}

/** As the farm's history shows it. */
const inWords = ({ maxLps, windows, avoid, notes }: SupplyEntries) => ({
  pumpLps: maxLps,
  waterTimes: windows.map(timeText),
  avoidTimes: avoid.map(timeText),
  supplyNotes: notes,
});

const timeText = ({ fromMin, toMin, why }: SupplyTime) =>
  `${clockText(fromMin)}–${clockText(toMin)}${why === '' ? '' : ` (${why})`}`;
