import { useQuery } from '@tanstack/react-query';
import type { BatteryPoint, TankInfo } from '@headrace/contract/tanks';
import { batteryOption } from '../../charts/battery-chart.ts';
import { pointTime } from '../../charts/time-axis.ts';
import { numberText } from '../../ui/format.ts';
import { Quantity } from '../../ui/quantity.tsx';
import { HistoryTab, known, usePeriod, type HistoryView } from './history-tab.tsx';
import { isDailyRange, rangeOf } from './period.ts';
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

const percents = (points: readonly BatteryPoint[]) => known(points.map(({ value }) => value));
const volts = (points: readonly BatteryPoint[]) => known(points.map(({ voltage }) => voltage));

function batteryView(isFull: boolean): HistoryView<BatteryPoint> {
  return {
    stats: (points) => [
      { name: 'Latest', value: <Quantity value={latest(points)} unit="%" /> },
      { name: 'Lowest', value: <Quantity value={percents(points)[0]} unit="%" /> },
      ...(isFull
        ? [{ name: 'Lowest voltage', value: <Quantity value={volts(points)[0]} unit="V" digits={2} /> }]
        : []),
    ],
    summary: (points) =>
      `The battery is at ${numberText(latest(points))} percent, and was at ${numberText(percents(points)[0])} percent at its lowest.`,
    option: (points, frame) => batteryOption(points, isFull, frame),
    table: (points, { zone, isDaily }) => ({
      head: isFull ? ['Time', 'Battery', 'Voltage', 'Charging'] : ['Time', 'Battery'],
      rows: points.map((point) => [
        pointTime(zone, Date.parse(point.time), isDaily),
        point.value === null ? '–' : `${numberText(point.value)} %`,
        ...(isFull
          ? [point.voltage === null ? '–' : `${numberText(point.voltage, 2)} V`, chargingWord(point)]
          : []),
      ]),
    }),
  };
}

const latest = (points: readonly BatteryPoint[]) =>
  points.findLast(({ value }) => value !== null)?.value ?? null;
const chargingWord = ({ charging }: BatteryPoint) => (charging === null ? '–' : charging ? 'Yes' : 'No');
const percentOnly = batteryView(false);
const full = batteryView(true);
