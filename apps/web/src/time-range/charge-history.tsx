import { useCallback } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { BatteryLife } from '@headrace/contract/battery-life';
import type { Timezone } from '@headrace/contract/farms';
import { serverNow } from '../api/server-time.ts';
import { changeLabels, chargeOption } from '../charts/charge-chart.ts';
import { Chart } from '../charts/chart.tsx';
import { pointTime } from '../charts/time-axis.ts';
import { exactTime, numberText } from '../ui/format.ts';
import { Empty, StateView } from '../ui/state-view.tsx';
import type { Scheme } from '../ui/tokens.ts';
import { PeriodFilter } from './period-filter.tsx';
import { farmDay, type PeriodChoice, windowOf } from './period.ts';
import classes from './charge-history.module.css';

export interface ChargeHistoryProps {
  /** Whose battery it is. */
  name: string;
  query: UseQueryResult<BatteryLife>;
  choice: PeriodChoice;
  zone: Timezone;
  onChange: (choice: PeriodChoice) => void;
}

/** How a battery fared on the days that are chosen, and when it was replaced: 60 of them where none are. */
export function ChargeHistory({ name, query, choice, zone, onChange }: ChargeHistoryProps) {
  return (
    <div>
      <PeriodFilter choice={choice} zone={zone} unchosen="Last 60 days" onChange={onChange} />
      <StateView
        query={query}
        failed="Its battery's history couldn't be loaded"
        skeleton={<div className={classes.space} aria-hidden="true" />}
      >
        {(life) => <Fared {...{ name, life, choice, zone }} />}
      </StateView>
    </div>
  );
}

interface FaredProps extends Pick<ChargeHistoryProps, 'name' | 'choice' | 'zone'> {
  life: BatteryLife;
}

function Fared({ name, life, choice, zone }: FaredProps) {
  return (
    <>
      {life.charge.some(({ value }) => value !== null) ? (
        <ChargeChart {...{ name, life, choice, zone }} />
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
              <b>{how === 'battery' ? changeLabels.battery : 'Another unit took this place'}</b>
              {by !== '' && <span className={classes.age}>{by}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function ChargeChart({ name, life, choice, zone }: FaredProps) {
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
      label={`Battery of ${name}`}
      summary={summaryOf(life)}
      option={option}
      table={() => tableOf(life, zone)}
      fileName={`${name}_Battery_${farmDay(zone, serverNow())}`}
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
