import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyMapping } from './field-mapping.ts';
import { withNormalized } from './normalized-payload.ts';

const at = '2026-01-14T18:04:15.775Z';
const read = (normalized: unknown, object: object = {}) =>
  applyMapping(withNormalized(object, normalized), null, at);

describe('a normalized payload maps by itself', () => {
  // Units by hand: 1013.2 hPa is 101.32 kPa, 0.24 dS/m are 240 µS/cm.
  it.each([
    [
      [{ air: { temperature: 21.5, relativeHumidity: 61, pressure: 1013.2 } }],
      { temperatureC: 21.5, humidityPercent: 61, airPressureKpa: 101.32 },
    ],
    [
      [{ wind: { speed: 3.2, direction: 190 }, battery: 3.61 }],
      { windSpeedMs: 3.2, windDirectionDeg: 190, batteryV: 3.61 },
    ],
    [[{ rain: { intensity: 2, cumulative: 12.5 } }], { rainTotalMm: 12.5 }],
    [[{ water: { leak: true } }], { leak: true }],
    [
      [{ water: { leak: 'false', temperature: { current: 12, avg: 11 } } }],
      { leak: false, temperatureC: 12 },
    ],
    [
      [{ metering: { water: { total: 10_450 } } }, { action: { contactState: 'open' } }],
      { volumeTotalL: 10_450, doorOpen: true },
    ],
    [
      [{ soil: { moisture: 27, temperature: 14.2, ec: 0.24 } }],
      { vwc1Percent: 27, soilTemperature1C: 14.2, ec1UsCm: 240 },
    ],
    // One object is a list of one.
    [{ air: { temperature: 4 } }, { temperatureC: 4 }],
    // Where the air is measured, the water's temperature is another thing.
    [[{ air: { temperature: 20 }, water: { temperature: { current: 12 } } }], { temperatureC: 20 }],
  ])('%j', (normalized, values) => {
    expect(read(normalized)).toEqual({ values, problems: [] });
  });

  it('soil from the top down where the depths are known, else as it comes', () => {
    const soil = (moisture: number, depth?: number) => ({
      soil: { moisture, ...(depth !== undefined && { depth }) },
    });
    expect(read([soil(30, 60), soil(20, 10), soil(25, 30)]).values).toEqual({
      vwc1Percent: 20,
      vwc2Percent: 25,
      vwc3Percent: 30,
    });
    expect(read([soil(30, 60), soil(20), soil(25, 30)]).values).toEqual({
      vwc1Percent: 30,
      vwc2Percent: 20,
      vwc3Percent: 25,
    });
    expect(Object.keys(read(Array.from({ length: 12 }, () => soil(1))).values)).toHaveLength(8);
  });

  it('what was measured when it was sent, and not the log before it', () => {
    const measured = (time: string, temperature: number) => ({ time, air: { temperature } });
    const log = [
      measured('2026-01-14T16:04:15Z', 18),
      measured('2026-01-14T17:04:15Z', 19),
      measured('2026-01-14T18:00:00Z', 20),
      measured('no time', 1),
    ];
    expect(read(log)).toEqual({
      values: { temperatureC: 20 },
      problems: ['normalized_payload: 3 of 4 measurements are of other times and left out'],
    });
  });

  it('after members that are named as our values, and not at all beside a mapping', () => {
    const normalized = [{ air: { temperature: 21.5 }, battery: 3.6 }];
    expect(read(normalized, { temperatureC: 7 }).values).toEqual({ temperatureC: 7, batteryV: 3.6 });
    const object = withNormalized({ t: 1 }, normalized);
    expect(applyMapping(object, [{ path: 't', metric: 'temperatureC' }], at).values).toEqual({
      temperatureC: 1,
    });
    const own = [{ path: 'normalized_payload[0].battery', metric: 'custom.cell' as const }];
    expect(applyMapping(object, own, at).values).toEqual({ 'custom.cell': 3.6 });
  });

  it("beside a device's own member of that name, which stays", () => {
    expect(withNormalized({ normalized_payload: 'own' }, [{}])).toEqual({ normalized_payload: 'own' });
    expect([withNormalized(null, undefined), withNormalized({ a: 1 }, 'text')]).toEqual([null, { a: 1 }]);
  });

  it('whatever it is, without throwing', () => {
    fc.assert(
      fc.property(fc.anything(), (anything) => {
        expect(() => read(anything)).not.toThrow();
        expect(() => read([{ soil: anything, air: anything, time: anything }])).not.toThrow();
      }),
    );
  });
});
