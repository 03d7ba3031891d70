import { useQuery } from '@tanstack/react-query';
import type { BatteryPoint, TankInfo } from '@headrace/contract/tanks';
import { batteryOption } from '../../charts/battery-chart.ts';
import { pointTime } from '../../charts/time-axis.ts';
import { numberText } from '../../ui/format.ts';
import { Quantity } from '../../ui/quantity.tsx';
import { isDailyRange, rangeOf } from '../../time-range/period.ts';
import { HistoryTab, known, usePeriod, type HistoryView } from './history-tab.tsx';
import { useTankDialog } from './tank-search.ts';
import { batteryHistoryQuery } from './tanks.queries.ts';

/** The unit's battery. With `a=1` in the address also volts and charging. */
export function BatteryTab({ info }: { info: TankInfo }) {
  const choice = usePeriod('Week', info, 'LevelBattery');
  const { search } = useTankDialog();
  const query = useQuery(batteryHistoryQuery(info._id, rangeOf(choice)));
  return (
    <HistoryTab
      info={info}
      title="Battery"
      choice={choice}
      target="LevelBattery"
      query={query}
      view={search.a === '1' ? full : percentOnly}
      isDaily={isDailyRange(choice)}
      hasData={(points) => points.some(({ value, voltage }) => value !== null || voltage !== null)}
      emptyReason="No battery data on these days. Choose other days to look further back."
    />
  );
}

/** Of the readings; the chart draws means. */
const lowestOf = (points: readonly BatteryPoint[]) => known(points.map(({ lowest }) => lowest))[0];
const lowestVolts = (points: readonly BatteryPoint[]) =>
  known(points.map(({ lowestVoltage }) => lowestVoltage))[0];

function batteryView(isFull: boolean): HistoryView<BatteryPoint> {
  return {
    stats: (points) => [
      { name: 'Latest', value: <Quantity value={latest(points)} unit="%" /> },
      { name: 'Lowest', value: <Quantity value={lowestOf(points)} unit="%" /> },
      ...(isFull
        ? [{ name: 'Lowest voltage', value: <Quantity value={lowestVolts(points)} unit="V" digits={2} /> }]
        : []),
    ],
    summary: (points) =>
      `The battery is at ${numberText(latest(points))} percent, and was at ${numberText(lowestOf(points))} percent at its lowest.`,
    option: (points, frame) => batteryOption(points, isFull, frame),
    table: (points, { zone, isDaily }) => ({
      head: isFull ? ['Time', 'Battery', 'Voltage', 'Charging'] : ['Time', 'Battery'],
      rows: points.map((point) => [
        pointTime(zone, Date.parse(point.time), isDaily),
        point.value === null ? '–' : `${numberText(point.value)} %`,
        ...(isFull
          ? [point.voltage === null ? '–' : `${numberText(point.voltage, 2)} V`, chargingLabel(point)]
          : []),
      ]),
    }),
  };
}

const latest = (points: readonly BatteryPoint[]) =>
  points.findLast(({ value }) => value !== null)?.value ?? null;
const chargingLabel = ({ charging }: BatteryPoint) => (charging === null ? '–' : charging ? 'Yes' : 'No');
const percentOnly = batteryView(false);
const full = batteryView(true);
