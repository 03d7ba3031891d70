import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import type { MapUnit } from '@headrace/contract/map-units';
import { hasNoSchedule } from '@headrace/contract/rules/no-schedule';
import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { exactTime } from '../../ui/format.ts';
import { commandUnitLabel } from '../commands/command-labels.ts';
import { plannedLabel } from './now-labels.ts';
import { sprinklerInfoQuery } from './sprinkler-info.queries.ts';
import { reportTimesOf } from './report-times.ts';
import { clockLabel, heldLabel } from './unit-labels.ts';
import classes from './sprinkler-dialog.module.css';

interface EvidenceProps {
  farmUID: string;
  unit: MapUnit;
  zone: Timezone | null;
}

/** On what the sentence of Now rests: what was said, what it holds, and what is planned, each named as what it is. */
export function Evidence({ farmUID, unit, zone }: EvidenceProps) {
  const { data: info } = useQuery(sprinklerInfoQuery(unit.id, farmUID));
  const planned = plannedLabel(unit, zone, useNow());
  const times = reportTimesOf(unit, info);
  const age = (at: number | null | undefined) => <Age at={at ?? null} zone={zone} never="" />;
  return (
    <dl className={classes.evidence} aria-label="Why">
      <Line kind="said" name="It said">
        {unit.valveOpen === null ? (
          'Nothing of its valve'
        ) : (
          <Age at={unit.valveAt || null} zone={zone}>
            {unit.valveOpen ? 'Valve open' : 'Valve closed'}
          </Age>
        )}
      </Line>
      <Line kind="said" name="It was heard">
        <Age at={unit.statustime || null} zone={zone} />
      </Line>
      <Line kind="said" name="It holds">
        {heldLabel(unit)} {unit.ipc_crc !== null && age(times?.checksum)}
      </Line>
      {unit.clock !== null && (
        <Line kind="said" name="Its clock">
          {clockLabel(unit.clock)} {age(times?.clock)}
        </Line>
      )}
      {info && <Asked info={info} zone={zone} />}
      <Line kind="planned" name="Its schedule">
        {unit.isInhibited && !hasNoSchedule(unit)
          ? 'Runs nothing while it is inhibited'
          : (planned ?? 'Has no watering for it')}
      </Line>
    </dl>
  );
}

/** What was sent to it: what of that it has carried out, and what is under way. */
function Asked({ info, zone }: { info: SprinklerInfo; zone: Timezone | null }) {
  const { opening, offAt } = info.belief.facts;
  return (
    <>
      {opening && (
        <Line kind="said" name="Valve On">
          <Age at={opening.openedAt} zone={zone}>
            Carried out
          </Age>
          ; it closes by itself by {exactTime(opening.closesBy, zone)}
        </Line>
      )}
      {offAt !== null && (
        <Line kind="said" name="Valve Off">
          <Age at={offAt} zone={zone}>
            Carried out
          </Age>
        </Line>
      )}
      {info.commands.map(({ command, unit }) => (
        <Line key={command._id} kind="planned" name={command.title}>
          <Age at={unit.at} zone={zone}>
            {commandUnitLabel(unit)}
          </Age>
        </Line>
      ))}
    </>
  );
}

function Line({ kind, name, children }: { kind: 'said' | 'planned'; name: string; children: ReactNode }) {
  return (
    <div data-kind={kind}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
