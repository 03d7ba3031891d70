import { useQuery } from '@tanstack/react-query';
import type { FlowPoint, TankInfo } from '@headrace/contract/tanks';
import { flowOption } from '../../charts/flow-chart.ts';
import { pointTime } from '../../charts/time-axis.ts';
import { numberText } from '../../ui/format.ts';
import { Quantity } from '../../ui/quantity.tsx';
import { isDailyRange, rangeOf } from '../../time-range/period.ts';
import { HistoryTab, known, usePeriod, type HistoryView } from './history-tab.tsx';
import { mean } from './level-tab.tsx';
import { ConfigUpdates } from './config-updates.tsx';
import { FlowReset } from './flow-reset.tsx';
import { flowHistoryQuery } from './tanks.queries.ts';
import classes from './tank-dialog.module.css';

/** What runs through the tank's meter. */
export function FlowTab({ info }: { info: TankInfo }) {
  const choice = usePeriod('Week', info);
  const query = useQuery(flowHistoryQuery(info.serialNumber, info._id, rangeOf(choice)));
  return (
    <>
      <div className={classes.notices}>
        <ConfigUpdates info={info} />
      </div>
      <HistoryTab
        info={info}
        title="Flow"
        choice={choice}
        query={query}
        view={view}
        isDaily={isDailyRange(choice)}
        hasData={(points) => points.some(({ avgLitrePerMinute }) => avgLitrePerMinute !== null)}
        emptyReason={
          info.flow === null
            ? "This tank's unit has no flow meter switched on."
            : 'The meter reported nothing on these days. Choose other days to look further back.'
        }
      />
      <FlowReset info={info} />
    </>
  );
}

/** Over the time that is known of, so that this times that time is the litres. */
function meanFlow(points: readonly FlowPoint[]): number | null {
  const minutes = points.reduce((sum, point) => sum + point.minutes, 0);
  if (minutes > 0) return (litresOf(points) ?? 0) / minutes;
  return mean(known(points.map(({ avgLitrePerMinute }) => avgLitrePerMinute)));
}

const litresOf = (points: readonly FlowPoint[]): number | null => {
  const litres = known(points.map((point) => point.litres));
  return litres.length === 0 ? null : litres.reduce((sum, value) => sum + value, 0);
};

/** Of the readings; the chart draws means. */
const peakOf = (points: readonly FlowPoint[]) =>
  known(points.map((point) => point.peakLitrePerMinute ?? point.avgLitrePerMinute)).at(-1);

const view: HistoryView<FlowPoint> = {
  stats: (points) => [
    { name: 'Total', value: <Quantity value={litresOf(points)} unit="L" /> },
    { name: 'Mean', value: <Quantity value={meanFlow(points)} unit="L/min" digits={1} /> },
    { name: 'Highest', value: <Quantity value={peakOf(points)} unit="L/min" digits={1} /> },
  ],
  summary: (points) =>
    `${numberText(litresOf(points))} litres in all; the flow was ${numberText(meanFlow(points), 1)} litres a minute on average, ${numberText(peakOf(points), 1)} at most.`,
  option: flowOption,
  table: (points, { zone, isDaily }) => ({
    head: ['Time', 'Flow', 'Highest', 'Litres', 'Kind'],
    rows: points.map(({ time, avgLitrePerMinute, peakLitrePerMinute, litres, generated }) => [
      pointTime(zone, Date.parse(time), isDaily),
      ...[avgLitrePerMinute, peakLitrePerMinute].map((flow) =>
        flow === null ? '–' : `${numberText(flow, 1)} L/min`,
      ),
      litres === null ? '–' : `${numberText(litres)} L`,
      generated ? 'Shared out' : 'Measured',
    ]),
  }),
};
