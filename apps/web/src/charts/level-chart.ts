import type { EChartsOption } from 'echarts';
import { TANK_LOW_LEVEL_PERCENT } from '@headrace/contract/limits';
import type { LevelPoint } from '@headrace/contract/tanks';
import { numberText } from '../ui/format.ts';
import { baseOption, limitLine, paletteFor, tipOfOne, valueAxis, type ChartFrame } from './chart-base.ts';
import { splitGenerated } from './gaps.ts';
import { guessedLine } from './one-line.ts';

export interface LevelChart {
  points: readonly Pick<LevelPoint, 'time' | 'value' | 'generated'>[];
  /** Percent that the sensor can't see. */
  deadBand: number;
  lowSetpoint: number | null;
  highSetpoint: number | null;
}

/** The level over time, 0 to 100 %, with its limits in words. Guessed points are faint and dotted; gaps stay gaps. */
export function levelOption(chart: LevelChart, frame: ChartFrame): EChartsOption {
  const palette = paletteFor(frame);
  const { measured, generated } = splitGenerated(
    chart.points.map(({ time, value, generated }) => ({ at: Date.parse(time), value, generated })),
  );
  const guessed = new Set(
    chart.points.filter((point) => point.generated).map(({ time }) => Date.parse(time)),
  );
  return {
    ...baseOption(frame),
    yAxis: valueAxis(palette, '%', { min: 0, max: 100, interval: frame.width < 480 ? 50 : 25 }),
    tooltip: tipOfOne(frame, (value, at) => ({
      name: guessed.has(at) ? 'Level, interpolated' : 'Level',
      text: `${numberText(value, 1)} %`,
      colour: palette.water,
    })),
    series: [
      {
        type: 'line',
        id: 'level',
        name: 'Level',
        data: measured,
        showSymbol: measured.length < 3,
        symbolSize: 5,
        lineStyle: { width: 2, color: palette.water },
        itemStyle: { color: palette.water },
        areaStyle: { color: palette.water, opacity: 0.1 },
        markLine: { silent: true, symbol: 'none', data: levelLimits(chart, frame) },
        ...(chart.deadBand > 0 && {
          markArea: {
            silent: true,
            itemStyle: { color: palette.dim, opacity: 0.12 },
            label: {
              position: 'insideBottomLeft',
              color: palette.dim,
              fontSize: 11.5,
              formatter: `Dead band: below ${numberText(chart.deadBand)} % the sensor sees nothing`,
            },
            data: [[{ yAxis: 0 }, { yAxis: chart.deadBand }]],
          },
        }),
      },
      guessedLine(generated, 'Interpolated', palette.water),
    ],
  };
}

function levelLimits({ lowSetpoint, highSetpoint }: LevelChart, frame: ChartFrame) {
  const palette = paletteFor(frame);
  const limits = [
    limitLine(palette, TANK_LOW_LEVEL_PERCENT, `Low level ${TANK_LOW_LEVEL_PERCENT} %`, palette.issue),
  ];
  if (lowSetpoint !== null)
    limits.push(
      limitLine(
        palette,
        lowSetpoint,
        `Pump on at ${numberText(lowSetpoint)} %`,
        palette.dim,
        'insideStartTop',
      ),
    );
  if (highSetpoint !== null)
    limits.push(
      limitLine(
        palette,
        highSetpoint,
        `Pump off at ${numberText(highSetpoint)} %`,
        palette.dim,
        'insideStartTop',
      ),
    );
  return limits;
}
