import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '@mantine/core';
import { commandNeeds } from '@headrace/contract/command-types';
import type { Alert, IncidentDetails } from '@headrace/contract/alerts';
import { hasHold } from '@headrace/contract/rules/alerts/alert-kinds';
import { mayOn, permissionsQuery } from '../../access/permissions.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { drawSmallMap, SMALL_MAP } from '../../map/small-map.ts';
import { useSendCommand } from '../commands/commands.queries.ts';
import { alertsQuery } from './alerts.queries.ts';
import { Pause } from './pause.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import classes from './alerts.module.css';

/** Fetched after the page, with what draws it. */
const AlertChart = lazyPart(() => import('./alert-chart.tsx').then((m) => m.AlertChart), {
  failed: "The chart couldn't be loaded",
  waiting: <div className={classes.chartRoom} />,
});

interface SightProps {
  farmUID: string;
  incident: IncidentDetails;
}

/** Where it is, and what the device said around that time. */
export function IncidentSight({ farmUID, incident: { map, chart } }: SightProps) {
  const zone = useFarmZone(farmUID);
  return (
    <>
      {chart && zone && (
        <AlertChart
          chart={chart}
          zone={zone}
          from={Date.parse(chart.from)}
          to={Date.parse(chart.to)}
          label={`${chart.name} around that time`}
          fileName={`${chart.name} alert`}
        />
      )}
      {map && <Where map={map} />}
    </>
  );
}

function Where({ map: { boundary, places } }: { map: NonNullable<IncidentDetails['map']> }) {
  const { outline, dots } = useMemo(() => drawSmallMap(boundary, places), [boundary, places]);
  // A place alone, on no land, shows nothing.
  if (outline === '') return null;
  const count = places.length;
  return (
    <svg
      className={classes.where}
      viewBox={`0 0 ${SMALL_MAP.width} ${SMALL_MAP.height}`}
      role="img"
      aria-label={`Where on the farm: ${count === 1 ? '1 device' : `${count} devices`}`}
    >
      <path d={outline} className={classes.land} />
      <path d={dots} className={classes.dots} />
    </svg>
  );
}

/** What can be done about it, where it is so still; and where it comes and goes, that its alert waits longer. */
export function WhatToDo({ farmUID, incident }: SightProps) {
  const { data: permissions = [] } = useQuery(permissionsQuery);
  const { data } = useQuery(alertsQuery(farmUID));
  const alert = data?.alerts.find(({ _id }) => _id === incident.alertUID);
  const comesAndGoes = incident.steps.some(({ what }) => what === 'comes and goes');
  const waitsLonger = comesAndGoes && alert !== undefined && hasHold(alert.kind, alert.condition);
  const isOver = incident.endedAt !== null;
  if (isOver && !waitsLonger) return null;
  const mayClose = mayOn(permissions, farmUID, commandNeeds.ValveOff);
  return (
    <>
      <h3 className={classes.subtitle}>What can I do</h3>
      {waitsLonger && (
        <p className={classes.facts}>
          It comes and goes.{' '}
          <Link to="/alerts/$id" params={{ id: alert._id }} className={classes.to}>
            See what a longer wait would have told
          </Link>
        </p>
      )}
      {!isOver && (
        <Acts farmUID={farmUID} incident={incident} mayClose={mayClose} paused={data?.paused ?? null} />
      )}
    </>
  );
}

interface ActsProps extends SightProps {
  mayClose: boolean;
  paused: Alert['paused'];
}

function Acts({ farmUID, incident, mayClose, paused }: ActsProps) {
  return (
    <div className={classes.answer}>
      {mayClose &&
        incident.valves.map((valve) => <ValveOff key={valve.uid} farmUID={farmUID} valve={valve} />)}
      <Pause
        farmUID={farmUID}
        of={{ alertUID: null }}
        name="all alerts of the farm"
        label="Pause the farm…"
        paused={paused}
      />
    </div>
  );
}

function ValveOff({ farmUID, valve }: { farmUID: string; valve: IncidentDetails['valves'][number] }) {
  const { mutate, isPending } = useSendCommand();
  const { name, mac, serialNumber } = valve;
  return (
    <Button
      variant="default"
      mih={44}
      loading={isPending}
      onClick={() => mutate({ command: 'ValveOff', farmUID, target: { name, mac, serialNumber } })}
    >
      Send Valve Off to {name}
    </Button>
  );
}
