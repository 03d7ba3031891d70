import type { CommandName } from '@headrace/contract/command-types';
import type { MapUnit } from '@headrace/contract/map-units';
import type { SprinklerAlertKind } from '@headrace/contract/rules/sprinkler-alerts';
import { hasNoSchedule } from '@headrace/contract/rules/no-schedule';
import type { Condition } from '../../ui/tokens.ts';

/** What to do about it: a command, or the record of a new battery. */
export type Remedy = CommandName | 'battery';
export interface UnitAlert {
  kind: SprinklerAlertKind;
  text: string;
  condition: Condition;
  remedy: Remedy;
  /** What the remedy's button is called here. */
  label: string;
}

type Flags = Pick<
  MapUnit,
  | 'isOutOfContact'
  | 'hasBatteryError'
  | 'hasClockError'
  | 'hasScheduleError'
  | 'isScheduleComing'
  | 'isInhibited'
  | 'inc_crc'
  | 'stopWanted'
>;

/**
 * What is wrong with a unit and what to do about it, in the order of the specification. A schedule that is on its way to it isn't one.
 * spec 2 §8
 */
export function unitAlerts(unit: Flags): UnitAlert[] {
  return [
    unit.isOutOfContact &&
      alert(
        'outOfContact',
        'This unit is out of contact for more than 30 days!',
        'issue',
        'IpcUpdate',
        'Try to fix',
      ),
    unit.hasBatteryError &&
      alert('battery', 'The battery charge is very low!', 'caution', 'battery', 'Record Battery Replacement'),
    unit.hasClockError && alert('clock', 'The ipc has a clock error!', 'caution', 'IncTimeSet', 'Set Time'),
    unit.hasScheduleError &&
      !unit.isScheduleComing &&
      alert('schedule', 'The ipc has a schedule error!', 'caution', 'UpdateSchedule', 'Send Schedule'),
    // To a unit that is to hold nothing an Uninhibit would bring nothing.
    unit.isInhibited &&
      !hasNoSchedule(unit) &&
      alert('inhibited', 'This IPC is inhibited.', 'inhibited', 'Uninhibit', 'Uninhibit'),
  ].filter((one) => one !== false);
}

const alert = (
  kind: SprinklerAlertKind,
  text: string,
  condition: Condition,
  remedy: Remedy,
  label: string,
): UnitAlert => ({
  kind,
  text,
  condition,
  remedy,
  label,
});
