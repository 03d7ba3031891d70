import { describe, expect, it } from 'vitest';
import { canterburyPlains, centralWestQueensland } from '@headrace/demo/climates';
import type { TankUse } from '@headrace/demo/profile';
import { batteryVolts, startCharge, stepCharge } from './battery.ts';
import { demandLpm } from './demand.ts';
import { createLocalClock } from './local-time.ts';
import { stepSoil, startSoil, tensionKpa } from './soil.ts';
import { createWeather } from './weather.ts';

const hourMs = 3_600_000;
const canterbury = createWeather(canterburyPlains, { lat: -43.75, lng: 171.95 }, 'test');
const blackall = createWeather(centralWestQueensland, { lat: -24.6, lng: 145.2 }, 'test');

/** Every hour of a month. */
function month(weather: typeof canterbury, number: number, year = 2026) {
  const from = Date.UTC(year, number - 1, 1);
  return Array.from({ length: 30 * 24 }, (_, hour) => weather(from + hour * hourMs));
}
const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
const sum = (list: readonly number[]) => list.reduce((total, value) => total + value, 0);

describe('weather', () => {
  it('is the same for the same seed and another for another', () => {
    const again = createWeather(canterburyPlains, { lat: -43.75, lng: 171.95 }, 'test');
    const other = createWeather(canterburyPlains, { lat: -43.75, lng: 171.95 }, 'other');
    expect(month(again, 5)).toEqual(month(canterbury, 5));
    expect(month(other, 5)).not.toEqual(month(canterbury, 5));
  });

  it.each([
    ['Canterbury', canterbury, 16.9, 6],
    ['Blackall', blackall, 30, 16.5],
  ])('has the summers and winters of the south in %s', (_name, weather, january, july) => {
    expect(Math.abs(mean(month(weather, 1).map((at) => at.temperatureC)) - january)).toBeLessThan(2.5);
    expect(Math.abs(mean(month(weather, 7).map((at) => at.temperatureC)) - july)).toBeLessThan(2.5);
  });

  it('brings a plausible year of rain and of evapotranspiration', () => {
    const rain: number[] = [];
    for (let year = 2020; year < 2026; year += 1)
      for (let number = 1; number <= 12; number += 1)
        rain.push(sum(month(canterbury, number, year).map((at) => at.rainMmPerHour)));
    expect(mean(rain) * 12.2).toBeGreaterThan(450);
    expect(mean(rain) * 12.2).toBeLessThan(850);
    expect(Math.min(...rain)).toBeGreaterThanOrEqual(0);
    const perDay = (number: number) => sum(month(canterbury, number).map((at) => at.etMmPerHour)) / 30;
    expect(perDay(1)).toBeGreaterThan(3.2);
    expect(perDay(1)).toBeLessThan(5.6);
    expect(perDay(7)).toBeLessThan(1.3);
  });

  it('is dark at midnight and warmest in the afternoon', () => {
    const clock = createLocalClock('Pacific/Auckland');
    const byHour = new Map<number, number[]>();
    for (let hour = 0; hour < 30 * 24; hour += 1) {
      const at = Date.UTC(2026, 0, 1) + hour * hourMs;
      const local = Math.floor(clock(at).hour);
      byHour.set(local, [...(byHour.get(local) ?? []), canterbury(at).temperatureC]);
      if (local === 0) expect(canterbury(at).sun).toBe(0);
    }
    const means = [...byHour].sort((one, other) => mean(other[1]) - mean(one[1])).map(([hour]) => hour);
    expect(means[0]).toBeGreaterThanOrEqual(14);
    expect(means[0]).toBeLessThanOrEqual(18);
    expect([4, 5, 6]).toContain(means.at(-1));
  });
});

