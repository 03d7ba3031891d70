import fc from 'fast-check';
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
      'tank height',
      LEVEL_MM,
      { height: 100, toplevel: 2500 },
      { height: 2500, toplevel: 2500 },
      'Tank height can not be less than the top water level',
    ],
    [
      'offset',
      LEVEL_MM,
      { offset: 2500, toplevel: 2500, height: 2500 },
      { offset: 2499, toplevel: 2500, height: 2500 },
      'Offset must be less than the top water level',
    ],
    ['offset', LEVEL_MM, { offset: 99_999 }, { offset: 20_000 }, 'Offset can not be more than 20000 mm'],
    [
      'tank height',
      LEVEL,
      { height: 20_001 },
      { height: 20_000 },
      'Tank height can not be more than 20000 mm',
    ],
    [
      'volume per pulse',
      FLOW_PULSE,
      { litrePerPulse: 100_001 },
      { litrePerPulse: 100_000 },
      'Volume per pulse can not be more than 100000',
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
    ['a tank that is full at its rim', LEVEL_MM, { offset: 0, toplevel: 3000, height: 3000 }],
    ['an offset just below the top level', LEVEL_MM, { offset: 2499, toplevel: 2500 }],
    ['the highest of all', LEVEL_MM, { offset: 17_000, toplevel: 20_000, height: 20_000 }],
    ['a zero value of an analog meter, which is no length', FLOW_ANALOG, { offset: 99_999 }],
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

  it('asks all at once of a tank where nothing fits, one warning a field, and what it makes of it passes', () => {
    const nonsense = { offset: 99_999, toplevel: 9999, height: 100 };
    const { settings, warnings } = clamp(LEVEL_MM, nonsense);
    expect(settings).toEqual({ offset: 9998, toplevel: 9999, height: 9999 });
    expect(warnings.map(({ field }) => field)).toEqual(['offset', 'height']);
    expect(clamp(LEVEL_MM, settings).warnings).toEqual([]);
  });

  it('what it makes of any numbers passes its own rules', () => {
    const mm = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    const any = fc.record(
      { offset: mm, height: mm, toplevel: mm.filter((value) => value >= 1), volume: mm, litrePerPulse: mm },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(any, fc.constantFrom(...Object.values(sensorTypes)), (given, type) => {
        const { settings } = clamp(type, given);
        expect(clamp(type, settings).warnings).toEqual([]);
      }),
    );
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
