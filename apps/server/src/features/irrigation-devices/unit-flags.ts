import { REPLACED_WITHIN_DAYS } from '@headrace/contract/devices';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { invalid } from '../../http/errors.ts';
import { replacedAt } from '../devices/battery.ts';
import { requireKind } from '../devices/device-entries.ts';
import { changeRecord } from '../devices/change-records.ts';
import type { DeviceRecords } from '../devices/device-records.ts';
import type { By } from '../devices/record-change.ts';

/** What a sprinkler is for: spare, in service, out of service, part of a circle. */
export function createUnitFlags(records: DeviceRecords) {
  const set = (
    trx: Db,
    device: DeviceRow,
    by: By,
    settings: Record<string, unknown>,
    what: 'changed' | 'converted' | 'replaced battery' = 'changed',
  ) => changeRecord(trx, device, { settings }, by, { what });

  /** Resolves to what undoes it; null: it was so already. */
  async function undoably(
    device: DeviceRow,
    by: By,
    settings: Record<string, unknown>,
    { act, title }: { act: 'flag sprinkler' | 'convert sprinkler'; title: string },
  ): Promise<string | null> {
    requireKind(device, 'sprinkler');
    const what = act === 'convert sprinkler' ? 'converted' : 'changed';
    const done = { act, title: `${device.name} ${title}` };
    const { batchId } = await records.undoable(device.farm_id, by, done, (trx, batched) =>
      set(trx, device, batched, settings, what),
    );
    return batchId;
  }

  return {
    /** One taken into service is no longer out of it, unless it is a placeholder. */
    spare: (device: DeviceRow, status: boolean, by: By) =>
      undoably(
        device,
        by,
        status || device.settings['isPlaceholder'] === true
          ? { isSpareUnit: status }
          : { isSpareUnit: false, outOfService: false },
        { act: 'flag sprinkler', title: status ? 'made a spare' : 'taken into service' },
      ),

    partSprinkler: (device: DeviceRow, status: boolean, by: By) =>
      undoably(
        device,
        by,
        { isPartSprinkler: status },
        {
          act: 'flag sprinkler',
          title: status ? 'marked as part sprinkler' : 'marked as full circle',
        },
      ),

    /** It is asked to once it is heard after this moment. */
    async reconfigure(device: DeviceRow, status: boolean, by: By): Promise<void> {
      requireKind(device, 'sprinkler');
      const settings = status
        ? { reconfigure: true, reconfigureAt: by.now.toISOString() }
        : { reconfigure: false };
      await records.together(device.farm_id, (trx) => set(trx, device, by, settings));
    },

    /** Name, place, serial number and MAC stay; the unit may be used elsewhere. */
    placeholder: (device: DeviceRow, by: By) =>
      undoably(
        device,
        by,
        { isPlaceholder: true, outOfService: true },
        { act: 'convert sprinkler', title: 'made a placeholder' },
      ),

    returnToService: (device: DeviceRow, by: By) =>
      undoably(
        device,
        by,
        { isPlaceholder: false, outOfService: false },
        { act: 'convert sprinkler', title: 'returned to service' },
      ),

    /** Of sprinklers and repeaters. What its charge was is unknown until it reports again. `at`: when, where it is told later. */
    async replaceBattery(device: DeviceRow, kind: 'sprinkler' | 'repeater', by: By, at?: string) {
      requireKind(device, kind);
      const replaced = at === undefined ? by.now : timeOfReplacement(at, by.now);
      if (replaced.getTime() < Date.parse(replacedAt(device) ?? '1970-01-01')) return;
      const settings = { replaceBatteryAt: replaced.toISOString() };
      await records.together(device.farm_id, (trx) => set(trx, device, by, settings, 'replaced battery'));
    },
  };
}
export type UnitFlags = ReturnType<typeof createUnitFlags>;

const DAY_MS = 86_400_000;
/** A phone's clock may be a little ahead: what it did lies no later than now. Throws invalid for what is too long ago. */
function timeOfReplacement(at: string, now: Date): Date {
  const told = Date.parse(at);
  if (told < now.getTime() - REPLACED_WITHIN_DAYS * DAY_MS)
    throw invalid(`at: must be at most ${REPLACED_WITHIN_DAYS} days ago.`, 'at');
  return new Date(Math.min(told, now.getTime()));
}
