import { describe, expect, it } from 'vitest';
import { addedMetrics, networkMetrics, sensorMetrics, unitMetrics } from '@headrace/device/metrics';
import { metricLimits, possibleValue } from './metric-limits.ts';

const canBe = (metric: string, value: number) => possibleValue(metric, value) === value;

describe('what a device can measure', () => {
  it.each<[string, number[], number[]]>([
    ['batteryV', [0, 3.6, 12.8, 28, 56, 60], [-5, -0.001, 60.001, 99]],
    ['batteryPercent', [0, 100, 104], [-1, 111, 255]],
    ['charge', [0, 100, 101], [-1, 255]],
    ['temperatureC', [-25.6, 0, 50.7, 85, 100], [-127, -61, 101, 200]],
    ['soilTemperature1C', [-10, 40, 70], [-41, 200]],
    ['soilTemperature8C', [20], [200, 6553.5]],
    ['humidityPercent', [0, 100, 104], [-40, 120, 6553.5]],
    ['pressureKpa', [-90, 0, 800, 1600], [-102, 65_535]],
    ['airPressureKpa', [50, 101.325], [0, 1013.25]],
    ['windSpeedMs', [0, 40], [-1, 76]],
    ['windGustMs', [113], [151]],
    ['windDirectionDeg', [0, 359.9, 360], [-1, 361]],
    ['solarWm2', [-3, 1200], [-21, 4000]],
    ['vwc1Percent', [-1.6, 45, 100], [-6, 101]],
    ['ec1UsCm', [0, 50_000], [-1, 1_000_000]],
    ['distanceMm', [0, 50_000], [-1, 65_535]],
    ['flowLpm', [0, 1000, 100_000], [-1, 100_001]],
    ['swp1Kpa', [0, 200], [-1, 239]],
    ['swp4Kpa', [0, 200], [-1, 239]],
    ['commsQuality', [0, 0.5, 1], [-0.1, 55]],
    ['highSetpoint', [0, 100], [-1, 101]],
    ['lowSetpoint', [0, 100], [-1, 101]],
    ['maxRunTime', [0, 1440], [-1, 1441]],
    ['rssiDbm', [-148, 0], [-201, 21]],
    ['snrDb', [-20, 14], [-51, 51]],
    ['marginDb', [-32, 31], [-33, 32]],
  ])('%s', (metric, good, bad) => {
    expect(good.filter((value) => !canBe(metric, value))).toEqual([]);
    expect(bad.filter((value) => canBe(metric, value))).toEqual([]);
  });

  it('is asked of every metric: those without limits are told here, with why', () => {
    const free = [...sensorMetrics, ...networkMetrics, ...addedMetrics, ...unitMetrics].filter(
      ({ name, type }) => type === 'number' && metricLimits(name) === null,
    );
    expect(free.map(({ name }) => name)).toEqual([
      // By its tank: levelLimits.
      'levelMm',
      // One of two, by the message.
      'flowDirection',
      // Amounts, never below nothing by the message; how much one message tells of depends on how long it was silent.
      'pulsesTotal',
      'pulses',
      'rainTipsTotal',
      'rainTips',
      // As the device was told.
      'commsIntervalMin',
      'rainTotalMm',
      'rainMm',
      'volumeTotalL',
      'volumeL',
      'rainTipsAdded',
      // A unit that lost its clock is years off, and that is so.
      'clock',
      // Counts of the unit's own, whole and not below nothing by the message.
      'hops',
      'scheduleNum',
      'cycleDay',
      'cycleLen',
    ]);
  });

  it('says nothing of values that a mapping names itself', () => {
    expect(metricLimits('custom.ph')).toBeNull();
    expect(metricLimits('counter.cows')).toBeNull();
  });
});
