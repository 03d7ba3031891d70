import { REPLACED_WITHIN_DAYS } from '@headrace/contract/devices';
import type { DeviceRow } from '../../db/schema.ts';
import { invalid } from '../../http/errors.ts';
import { replacedAt } from '../devices/battery.ts';
import { requireKind } from '../devices/device-entries.ts';
import { changeRecord } from '../devices/change-records.ts';
import type { DeviceRecords } from '../devices/device-records.ts';
import type { By } from '../devices/record-change.ts';

/** What a sprinkler is for: spare, in service, out of service, part of a circle. */
export function createUnitFlags(records: DeviceRecords) {
  async function set(
    device: DeviceRow,
    by: By,
    settingsOf: (before: DeviceRow) => Record<string, unknown>,
    what: 'changed' | 'converted' | 'replaced battery' = 'changed',
  ): Promise<void> {
    await records.together(device.farm_id, (trx) =>
      changeRecord(trx, device, { settings: settingsOf(device) }, by, { what }),
    );
  }
  const ofSprinkler: typeof set = (device, ...rest) => {
    requireKind(device, 'sprinkler');
    return set(device, ...rest);
  };

  return {
    /** One taken into service is no longer out of it, unless it is a placeholder. */
    spare: (device: DeviceRow, status: boolean, by: By) =>
      ofSprinkler(device, by, ({ settings }) =>
        status || settings['isPlaceholder'] === true
          ? { isSpareUnit: status }
          : { isSpareUnit: false, outOfService: false },
      ),

    partSprinkler: (device: DeviceRow, status: boolean, by: By) =>
      ofSprinkler(device, by, () => ({ isPartSprinkler: status })),

    /** It is asked to once it is heard after this moment. */
    reconfigure: (device: DeviceRow, status: boolean, by: By) =>
      ofSprinkler(device, by, () =>
        status ? { reconfigure: true, reconfigureAt: by.now.toISOString() } : { reconfigure: false },
      ),

    /** Name, place, serial number and MAC stay; the unit may be used elsewhere. */
    placeholder: (device: DeviceRow, by: By) =>
      ofSprinkler(device, by, () => ({ isPlaceholder: true, outOfService: true }), 'converted'),

    returnToService: (device: DeviceRow, by: By) =>
      ofSprinkler(device, by, () => ({ isPlaceholder: false, outOfService: false }), 'converted'),

    /** Of sprinklers and repeaters. What its charge was is unknown until it reports again. `at`: when, where it is told later. */
    replaceBattery: (device: DeviceRow, kind: 'sprinkler' | 'repeater', by: By, at?: string) => {
      requireKind(device, kind);
      const replaced = at === undefined ? by.now : timeOfReplacement(at, by.now);
      if (replaced.getTime() < Date.parse(replacedAt(device) ?? '1970-01-01')) return Promise.resolve();
      return set(device, by, () => ({ replaceBatteryAt: replaced.toISOString() }), 'replaced battery');
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
