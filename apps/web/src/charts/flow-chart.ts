import type { EChartsOption } from 'echarts';
import { flowHistoryAxisMax } from '@headrace/contract/rules/flow';
import type { FlowPoint } from '@headrace/contract/tanks';
import { numberText } from '../ui/format.ts';
import { paletteFor, ruledAxis, type ChartFrame } from './chart-base.ts';
import { splitGenerated } from './gaps.ts';
import { guessedLine, oneLine } from './one-line.ts';

/** What is drawn of a point. */
export type DrawnFlow = Pick<FlowPoint, 'time' | 'avgLitrePerMinute' | 'generated'>;

/** Mean flow in L/min. What was shared out over a silence is faint and dotted. */
export function flowOption(points: readonly DrawnFlow[], frame: ChartFrame): EChartsOption {
  const palette = paletteFor(frame);
  const at = ({ time }: DrawnFlow) => Date.parse(time);
  const { measured, generated } = splitGenerated(
    points.map((point) => ({ at: at(point), value: point.avgLitrePerMinute, generated: point.generated })),
  );
  const guessed = new Set(points.filter((point) => point.generated).map(at));
  const peak = points.reduce((most, { avgLitrePerMinute }) => Math.max(most, avgLitrePerMinute ?? 0), 0);
  const line = {
    name: 'Flow',
    colour: palette.water,
    textOf: (value: number) => `${numberText(value, 1)} L/min`,
    nameAt: (time: number) => (guessed.has(time) ? 'Flow, shared out over a silence' : 'Flow'),
    isFilled: true,
  };
  const { series, ...rest } = oneLine(measured, line, frame);
  return {
    ...rest,
    series: [series, guessedLine(generated, 'Shared out', palette.water)].flat(),
    yAxis: ruledAxis(palette, 'L/min', flowHistoryAxisMax(peak)),
  };
}
