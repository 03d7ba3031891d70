import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { LevelPoint, TankInfo } from '@headrace/contract/tanks';
import { levelOption } from '../../charts/level-chart.ts';
import { pointTime } from '../../charts/time-axis.ts';
import { numberText } from '../../ui/format.ts';
import { Quantity } from '../../ui/quantity.tsx';
import { isDailyRange, rangeOf } from '../../time-range/period.ts';
import { HistoryTab, known, usePeriod, type HistoryView } from './history-tab.tsx';
import { levelHistoryQuery } from './tanks.queries.ts';

/** How full the tank was. */
export function LevelTab({ info }: { info: TankInfo }) {
  const choice = usePeriod('Day', info, 'Level');
  const query = useQuery(levelHistoryQuery(info._id, rangeOf(choice)));
  const { offsetScaled, pumpControl } = info;
  const low = pumpControl?.lowSetpoint ?? null;
  const high = pumpControl?.highSetpoint ?? null;
  const view = useMemo(() => levelView(offsetScaled, low, high), [offsetScaled, low, high]);
  return (
    <HistoryTab
      info={info}
      title="Level"
      choice={choice}
      target="Level"
      query={query}
      view={view}
      isDaily={isDailyRange(choice)}
      hasData={(points) => points.some(({ value }) => value !== null)}
      emptyReason="The sensor reported no level on these days. Choose other days to look further back."
    />
  );
}

/** Only what was measured counts for the figures. The chart draws means; the lowest and the highest are of the readings. */
const measured = (points: readonly LevelPoint[]) =>
  known(points.map(({ value, generated }) => (generated ? null : value)));
const extremes = (points: readonly LevelPoint[]) => ({
  lowest: known(points.map(({ lowest }) => lowest))[0],
  highest: known(points.map(({ highest }) => highest)).at(-1),
});

function levelView(
  deadBand: number,
  lowSetpoint: number | null,
  highSetpoint: number | null,
): HistoryView<LevelPoint> {
  return {
    stats: (points) => {
      const { lowest, highest } = extremes(points);
      return [
        { name: 'Lowest', value: <Quantity value={lowest} unit="%" digits={1} /> },
        { name: 'Highest', value: <Quantity value={highest} unit="%" digits={1} /> },
        { name: 'Mean', value: <Quantity value={mean(measured(points))} unit="%" digits={1} /> },
      ];
    },
    summary: (points) => {
      const { lowest, highest } = extremes(points);
      return `The level was between ${numberText(lowest)} and ${numberText(highest)} percent.`;
    },
    option: (points, frame) => levelOption({ points, deadBand, lowSetpoint, highSetpoint }, frame),
    table: (points, { zone, isDaily }) => ({
      head: ['Time', 'Level', 'Lowest', 'Highest', 'Kind'],
      rows: points.map(({ time, value, lowest, highest, generated }) => [
        pointTime(zone, Date.parse(time), isDaily),
        ...[value, lowest, highest].map((one) => (one === null ? '–' : `${numberText(one, 1)} %`)),
        generated ? 'Interpolated' : 'Measured',
      ]),
    }),
  };
}

export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
