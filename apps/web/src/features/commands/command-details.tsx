import { useState, type ReactNode } from 'react';
import { Tabs } from '@mantine/core';
import type { Api } from '@headrace/contract/api';
import { isAllBehind } from '@headrace/contract/rules/behind';
import { isUnderWay } from '@headrace/contract/rules/under-way';
import { exactTime, minuteText, numberText } from '../../ui/format.ts';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { useChartZone } from '../../time-range/farm-zone.ts';
import { BehindLines } from './behind-lines.tsx';
import { CloseValve } from './close-valve.tsx';
import { CancelCommand } from './cancel-command.tsx';
import { lifeOf } from './command-life.ts';
import { CommandSteps } from './command-steps.tsx';
import { CommandUnits } from './command-units.tsx';
import { commandNote, senderOf } from './command-labels.ts';
import { MoreOf } from './more-of.tsx';
import { finishTextOf, paceText } from './finish-labels.ts';
import { LifeStepper } from './life-stepper.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { UnstoppedLines } from './unstopped-lines.tsx';
import { GoBack } from './go-back.tsx';
import { TryAgain } from './try-again.tsx';
import { useSeenByLooking } from './see-command.ts';
import classes from './command-drawer.module.css';

interface Props {
  details: Api['GET /command']['reply'];
  /** Asks for as many units and steps as there can be; null: these are. */
  onMore: (() => void) | null;
}

/** How a command stands, its life, its units and every step. */
export function CommandDetails({ details, onMore }: Props) {
  const { command, units, unitStates, steps, stepCount, perMinute, unstopped, goBack } = details;
  const zone = useChartZone(command.farmUID);
  const [tab, setTab] = useState<string | null>('units');
  const note = commandNote(command);
  useSeenByLooking(command);
  const finish = finishTextOf({ command, unitStates }, zone, useNow());
  const withGateway = (unitStates.sent ?? 0) + (unitStates.accepted ?? 0);
  return (
    <>
      <LifeStepper stages={lifeOf(command, steps)} zone={zone} />
      {command.state === 'progress' && (
        <div className={classes.counted}>
          <ProgressBar command={command} />
        </div>
      )}
      {note && (
        <p className={classes.message} role="status">
          {note}
        </p>
      )}
      {command.behind && (
        <ul className={classes.unstopped} aria-label="What it waits for">
          <BehindLines command={command} />
        </ul>
      )}
      {unstopped && (
        <ul className={classes.unstopped}>
          <UnstoppedLines unstopped={unstopped} />
        </ul>
      )}
      <CancelCommand command={command} states={unitStates} />
      <CloseValve key={`close/${command._id}`} farmUID={command.farmUID} units={units} />
      <GoBack key={`back/${command._id}`} command={command} plan={goBack} />
      <TryAgain
        key={command._id}
        command={command}
        failed={(unitStates.failed ?? 0) + (unitStates.expired ?? 0)}
      />
      <dl className={classes.facts}>
        <Fact name="Sent by">{senderOf(command)}</Fact>
        <Fact name="Asked for">
          {exactTime(Date.parse(command.createdAt), zone)}{' '}
          <Age at={command.createdAt} zone={zone} className={classes.dim} />
        </Fact>
        {finish && <Fact name="Done">{finish}</Fact>}
        {isUnderWay(command) && perMinute !== null && <Fact name="Pace">{paceText(perMinute)}</Fact>}
        {isUnderWay(command) && command.total > 1 && (
          <Fact name="With the gateway">
            {numberText(withGateway)} of {numberText(command.total)}
          </Fact>
        )}
        {isUnderWay(command) && (
          <Fact name="Given up without an answer at">{minuteText(Date.parse(command.expiresAt), zone)}</Fact>
        )}
        {command.maxOpenMinutes !== null && (
          <Fact name="A valve closes by itself after">{command.maxOpenMinutes} min</Fact>
        )}
      </dl>
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List aria-label="Units and steps" className={classes.tabs}>
          <Tabs.Tab value="units">Units ({numberText(command.total)})</Tabs.Tab>
          <Tabs.Tab value="steps">Every step ({numberText(stepCount)})</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="units">
          <CommandUnits
            units={units}
            states={unitStates}
            isBehind={isAllBehind(command.behind)}
            zone={zone}
          />
          <MoreOf shown={units.length} total={command.total} what="units" onMore={onMore} />
        </Tabs.Panel>
        <Tabs.Panel value="steps">
          <CommandSteps steps={steps} zone={zone} />
          <MoreOf shown={steps.length} total={stepCount} what="steps" onMore={onMore} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}
