import { describe, expect, it } from 'vitest';
import { checker } from './check.ts';
import { SensorMessage } from './messages.ts';
import { allMetrics, metricInfo } from './metrics.ts';
import { ioReadings, ipcReadings, mappedReadings, repeaterReadings, sensorReadings } from './readings.ts';
import { parseUtcTime, toUtcTime } from './times.ts';

/** As released: name, kind, unit. Never take one out or change it; what is new needs no line here. */
const released: readonly string[] = [
  'levelMm gauge mm',
  'batteryV gauge V',
  'charging state',
  'fault state',
  'flowLpm rate L/min',
  'flowDirection state',
  'pulsesTotal counter pulses',
  'pulses delta pulses',
  'swp1Kpa gauge kPa',
  'swp2Kpa gauge kPa',
  'swp3Kpa gauge kPa',
  'swp4Kpa gauge kPa',
  'temperatureC gauge °C',
  'rainTipsTotal counter tips of 0.2 mm',
  'rainTips delta tips of 0.2 mm',
  'commsIntervalMin setting min',
  'commsQuality gauge 0-1',
  'highSetpoint setting %',
  'lowSetpoint setting %',
  'relayControl setting',
  'relayState state',
  'inputState state',
  'maxRunTime setting min',
  'switch state',
  'batteryPercent gauge %',
  'distanceMm gauge mm',
  'humidityPercent gauge %',
  'pressureKpa gauge kPa',
  'airPressureKpa gauge kPa',
  'rainTotalMm counter mm',
  'rainMm delta mm',
  'volumeTotalL counter L',
  'volumeL delta L',
  'windSpeedMs gauge m/s',
  'windGustMs gauge m/s',
  'windDirectionDeg gauge °',
  'solarWm2 gauge W/m²',
  'valveOpen state',
  'valve2Open state',
  'doorOpen state',
  'leak state',
  'vwc1Percent gauge %',
  'vwc2Percent gauge %',
  'vwc3Percent gauge %',
  'vwc4Percent gauge %',
  'vwc5Percent gauge %',
  'vwc6Percent gauge %',
  'vwc7Percent gauge %',
  'vwc8Percent gauge %',
  'soilTemperature1C gauge °C',
  'soilTemperature2C gauge °C',
  'soilTemperature3C gauge °C',
  'soilTemperature4C gauge °C',
  'soilTemperature5C gauge °C',
  'soilTemperature6C gauge °C',
  'soilTemperature7C gauge °C',
  'soilTemperature8C gauge °C',
  'ec1UsCm gauge µS/cm',
  'ec2UsCm gauge µS/cm',
  'ec3UsCm gauge µS/cm',
  'ec4UsCm gauge µS/cm',
  'ec5UsCm gauge µS/cm',
  'ec6UsCm gauge µS/cm',
  'ec7UsCm gauge µS/cm',
  'ec8UsCm gauge µS/cm',
  'rssiDbm gauge dBm',
  'snrDb gauge dB',
  'marginDb gauge dB',
  'externalPower state',
  'rainTipsAdded delta tips of 0.2 mm',
  'charge gauge %',
  'clock gauge s',
  'hops gauge hops',
  'valve state',
  'scheduleNum state',
  'cycleDay state days',
  'cycleLen setting days',
  'input1 state',
  'input2 state',
  'input3 state',
  'input4 state',
  'input5 state',
  'input6 state',
  'relay1 state',
  'relay2 state',
  'relay3 state',
  'relay4 state',
  'relay5 state',
  'relay6 state',
];

describe('metrics', () => {
  it('keeps what was released: history has these names and adds up by these kinds, for ever', () => {
    const now = allMetrics.map(({ name, kind, unit }) => `${name} ${kind} ${unit}`.trim());
    expect(now.filter((row) => released.includes(row))).toEqual(released);
    expect(new Set(allMetrics.map(({ name }) => name)).size).toBe(allMetrics.length);
  });

  it.each([
    [{ levelMm: 1e9, flowDirection: 1, leak: true, pulses: 3, rainMm: 0.4, vwc8Percent: null }, null],
    [{ levelMm: 2e9 }, 'items/0/values/levelMm must be <= 1000000000'],
    [{ flowDirection: 2 }, 'items/0/values/flowDirection must be equal to one of the allowed values'],
    [{ leak: 1 }, 'items/0/values/leak must be either boolean or null'],
    [{ pulses: 2.5 }, 'items/0/values/pulses must be either integer or null'],
    [{ rainMm: -1 }, 'items/0/values/rainMm must be >= 0'],
  ])('are checked on the wire by their rows: %j', (values, reason) => {
    const message = { items: [{ mac: 'A84041000181C061', at: '2026-01-14T18:00:00Z', values }] };
    expect(checker(SensorMessage)(message)).toMatchObject(reason ? { ok: false, reason } : { ok: true });
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
      'gauge',
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
