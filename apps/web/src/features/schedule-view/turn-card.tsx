import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { needs } from '@headrace/contract/permissions';
import type { TimelineTurn, TimelineUnit } from '@headrace/contract/timeline';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { numberText } from '../../ui/format.ts';
import { useCan } from '../../access/permissions.ts';
import { weekday } from '../../ui/weekday.ts';
import { depthText, lengthText, type Telling, timesText, turnText } from './turn-labels.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import classes from './schedule-view.module.css';

const UnitActs = lazyPart(() => import('./unit-acts.tsx').then((m) => m.default), {
  failed: "What can be done with it couldn't be loaded",
  waiting: <p role="status">Loading…</p>,
  isLine: true,
});

export interface TurnCardProps {
  farmUID: string;
  unit: TimelineUnit;
  turn: TimelineTurn;
  telling: Telling;
  onClose: () => void;
}

/** One watering: how much it gives, how much of it is known, and what can be done. */
export function TurnCard({ farmUID, unit, turn, telling, onClose }: TurnCardProps) {
  const { zone } = telling;
  const canOpen = useCan(needs.groupMap, farmUID);
  const { planned } = turn;
  const isMoved = planned && (planned.startAt !== turn.startAt || planned.endAt !== turn.endAt);
  const text = turnText(turn, unit, telling);
  return (
    <Dialog title={`${unit.name}, ${timesText(turn, zone)}`} onClose={onClose}>
      <dl className={classes.facts}>
        <dt>{weekday(turn.startAt, zone)}</dt>
        <dd>{text.charAt(0).toUpperCase() + text.slice(1)}.</dd>
        <dt>Gives</dt>
        <dd className="num">
          {lengthText(turn)}, about {depthText(turn, unit.mmPerMin)} at {numberText(unit.lps, 1)} L/s
        </dd>
        {isMoved && (
          <>
            <dt>Planned</dt>
            <dd className="num">
              {timesText(planned, zone)}, {lengthText(planned)}
            </dd>
          </>
        )}
        {clockLabel[turn.clock] && (
          <>
            <dt>Clock change</dt>
            <dd>{clockLabel[turn.clock]}</dd>
          </>
        )}
      </dl>
      {canOpen && <UnitActs farmUID={farmUID} uid={unit.uid} zone={zone} />}
      <Ways>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        {canOpen && (
          <Button
            renderRoot={(props) => (
              <Link
                {...props}
                to="/group-status/$name"
                params={{ name: 'FARM' }}
                search={{ farm: farmUID, ipc: unit.uid }}
              />
            )}
          >
            Open {unit.name}
          </Button>
        )}
      </Ways>
    </Dialog>
  );
}

const clockLabel: Record<TimelineTurn['clock'], string> = {
  plain: '',
  skipped: 'Its start is skipped by the clock: it begins at the change.',
  doubled: 'Its start comes twice: it runs the first time.',
  across: 'The clock changes while it runs: it lasts as many minutes.',
};
