import type { ReactNode } from 'react';
import type { CommandName } from '@headrace/contract/command-types';
import type { Timezone } from '@headrace/contract/farms';
import { type BatteryCheck, batteryCheck, type ScheduleAfter } from '@headrace/contract/rules/battery-check';
import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';
import { Age } from '../../ui/age.tsx';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { numberText } from '../../ui/format.ts';
import type { Condition } from '../../ui/tokens.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { SentOutcomes } from './sent-outcome.tsx';
import { useSchedulePayload } from './use-remedies.ts';
import type { UnitCommands } from './use-unit-commands.ts';
import classes from './after-battery.module.css';

export interface AfterBatteryProps {
  farmUID: string;
  info: SprinklerInfo;
  /** When its battery was changed, epoch ms. */
  replacedAt: number;
  zone: Timezone | null;
  commands: UnitCommands;
}

/** Whether schedule and clock survived a new battery, and what mends it where they did not. */
export function AfterBattery({ farmUID, info, replacedAt, zone, commands }: AfterBatteryProps) {
  const check = batteryCheck({
    replacedAt,
    heardAt: info.statustime || null,
    hasClockError: info.hasClockError,
    clock: info.clock,
    held: info.held.state,
    isScheduleWanted: (info.wanted?.entries.length ?? 0) > 0,
    isInhibited: info.isInhibited,
    isStopWanted: info.stopWanted !== null,
  });
  const parts = { farmUID, info, commands };
  return (
    <section className={classes.check} aria-label={`${info.name} after its new battery`}>
      {check ? (
        <>
          <ScheduleLine {...parts} state={check.schedule} />
          <ClockLine {...parts} state={check.clock} />
        </>
      ) : (
        <p className={classes.line}>
          Not heard since its battery was changed. Many units forget their schedule and clock then: poll it to
          see.
        </p>
      )}
      <div className={classes.ways}>
        {check && (
          <Age at={info.statustime} zone={zone} className={classes.age}>
            It said so
          </Age>
        )}
        <Way {...parts} command="Poll" label={check ? 'Poll again' : 'Poll'} />
      </div>
    </section>
  );
}

type Parts = Pick<AfterBatteryProps, 'farmUID' | 'info' | 'commands'>;

const scheduleSays: Record<ScheduleAfter, readonly [Condition, string]> = {
  kept: ['ok', 'It holds its schedule.'],
  lost: ['caution', 'It holds nothing: send its schedule.'],
  other: ['caution', 'It holds another schedule than it is to: send its own.'],
  stopped: [
    'inhibited',
    'It is inhibited, as somebody wants it. What it holds can’t be told until it isn’t.',
  ],
  none: ['ok', 'It is to hold no schedule.'],
  unknown: ['caution', 'It has not said what schedule it holds.'],
};

function ScheduleLine({ state, ...parts }: Parts & { state: ScheduleAfter }) {
  const { farmUID, info } = parts;
  const isMissing = state === 'lost' || state === 'other';
  const schedule = useSchedulePayload(farmUID, info, isMissing);
  const [condition, text] = scheduleSays[state];
  return (
    <Line condition={condition} text={text}>
      {isMissing && (
        // Nobody inhibited it: that it says so is what it forgot.
        <Way
          {...parts}
          command="UpdateSchedule"
          label="Send its schedule"
          why={schedule.why}
          payload={schedule.payload && { ...schedule.payload, alsoInhibited: true }}
        />
      )}
    </Line>
  );
}

function ClockLine({ state, ...parts }: Parts & { state: BatteryCheck['clock'] }) {
  const off = Math.abs(parts.info.clock ?? 0);
  const text = {
    right: 'Its clock is right.',
    wrong: `Its clock is ${numberText(off)} s ${(parts.info.clock ?? 0) > 0 ? 'fast' : 'slow'}: set its time.`,
    unknown: 'It has not said how its clock is.',
  }[state];
  return (
    <Line condition={state === 'right' ? 'ok' : 'caution'} text={text}>
      {state === 'wrong' && <Way {...parts} command="IncTimeSet" label="Set Time" />}
    </Line>
  );
}

function Line({ condition, text, children }: { condition: Condition; text: string; children?: ReactNode }) {
  return (
    <div className={classes.line}>
      <p>
        <ConditionDot condition={condition} label={null} size={15} /> {text}
      </p>
      {children}
    </div>
  );
}

interface WayProps extends Parts {
  command: CommandName;
  label: string;
  /** Besides what the command itself needs. */
  why?: string | null | undefined;
  payload?: object | undefined;
}

function Way({ farmUID, commands, command, label, why = null, payload }: WayProps) {
  return (
    <>
      <CommandButton
        why={commands.whyNot(command) ?? why}
        isBusy={commands.isSending(command)}
        onPress={() => commands.send(command, payload as never)}
        onRefused={(reason) => commands.refuse(label, reason)}
      >
        {label}
      </CommandButton>
      <SentOutcomes farmUID={farmUID} commands={commands} of={(one) => one === command} />
    </>
  );
}
