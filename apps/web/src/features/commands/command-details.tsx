import { useState, type ReactNode } from 'react';
import { Tabs } from '@mantine/core';
import type { Api } from '@headrace/contract/api';
import { exactTime, minuteText } from '../../ui/format.ts';
import { Age } from '../../ui/age.tsx';
import { useChartZone } from '../tanks/farm-zone.ts';
import { CancelCommand } from './cancel-command.tsx';
import { lifeOf } from './command-life.ts';
import { CommandSteps } from './command-steps.tsx';
import { CommandUnits } from './command-units.tsx';
import { commandNote, isUnderWay } from './command-words.ts';
import { LifeStepper } from './life-stepper.tsx';
import { ProgressBar } from './progress-bar.tsx';
import classes from './command-drawer.module.css';

/** How a command stands, its life, its units and every step. */
export function CommandDetails({ details }: { details: Api['GET /command']['reply'] }) {
  const { command, units, steps } = details;
  const zone = useChartZone(command.farmUID);
  const [tab, setTab] = useState<string | null>('units');
  const note = commandNote(command);
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
      <CancelCommand command={command} units={units} />
      <dl className={classes.facts}>
        <Fact name="Sent by">{command.sentBy}</Fact>
        <Fact name="Asked for">
          {exactTime(Date.parse(command.createdAt), zone)}{' '}
          <Age at={command.createdAt} zone={zone} className={classes.dim} />
        </Fact>
        {isUnderWay(command) && (
          <Fact name="Given up without an answer at">{minuteText(Date.parse(command.expiresAt), zone)}</Fact>
        )}
        {command.maxOpenMinutes !== null && (
          <Fact name="A valve closes by itself after">{command.maxOpenMinutes} min</Fact>
        )}
      </dl>
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List aria-label="Units and steps" className={classes.tabs}>
          <Tabs.Tab value="units">Units ({units.length})</Tabs.Tab>
          <Tabs.Tab value="steps">Every step ({steps.length})</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="units">
          <CommandUnits units={units} zone={zone} />
        </Tabs.Panel>
        <Tabs.Panel value="steps">
          <CommandSteps steps={steps} zone={zone} />
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
