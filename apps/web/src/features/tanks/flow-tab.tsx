import { useQuery } from '@tanstack/react-query';
import type { FlowPoint, TankInfo } from '@headrace/contract/tanks';
import { flowOption } from '../../charts/flow-chart.ts';
import { pointTime } from '../../charts/time-axis.ts';
import { numberText } from '../../ui/format.ts';
import { Quantity } from '../../ui/quantity.tsx';
import { HistoryTab, known, usePeriod, type HistoryView } from './history-tab.tsx';
import { mean } from './level-tab.tsx';
import { isDailyRange, rangeOf } from './period.ts';
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

const flows = (points: readonly FlowPoint[]) =>
  known(points.map(({ avgLitrePerMinute }) => avgLitrePerMinute));

const view: HistoryView<FlowPoint> = {
  stats: (points) => [
    { name: 'Mean', value: <Quantity value={mean(flows(points))} unit="L/min" digits={1} /> },
    { name: 'Highest', value: <Quantity value={flows(points).at(-1)} unit="L/min" digits={1} /> },
  ],
  summary: (points) =>
    `The flow was ${numberText(mean(flows(points)), 1)} litres a minute on average, ${numberText(flows(points).at(-1), 1)} at most.`,
  option: flowOption,
  table: (points, { zone, isDaily }) => ({
    head: ['Time', 'Flow'],
    rows: points.map(({ time, avgLitrePerMinute }) => [
      pointTime(zone, Date.parse(time), isDaily),
      avgLitrePerMinute === null ? '–' : `${numberText(avgLitrePerMinute, 1)} L/min`,
    ]),
  }),
};
