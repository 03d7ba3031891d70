import { describe, expect, it } from 'vitest';
import { defaultStressBands } from '@headrace/contract/default-settings';
import type { SoilReading } from '@headrace/contract/soil-moisture';
import { soilOption, type SoilLineId } from './soil-chart.ts';
import { columnsOf, soilSeries, type SoilSpan } from './soil-series.ts';

const zone = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };
const at = (iso: string) => Date.parse(iso);
const H = 3_600_000;

type Given = Partial<Omit<SoilReading, 'dateTime'>>;
const reading = (dateTime: string, given: Given = {}): SoilReading => ({
  id: dateTime,
  dateTime,
  temperature: null,
  rainfall: null,
  swp1: null,
  swp2: null,
  swp1_name: 'Shallow',
  swp2_name: 'Deep',
  ...given,
});
const series = (readings: SoilReading[], span: SoilSpan = 'reading') => soilSeries(readings, span, zone);

describe("a site's readings", () => {
  it('have the average of sensors 1 and 2 where both are known', () => {
    const { rows } = series([
      reading('2026-11-20T11:00:00Z', { swp1: 20, swp2: 31 }),
      reading('2026-11-20T11:15:00Z', { swp1: 20, swp2: null }),
    ]);
    expect(rows.map(({ average }) => average)).toEqual([25.5, null]);
  });

  it('have a gap where a tension can be none', () => {
    const { rows, peak } = series([
      reading('2026-11-20T11:00:00Z', { swp1: 201, swp2: -1 }),
      reading('2026-11-20T11:15:00Z', { swp1: 200, swp2: 0 }),
    ]);
    expect(rows.map(({ tensions: { swp1, swp2 } }) => [swp1, swp2])).toEqual([
      [null, null],
      [200, 0],
    ]);
    expect(peak).toBe(200);
    expect(series([reading('2026-11-20T11:00:00Z')]).peak).toBeNull();
  });

  it('have rain in millimetres by hour and day of the farm, and as it adds up', () => {
    // Midnight of 21 November in Auckland (UTC+13) is 11:00 UTC on the 20th. A tip is 0.2 mm.
    const { rainHours, rainDays, rows } = series([
      reading('2026-11-20T10:15:00Z', { rainfall: 3 }),
      reading('2026-11-20T10:45:00Z', { rainfall: 4 }),
      reading('2026-11-20T11:15:00Z', { rainfall: 1 }),
      reading('2026-11-20T12:15:00Z', { rainfall: null }),
      reading('2026-11-20T13:15:00Z', { rainfall: 0 }),
    ]);
    expect(rainHours.map(({ start, mm }) => [new Date(start).toISOString().slice(11, 16), mm])).toEqual([
      ['10:00', 1.4],
      ['11:00', 0.2],
      ['13:00', 0],
    ]);
    expect(rainDays.map(({ start, mm }) => [new Date(start).toISOString().slice(0, 16), mm])).toEqual([
      ['2026-11-19T11:00', 1.4],
      ['2026-11-20T11:00', 0.2],
    ]);
    expect(rows.map(({ accumulated }) => accumulated)).toEqual([0.6, 1.4, 1.6, null, 1.6]);
  });

  it("round a day's rain to two decimals", () => {
    // 16.667 tips, as a mean of hours may be, are 3.3334 mm.
    expect(series([reading('2026-11-20T11:00:00Z', { rainfall: 16.667 })], 'day').rainDays[0]?.mm).toBe(3.33);
  });

  it('of days have no rain by the hour', () => {
    expect(series([reading('2026-11-20T11:00:00Z', { rainfall: 5 })], 'day').rainHours).toEqual([]);
  });

  it.each([
    // The clock goes forward on 27 September and back on 5 April.
    ['2026-09-26T12:00:00Z', 23],
    ['2026-04-04T11:00:00Z', 25],
  ])('on the day of %s fill a column of %s hours', (midnight, hours) => {
    const { rainDays } = series([reading(midnight, { rainfall: 5 })], 'day');
    expect(columnsOf(rainDays, 0)).toEqual([
      [at(midnight), 1],
      [at(midnight) + hours * H, 1],
      [at(midnight) + hours * H, null],
    ]);
  });

  it('draw no column for a dry day', () => {
    expect(columnsOf([{ start: 0, end: H, mm: 0 }])).toEqual([]);
  });
});

