import type { Timezone } from '@headrace/contract/farms';
import type { MapUnit } from '@headrace/contract/map-units';
import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';
import { readinessColour, readinessText } from '@headrace/contract/rules/spare-readiness';
import { Age } from '../../ui/age.tsx';
import { exactTime, numberText } from '../../ui/format.ts';
import { StateView } from '../../ui/state-view.tsx';
import { Fact, ReportedFact } from './reported-fact.tsx';
import { type ReportTimes, reportTimesOf } from './report-times.ts';
import { useSprinklerInfo } from './sprinkler-info.queries.ts';
import { TabSkeleton } from './tab-skeleton.tsx';
import type { TabProps } from './unit-tabs.tsx';
import { clockLabel, entriesLabel, heldLabel } from './unit-labels.ts';
import classes from './sprinkler-dialog.module.css';

const HOUR = 3_600_000;
/** What it said counts as news for so long, ms. */
const FRESH = {
  valve: 24 * HOUR,
  clock: 24 * HOUR,
  charge: 7 * 24 * HOUR,
  checksum: 24 * HOUR,
  spare: 24 * HOUR,
} as const;

/** Each fact of it, with how old it is: first what the page knows of it, then what it has to ask for. */
export function DetailsTab({ unit, farmUID, zone }: TabProps) {
  const query = useSprinklerInfo(unit.id, farmUID);
  const times = reportTimesOf(unit, query.data);
  return (
    <>
      <dl className={classes.facts}>
        <Known {...{ unit, times, zone }} wantedAt={query.data?.wanted?.since ?? null} />
      </dl>
      <StateView query={query} failed="Its other details couldn't be loaded" skeleton={<TabSkeleton />}>
        {(info) => (
          <dl className={classes.facts}>
            <OfSchedule info={info} zone={zone} />
            <OfRadio info={info} zone={zone} />
            {info.isSpareUnit && <AsSpare info={info} zone={zone} />}
          </dl>
        )}
      </StateView>
    </>
  );
}

interface KnownProps {
  unit: MapUnit;
  times: ReportTimes | null;
  /** Since when it is to hold what it is to hold; null: it was sent nothing, or that isn't known yet. */
  wantedAt: number | null;
  zone: Timezone | null;
}

function Known({ unit, times, wantedAt, zone }: KnownProps) {
  const said = { isSilent: unit.isOutOfContact, zone };
  return (
    <>
      <ReportedFact
        name="Battery"
        at={times && times.charge}
        freshFor={FRESH.charge}
        isWrong={unit.hasBatteryError}
        {...said}
      >
        {unit.charge === null ? null : `${numberText(unit.charge)} %`}
      </ReportedFact>
      <ReportedFact
        name="Clock"
        at={times && times.clock}
        freshFor={FRESH.clock}
        isWrong={unit.hasClockError}
        {...said}
      >
        {unit.clock === null ? null : clockLabel(unit.clock)}
      </ReportedFact>
      <ReportedFact name="Valve" at={unit.valveAt} freshFor={FRESH.valve} {...said}>
        {unit.valveOpen === null ? null : unit.valveOpen ? 'Open' : 'Closed'}
      </ReportedFact>
      <ReportedFact
        name="Holds"
        at={times && times.checksum}
        freshFor={FRESH.checksum}
        doneAt={wantedAt}
        isWrong={unit.hasScheduleError}
        {...said}
      >
        {unit.ipc_crc === null ? null : heldLabel(unit)}
      </ReportedFact>
      <Fact name="MAC">{unit.mac || '–'}</Fact>
      <Fact name="Location">
        {unit.lat === null ? 'None' : `${unit.lat.toFixed(5)}, ${(unit.lng ?? 0).toFixed(5)}`}
      </Fact>
    </>
  );
}

interface InfoProps {
  info: SprinklerInfo;
  zone: Timezone | null;
}

function OfSchedule({ info, zone }: InfoProps) {
  const { reportedAt: at, wanted } = info;
  const said = { isSilent: info.isOutOfContact, zone };
  return (
    <>
      <ReportedFact
        name="Its checksum"
        at={at.checksum}
        freshFor={FRESH.checksum}
        doneAt={wanted?.since ?? null}
        {...said}
      >
        {info.ipc_crc}
      </ReportedFact>
      <Fact name="Checksum wanted">
        {wanted ? (
          <>
            <span className="num">{wanted.crc}</span>{' '}
            <Age at={wanted.since} zone={zone} className={classes.age} />
          </>
        ) : (
          'None was sent to it'
        )}
      </Fact>
      <ReportedFact name="Entries it holds" at={at.entries} {...said}>
        {info.schedulenum === null ? null : entriesLabel(info.schedulenum, wanted)}
      </ReportedFact>
      <Fact name="Schedule">{info.schedname ?? 'None was sent to it'}</Fact>
      <Fact name="Watering in a cycle">{`${numberText(info.schedules)} min`}</Fact>
      <ReportedFact name="Day of the cycle" at={at.cycleDay} {...said}>
        {info.curCycleDay === null ? null : `${info.curCycleDay} of ${info.cycleLen}`}
      </ReportedFact>
    </>
  );
}

/** As old as the oldest of what it is concluded from. */
function AsSpare({ info, zone }: InfoProps) {
  const { charge, clock, mode } = info.reportedAt;
  const said = [charge, clock, mode].flatMap((at) => at || []);
  return (
    <ReportedFact
      name="As a spare"
      at={said.length > 0 ? Math.min(...said) : 0}
      freshFor={FRESH.spare}
      condition={readinessColour(info.spareStatus)}
      isSilent={info.isOutOfContact}
      zone={zone}
    >
      {readinessText(info.spareStatus)}
    </ReportedFact>
  );
}

function OfRadio({ info, zone }: InfoProps) {
  const { reportedAt: at, gateway, repeater, lastSwap } = info;
  const said = { isSilent: info.isOutOfContact, zone };
  return (
    <>
      <ReportedFact name="Mode" at={at.mode} {...said}>
        {info.mode}
      </ReportedFact>
      <ReportedFact name="Hops" at={at.hops} {...said}>
        {info.hops === null ? null : numberText(info.hops)}
      </ReportedFact>
      <Fact name="Channel">{String(info.channel)}</Fact>
      <Fact name="Farm ID">{info.farmid || '–'}</Fact>
      <Fact name="Gateway">
        {gateway ? (
          <>
            {gateway.name}{' '}
            <Age at={gateway.contactAt} zone={zone} never="never heard" className={classes.age}>
              heard
            </Age>
          </>
        ) : (
          'None'
        )}
      </Fact>
      <Fact name="Repeater">
        {repeater ? (
          <>
            {repeater.name} <Age at={repeater.at} zone={zone} className={classes.age} />
          </>
        ) : (
          'None is known'
        )}
      </Fact>
      <Fact name="Last swap">
        {lastSwap ? `${lastSwap.from} → ${lastSwap.to}, ${exactTime(lastSwap.at, zone)}` : 'Never'}
      </Fact>
    </>
  );
}
