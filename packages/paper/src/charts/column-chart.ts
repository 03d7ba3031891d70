import { numberText } from '../numbers.ts';
import { CONTENT_WIDTH, type Drawing, type Ink, type Shape } from '../paper.ts';

export interface ColumnSeries {
  readonly name: string;
  readonly ink: Ink;
}

export interface ColumnChart {
  /** Names of the series stand above; of one alone they don't. */
  readonly series: readonly ColumnSeries[];
  /** A value of each series; null: not known, and no column. */
  readonly groups: readonly { readonly label: string; readonly values: readonly (number | null)[] }[];
  /** Of the axis; else the highest value, made round. */
  readonly top?: number;
  /** '': things that are counted, of which there is no half. */
  readonly unit: string;
  /** Above each column; of many there is no room. */
  readonly hasValues?: boolean;
}

const [HEIGHT, LEFT, ABOVE, BELOW] = [170, 40, 24, 18];
/** Labels below need so much room. */
const LABEL_ROOM = 44;

/** Columns beside each other, a group for each label. */
export function columnChart({ series, groups, top, unit, hasValues = false }: ColumnChart): Drawing {
  const values = groups.flatMap((group) => group.values.filter((value) => value !== null));
  const most = top ?? (unit === '' ? roundCount : roundUp)(Math.max(0, ...values));
  const scale = (HEIGHT - ABOVE - BELOW) / most;
  const floor = HEIGHT - BELOW;
  const room = (CONTENT_WIDTH - LEFT) / Math.max(1, groups.length);
  const width = Math.min(34, (room * 0.78) / series.length);
  const step = Math.max(1, Math.ceil(LABEL_ROOM / room));
  const columns = groups.flatMap(({ label, values: of }, n): Shape[] => {
    const middle = LEFT + room * (n + 0.5);
    const first = middle - (width * series.length) / 2;
    const bars = of.flatMap((value, nth): Shape[] => {
      if (value === null) return [];
      const height = Math.min(value, most) * scale;
      const x = first + nth * width;
      const bar: Shape = {
        kind: 'path',
        d: `M ${at(x + 0.5)} ${at(floor)} V ${at(floor - height)} H ${at(x + width - 0.5)} V ${at(floor)} Z`,
        fill: series[nth]?.ink ?? 'middle',
      };
      const text = numberText(value, Number.isInteger(value) ? 0 : 1);
      const above: Shape = {
        kind: 'text',
        text,
        x: x + width / 2,
        y: floor - height - 11,
        at: 'middle',
        ink: 'text',
      };
      return hasValues ? [bar, above] : [bar];
    });
    const below: Shape = { kind: 'text', text: label, x: middle, y: floor + 5, at: 'middle' };
    return n % step === 0 ? [...bars, below] : bars;
  });
  return {
    width: CONTENT_WIDTH,
    height: HEIGHT,
    shapes: [...axis(most, scale, floor, unit), ...legend(series), ...columns],
  };
}

/** Lines at quarters, with what they stand for. */
function axis(most: number, scale: number, floor: number, unit: string): Shape[] {
  return [0, 0.25, 0.5, 0.75, 1].flatMap((share): Shape[] => {
    const y = at(floor - most * share * scale);
    const value = most * share;
    const text = `${numberText(value, decimalsOf(value))} ${unit}`;
    return [
      {
        kind: 'path',
        d: `M ${LEFT} ${y} H ${CONTENT_WIDTH}`,
        stroke: 'rule',
        width: share === 0 ? 0.9 : 0.35,
      },
      { kind: 'text', text, x: LEFT - 5, y: y - 5, at: 'end' },
    ];
  });
}

/** As many as a quarter of a whole axis needs: a line at 0.25 isn't at 0.3. */
const decimalsOf = (value: number) => [0, 1].find((places) => Number.isInteger(value * 10 ** places)) ?? 2;

function legend(series: readonly ColumnSeries[]): Shape[] {
  if (series.length < 2) return [];
  return series.flatMap(({ name, ink }, n): Shape[] => {
    const x = LEFT + n * 90;
    return [
      { kind: 'path', d: `M ${x} 2 h 9 v 8 h -9 Z`, fill: ink },
      { kind: 'text', text: name, x: x + 13, y: 1, ink: 'text' },
    ];
  });
}

/** The next of 1, 2, 4, 5 and 10 times a power of ten: its quarters are short. */
export function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 10].map((factor) => factor * power).find((round) => round >= value - 1e-9) ?? value;
}

/** The same of things that are counted: its quarters are whole. */
function roundCount(value: number): number {
  const quarter = Math.max(1, value / 4);
  const power = 10 ** Math.floor(Math.log10(quarter));
  const rounds = [1, 1.5, 2, 2.5, 3, 4, 5, 10].map((factor) => factor * power);
  return 4 * (rounds.find((round) => Number.isInteger(round) && round >= quarter) ?? Math.ceil(quarter));
}

/** Two digits: a point has 1/72 inch. */
export const at = (value: number): number => Math.round(value * 100) / 100;
