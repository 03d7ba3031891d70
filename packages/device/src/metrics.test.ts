import { describe, expect, it } from 'vitest';
import { SensorValues } from './messages.ts';
import {
  ioReadings,
  ipcReadings,
  mappedReadings,
  metricInfo,
  repeaterReadings,
  sensorMetrics,
  sensorReadings,
} from './metrics.ts';
import { parseUtcTime, toUtcTime } from './times.ts';

describe('metrics', () => {
  it('lists every member of values, in the same order', () => {
    expect(sensorMetrics.map((info) => info.name)).toEqual(Object.keys(SensorValues.properties));
  });

  it('turns values into readings: booleans as 0 and 1, invalid ones kept, unknown ones left out', () => {
    const values = { charging: true, levelMm: null, flowDirection: 1, other: 3 } as const;
    expect(sensorReadings(values)).toEqual([
      { metric: 'levelMm', value: null },
      { metric: 'charging', value: 1 },
      { metric: 'flowDirection', value: 1 },
    ]);
  });

  it('turns a sprinkler, a repeater and gateway ports into readings', () => {
    const at = '2026-01-14T18:00:00Z';
    expect(ipcReadings({ mac: 'A', at, charge: 80, valve: 'open', ipcCrc: '00:01' })).toEqual([
      { metric: 'charge', value: 80 },
      { metric: 'valve', value: 1 },
    ]);
    expect(repeaterReadings({ mac: 'A', at, charge: 70, hops: 2 })).toEqual([
      { metric: 'charge', value: 70 },
      { metric: 'hops', value: 2 },
    ]);
    const off = [false, false, false, false, false];
    const io = ioReadings({ at, inputs: [true, ...off], relays: [...off, true] });
    expect(io.filter((reading) => reading.value === 1)).toEqual([
      { metric: 'input1', value: 1 },
      { metric: 'relay6', value: 1 },
    ]);
    expect(io).toHaveLength(12);
  });

  it('turns what a mapping made into readings, with the values that it named itself', () => {
    const values = { levelMm: 5, leak: true, 'custom.leaf': null, 'counter.starts': 7 } as const;
    expect(mappedReadings(values)).toEqual([
      { metric: 'levelMm', value: 5 },
      { metric: 'leak', value: 1 },
      { metric: 'custom.leaf', value: null },
      { metric: 'counter.starts', value: 7 },
    ]);
    expect([metricInfo('custom.leaf')?.kind, metricInfo('counter.starts')?.kind]).toEqual([
      'level',
      'counter',
    ]);
  });

  it('knows nothing by names that are not metrics', () => {
    expect(metricInfo('levelMm')?.unit).toBe('mm');
    expect(metricInfo('constructor')).toBeUndefined();
  });
});

describe('times', () => {
  it.each([
    ['2026-01-14T18:00:00Z', Date.UTC(2026, 0, 14, 18)],
    ['2026-01-14T18:00:00.250Z', Date.UTC(2026, 0, 14, 18, 0, 0, 250)],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['2026-02-29T00:00:00Z', null],
    ['2026-01-14T24:00:00Z', null],
    ['2026-01-14 18:00:00Z', null],
    ['2026-01-14T18:00:00', null],
  ])('reads %s', (text, expected) => {
    expect(parseUtcTime(text)).toBe(expected);
  });

  it('moves offsets to UTC', () => {
    expect(toUtcTime('2026-01-15T07:30:00.123456789+13:45')).toBe('2026-01-14T17:45:00.123Z');
    expect(toUtcTime('2026-01-15')).toBeNull();
    expect(toUtcTime('2026-02-30T00:00:00Z')).toBeNull();
  });
});
