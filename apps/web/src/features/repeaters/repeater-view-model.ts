import type { Repeater } from '@headrace/contract/repeaters';
import { CHARGE_THRESHOLD_PERCENT, SPRINKLER_OUT_OF_CONTACT_DAYS } from '@headrace/contract/rules/condition';
import type { Standing } from '../../device-records/device-record.ts';

export const OUT_OF_CONTACT_MS = SPRINKLER_OUT_OF_CONTACT_DAYS * 86_400_000;

export const isSilent = ({ statusTime }: Repeater, now: number) => now - statusTime > OUT_OF_CONTACT_MS;
export const isLow = ({ charge }: Repeater) => charge !== null && charge < CHARGE_THRESHOLD_PERCENT;

/** How a repeater is, by what it last said. */
export function repeaterStanding(repeater: Repeater, now: number): Standing {
  if (repeater.statusTime === 0) return { condition: 'issue', label: 'Never contacted' };
  if (isSilent(repeater, now)) return { condition: 'issue', label: 'Out of contact' };
  return isLow(repeater) ? { condition: 'caution', label: 'Low battery' } : { condition: 'ok', label: 'OK' };
}
