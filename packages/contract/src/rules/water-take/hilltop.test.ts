import { describe, expect, it } from 'vitest';
import { standardTime, takeDayAt } from './clock.ts';
import { hilltopXml } from './hilltop.ts';
import { counterVolumes } from './meter-volumes.ts';
import { placeVolumes, quarterRows } from './rows.ts';

const xmlOf = (...asked: Parameters<typeof hilltopXml>) => [...hilltopXml(...asked)].join('');
const time = standardTime({ rawOffset: 43_200 });
const day = takeDayAt(time, '2026-11-22') ?? 0;
const MINUTE = 60_000;
const written = (
  readings: [minute: number, m3: number][],
  { until, from = 0, ...options }: { until: number; from?: number; leavesGapsOut?: boolean },
) => {
  const said = readings.map(([minute, value]) => ({ at: day + minute * MINUTE, value }));
  const [start, to] = [day + from * MINUTE, day + until * MINUTE];
  const stretches = [
    ...placeVolumes([{ from: start, to, stretches: counterVolumes(said, { m3PerUnit: 1 }) }], start, to),
  ];
  const rows = [...quarterRows(stretches, start, to)];
  return xmlOf('Rakaia Downs', [{ site: '123456M1', measure: 'Compliance Volume', rows }], {
    time,
    ...options,
  });
};
const values = (xml: string) =>
  xml
    .split('<Measurement')
    .slice(1)
    .map((block) => [...block.matchAll(/<V>(.*)<\/V>/g)].map(([, value]) => value));

describe('the transfer file for Hilltop', () => {
  it('is as the councils’ text has it, to the letter', () => {
    expect(
      written(
        [
          [0, 1000],
          [15, 1004],
          [30, 1004],
        ],
        { until: 30 },
      ),
    ).toBe(`<?xml version="1.0"?>
<Hilltop>
<Agency>Rakaia Downs</Agency>
<Measurement SiteName="123456M1">
<DataSource Name="Compliance Volume" NumItems="1">
<Interpolation>Incremental</Interpolation>
</DataSource>
<Data DateFormat="Calendar">
<V>22-Nov-2026 00:15:00 4.000</V>
<V>22-Nov-2026 00:30:00 0.000</V>
</Data>
</Measurement>
</Hilltop>
`);
  });

  const silence: [number, number][] = [
    [0, 1000],
    [15, 1004],
    [120, 1030],
    [135, 1031],
  ];

  it('a gap is one value at its end, with the total that the counter knows', () => {
    expect(values(written(silence, { until: 135 }))).toEqual([
      ['22-Nov-2026 00:15:00 4.000', '22-Nov-2026 02:00:00 26.000', '22-Nov-2026 02:15:00 1.000'],
    ]);
  });

  it.each([
    [
      'a gap that nobody knows the total of',
      [
        [0, 1000],
        [15, 1004],
        [120, 3],
        [135, 4],
      ],
      false,
    ],
    ['a gap that is to be left out', silence, true],
  ] as const)(
    '%s begins a new measurement, so that the next value does not count for it',
    (_what, readings, out) => {
      const xml = written(
        readings.map(([minute, m3]) => [minute, m3]),
        { until: 135, leavesGapsOut: out },
      );
      expect(values(xml)).toEqual([['22-Nov-2026 00:15:00 4.000'], ['22-Nov-2026 02:15:00 1.000']]);
    },
  );

  it('a gap at the very start is left out: nothing shows since when its total counts', () => {
    expect(values(written(silence, { from: 15, until: 135 }))).toEqual([['22-Nov-2026 02:15:00 1.000']]);
  });

  it('a gap that goes on after the last row has no value: how much of its total came by then nobody knows', () => {
    expect(values(written(silence, { until: 60 }))).toEqual([['22-Nov-2026 00:15:00 4.000']]);
  });

  it('midnight is the next day’s, and names are escaped', () => {
    const rows = [{ end: day, m3: 1, state: 'measured' as const, known: 1, before: null, after: null }];
    const xml = xmlOf('A & B <farm>', [{ site: '"M1"', measure: 'Volume', rows }], { time });
    expect(xml).toContain('<V>22-Nov-2026 00:00:00 1.000</V>');
    expect(xml).toContain('<Agency>A &amp; B &lt;farm&gt;</Agency>');
    expect(xml).toContain('SiteName="&quot;M1&quot;"');
  });
});
