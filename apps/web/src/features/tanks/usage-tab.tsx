import { useQuery } from '@tanstack/react-query';
import type { TankInfo, UsagePoint } from '@headrace/contract/tanks';
import { pointTime } from '../../charts/time-axis.ts';
import { usageOption } from '../../charts/usage-chart.ts';
import { numberText } from '../../ui/format.ts';
import { Quantity } from '../../ui/quantity.tsx';
import { HistoryTab, usePeriod, type HistoryView } from './history-tab.tsx';
import { rangeOf } from './period.ts';
import { usageHistoryQuery } from './tanks.queries.ts';

/** Litres used: by the hour for one day, by the day beyond. */
export function UsageTab({ info }: { info: TankInfo }) {
  const choice = usePeriod('Day', info, 'LevelUsage');
  const range = rangeOf(choice);
  const query = useQuery(usageHistoryQuery(info._id, range));
  const isDaily = range.days > 1;
  return (
    <HistoryTab
      info={info}
      title="Usage"
      choice={choice}
      target="LevelUsage"
      query={query}
      view={isDaily ? byDay : byHour}
      isDaily={isDaily}
      hasData={(points) => points.length > 0}
      emptyReason="No water use is known for these days: the sensor reported nothing, or too little to tell."
    />
  );
}

const litres = (points: readonly UsagePoint[]) => points.map(({ litreValue }) => litreValue);
const total = (points: readonly UsagePoint[]) => litres(points).reduce((sum, value) => sum + value, 0);

function usageView(unit: 'hour' | 'day'): HistoryView<UsagePoint> {
  return {
    stats: (points) => [
      { name: 'Total', value: <Quantity value={total(points)} unit="L" /> },
      { name: `Mean per ${unit}`, value: <Quantity value={total(points) / points.length} unit="L" /> },
      { name: `Highest ${unit}`, value: <Quantity value={Math.max(...litres(points))} unit="L" /> },
    ],
    summary: (points) =>
      `${numberText(total(points))} litres in all, at most ${numberText(Math.max(...litres(points)))} litres in one ${unit}.`,
    option: usageOption,
    table: (points, { zone, isDaily }) => ({
      head: [unit === 'hour' ? 'Hour from' : 'Day', 'Used'],
      rows: points.map(({ time, litreValue }) => [
        pointTime(zone, Date.parse(time), isDaily),
        `${numberText(litreValue)} L`,
      ]),
    }),
  };
}
const byHour = usageView('hour');
const byDay = usageView('day');
