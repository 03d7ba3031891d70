import { describe, expect, it } from 'vitest';
import { sensorConfigTypes, sensorMessages, sensorTypes } from '../sensor-types.ts';
import { configTypesOf, pumpFaults } from './pump-control.ts';

const pump = { lowSetpoint: 40, highSetpoint: 80, maxRunTime: 120 };

describe('what a pump can be set to', () => {
  it.each([pump, { lowSetpoint: 0, highSetpoint: 100, maxRunTime: 0 }, { ...pump, maxRunTime: 1440 }])(
    '%j can be sent',
    (settings) => {
      expect(pumpFaults(settings)).toEqual([]);
    },
  );

  it.each([
    [{ lowSetpoint: -1 }, ['lowSetpoint']],
    [{ highSetpoint: 100.5 }, ['highSetpoint']],
    [{ lowSetpoint: Number.NaN, highSetpoint: 101 }, ['lowSetpoint', 'highSetpoint']],
    [{ lowSetpoint: 80 }, ['lowSetpoint']],
    [{ lowSetpoint: 81 }, ['lowSetpoint']],
    [{ maxRunTime: 1441 }, ['maxRunTime']],
    [{ maxRunTime: 0.5 }, ['maxRunTime']],
    [{ maxRunTime: -1 }, ['maxRunTime']],
  ])('%j is a fault of %j', (wrong, fields) => {
    expect(pumpFaults({ ...pump, ...wrong }).map(({ field }) => field)).toEqual(fields);
  });
});

it('each type of sensor has its own configurations', () => {
  expect(configTypesOf(sensorTypes.TLM_V3)).toEqual([111, 112]);
  for (const type of [sensorTypes.LEVEL, sensorTypes.LEVEL_MM, sensorTypes.LEVEL_SCALAR])
    expect(configTypesOf(type)).toEqual([1]);
  expect(configTypesOf(sensorTypes.SOIL_MOISTURE)).toEqual([]);
});

it("a sensor's messages and configurations have the numbers of the specification", () => {
  expect(Object.values(sensorMessages)).toEqual([2, 101, 102, 103, 111, 112]);
  expect(sensorMessages).toMatchObject({ ACK: 2, D100_Level: 101, D100_Flow: 102, D100_CommsHealth: 103 });
  expect(sensorConfigTypes).toEqual({ LegacyTlm_PumpControl: 1, D100_PumpControl: 111, D100_FlowReset: 112 });
});
