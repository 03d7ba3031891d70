import { useQuery } from '@tanstack/react-query';
import { addDays } from '@headrace/contract/rules/farm-time';
import type { TankInfo, UsagePoint } from '@headrace/contract/tanks';
import { pointTime } from '../../charts/time-axis.ts';
import { usageOption } from '../../charts/usage-chart.ts';
import { numberText } from '../../ui/format.ts';
import { Quantity } from '../../ui/quantity.tsx';
import { rangeOf } from '../../time-range/period.ts';
import { HistoryTab, usePeriod, type HistoryView, type StatFrame } from './history-tab.tsx';
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

const HOUR = 3_600_000;
const litres = (points: readonly UsagePoint[]) => points.map(({ litreValue }) => litreValue);
const total = (points: readonly UsagePoint[]) => litres(points).reduce((sum, value) => sum + value, 0);

/**
 * Hours and days that are over, and that are known from their start: a part of one would make the mean too small. Where a meter
 * counted on some of them these alone, since the level misses what is drawn while a tank fills.
 */
function wholeOnes(points: readonly UsagePoint[], unit: 'hour' | 'day', frame: StatFrame): UsagePoint[] {
  const { zone, now, beginsLate } = frame;
  const endOf = ({ time }: UsagePoint) =>
    unit === 'day' ? addDays(zone, Date.parse(time), 1) : Date.parse(time) + HOUR;
  const isMetered = points.some(({ source }) => source === 'meter');
  return points
    .slice(beginsLate ? 1 : 0)
    .filter((point) => endOf(point) <= now && (!isMetered || point.source === 'meter'));
}

/** "6 whole days, 16 Nov to 21 Nov" */
function wholeText(whole: readonly UsagePoint[], unit: 'hour' | 'day', zone: StatFrame['zone']): string {
  const [first, last] = [whole[0], whole.at(-1)].map((point) =>
    point ? pointTime(zone, Date.parse(point.time), unit === 'day') : '',
  );
  if (whole.length === 0) return `No ${unit} is whole yet.`;
  if (whole.length === 1) return `The mean is of one whole ${unit}, ${first}.`;
  return `The mean is of ${whole.length} whole ${unit}s, ${first} to ${last}.`;
}

/** Where a meter began to count on these days. */
function sourceText(points: readonly UsagePoint[], zone: StatFrame['zone'], isDaily: boolean): string[] {
  const first = points.find(({ source }) => source === 'meter');
  if (!first || points[0]?.source === 'meter') return [];
  const since = pointTime(zone, Date.parse(first.time), isDaily);
  return [
    `Counted by the meter since ${since}; before that it is reckoned from the level, which misses what is drawn while the tank fills.`,
  ];
}

function usageView(unit: 'hour' | 'day'): HistoryView<UsagePoint> {
  return {
    stats: (points, frame) => {
      const whole = wholeOnes(points, unit, frame);
      const mean = whole.length === 0 ? null : total(whole) / whole.length;
      return [
        { name: 'Total', value: <Quantity value={total(points)} unit="L" /> },
        { name: `Mean per whole ${unit}`, value: <Quantity value={mean} unit="L" /> },
        { name: `Highest ${unit}`, value: <Quantity value={Math.max(...litres(points))} unit="L" /> },
      ];
    },
    notes: (points, frame) => [
      wholeText(wholeOnes(points, unit, frame), unit, frame.zone),
      ...sourceText(points, frame.zone, unit === 'day'),
    ],
    summary: (points) =>
      `${numberText(total(points))} litres in all, at most ${numberText(Math.max(...litres(points)))} litres in one ${unit}.`,
    option: usageOption,
    table: (points, { zone, isDaily }) => ({
      head: [unit === 'hour' ? 'Hour from' : 'Day', 'Used', 'Kind'],
      rows: points.map(({ time, litreValue, source, generated }) => [
        pointTime(zone, Date.parse(time), isDaily),
        `${numberText(litreValue)} L`,
        generated ? 'Shared out' : source === 'meter' ? 'Metered' : 'By the level',
      ]),
    }),
  };
}
const byHour = usageView('hour');
const byDay = usageView('day');
