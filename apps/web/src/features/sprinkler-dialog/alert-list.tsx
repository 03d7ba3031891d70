import type { ReactNode } from 'react';
import type { CommandName } from '@headrace/contract/command-types';
import type { Timezone } from '@headrace/contract/farms';
import type { MapUnit } from '@headrace/contract/map-units';
import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { exactTime } from '../../ui/format.ts';
import { CommandButton } from '../commands/command-button.tsx';
import type { Question } from './questions.tsx';
import { SentOutcomes } from './sent-outcome.tsx';
import { useInfoOncePainted } from './sprinkler-info.queries.ts';
import { unitAlerts, type UnitAlert } from './unit-alerts.ts';
import { useBatteryWhy, useSchedulePayload } from './use-remedies.ts';
import type { UnitCommands } from './use-unit-commands.ts';
import classes from './sprinkler-dialog.module.css';

interface AlertListProps {
  farmUID: string;
  unit: MapUnit;
  zone: Timezone | null;
  commands: UnitCommands;
  onAsk: (question: Question) => void;
}

/** What is wrong, worst first, each with the command that may cure it and what became of that. */
export function AlertList({ farmUID, unit, zone, commands, onAsk }: AlertListProps) {
  const { data: info } = useInfoOncePainted(unit.id, farmUID);
  const sinceOf = ({ kind }: UnitAlert) => info?.alerts.find((one) => one.kind === kind)?.since ?? null;
  const alerts = unitAlerts(unit);
  if (alerts.length === 0) return null;
  return (
    <ul className={classes.alerts} aria-label="What needs attention">
      {alerts.map((alert) => (
        <li key={alert.text} data-condition={alert.condition}>
          <ConditionDot condition={alert.condition} label={null} size={17} />
          <p>
            {alert.text} <Since at={sinceOf(alert)} zone={zone} />
            {alert.kind === 'inhibited' && <WhyInhibited info={info} zone={zone} />}
          </p>
          <Way alert={alert} {...{ farmUID, unit, zone, commands, onAsk }} />
        </li>
      ))}
    </ul>
  );
}

/** "Inhibited" and "holds no schedule" are one word on the radio: where nobody inhibited it here, that is said, with what mends it. */
function WhyInhibited({ info, zone }: { info: SprinklerInfo | undefined; zone: Timezone | null }) {
  if (info && info.holdUntil !== null)
    return (
      <span className={classes.age}>
        Held until {exactTime(info.holdUntil, zone)}: it may water again then, by itself.
      </span>
    );
  const hasWanted = (info?.wanted?.entries.length ?? 0) > 0;
  if (!info || info.stopWanted !== null || info.isSpareUnit || info.outOfService || !hasWanted) return null;
  return (
    <span className={classes.age}>
      Nobody inhibited it in Headrace: it says that it holds no schedule, as one does that was cleared while
      it was spare or out of service. Uninhibit sends it the schedule that it is to water by.
    </span>
  );
}

/** Nothing where that isn't known. */
function Since({ at, zone }: { at: number | null; zone: Timezone | null }) {
  return at === null ? null : <span className={classes.age}>Since {exactTime(at, zone)}</span>;
}

function Way({ alert, ...props }: AlertListProps & { alert: UnitAlert }): ReactNode {
  const { farmUID, unit, commands, onAsk } = props;
  const schedule = useSchedulePayload(farmUID, unit, alert.remedy === 'UpdateSchedule');
  const battery = useBatteryWhy(farmUID, unit);
  const { remedy, label } = alert;
  const refuse = (why: string) => commands.refuse(label, why);
  if (remedy === 'battery')
    return (
      <CommandButton why={battery} onPress={() => onAsk('battery')} onRefused={refuse}>
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
        onPress={() =>
          remedy === 'UpdateSchedule' && schedule.isStopped
            ? onAsk('sendStopped')
            : commands.send(remedy, payload)
        }
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
