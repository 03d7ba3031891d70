import type { MapUnit } from '@headrace/contract/map-units';
import { conditions } from '@headrace/contract/rules/condition';
import { isStopAwaited } from '@headrace/contract/rules/stop-wanted';
import type { Mark } from '../paper.ts';

/** A charge of that much is low in a report, though no error on a map yet: %. spec 2 §9 */
export const REPORT_LOW_BATTERY = 50;

export interface UnitStatus {
  readonly mark: Mark;
  readonly text: string;
}

const statuses: Readonly<Record<number, UnitStatus>> = {
  [conditions.ok]: { mark: 'ok', text: 'OK' },
  [conditions.active]: { mark: 'watering', text: 'Watering' },
  [conditions.error]: { mark: 'caution', text: 'Attention' },
  [conditions.convertedSpare]: { mark: 'caution', text: 'Not heard since put in' },
  [conditions.outOfContact]: { mark: 'issue', text: 'Out of contact' },
  [conditions.inhibited]: { mark: 'inhibited', text: 'Inhibited' },
  [conditions.outOfService]: { mark: 'spare', text: 'Out of service' },
};

/** A sprinkler's condition in one or two words. An open valve that should be closed is told before all else. */
export function unitStatus(unit: MapUnit): UnitStatus {
  const { belief, condition } = unit;
  if (belief?.state === 'openOverdue') return { mark: 'issue', text: 'Should be closed' };
  const isWell = condition === conditions.ok || condition === conditions.active;
  if (belief?.state === 'mayBeOpen' && isWell) return { mark: 'watering', text: 'Should be watering' };
  if (condition === conditions.outOfService && unit.isSpareUnit) return { mark: 'spare', text: 'Spare' };
  return statuses[condition] ?? { mark: 'ok', text: 'OK' };
}

/** What is to be said of a sprinkler, all that holds. spec 2 §5; the last ones are ours. */
export function unitNotes(unit: MapUnit): string[] {
  const { charge, belief } = unit;
  const notes = [
    (unit.outOfService || unit.isSpareUnit) && 'Out of Service',
    unit.isOutOfContact && (unit.statustime === 0 ? 'Never heard.' : 'Out of contact for more than 30 days.'),
    unit.hasClockError && 'The clock of this unit is wrong.',
    unit.hasScheduleError && 'The schedule of this unit is wrong.',
    charge !== null && (charge <= REPORT_LOW_BATTERY ? `Battery Low (${charge}%)` : 'Battery Level'),
    belief?.state === 'openOverdue' && 'Its valve should be closed by now.',
    belief?.state === 'mayBeOpen' && 'It should be watering, which it has not said.',
    isStopAwaited(unit) && 'To be inhibited, which it has not said.',
  ];
  return notes.filter((note) => note !== false);
}
