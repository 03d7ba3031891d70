import { describe, expect, it } from 'vitest';
import { lineOption, stateOption } from './sensor-chart.ts';

const zone = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };
const MINUTE = 60_000;
const start = Date.parse('2026-11-20T11:00:00Z');
const at = (minutes: number) => start + minutes * MINUTE;
const frame = { zone, scheme: 'light', from: start, to: at(1440), width: 700, isDaily: false } as const;

interface Drawn {
  series: { data: [number, number | null][]; step?: string }[];
  yAxis: { axisLabel: { formatter: (value: number) => string } };
  tooltip: { formatter: (params: unknown) => HTMLElement | string };
}
const drawn = (option: object) => option as Drawn;
const tipAt = ({ tooltip }: Drawn, value: [number, number | null]) => {
  const tip = tooltip.formatter([{ value }]);
  return typeof tip === 'string' ? tip : tip.textContent;
};

describe('a line of one measure', () => {
  const points = [0, 10, 20, 60, 70].map((minutes): [number, number] => [at(minutes), 20 + minutes / 10]);
  const look = { name: 'Tension', unit: 'kPa', digits: 1, colour: () => '#000', axis: { min: 0 } };
  const option = drawn(lineOption(points, look, frame));

  it('has its unit at the axis and in the tip', () => {
    expect(option.yAxis.axisLabel.formatter(20)).toBe('20 kPa');
    expect(tipAt(option, [at(10), 21])).toBe('21 Nov 00:10Tension21.0 kPa');
    expect(tipAt(option, [at(30), null])).toBe('');
  });
  it('is broken where a reading is missing', () => {
    expect(option.series[0]?.data.filter(([, value]) => value === null)).toEqual([[at(30), null]]);
  });
});

describe('the states of a switch', () => {
  // Every ten minutes, then nothing for 3 h, then nothing for 10 minutes more than that.
  const points = [0, 10, 20, 30, 40, 220, 410].map((minutes, nth): [number, number] => [
    at(minutes),
    nth % 2,
  ]);
  const option = drawn(stateOption(points, 'State', frame));

  it('are on and off in words, each until the next', () => {
    expect([0, 1].map(option.yAxis.axisLabel.formatter)).toEqual(['Off', 'On']);
    expect(option.series[0]?.step).toBe('end');
    expect(tipAt(option, [at(10), 1])).toBe('21 Nov 00:10StateOn');
  });
  it('last through a silence of 3 h, and no longer', () => {
    expect(option.series[0]?.data.filter(([, value]) => value === null)).toEqual([[at(230), null]]);
  });
});
