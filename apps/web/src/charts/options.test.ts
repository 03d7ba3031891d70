import { describe, expect, it, test } from 'vitest';
import { batteryOption } from './battery-chart.ts';
import { flowOption } from './flow-chart.ts';
import { levelOption } from './level-chart.ts';
import { usageOption } from './usage-chart.ts';

const zone = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };
const start = Date.parse('2026-11-20T11:00:00Z');
const H = 3_600_000;
const time = (hours: number) => new Date(start + hours * H).toISOString();
const frame = { zone, scheme: 'light', from: start, to: start + 24 * H, width: 700, isDaily: false } as const;

interface Series {
  name: string;
  data: [number, number | null][];
  lineStyle?: { type?: string };
  markLine?: { data: { yAxis: number; label: { formatter: string } }[] };
  markArea?: { data: { yAxis: number }[][]; label: { formatter: string } };
}
const seriesOf = (option: object) => (option as { series: Series[] }).series;
const textsOf = (series: Series | undefined) =>
  series?.markLine?.data.map(({ yAxis, label }) => [yAxis, label.formatter]);

describe('the level chart', () => {
  const points = [0, 1, 2, 3].map((n) => ({ time: time(n), value: 50 + n, generated: n === 1 }));
  const option = levelOption({ points, deadBand: 20.8, lowSetpoint: 35, highSetpoint: 85 }, frame);

  it('runs from 0 to 100', () => {
    expect(option.yAxis).toMatchObject({ min: 0, max: 100 });
  });
  it('says in words what its lines are', () => {
    expect(textsOf(seriesOf(option)[0])).toEqual([
      [20, 'Low level 20 %'],
      [35, 'Pump on at 35 %'],
      [85, 'Pump off at 85 %'],
    ]);
  });
  it('shades what the sensor cannot see, with words', () => {
    const area = seriesOf(option)[0]?.markArea;
    expect(area?.data).toEqual([[{ yAxis: 0 }, { yAxis: 20.8 }]]);
    expect(area?.label.formatter).toContain('Dead band');
  });
  it('draws interpolated points dotted', () => {
    expect(seriesOf(option)[1]).toMatchObject({ name: 'Interpolated', lineStyle: { type: 'dotted' } });
  });
});

describe('the battery chart', () => {
  const points = [{ time: time(0), value: 81.6, voltage: 3.9, charging: true }];
  it('has whole percents, and the limit of 3.5 V as about 45 %', () => {
    const [percent, ...others] = seriesOf(batteryOption(points, false, frame));
    expect(percent?.data).toEqual([[start, 82]]);
    expect(textsOf(percent)).toEqual([[45, 'Low battery: below 3.5 V, about 45 %']]);
    expect(others).toEqual([]);
  });
  it('in full also has volts and charging', () => {
    const series = seriesOf(batteryOption(points, true, frame));
    expect(series.map(({ name }) => name)).toEqual(['Battery', 'Voltage', 'Charging']);
    expect(series[1]?.data).toEqual([[start, 3.9]]);
    expect(textsOf(series[1])).toEqual([[3.5, 'Low battery 3.5 V']]);
  });
});

test('a usage column stands over the middle of its hour, faint where it was shared out over a silence', () => {
  const points = [0, 1, 2].map((n) => ({ time: time(n), litreValue: n * 10, generated: n === 1 }));
  expect(seriesOf(usageOption(points, frame))[0]?.data).toEqual([
    [start + H / 2, 0],
    { value: [start + 1.5 * H, 10], itemStyle: { opacity: 0.45 } },
    [start + 2.5 * H, 20],
  ]);
});

test.each([
  [1036, 1250],
  [260, 300],
  [25_218, 30_000],
  [100, 100],
  [7, 8],
  [0, 1],
])('a day of %d L fills the chart up to %d L', (litreValue, max) => {
  const { yAxis } = usageOption([{ time: time(0), litreValue, generated: false }], frame);
  expect(yAxis).toMatchObject({ min: 0, max });
});

test('the last usage column stands whole, though its day is not over', () => {
  const sixAm = start + 6 * H;
  const option = usageOption(
    [
      { time: time(-24), litreValue: 5, generated: false },
      { time: time(0), litreValue: 3, generated: false },
    ],
    { ...frame, from: start - 24 * H, to: sixAm, isDaily: true },
  );
  expect(option.xAxis).toMatchObject({ min: start - 24 * H, max: start + 24 * H });
});

test('the flow chart leaves a gap where the meter was silent', () => {
  const points = [0, 1, 2, 8].map((n) => ({ time: time(n), avgLitrePerMinute: 5, generated: false }));
  expect(seriesOf(flowOption(points, frame))[0]?.data.map(([, value]) => value)).toEqual([5, 5, 5, null, 5]);
});

test("the flow chart's axis ends at ten times the ninth of its peak, rounded up", () => {
  // 43 / 9 = 4.8, so 5.
  const points = [12, 43, 8].map((avgLitrePerMinute, n) => ({
    time: time(n),
    avgLitrePerMinute,
    generated: false,
  }));
  expect(flowOption(points, frame).yAxis).toMatchObject({ min: 0, max: 50 });
});
