import { useCallback, useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import type { FlowSummary } from '@headrace/contract/flow';
import type { FlowUnit } from '@headrace/contract/rules/flow';
import { serverNow } from '../../api/server-time.ts';
import { Chart } from '../../charts/chart.tsx';
import { seriesColour } from '../../charts/chart-palette.ts';
import {
  flowDigits,
  flowText,
  flowUnitTexts,
  meterRows,
  metersOption,
  type MeterArea,
} from '../../charts/flow-meters-chart.ts';
import type { LegendEntry } from '../../charts/legend.tsx';
import { stackPeak } from '../../charts/stacked.ts';
import { pointTime } from '../../charts/time-axis.ts';
import { numberText } from '../../ui/format.ts';
import { Empty, Failed } from '../../ui/state-view.tsx';
import type { Scheme } from '../../ui/tokens.ts';
import {
  farmDay,
  isChosen,
  isDailyRange,
  rangeOf,
  windowOf,
  type PeriodChoice,
} from '../../time-range/period.ts';
import { meterHistoriesQuery } from './flow.queries.ts';
import { meterNames } from './meter-names.ts';
import classes from './flow-card.module.css';

export interface FlowHistoryProps {
  farmUID: string;
  meters: readonly FlowSummary[];
  choice: PeriodChoice;
  unit: FlowUnit;
  zone: Timezone;
  farmName: string;
}

/** The chart of all meters: the summary's 60 days, or the meters' histories for other days. */
export function FlowHistory(props: FlowHistoryProps) {
  const { choice } = props;
  const isSummary = choice.period === 'Custom' && !isChosen(choice);
  return isSummary ? <SummaryHistory {...props} /> : <MeterHistories {...props} />;
}

function SummaryHistory(props: FlowHistoryProps) {
  const { meters } = props;
  const areas = useMemo(() => {
    const names = meterNames(meters);
    return meters.map(
      ({ history }, nth): MeterArea => ({
        name: names[nth] ?? '',
        nth,
        points: history.map(({ time, value }) => [Date.parse(time), value]),
      }),
    );
  }, [meters]);
  return <FlowChart {...props} areas={areas} isSummary />;
}

const SECONDS_A_MINUTE = 60;

function MeterHistories(props: FlowHistoryProps) {
  const { farmUID, meters, choice } = props;
  const { data, error, isFetching, refetch } = useQuery(meterHistoriesQuery(farmUID, rangeOf(choice)));
  const areas = useMemo(() => {
    const names = meterNames(meters);
    return meters.map(
      ({ _id }, nth): MeterArea => ({
        name: names[nth] ?? '',
        nth,
        points: (data?.get(_id) ?? []).map(({ time, avgLitrePerMinute: lpm }) => [
          Date.parse(time),
          lpm === null ? null : lpm / SECONDS_A_MINUTE,
        ]),
      }),
    );
  }, [meters, data]);
  if (data) return <FlowChart {...props} areas={areas} isSummary={false} />;
  if (!error) return <div className={classes.skeleton} aria-busy="true" />;
  return (
    <Failed
      text="The flow history couldn't be loaded"
      error={error}
      onRetry={() => void refetch()}
      isRetrying={isFetching}
    />
  );
}

interface FlowChartProps extends FlowHistoryProps {
  areas: readonly MeterArea[];
  isSummary: boolean;
}

function FlowChart({ areas, isSummary, choice, unit, zone, farmName }: FlowChartProps) {
  const { shown, legend } = useLegend(areas);
  const isDaily = isSummary || isDailyRange(choice);
  const { period, from, to } = choice;
  const rows = useMemo(() => meterRows(shown, unit), [shown, unit]);
  const option = useCallback(
    ({ width, scheme }: { width: number; scheme: Scheme }) => {
      const times = areas.flatMap(({ points }) => points.map(([at]) => at)).toSorted((a, b) => a - b);
      const span = windowOf({ period, from, to }, zone, serverNow(), times);
      return metersOption({ meters: shown, unit, isSummary }, { ...span, zone, scheme, width, isDaily });
    },
    [areas, shown, unit, isSummary, isDaily, zone, period, from, to],
  );
  if (!areas.some(({ points }) => points.some(([, value]) => value !== null)))
    return <Empty title="No data">The meters reported nothing on these days.</Empty>;
  return (
    <Chart
      label={`Flow of the meters of ${farmName}`}
      summary={`At most ${flowText(stackPeak(rows), unit)} through all meters that are shown together, as the mean of ${isDaily ? 'a day' : 'an hour'}.`}
      option={option}
      legend={legend}
      table={() => ({
        head: ['Time', ...shown.map(({ name }) => `${name}, ${flowUnitTexts[unit]}`)],
        rows: rows.map(({ at, values }) => [
          pointTime(zone, at, isDaily),
          ...values.map((value) => numberText(value, flowDigits(unit))),
        ]),
      })}
      fileName={`${farmName}_Flow_${farmDay(zone, serverNow())}`}
    />
  );
}

/** Which meters stand in the chart. */
function useLegend(areas: readonly MeterArea[]): {
  shown: readonly MeterArea[];
  legend: readonly LegendEntry[];
} {
  const [hidden, setHidden] = useState<readonly number[]>([]);
  const shown = useMemo(() => areas.filter(({ nth }) => !hidden.includes(nth)), [areas, hidden]);
  const legend = areas.map(({ name, nth }): LegendEntry => {
    const isOn = !hidden.includes(nth);
    return {
      id: String(nth),
      name,
      mark: 'area',
      colour: (palette) => seriesColour(palette, nth),
      isOn,
      onToggle: () => setHidden(isOn ? [...hidden, nth] : hidden.filter((other) => other !== nth)),
    };
  });
  return { shown, legend };
}
