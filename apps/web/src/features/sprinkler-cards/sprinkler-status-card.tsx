import { useState, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { commandNeeds } from '@headrace/contract/command-types';
import type { SprinklerCounts } from '@headrace/contract/groups';
import { can, needs } from '@headrace/contract/permissions';
import { clockSeams } from '@headrace/contract/rules/schedule/clock-seams';
import { ClockChangeNote } from '../../device-records/clock-change-note.tsx';
import { useCan } from '../../access/permissions.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { CardFrame, type CardProps } from '../../ui/card-frame.tsx';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { numberText } from '../../ui/format.ts';
import { StateView } from '../../ui/state-view.tsx';
import type { Condition } from '../../ui/tokens.ts';
import { StopAllWater } from '../commands/many/stop-all-water.tsx';
import { UnderWay } from '../commands/under-way.tsx';
import { sprinklerCountsQuery } from '../group-map/group-map.queries.ts';
import { ProofLine } from '../irr-diary/proof-line.tsx';
import { FlowLine } from './flow-line.tsx';
import { NoSprinklers } from './no-sprinklers.tsx';
import { nextLabel, stopLabel, wateringText } from './watering-labels.ts';
import classes from './sprinkler-cards.module.css';

interface Count {
  label: string;
  member: 'ok' | 'attention' | 'failed' | 'inhibited' | 'active' | 'total';
  /** Of the sprinkler map, where it shows exactly those that are counted. */
  filter: 'ok' | 'error' | 'outcomm' | 'inhibited' | 'active' | 'all';
  condition: Condition | null;
}
const COUNTS: readonly Count[] = [
  { label: 'Healthy', member: 'ok', filter: 'ok', condition: 'ok' },
  { label: 'Attention', member: 'attention', filter: 'error', condition: 'caution' },
  { label: 'Offline', member: 'failed', filter: 'outcomm', condition: 'issue' },
  { label: 'Inhibited', member: 'inhibited', filter: 'inhibited', condition: 'inhibited' },
  { label: 'Active', member: 'active', filter: 'active', condition: 'watering' },
  { label: 'Total', member: 'total', filter: 'all', condition: null },
];

/** How the farm's sprinklers are, what waters now and what is next. */
export function SprinklerStatusCard({ farm: { _id: farmUID, name } }: CardProps) {
  const query = useQuery(sprinklerCountsQuery(farmUID));
  return (
    <CardFrame type="IPCStatus" title="Sprinkler Status">
      <StateView
        query={query}
        failed="The sprinklers couldn't be loaded"
        skeleton={<Skeleton />}
        isEmpty={({ total }) => total === 0}
        empty={<NoSprinklers farmUID={farmUID} />}
      >
        {(counts) => (
          <>
            <ul className={classes.counts} aria-label="Sprinklers by status">
              {COUNTS.map((count) => (
                <li key={count.label}>
                  <Way farmUID={farmUID} filter={count.filter}>
                    <Figure count={count} value={counts[count.member]} />
                  </Way>
                </li>
              ))}
            </ul>
            <Watering counts={counts} farmUID={farmUID} />
            <UnderWay farmUID={farmUID} />
            <FlowLine farmUID={farmUID} />
            <ProofLine farmUID={farmUID} />
            <ClockChanges farmUID={farmUID} />
            <Stop farmUID={farmUID} farmName={name} />
          </>
        )}
      </StateView>
    </CardFrame>
  );
}

const WEEK = 7 * 86_400_000;

/** A change of the farm's clock in the week to come moves waterings: with the way to what it comes to. */
function ClockChanges({ farmUID }: { farmUID: string }) {
  const now = useNow();
  const zone = useFarmZone(farmUID);
  const canSee = useCan({ anyOf: [can('schedules', 'Read')] }, farmUID);
  if (!zone) return null;
  return clockSeams(zone, now, now + WEEK).map((seam) => (
    <ClockChangeNote key={seam.at} seam={seam} zone={zone}>
      {canSee && (
        <Link to="/schedules/view/$id" params={{ id: farmUID }}>
          What it comes to
        </Link>
      )}
    </ClockChangeNote>
  ));
}

function Figure({ count: { label, condition }, value }: { count: Count; value: number }) {
  return (
    <>
      <b className="num" data-none={value === 0 || undefined}>
        {condition && <ConditionDot condition={condition} label={null} size={15} />}
        {numberText(value)}
      </b>
      <span>{label}</span>
    </>
  );
}

/** To those that are counted, on the map, for whoever may see it. */
function Way({ farmUID, filter, children }: { farmUID: string; filter: string; children: ReactNode }) {
  const canMap = useCan(needs.groupMap, farmUID);
  if (!canMap) return <span className={classes.count}>{children}</span>;
  return (
    <Link
      to="/group-status/$name"
      params={{ name: 'FARM' }}
      search={{ farm: farmUID, filter }}
      className={classes.count}
    >
      {children}
    </Link>
  );
}

function Watering({
  counts: { watering, next, stopWanted },
  farmUID,
}: {
  counts: SprinklerCounts;
  farmUID: string;
}) {
  const now = useNow();
  const zone = useFarmZone(farmUID);
  const planned = nextLabel(next, zone, now);
  const awaited = stopLabel(stopWanted);
  return (
    <p className={classes.watering}>
      {watering.overdue > 0 && <ConditionDot condition="issue" label={null} />}
      <span>
        {wateringText(watering)} {awaited && `${awaited} `}
        {planned}
      </span>
    </p>
  );
}

/** In one place that a farmer looks at: all valves closed. */
function Stop({ farmUID, farmName }: { farmUID: string; farmName: string }) {
  const may = useCan(commandNeeds.TurnGroupValvesOff, farmUID);
  const [isAsked, setIsAsked] = useState(false);
  if (!may) return null;
  return (
    <>
      <Button
        variant="default"
        mih={44}
        className={classes.stop ?? ''}
        leftSection={<IconHandStop size={18} stroke={1.7} aria-hidden="true" />}
        onClick={() => setIsAsked(true)}
      >
        Stop all water…
      </Button>
      {isAsked && <StopAllWater {...{ farmUID, farmName }} onClose={() => setIsAsked(false)} />}
    </>
  );
}

function Skeleton() {
  return (
    <div className={classes.counts} aria-hidden="true">
      {COUNTS.map(({ label }) => (
        <i key={label} className={classes.skeleton} />
      ))}
    </div>
  );
}
