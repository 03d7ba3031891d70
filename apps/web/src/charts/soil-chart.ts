import type { EChartsOption, LineSeriesOption } from 'echarts';
import { type SoilProbe, tensionAxisMax } from '@headrace/contract/rules/soil-moisture';
import { numberText } from '../ui/format.ts';
import { bandAreas, type Band } from './bands.ts';
import {
  baseOption,
  baseTooltip,
  paletteFor,
  tipParams,
  tipValue,
  tooltipElement,
  valueAxis,
  type ChartFrame,
} from './chart-base.ts';
import { seriesColour, type ChartPalette } from './chart-palette.ts';
import { columnsOf, lineOf, type RainBin, type SoilRow, type SoilSeries } from './soil-series.ts';

export interface SoilLine {
  id: SoilLineId;
  name: string;
}
/** What a soil chart can show; the names are those that the settings keep. */
export type SoilLineId = SoilProbe | 'average' | 'temperature' | 'rain' | 'rainHourly' | 'rainAccumulated';

export interface SoilChart {
  series: SoilSeries;
  /** Those that are shown. */
  lines: readonly SoilLine[];
  bands: readonly Band[];
}

const probeNumbers: Record<SoilProbe, number> = { swp1: 0, swp2: 1, swp3: 4, swp4: 7 };

export function soilColour(id: SoilLineId, palette: ChartPalette): string {
  switch (id) {
    case 'average':
      return palette.text;
    case 'temperature':
      return palette.third;
    case 'rain':
    case 'rainHourly':
    case 'rainAccumulated':
      return palette.rain;
    case 'swp1':
    case 'swp2':
    case 'swp3':
    case 'swp4':
      return seriesColour(palette, probeNumbers[id]);
  }
}

type Place = 'tension' | 'rain' | 'temperature';
const placeOf = (id: SoilLineId): Place =>
  id === 'temperature' ? 'temperature' : id.startsWith('rain') ? 'rain' : 'tension';

/** Room of a second axis at the right, px. */
const AXIS_PX = 46;

