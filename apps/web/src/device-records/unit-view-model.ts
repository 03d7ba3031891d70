import type { MapUnit } from '@headrace/contract/map-units';
import { conditions } from '@headrace/contract/rules/condition';
import { hasNoSchedule } from '@headrace/contract/rules/no-schedule';
import { isStopAwaited } from '@headrace/contract/rules/stop-wanted';
import type { WateringLook } from '../map/sprinkler-look.ts';
import type { Condition } from '../ui/tokens.ts';

const colours = new Map<number, Condition>([
  [conditions.inhibited, 'inhibited'],
  [conditions.ok, 'ok'],
  [conditions.outOfContact, 'issue'],
  [conditions.error, 'caution'],
  [conditions.poi, 'poi'],
  [conditions.sensor, 'sensor'],
  [conditions.outOfService, 'spare'],
  [conditions.convertedSpare, 'caution'],
  [conditions.active, 'watering'],
]);

/** A condition's colour and shape; a number that isn't known is green. spec 1 §4 */
export const unitCondition = ({ condition }: Pick<MapUnit, 'condition'>): Condition =>
  colours.get(condition) ?? 'ok';

/** How a marker or dot shows that it waters without having said so. */
export function unitLook({ belief }: Pick<MapUnit, 'belief'>): WateringLook | undefined {
  if (belief?.state === 'openOverdue') return 'overdue';
  return belief?.state === 'mayBeOpen' ? 'planned' : undefined;
}

/** What a marker or dot is drawn by. */
export function unitSigns(unit: MapUnit): {
  condition: Condition;
  look?: WateringLook;
  isStopAwaited?: true;
} {
  const look = unitLook(unit);
  return {
    condition: unitCondition(unit),
    ...(look && { look }),
    ...(isStopAwaited(unit) && { isStopAwaited: true }),
  };
}

/** How a sprinkler is, worst first: "Low battery, clock error". */
export function unitLabel(unit: MapUnit): string {
  const look = unitLook(unit);
  const labels = [
    look === 'overdue' && 'Should be closed by now',
    unit.isSpareUnit && 'Spare',
    unit.isPlaceholder && 'Placeholder',
    unit.outOfService && !unit.isPlaceholder && 'Out of service',
    unit.condition === conditions.convertedSpare && 'Not heard since it was put in',
    unit.isOutOfContact && (unit.statustime === 0 ? 'Never contacted' : 'Out of contact'),
    unit.isInhibited && (hasNoSchedule(unit) ? 'No schedule' : 'Inhibited'),
    isStopAwaited(unit) && 'To be inhibited, has not said so yet',
    ...(unit.isOutOfContact ? [] : errorLabels(unit)),
    look === 'planned' && 'Should be watering, not confirmed',
    unit.active && look === undefined && 'Watering',
  ].filter((label) => label !== false);
  const [first = 'OK', ...rest] = labels;
  return [first, ...rest.map((label) => label.charAt(0).toLowerCase() + label.slice(1))].join(', ');
}

function errorLabels(unit: MapUnit): (string | false)[] {
  return [
    unit.hasBatteryError && 'Low battery',
    unit.hasClockError && 'Clock error',
    unit.hasScheduleError && (unit.isScheduleComing ? 'New schedule on its way' : 'Schedule issue'),
  ];
}
