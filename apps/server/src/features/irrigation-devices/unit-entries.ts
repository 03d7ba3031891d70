import type { BodyOf } from '@headrace/contract/endpoint';
import type { createIpc } from '@headrace/contract/irrigation-devices';
import type { Radio } from '@headrace/contract/rules/spare-readiness';
import { newUid } from '../../db/ids.ts';
import { given, identityOf, placeOf } from '../devices/device-entries.ts';
import type { NewRecord } from '../devices/record-change.ts';
import { FIRST_RADIO } from '../devices/farm-radio.ts';
import { LOCAL } from './unit-record.ts';

/** A sprinkler as it is entered. */
export type UnitEntry = Omit<BodyOf<typeof createIpc>, 'farmUID'>;

/** A new sprinkler's row, of what the rules have checked. `radio` is what was last entered on the farm. */
export const newRecord = (
  entry: UnitEntry,
  radio: Radio,
  gateway: { gateway_id?: number | null },
  now: Date,
): NewRecord => ({
  uid: newUid(now),
  kind: 'sprinkler',
  type: entry.type ?? 0,
  ...identityOf(entry),
  ...placeOf(entry),
  ...gateway,
  settings: JSON.stringify({ ...firstSettings(radio), ...settingsOf(entry) }),
});

type Entered = Pick<
  UnitEntry,
  'farmId' | 'channel' | 'commsMode' | 'isSpareUnit' | 'isPartSprinkler' | 'isPOI'
>;

export const settingsOf = ({ farmId, channel, commsMode, isSpareUnit, isPartSprinkler, isPOI }: Entered) =>
  given({ farmId, channel, commsMode, isSpareUnit, isPartSprinkler, isPOI });

/** spec 1 §3 */
export function firstSettings({ farmId }: Radio) {
  return {
    farmId,
    channel: FIRST_RADIO.channel,
    commsMode: LOCAL,
    isSpareUnit: false,
    isPartSprinkler: false,
    isPOI: true,
  };
}
