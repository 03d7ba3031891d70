import { useCallback, useEffect, type ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { EChartsOption } from 'echarts';
import type { Timezone } from '@headrace/contract/farms';
import type { FilterTarget } from '@headrace/contract/settings';
import type { TankInfo } from '@headrace/contract/tanks';
import { Chart, warmCharts } from '../../charts/chart.tsx';
import type { ChartTable } from '../../charts/data-table.tsx';
import type { ChartFrame } from '../../charts/chart-base.ts';
import { usualStep } from '../../charts/gaps.ts';
import { pointTime } from '../../charts/time-axis.ts';
import { serverNow } from '../../api/server-time.ts';
import { Empty, StateView } from '../../ui/state-view.tsx';
import type { Scheme } from '../../ui/tokens.ts';
import { useChartZone } from '../../time-range/farm-zone.ts';
import { PeriodFilter } from '../../time-range/period-filter.tsx';
import { farmDay, windowOf, type Period, type PeriodChoice } from '../../time-range/period.ts';
import { useKeptPeriod } from '../../time-range/use-kept-period.ts';
import { useTankDialog } from './tank-search.ts';
import classes from './tank-dialog.module.css';

export interface Stat {
  name: string;
  value: ReactNode;
}

/** What figures are told by, besides the points. */
export interface StatFrame {
  zone: Timezone;
  /** Epoch ms. */
  now: number;
  /** The days that were chosen begin before anything is known: the first point may be of a part of its hour or day. */
  beginsLate: boolean;
}

/** What a tab says of its points; the frame is the same for all of them. */
export interface HistoryView<P> {
  stats: (points: readonly P[], frame: StatFrame) => Stat[];
  /** What has to be known of the figures, in sentences. */
  notes?: (points: readonly P[], frame: StatFrame) => string[];
  /** The same in one sentence, for those who don't see the chart. */
  summary: (points: readonly P[]) => string;
  option: (points: readonly P[], frame: ChartFrame) => EChartsOption;
  table: (points: readonly P[], frame: Pick<ChartFrame, 'zone' | 'isDaily'>) => ChartTable;
}

export interface HistoryTabProps<P extends { time: string }> {
  info: TankInfo;
  /** "Level" */
  title: string;
  choice: PeriodChoice;
  /** By what name the chosen days are kept with the person's settings; absent: they aren't. */
  target?: FilterTarget;
  query: UseQueryResult<P[]>;
  view: HistoryView<P>;
  /** Whether there is anything to see in the points. */
  hasData: (points: readonly P[]) => boolean;
  isDaily: boolean;
  /** Why there may be none. */
  emptyReason: string;
}

/** The days that the address asks of this tab; else those that were kept for it on this farm; else its own. */
export function usePeriod(
  byDefault: Period,
  { farmUID }: Pick<TankInfo, 'farmUID'>,
  target?: FilterTarget,
): PeriodChoice {
  const { search } = useTankDialog();
  const { kept } = useKeptPeriod(farmUID, target);
  const { period, from, to } = search;
  if (period) return { period, from, to };
  return kept ?? { period: byDefault };
}

/** A chart over time with its period, its figures and its states. */
export function HistoryTab<P extends { time: string }>(props: HistoryTabProps<P>) {
  const { info, title, choice, target, query, hasData, emptyReason } = props;
  const { patch } = useTankDialog();
  const zone = useChartZone(info.farmUID);
  useEffect(warmCharts, []);
  const { keep } = useKeptPeriod(info.farmUID, target);
  const change = ({ period, from, to }: PeriodChoice) => {
    patch({ period, from, to });
    keep({ period, from, to });
  };
  return (
    <>
      <PeriodFilter choice={choice} zone={zone} onChange={change} />
      <StateView
        query={query}
        failed={`The ${title.toLowerCase()} history couldn't be loaded`}
        skeleton={<ChartSkeleton />}
        isEmpty={(points) => !hasData(points)}
        empty={<Empty title="No data">{emptyReason}</Empty>}
      >
        {(points) => (
          <>
            <Figures {...props} points={points} zone={zone} />
            <HistoryChart {...props} points={points} zone={zone} />
          </>
        )}
      </StateView>
    </>
  );
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Chosen days that begin before anything is known of them; a sensor that reports seldom begins no later than it reports. */
function beginsLate(
  choice: PeriodChoice,
  zone: Timezone,
  now: number,
  times: readonly number[],
  isDaily: boolean,
) {
  const [first] = times;
  if (first === undefined) return false;
  const { from } = windowOf(choice, zone, now, []);
  return first - from > Math.max(isDaily ? DAY : HOUR, 2 * usualStep(times));
}

function Figures<P extends { time: string }>({
  choice,
  view,
  points,
  zone,
  isDaily,
}: HistoryTabProps<P> & { points: readonly P[]; zone: Timezone }) {
  const now = serverNow();
  const times = points.map(({ time }) => Date.parse(time));
  const frame = { zone, now, beginsLate: beginsLate(choice, zone, now, times, isDaily) };
  const begins = frame.beginsLate
    ? [`Nothing is known before ${pointTime(zone, times[0] ?? now, isDaily)} in the time that is chosen.`]
    : [];
  const notes = [...begins, ...(view.notes?.(points, frame) ?? [])];
  return (
    <>
      <dl className={classes.stats}>
        {view.stats(points, frame).map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {notes.length > 0 && <p className={classes.note}>{notes.join(' ')}</p>}
    </>
  );
}

function HistoryChart<P extends { time: string }>(
  props: HistoryTabProps<P> & { points: readonly P[]; zone: Timezone },
) {
  const { info, title, choice, view, points, zone, isDaily } = props;
  const { period, from, to } = choice;
  const option = useCallback(
    ({ width, scheme }: { width: number; scheme: Scheme }) => {
      const times = points.map(({ time }) => Date.parse(time));
      const span = windowOf({ period, from, to }, zone, serverNow(), times);
      return view.option(points, { ...span, zone, scheme, width, isDaily });
    },
    [points, view, zone, period, from, to, isDaily],
  );
  const name = `${title} of ${info.name}`;
  return (
    <Chart
      label={name}
      summary={view.summary(points)}
      option={option}
      table={() => view.table(points, { zone, isDaily })}
      fileName={`${info.name}_${title}_${farmDay(zone, serverNow())}`}
    />
  );
}

/** Known and in order of size; empty when nothing is known. */
export function known(values: readonly (number | null)[]): number[] {
  return values.filter((value) => value !== null).sort((a, b) => a - b);
}

function ChartSkeleton() {
  return (
    <div className={classes.chartSkeleton} aria-hidden="true">
      <i />
      <i />
    </div>
  );
}
