import { useCallback, useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { BatteryLife } from '@headrace/contract/battery-life';
import type { Timezone } from '@headrace/contract/farms';
import { serverNow } from '../../api/server-time.ts';
import { changeWords, chargeOption } from '../../charts/charge-chart.ts';
import { Chart, warmCharts } from '../../charts/chart.tsx';
import { pointTime } from '../../charts/time-axis.ts';
import { useChartZone, useHasChartZone } from '../../time-range/farm-zone.ts';
import { farmDay, type PeriodChoice, rangeOf, windowOf } from '../../time-range/period.ts';
import { PeriodFilter } from '../../time-range/period-filter.tsx';
import { useKeptPeriod } from '../../time-range/use-kept-period.ts';
import { Age } from '../../ui/age.tsx';
import { exactTime, numberText } from '../../ui/format.ts';
import { Quantity } from '../../ui/quantity.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import type { Scheme } from '../../ui/tokens.ts';
import { useBatteryWhy } from './alert-list.tsx';
import { forecastWords } from './battery-words.ts';
import { CommandButton } from './command-button.tsx';
import { batteryLifeQuery, useSprinklerInfo } from './sprinkler-info.queries.ts';
import { useSprinklerDialog } from './sprinkler-search.ts';
import type { TabProps } from './unit-tabs.tsx';
import battery from './battery-tab.module.css';
import classes from './sprinkler-dialog.module.css';

/** How its battery stands, how long it lasts, and how it fared on the days that are chosen: 60 of them unless it is said. */
export default function BatteryTab(props: TabProps) {
  const { farmUID, unit } = props;
  const { search, patch } = useSprinklerDialog();
  const zone = useChartZone(farmUID);
  const hasZone = useHasChartZone(farmUID);
  const { kept, keep } = useKeptPeriod(farmUID, 'Battery');
  const { period, from, to } = search;
  const choice: PeriodChoice = period ? { period, from, to } : (kept ?? { period: 'Custom' });
  const query = useQuery({ ...batteryLifeQuery(unit.id, farmUID, rangeOf(choice)), enabled: hasZone });
  useEffect(warmCharts, []);
  const change = ({ period, from, to }: PeriodChoice) => {
    patch({ period, from, to });
    keep({ period, from, to });
  };
  return (
    <div className={classes.sections}>
      <Standing {...props} />
      <div>
        <PeriodFilter choice={choice} zone={zone} unchosen="Last 60 days" onChange={change} />
        <StateView
          query={query}
          failed="Its battery's history couldn't be loaded"
          skeleton={<div className={battery.space} aria-hidden="true" />}
        >
          {(life) => <Fared {...{ unit, life, choice, zone }} />}
        </StateView>
      </div>
    </div>
  );
}

/** As it stands now, and the way to say that it is a new one. */
function Standing({ farmUID, unit, zone, commands, onBattery }: TabProps) {
  const { data: info } = useSprinklerInfo(unit.id, farmUID);
  const why = useBatteryWhy(farmUID, unit);
  const { charge, at } = info?.battery ?? { charge: unit.charge, at: unit.statustime || null };
  const label = 'Record Battery Replacement';
  return (
    <section className={battery.standing} aria-label="Battery now">
      <p className={battery.now}>
        <b>{charge === null ? 'Not known' : <Quantity value={charge} unit="%" />}</b>
        {charge !== null && <Age at={at} zone={zone} className={classes.age} />}
      </p>
      <CommandButton why={why} onPress={onBattery} onRefused={(reason) => commands.refuse(label, reason)}>
        {label}
      </CommandButton>
      {info && <p className={battery.outlook}>{forecastWords(info.battery)}</p>}
    </section>
  );
}

interface FaredProps extends Pick<TabProps, 'unit'> {
  life: BatteryLife;
  choice: PeriodChoice;
  zone: Timezone;
}

function Fared({ unit, life, choice, zone }: FaredProps) {
  return (
    <>
      {life.charge.some(({ value }) => value !== null) ? (
        <ChargeChart {...{ unit, life, choice, zone }} />
      ) : (
        <Empty title="No data">
          It said no charge on these days. Choose other days to look further back.
        </Empty>
      )}
      {life.changes.length > 0 && (
        <ul className={classes.runs} aria-label="Replacements">
          {life.changes.map(({ at, how, by }) => (
            <li key={at}>
              <span>{exactTime(Date.parse(at), zone)}</span>
              <b>{how === 'battery' ? changeWords.battery : 'Another unit took this place'}</b>
              {by !== '' && <span className={classes.age}>{by}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function ChargeChart({ unit, life, choice, zone }: FaredProps) {
  const { period, from, to } = choice;
  const isDaily = life.span === 'day';
  const option = useCallback(
    ({ width, scheme }: { width: number; scheme: Scheme }) => {
      const times = life.charge.map(({ time }) => Date.parse(time));
      const span = windowOf({ period, from, to }, zone, serverNow(), times);
      return chargeOption(life, { ...span, zone, scheme, width, isDaily });
    },
    [life, zone, period, from, to, isDaily],
  );
  return (
    <Chart
      label={`Battery of ${unit.name}`}
      summary={summaryOf(life)}
      option={option}
      table={() => tableOf(life, zone)}
      fileName={`${unit.name}_Battery_${farmDay(zone, serverNow())}`}
    />
  );
}

const percent = (value: number | null) => (value === null ? '–' : `${numberText(value)} %`);

/** For those who don't see the chart; at least one charge is known. */
function summaryOf({ charge, threshold }: BatteryLife): string {
  const known = charge.flatMap(({ value, lowest }) => lowest ?? value ?? []);
  const last = charge.findLast(({ value }) => value !== null)?.value ?? null;
  return `At last ${percent(last)}, ${percent(Math.min(...known))} at its lowest; low below ${percent(threshold)}.`;
}

function tableOf({ charge, span }: BatteryLife, zone: Timezone) {
  const isDaily = span === 'day';
  return {
    head: isDaily ? ['Day', 'Mean', 'Lowest', 'Highest'] : ['Time', 'Battery'],
    rows: charge.map(({ time, value, lowest, highest }) => [
      pointTime(zone, Date.parse(time), isDaily),
      percent(value),
      ...(isDaily ? [percent(lowest), percent(highest)] : []),
    ]),
  };
}
