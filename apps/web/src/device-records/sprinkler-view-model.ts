import type { ListedUnit } from '@headrace/contract/unit-list';
import { CHARGE_THRESHOLD_PERCENT, SPRINKLER_OUT_OF_CONTACT_DAYS } from '@headrace/contract/rules/condition';
import { readinessText } from '@headrace/contract/rules/spare-readiness';
import type { Standing } from './device-record.ts';

export const OUT_OF_CONTACT_MS = SPRINKLER_OUT_OF_CONTACT_DAYS * 86_400_000;

export const sprinklerTypeLabels = ['IPC', 'Pivot'] as const;

export const isSilent = ({ statusTime }: Pick<ListedUnit, 'statusTime'>, now: number): boolean =>
  now - statusTime > OUT_OF_CONTACT_MS;

export const isLow = ({ charge }: Pick<ListedUnit, 'charge'>): boolean =>
  charge !== null && charge < CHARGE_THRESHOLD_PERCENT;

export const isInService = ({ isSpareUnit, outOfService }: ListedUnit): boolean =>
  !isSpareUnit && !outOfService;

/** How a sprinkler is, by what its record says. */
export function sprinklerStanding(unit: ListedUnit, now: number): Standing {
  if (unit.isPlaceholder) return { condition: 'spare', label: 'Placeholder' };
  if (unit.isSpareUnit) return { condition: 'spare', label: `Spare, ${readinessText(unit.spareStatus)}` };
  if (unit.outOfService) return { condition: 'spare', label: 'Out of service' };
  if (unit.statusTime === 0) return { condition: 'issue', label: 'Never contacted' };
  if (isSilent(unit, now)) return { condition: 'issue', label: 'Out of contact' };
  return isLow(unit) ? { condition: 'caution', label: 'Low battery' } : { condition: 'ok', label: 'OK' };
}
