import { describe, expect, it } from 'vitest';
import { sensorTypes } from '../sensor-types.ts';
import type { SensorSettings } from '../sensors.ts';
import { clampSensorSettings, newSensorSettings } from './sensor-settings.ts';

const { LEVEL, LEVEL_MM, FLOW_ANALOG, FLOW_PULSE, SOIL_MOISTURE, TLM_V3 } = sensorTypes;
const now = new Date('2026-11-20T21:00:00.000Z');
const clamp = (type: number, settings: SensorSettings) => clampSensorSettings(type, settings, now);

it('types of sensors have their numbers', () => {
  expect(sensorTypes).toEqual({
    LEVEL_MM: 0,
    FLOW_ANALOG: 1,
    SOIL_MOISTURE: 2,
    FLOW_PULSE: 3,
    FLOW: 4,
    LEVEL_SCALAR: 5,
    LEVEL: 6,
    SWITCH: 7,
    TLM_V3: 100,
  });
});

describe('settings of a sensor', () => {
  it.each<[string, number, SensorSettings, SensorSettings, string]>([
    [
      'zero value of an analog flow meter',
      FLOW_ANALOG,
      { offset: -1 },
      { offset: 0 },
      'Zero value can not be less than 0',
    ],
    ['offset', LEVEL_MM, { offset: -0.5 }, { offset: 0 }, 'Offset can not be less than 0'],
    [
      'top water level',
      LEVEL,
      { offset: 100, toplevel: 3101 },
      { offset: 100, toplevel: 3100 },
      'Top water level can not be greater than offset + 3000 mm',
    ],
    [
      'top water level over the usual offset of 500',
      TLM_V3,
      { toplevel: 3501 },
      { toplevel: 3500 },
      'Top water level can not be greater than offset + 3000 mm',
    ],
    ['tank volume', LEVEL_MM, { volume: -1 }, { volume: 0 }, 'Tank volume can not be less than 0'],
    ['tank height', LEVEL_MM, { height: -1 }, { height: 0 }, 'Tank height can not be less than 0'],
    [
      'volume per pulse',
      FLOW_PULSE,
      { litrePerPulse: 0.9 },
      { litrePerPulse: 1 },
      'Volume per pulse can not be less than 1',
    ],
    [
      'install date a second ahead',
      LEVEL_MM,
      { sensorInstallDate: '2026-11-20T21:00:01Z' },
      { sensorInstallDate: '2026-11-20T21:00:00.000Z' },
      'Sensor install date can not be in the future',
    ],
  ])(
    '%s is brought within its bound, with the warning people know',
    (_name, type, given, settings, message) => {
      const result = clamp(type, given);
      expect(result.settings).toEqual(settings);
      expect(result.warnings.map((warning) => warning.message)).toEqual([message]);
    },
  );

  it.each<[string, number, SensorSettings]>([
    ['the lowest of all', LEVEL_MM, { offset: 0, volume: 0, height: 0, litrePerPulse: 1 }],
    ['a top level of exactly offset + 3000', LEVEL_MM, { offset: 0, toplevel: 3000 }],
    ['a top level of a sensor that is no tank', SOIL_MOISTURE, { toplevel: 9000 }],
    ['an install date of now', LEVEL_MM, { sensorInstallDate: '2026-11-20T21:00:00Z' }],
    ['no install date', LEVEL_MM, { sensorInstallDate: null }],
    ['nothing', TLM_V3, {}],
    ['names of soil probes', SOIL_MOISTURE, { swp1_name: '20 cm', temp_channel: 1 }],
  ])('%s stays as it is', (_name, type, settings) => {
    expect(clamp(type, settings)).toEqual({ settings, warnings: [] });
  });

  it('warns of the top level when the offset was too low as well', () => {
    const { settings, warnings } = clamp(LEVEL_MM, { offset: -10, toplevel: 3200 });
    expect(settings).toEqual({ offset: 0, toplevel: 3000 });
    expect(warnings.map(({ field }) => field)).toEqual(['offset', 'toplevel']);
  });

  it('gives a meter that is switched on the tank inlet, and takes the direction of one that is switched off', () => {
    expect(clamp(TLM_V3, { enabledFlow: true }).settings.flowDirection).toBe(0);
    expect(clamp(TLM_V3, { enabledFlow: true, flowDirection: 1 }).settings.flowDirection).toBe(1);
    expect(clamp(TLM_V3, { enabledFlow: false, flowDirection: 1 }).settings.flowDirection).toBeNull();
    expect(clamp(FLOW_PULSE, { enabledFlow: true }).settings).toEqual({ enabledFlow: true });
  });

  it('begins with 500, 3000, 2500 mm and 30,000 L for a tank, and passes its own rules', () => {
    expect(newSensorSettings(TLM_V3)).toEqual({
      offset: 500,
      height: 3000,
      toplevel: 2500,
      volume: 30_000,
      spfactor: 10,
      litrePerPulse: 10,
    });
    expect(newSensorSettings(SOIL_MOISTURE)).toEqual({ spfactor: 10 });
    for (const type of Object.values(sensorTypes))
      expect(clamp(type, newSensorSettings(type)).warnings).toEqual([]);
  });
});
