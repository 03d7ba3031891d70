import type { CommandName } from '@headrace/contract/command-types';
import type { IpcStatus } from '@headrace/contract/groups';
import type { Condition } from '../../ui/tokens.ts';

/** What to do about it: a command, or the record of a new battery. */
export type Remedy = CommandName | 'battery';
export interface UnitAlert {
  text: string;
  condition: Condition;
  remedy: Remedy;
  /** What the remedy's button is called here. */
  label: string;
}

type Flags = Pick<
  IpcStatus,
  'isOutOfContact' | 'hasBatteryError' | 'hasClockError' | 'hasScheduleError' | 'isInhibited'
>;

/** What is wrong with a unit and what to do about it, in the order of the specification. spec 2 §8 */
export function unitAlerts(unit: Flags): UnitAlert[] {
  return [
    unit.isOutOfContact &&
      alert('This unit is out of contact for more than 30 days!', 'issue', 'IpcUpdate', 'Try to fix'),
    unit.hasBatteryError &&
      alert('The battery charge is very low!', 'caution', 'battery', 'Record Battery Replacement'),
    unit.hasClockError && alert('The ipc has a clock error!', 'caution', 'IncTimeSet', 'Set Time'),
    unit.hasScheduleError &&
      alert('The ipc has a schedule error!', 'caution', 'UpdateSchedule', 'Send Schedule'),
    unit.isInhibited && alert('This IPC is inhibited.', 'inhibited', 'Uninhibit', 'Uninhibit'),
  ].filter((one) => one !== false);
}

const alert = (text: string, condition: Condition, remedy: Remedy, label: string): UnitAlert => ({
  text,
  condition,
  remedy,
  label,
});
