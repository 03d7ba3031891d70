import { Suspense } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { IncidentDetails, IncidentStep } from '@headrace/contract/alerts';
import { Dialog } from '../../forms/dialog.tsx';
import { lazyAgain } from '../../ui/lazy-again.ts';
import { Age } from '../../ui/age.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { incidentQuery } from './alerts.queries.ts';
import { FarmClockNote } from './farm-clock-note.tsx';
import { IncidentDevices } from './incident-devices.tsx';
import { Answer } from './incidents.tsx';
import classes from './alerts.module.css';

/** What is or was so: the cause, its devices, and the timeline with whom it told and how far that got. */
export function IncidentDialog({
  farmUID,
  uid,
  onClose,
}: {
  farmUID: string;
  uid: string;
  onClose: () => void;
}) {
  const query = useQuery(incidentQuery(farmUID, uid));
  return (
    <Dialog onClose={onClose} title={query.data?.title ?? 'Alert'}>
      <StateView query={query} failed="It couldn't be loaded" skeleton={<Skeleton blocks={2} blockPx={80} />}>
        {(incident) => <Details farmUID={farmUID} incident={incident} onClose={onClose} />}
      </StateView>
    </Dialog>
  );
}

/** Fetched after the page: few open an incident. */
const sight = lazyAgain<{ farmUID: string; incident: IncidentDetails }>(
  () => import('./incident-sight.tsx').then((module) => module.IncidentSight),
  () => null,
);
const whatToDo = lazyAgain<{ farmUID: string; incident: IncidentDetails }>(
  () => import('./incident-sight.tsx').then((module) => module.WhatToDo),
  () => null,
);

interface DetailsProps {
  farmUID: string;
  incident: IncidentDetails;
  onClose: () => void;
}

function Details({ farmUID, incident, onClose }: DetailsProps) {
  const { message, steps, alertUID, alertName } = incident;
  const [Sight, WhatToDo] = [sight.current, whatToDo.current];
  return (
    <>
      <p className={classes.cause}>{message}</p>
      <FarmClockNote farmUID={farmUID} />
      <Answer farmUID={farmUID} incident={incident} />
      <Suspense>
        <Sight farmUID={farmUID} incident={incident} />
      </Suspense>
      <IncidentDevices farmUID={farmUID} incident={incident} />
      <Suspense>
        <WhatToDo farmUID={farmUID} incident={incident} />
      </Suspense>
      <h3 className={classes.subtitle}>What happened</h3>
      <ol className={classes.steps}>
        {steps.map((step) => (
          <Step key={`${step.at} ${step.what}`} step={step} />
        ))}
      </ol>
      {alertUID !== null && (
        <p className={classes.facts}>
          Told by{' '}
          <Link to="/alerts/$id" params={{ id: alertUID }} className={classes.to} onClick={onClose}>
            {alertName}
          </Link>
        </p>
      )}
    </>
  );
}

const stepLabels: Readonly<Record<string, string>> = {
  began: 'Told',
  joined: 'More of the same',
  'comes and goes': 'Comes and goes',
  'came again': 'Came again',
  'got worse': 'Got worse',
  'asked again': 'Asked again',
  repeated: 'Told again',
  escalated: 'Told to more people',
  answered: 'Answered',
  ended: 'Over',
  'seen late': 'Seen late',
};

function stepText(what: string, by: string | null): string {
  if (by === null) return stepLabels[what] ?? what;
  return what === 'snoozed' ? `${by} snoozed it` : `${by} is on it`;
}

function Step({ step }: { step: IncidentStep }) {
  const { what, at, by, note, told } = step;
  return (
    <li className={classes.step}>
      <div className={classes.stepHead}>
        <strong>{stepText(what, by)}</strong> <Age at={at} />
      </div>
      <div>{note}</div>
      {told.length > 0 && (
        <ul className={classes.notice}>
          {told.map(({ name, messages }) => (
            <li key={name}>
              {name}: {['bell', ...messages.map(messageText)].join(', ')}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

const wayLabels: Readonly<Record<string, string>> = { mail: 'e-mail', push: 'instant message', sms: 'SMS' };

const messageText = ({ way, state, reason }: { way: string; state: string; reason: string }) =>
  `${wayLabels[way] ?? way} ${state === 'queued' ? 'waits' : state}${reason ? ` (${reason})` : ''}`;
