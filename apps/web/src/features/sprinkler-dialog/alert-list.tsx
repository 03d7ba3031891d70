import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { CommandName } from '@headrace/contract/command-types';
import type { IpcStatus } from '@headrace/contract/groups';
import { can } from '@headrace/contract/permissions';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { useCan } from '../../access/permissions.ts';
import { farmSetsQuery } from '../../device-records/choices.queries.ts';
import { CommandButton } from './command-button.tsx';
import { SentOutcomes } from './sent-outcome.tsx';
import { unitAlerts, type UnitAlert } from './unit-alerts.ts';
import type { UnitCommands } from './use-unit-commands.ts';
import classes from './sprinkler-dialog.module.css';

interface AlertListProps {
  farmUID: string;
  unit: IpcStatus;
  commands: UnitCommands;
  /** Asks before a new battery is recorded; null: one may not. */
  onBattery: () => void;
}

/** What is wrong, worst first, each with the command that may cure it and what became of that. */
export function AlertList({ farmUID, unit, commands, onBattery }: AlertListProps) {
  const alerts = unitAlerts(unit);
  if (alerts.length === 0) return null;
  return (
    <ul className={classes.alerts} aria-label="What needs attention">
      {alerts.map((alert) => (
        <li key={alert.text} data-condition={alert.condition}>
          <ConditionDot condition={alert.condition} label={null} size={17} />
          <p>{alert.text}</p>
          <Way alert={alert} {...{ farmUID, unit, commands, onBattery }} />
        </li>
      ))}
    </ul>
  );
}

function Way({ alert, ...props }: AlertListProps & { alert: UnitAlert }): ReactNode {
  const { farmUID, unit, commands, onBattery } = props;
  const schedule = useSchedulePayload(farmUID, unit, alert.remedy === 'UpdateSchedule');
  const battery = useBatteryWhy(farmUID, unit);
  const { remedy, label } = alert;
  const refuse = (why: string) => commands.refuse(label, why);
  if (remedy === 'battery')
    return (
      <CommandButton why={battery} onPress={onBattery} onRefused={refuse}>
        {label}
      </CommandButton>
    );
  const why = commands.whyNot(remedy) ?? (remedy === 'UpdateSchedule' ? schedule.why : null);
  const payload = remedy === 'UpdateSchedule' ? schedule.payload : payloads[remedy];
  return (
    <>
      <CommandButton
        why={why}
        isBusy={commands.isSending(remedy)}
        onPress={() => commands.send(remedy, payload)}
        onRefused={refuse}
      >
        {label}
      </CommandButton>
      <SentOutcomes farmUID={farmUID} commands={commands} of={(command) => command === remedy} />
    </>
  );
}

const payloads: Partial<Record<CommandName, Record<string, string>>> = {
  IpcUpdate: { name: 'Mode', value: 'Mesh' },
};

/** Why a new battery can't be recorded here; null: it can. */
export function useBatteryWhy(farmUID: string, unit: IpcStatus): string | null {
  const may = useCan(
    { allOf: [can('irrigationDevices', 'Edit'), can('irrigationDevices', 'Read')] },
    farmUID,
  );
  if (!may) return 'You may not record this on this farm.';
  return unit.outOfService ? `${unit.name} is out of service.` : null;
}

/** What sends the unit its part of the set that the farm waters by, or why that can't be. */
export function useSchedulePayload(farmUID: string, unit: IpcStatus, isWanted = true) {
  const mayRead = useCan({ anyOf: [can('schedules', 'Read')] }, farmUID);
  const { data: sets } = useQuery({ ...farmSetsQuery(farmUID), enabled: mayRead && isWanted });
  const current = sets?.find(({ selected }) => selected);
  if (!mayRead) return { why: "You may not see this farm's schedules." };
  if (!sets) return { why: "Which schedule the farm waters by isn't known yet." };
  if (!current) return { why: 'The farm waters by no schedule yet: there is none to send.' };
  return {
    why: null,
    payload: {
      setUID: current.id,
      serialNumbers: [unit.serial],
      hideNotification: false,
      resultMessage: `${unit.name} has its schedule.`,
    },
  };
}
