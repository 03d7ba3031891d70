import type { ReactNode } from 'react';
import type { Timezone } from '@headrace/contract/farms';
import { ageText } from '@headrace/contract/rules/contact';
import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';
import { readinessText } from '@headrace/contract/rules/spare-readiness';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { numberText } from '../../ui/format.ts';
import { StateView } from '../../ui/state-view.tsx';
import { useSprinklerInfo } from './sprinkler-info.queries.ts';
import { TabSkeleton } from './tab-skeleton.tsx';
import type { TabProps } from './unit-tabs.tsx';
import { clockLabel, heldLabel } from './unit-labels.ts';
import classes from './sprinkler-dialog.module.css';

const HOUR = 3_600_000;
/** What it said counts as news for so long, ms. */
const FRESH = { valve: 24 * HOUR, clock: 24 * HOUR, charge: 7 * 24 * HOUR } as const;

/** Each fact of it, with how old it is: first what the page knows of it, then what it has to ask for. */
export function DetailsTab({ unit, farmUID, zone }: TabProps) {
  const query = useSprinklerInfo(unit.id, farmUID);
  const { statustime: heardAt } = unit;
  const isSilent = unit.isOutOfContact;
  return (
    <>
      <dl className={classes.facts}>
        <ReportedFact
          name="Battery"
          at={heardAt}
          freshFor={FRESH.charge}
          isWrong={unit.hasBatteryError}
          {...{ isSilent, zone }}
        >
          {unit.charge === null ? null : `${numberText(unit.charge)} %`}
        </ReportedFact>
        <ReportedFact
          name="Clock"
          at={heardAt}
          freshFor={FRESH.clock}
          isWrong={unit.hasClockError}
          {...{ isSilent, zone }}
        >
          {unit.clock === null ? null : clockLabel(unit.clock)}
        </ReportedFact>
        <ReportedFact name="Valve" at={unit.valveAt} freshFor={FRESH.valve} {...{ isSilent, zone }}>
          {unit.valveOpen === null ? null : unit.valveOpen ? 'Open' : 'Closed'}
        </ReportedFact>
        <ReportedFact name="Holds" at={heardAt} isWrong={unit.hasScheduleError} {...{ isSilent, zone }}>
          {unit.ipc_crc === null ? null : heldLabel(unit)}
        </ReportedFact>
        <Fact name="MAC">{unit.mac || '–'}</Fact>
        <Fact name="Location">
          {unit.lat === null ? 'None' : `${unit.lat.toFixed(5)}, ${(unit.lng ?? 0).toFixed(5)}`}
        </Fact>
      </dl>
      <StateView query={query} failed="Its other details couldn't be loaded" skeleton={<TabSkeleton />}>
        {(info) => <More info={info} zone={zone} />}
      </StateView>
    </>
  );
}

function More({ info, zone }: { info: SprinklerInfo; zone: Timezone | null }) {
  const said = { at: info.statustime, isSilent: info.isOutOfContact, zone };
  return (
    <dl className={classes.facts}>
      <ReportedFact name="Entries it holds" {...said}>
        {info.schedulenum === null ? null : numberText(info.schedulenum)}
      </ReportedFact>
      <ReportedFact name="Mode" {...said}>
        {info.mode}
      </ReportedFact>
      <ReportedFact name="Hops" {...said}>
        {info.hops === null ? null : numberText(info.hops)}
      </ReportedFact>
      <Fact name="Schedule">{info.schedname ?? 'None was sent to it'}</Fact>
      <Fact name="Watering in a cycle">{`${numberText(info.schedules)} min`}</Fact>
      <Fact name="Day of the cycle">
        {info.curCycleDay === null ? 'It has not said' : `${info.curCycleDay} of ${info.cycleLen}`}
      </Fact>
      <Fact name="Channel">{String(info.channel)}</Fact>
      <Fact name="Farm ID">{info.farmid || '–'}</Fact>
      {info.isSpareUnit && <Fact name="As a spare">{readinessText(info.spareStatus)}</Fact>}
    </dl>
  );
}

interface ReportedFactProps {
  name: string;
  /** When it said so, epoch ms; 0: never. */
  at: number;
  /** It counts as news for so long, ms. */
  freshFor?: number;
  isSilent: boolean;
  isWrong?: boolean;
  zone: Timezone | null;
  /** Null: it has not said. */
  children: string | null;
}

/** What the unit said, with its age; what is old has its age in front and is paler, but is never left out. */
function ReportedFact({ name, at, freshFor, isSilent, isWrong = false, zone, children }: ReportedFactProps) {
  const now = useNow();
  if (children === null || at === 0) return <Fact name={name}>It has not said</Fact>;
  const isOld = isSilent || (freshFor !== undefined && now - at > freshFor);
  return (
    <Fact name={name} isOld={isOld}>
      {isWrong && <ConditionDot condition="caution" size={13} label="Needs attention:" />}
      {isOld ? (
        `${ageText(at, now)}: ${children}`
      ) : (
        <>
          <span className="num">{children}</span> <Age at={at} zone={zone} className={classes.age} />
        </>
      )}
    </Fact>
  );
}

function Fact({ name, isOld = false, children }: { name: string; isOld?: boolean; children: ReactNode }) {
  return (
    <div data-old={isOld || undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