interface Axis {
  name: string;
  max: number;
  position: string;
  offset: number;
}
interface Drawn {
  yAxis: Axis[];
  series: {
    id: string;
    yAxisIndex?: number;
    data: [number, number | null][];
    markArea?: { data: [{ name: string; yAxis: number; label: { show: boolean } }, { yAxis: number }][] };
  }[];
  tooltip: { formatter: (params: unknown) => HTMLElement | string };
}
const readings = [0, 1, 2, 3, 4, 5].map((n) =>
  reading(new Date(at('2026-11-20T11:00:00Z') + n * H).toISOString(), {
    swp1: 40 + n,
    swp2: 60 + 2 * n,
    temperature: 11 + n,
    rainfall: n,
  }),
);
function draw(ids: SoilLineId[], of = series(readings, 'hour'), bands = defaultStressBands): Drawn {
  const lines = ids.map((id) => ({ id, name: id }));
  const from = at('2026-11-20T11:00:00Z');
  const frame = { zone, scheme: 'light', from, to: from + 5 * H, width: 700, isDaily: false } as const;
  return soilOption({ series: of, lines, bands }, frame) as unknown as Drawn;
}

describe('the soil chart', () => {
  it('has an axis for each kind of thing that is shown', () => {
    const all = draw(['swp1', 'rain', 'temperature']);
    expect(all.yAxis.map(({ name, position }) => [name, position])).toEqual([
      ['kPa', 'left'],
      ['mm', 'right'],
      ['°C', 'right'],
    ]);
    expect(all.series.map(({ id, yAxisIndex = 0 }) => [id, yAxisIndex])).toEqual([
      ['bands', 0],
      ['swp1', 0],
      ['rain', 1],
      ['temperature', 2],
    ]);
    expect(draw(['swp1', 'temperature']).yAxis.map(({ name }) => name)).toEqual(['kPa', '°C']);
    expect(draw([]).yAxis.map(({ name }) => name)).toEqual(['kPa']);
  });

  it("ends at the larger sensor's peak, at most at 200, and where all bands are in sight", () => {
    // 60 + 2 × 5 = 70 kPa at the second; the last band starts at 100.
    expect(draw(['swp1']).yAxis[0]?.max).toBe(115);
    expect(
      draw(['swp1'], undefined, [{ idx: 0, name: 'All', start: 0, color: '#000000' }]).yAxis[0]?.max,
    ).toBe(70);
    expect(draw([], series([reading('2026-11-20T11:00:00Z', { swp1: 205, swp2: 200 })])).yAxis[0]?.max).toBe(
      200,
    );
  });

  it("has the person's bands behind, up to the end of the axis, with their names", () => {
    const bands = draw(['swp1']).series[0]?.markArea?.data.map(([from, to]) => [
      from.name,
      from.yAxis,
      to.yAxis,
    ]);
    expect(bands).toEqual([
      ['Too full', 0, 10],
      ['Full', 10, 30],
      ['Normal', 30, 60],
      ['Refill', 60, 100],
      ['Stress', 100, 115],
    ]);
  });

  it('leaves out an empty band, and the name of a thin one', () => {
    const moved = defaultStressBands.map((band) =>
      band.idx === 1
        ? { ...band, start: 28 }
        : band.idx === 2
          ? { ...band, start: 30 }
          : band.idx === 0
            ? { ...band, start: 28 }
            : band,
    );
    const areas = draw(['swp1'], undefined, moved).series[0]?.markArea?.data;
    expect(areas?.map(([from]) => [from.name, from.label.show])).toEqual([
      ['Full', false],
      ['Normal', true],
      ['Refill', true],
      ['Stress', true],
    ]);
  });

  it('keeps columns of rain in the lower half', () => {
    // The wettest hour has 5 tips, 1 mm; 15 tips fell that day, 3 mm.
    expect(draw(['rainHourly']).yAxis[1]?.max).toBe(10);
    const wet = series([reading('2026-11-20T11:00:00Z', { rainfall: 60 })], 'hour');
    expect(draw(['rainHourly'], wet).yAxis[1]?.max).toBe(30);
    expect(draw(['rainAccumulated'], wet).yAxis[1]?.max).toBe(20);
  });

  it('says all that is shown at one moment', () => {
    const { tooltip } = draw([
      'swp1',
      'swp2',
      'average',
      'temperature',
      'rain',
      'rainHourly',
      'rainAccumulated',
    ]);
    const tip = tooltip.formatter([{ value: [at('2026-11-20T13:00:00Z'), 42] }]);
    // swp1 42, swp2 64, mean 53; 2 tips that hour, 15 that day, 0 + 1 + 2 until then.
    expect(typeof tip === 'string' ? tip : tip.textContent).toBe(
      '21 Nov 02:00swp142.0 kPaswp264.0 kPaaverage53.0 kPatemperature13.0 °Crain3.0 mmrainHourly0.4 mmrainAccumulated0.6 mm',
    );
  });
});