describe('demand over a day', () => {
  const uses: TankUse[] = ['stock', 'house', 'dairy-shed', 'wash'];
  const at = (use: TankUse, hour: number, slotChance = 0.9) =>
    demandLpm({ use, litresPerDay: 14_400, hour, month: 4, slotChance, dayChance: 0.5 });

  it('stock do not drink between 02:00 and 06:00', () => {
    for (let minute = 120; minute < 360; minute += 5) expect(at('stock', minute / 60)).toBe(0);
  });

  it('stock drink most in the morning and in the late afternoon', () => {
    expect(at('stock', 8.3)).toBeGreaterThan(2 * at('stock', 11));
    expect(at('stock', 17)).toBeGreaterThan(at('stock', 8.3));
    expect(at('stock', 23)).toBeLessThan(at('stock', 11) / 2);
  });

  it('a dairy shed washes down after each of two milkings', () => {
    expect(at('dairy-shed', 9.2)).toBeGreaterThan(2 * at('dairy-shed', 7));
    expect(at('dairy-shed', 17.2)).toBeGreaterThan(2 * at('dairy-shed', 15.5));
    expect(at('dairy-shed', 12)).toBeLessThan(at('dairy-shed', 7) / 10);
  });

  it.each(uses)('%s draws as much in a day as it should', (use) => {
    const slots = Array.from({ length: 144 * 20 }, (_, slot) =>
      at(use, ((slot % 144) + 0.5) / 6, ((slot * 7919) % 1000) / 1000),
    );
    // April is the mean of the year's swing.
    expect(mean(slots) * 1440).toBeGreaterThan(14_400 * 0.9);
    expect(mean(slots) * 1440).toBeLessThan(14_400 * 1.15);
  });
});

describe('batteries', () => {
  function year(kind: 'good' | 'shaded' | 'failing'): number[] {
    let charge = startCharge(kind);
    const volts: number[] = [];
    for (let hour = 0; hour < 365 * 24; hour += 1) {
      const { sun, temperatureC } = canterbury(Date.UTC(2025, 0, 1) + hour * hourMs);
      charge = stepCharge(kind, charge, 1, sun);
      volts.push(batteryVolts(kind, charge, sun, temperatureC) ?? 0);
    }
    return volts;
  }

  it('with a good panel stay well above 3.5 V, with a failing one below', () => {
    expect(Math.min(...year('good'))).toBeGreaterThan(3.6);
    expect(Math.max(...year('failing'))).toBeLessThan(3.5);
    expect(Math.min(...year('failing'))).toBeGreaterThan(3.1);
  });

  it('gain by day and lose by night', () => {
    const noon = stepCharge('good', 0.5, 1, 0.8);
    expect(noon).toBeGreaterThan(0.5);
    expect(stepCharge('good', 0.5, 1, 0)).toBeLessThan(0.5);
  });
});

describe('soil', () => {
  const dry = { rainMmPerHour: 0, irrigationMmPerHour: 0, etMmPerHour: 4.5 / 24 };

  it('dries by a few kPa a day in its usual window', () => {
    const soil = { topMm: 20, deepMm: 20, rainMm: 0 };
    const before = tensionKpa('loam', soil.topMm);
    const after = tensionKpa('loam', stepSoil(soil, 24, dry).topMm);
    expect(after - before).toBeGreaterThan(2);
    expect(after - before).toBeLessThan(8);
  });

  it('is wetted by rain and by watering, from the top', () => {
    const soil = { topMm: 25, deepMm: 25, rainMm: 0 };
    const rained = stepSoil(soil, 1, { ...dry, rainMmPerHour: 10 });
    expect(rained.topMm).toBeLessThan(16);
    expect(rained.deepMm).toBeGreaterThan(20);
    expect(rained.rainMm).toBe(10);
    expect(stepSoil(soil, 1, { ...dry, irrigationMmPerHour: 5 })).toMatchObject({ rainMm: 0 });
  });

  it('keeps between flooded and as dry as the probe can tell', () => {
    let soil = startSoil();
    for (let hour = 0; hour < 3000; hour += 1) soil = stepSoil(soil, 1, dry);
    expect(tensionKpa('loam', soil.topMm)).toBe(199);
    for (let hour = 0; hour < 50; hour += 1) soil = stepSoil(soil, 1, { ...dry, rainMmPerHour: 20 });
    expect(tensionKpa('loam', soil.topMm)).toBeGreaterThan(5);
    expect(tensionKpa('loam', soil.topMm)).toBeLessThan(10);
  });
});

describe('the local clock', () => {
  // Daylight saving began in New Zealand at 02:00 on 28 September 2025 (14:00 UTC the day before).
  it.each([
    ['Pacific/Auckland', '2025-09-27T13:59:00Z', 1.983],
    ['Pacific/Auckland', '2025-09-27T14:00:00Z', 3],
    ['Australia/Brisbane', '2025-12-01T00:00:00Z', 10],
    ['Pacific/Chatham', '2026-01-01T00:00:00Z', 13.75],
    ['Australia/Lord_Howe', '2026-07-01T00:00:00Z', 10.5],
  ])('knows %s at %s', (zone, at, hour) => {
    expect(createLocalClock(zone)(Date.parse(at)).hour).toBeCloseTo(hour, 2);
  });
});
