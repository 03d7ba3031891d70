import { useCallback } from 'react';
import type { AlertChart as Shown } from '@headrace/contract/alert-chart';
import type { Timezone } from '@headrace/contract/farms';
import { Chart, type ChartProps } from '../../charts/chart.tsx';
import { pointTime } from '../../charts/time-axis.ts';
import { trialOption } from '../../charts/trial-chart.ts';
import { numberText } from '../../ui/format.ts';
import { times } from './alert-labels.ts';

interface AlertChartProps {
  chart: Shown;
  zone: Timezone;
  /** Epoch ms. */
  from: number;
  to: number;
  label: string;
  fileName: string;
}

/** What a device said, the limit and where it is over, and when people were told, or would have been. */
export function AlertChart({ chart, zone, from, to, label, fileName }: AlertChartProps) {
  const option = useCallback<ChartProps['option']>(
    (frame) => trialOption(chart, { ...frame, zone, from, to, isDaily: false }),
    [chart, zone, from, to],
  );
  const { name, unit, marks } = chart;
  const clock = (at: string | null) => (at === null ? 'still so' : pointTime(zone, Date.parse(at), false));
  return (
    <Chart
      label={label}
      summary={`${name}: told ${times(marks.length)}.`}
      option={option}
      fileName={fileName}
      table={() => ({
        head: ['Told', 'Since', 'Over', 'Furthest'],
        rows: marks.map(({ firedAt, since, endedAt, peak }) => [
          clock(firedAt),
          clock(since),
          clock(endedAt),
          peak === null ? '–' : `${numberText(peak, 1)} ${unit}`,
        ]),
      })}
    />
  );
}