/** Tension at the left, rain and temperature at the right; the person's own bands behind. Each axis is there for what is shown. */
export function soilOption({ series, lines, bands }: SoilChart, frame: ChartFrame): EChartsOption {
  const palette = paletteFor(frame);
  const places = (['tension', 'rain', 'temperature'] as const).filter(
    (place) => place === 'tension' || lines.some(({ id }) => placeOf(id) === place),
  );
  const axisOf = (id: SoilLineId) => places.indexOf(placeOf(id));
  const max = tensionAxisMax(series.peak, bands);
  return {
    ...baseOption(frame),
    grid: { left: 8, right: 8, top: 34, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    yAxis: places.map((place, index) => ({
      ...valueAxis(palette, '', axisRange(place, series, lines, max)),
      ...axisText(palette, place),
      position: index === 0 ? ('left' as const) : ('right' as const),
      offset: index === 2 ? AXIS_PX : 0,
      splitLine: { show: index === 0, lineStyle: { color: palette.line, width: 1 } },
    })),
    tooltip: {
      ...baseTooltip(frame),
      formatter: (params: unknown) => {
        const point = tipParams(params)
          .map(tipValue)
          .find((found) => found !== null);
        const row = point && nearestRow(series.rows, point[0]);
        return row ? tooltipElement(frame, row.at, tipRows(row, series, lines, palette)) : '';
      },
    },
    series: [
      {
        type: 'line',
        id: 'bands',
        data: [],
        silent: true,
        markArea: bandAreas(bands, max, palette.dim, frame.scheme === 'light' ? 0.13 : 0.2),
      },
      ...lines.map((line) => ({ ...seriesOf(line, series, palette), yAxisIndex: axisOf(line.id) })),
    ],
  };
}

function axisText(palette: ChartPalette, place: Place) {
  const name = { tension: 'kPa', rain: 'mm', temperature: '°C' }[place];
  return {
    name,
    nameLocation: 'end' as const,
    nameGap: 8,
    nameTextStyle: {
      color: palette.dim,
      fontSize: 12,
      align: place === 'tension' ? ('right' as const) : ('left' as const),
    },
    axisLabel: {
      color: palette.dim,
      fontSize: 12,
      // The tension's axis ends at the peak, wherever that is: a number that isn't round stands in nobody's way.
      formatter: (value: number) => (Number.isInteger(value) ? numberText(value) : ''),
    },
  };
}

function axisRange(place: Place, series: SoilSeries, lines: readonly SoilLine[], max: number): object {
  if (place === 'tension') return { min: 0, max, splitNumber: 4 };
  if (place === 'rain') {
    const end = rainAxisMax(series, lines);
    return { min: 0, max: end, interval: end / 5 };
  }
  const known = series.rows.flatMap(({ temperature }) => temperature ?? []);
  if (known.length === 0) return { min: 0, max: 30 };
  const [low, high] = known.reduce(([a, b], t) => [Math.min(a, t), Math.max(b, t)], [Infinity, -Infinity]);
  const step = high - low > 15 ? 10 : 5;
  return { min: step * Math.floor(low / step), max: step * Math.ceil((high + 0.1) / step), interval: step };
}

/** Columns keep to the lower part, so that they don't hide the lines. Whole tens, at least 10 mm. */
function rainAxisMax({ rainHours, rainDays, rows }: SoilSeries, lines: readonly SoilLine[]): number {
  const isShown = (id: SoilLineId) => lines.some((line) => line.id === id);
  const highest = (bins: readonly RainBin[]) => bins.reduce((peak, { mm }) => Math.max(peak, mm), 0);
  const columns = Math.max(
    isShown('rain') ? highest(rainDays) : 0,
    isShown('rainHourly') ? highest(rainHours) : 0,
  );
  const total = isShown('rainAccumulated')
    ? rows.reduce((peak, { accumulated }) => Math.max(peak, accumulated ?? 0), 0)
    : 0;
  return 10 * Math.max(1, Math.ceil(Math.max(columns * 2, total) / 10));
}

function seriesOf({ id, name }: SoilLine, series: SoilSeries, palette: ChartPalette): LineSeriesOption {
  const colour = soilColour(id, palette);
  const line = (width: number, of: (row: SoilRow) => number | null): LineSeriesOption => {
    const data = lineOf(series.rows, of);
    return {
      type: 'line',
      id,
      name,
      data,
      showSymbol: data.length < 3,
      symbolSize: 5,
      lineStyle: { width, color: colour },
      itemStyle: { color: colour },
    };
  };
  const columns = (bins: readonly RainBin[], opacity: number, inset?: number): LineSeriesOption => ({
    type: 'line',
    id,
    name,
    data: columnsOf(bins, inset),
    symbol: 'none',
    lineStyle: { width: 0 },
    itemStyle: { color: colour },
    areaStyle: { color: colour, opacity },
  });
  switch (id) {
    // From midnight to midnight: a day's column that began later looked like rain of some hours.
    case 'rain':
      return columns(series.rainDays, 0.28, 0);
    case 'rainHourly':
      return columns(series.rainHours, 0.75);
    case 'rainAccumulated':
      return dashed(line(1.75, ({ accumulated }) => accumulated));
    case 'temperature':
      return line(1.25, ({ temperature }) => temperature);
    case 'average':
      return dashed(line(1.75, ({ average }) => average));
    case 'swp1':
    case 'swp2':
    case 'swp3':
    case 'swp4':
      return line(2, ({ tensions }) => tensions[id]);
  }
}

const dashed = (line: LineSeriesOption): LineSeriesOption => ({
  ...line,
  lineStyle: { ...line.lineStyle, type: [5, 4] },
});

/** Rain's columns begin and end between the times of readings. */
function nearestRow(rows: readonly SoilRow[], at: number): SoilRow | undefined {
  return rows.reduce<SoilRow | undefined>(
    (best, row) => (best && Math.abs(best.at - at) <= Math.abs(row.at - at) ? best : row),
    undefined,
  );
}

function tipRows(row: SoilRow, series: SoilSeries, lines: readonly SoilLine[], palette: ChartPalette) {
  return lines.map(({ id, name }) => ({
    name,
    text: soilText(id, row, series),
    colour: soilColour(id, palette),
  }));
}

/** What a row says of one of the chart's lines, with its unit. */
export function soilText(id: SoilLineId, row: SoilRow, series: SoilSeries): string {
  switch (id) {
    case 'rain':
      return withUnit(mmAt(series.rainDays, row.at), 1, 'mm');
    case 'rainHourly':
      return withUnit(mmAt(series.rainHours, row.at), 1, 'mm');
    case 'rainAccumulated':
      return withUnit(row.accumulated, 1, 'mm');
    case 'temperature':
      return withUnit(row.temperature, 1, '°C');
    case 'average':
      return withUnit(row.average, 1, 'kPa');
    case 'swp1':
    case 'swp2':
    case 'swp3':
    case 'swp4':
      return withUnit(row.tensions[id], 1, 'kPa');
  }
}

const mmAt = (bins: readonly RainBin[], at: number): number | null =>
  bins.find(({ start, end }) => at >= start && at < end)?.mm ?? null;
const withUnit = (value: number | null, digits: number, unit: string) =>
  value === null ? '–' : `${numberText(value, digits)} ${unit}`;
