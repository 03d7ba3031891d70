import type { Climate, LatLng } from '@headrace/demo/profile';
import { hash32 } from '@headrace/demo/random';
import { clamp, noiseAt, smoothNoise } from './noise.ts';

export type Weather = {
  readonly temperatureC: number;
  /** 0 clear, 1 overcast. */
  readonly cloud: number;
  /** What reaches a panel: 1 = overhead sun in a clear sky. */
  readonly sun: number;
  readonly rainMmPerHour: number;
  /** Reference evapotranspiration. */
  readonly etMmPerHour: number;
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const yearDays = 365.2425;
/** Weather changes every ten minutes and is the same within them, so that models can integrate exactly. */
export const slotMs = 600_000;

/** A farm's weather at any moment, from climate, place and seed alone: fronts, clouds, seasons and the sun's path. */
export function createWeather(climate: Climate, place: LatLng, seed: string): (at: number) => Weather {
  const keys = {
    front: hash32(`${seed}:front`),
    cloud: hash32(`${seed}:cloud`),
    warmth: hash32(`${seed}:warmth`),
  };
  const clearDay = clearSkyHours(place.lat);
  const slots = new Map<number, Weather>();

  function compute(at: number): Weather {
    const sky = sinElevation(place, at);
    const front = frontAt(climate, keys.front, at);
    const cloud = clamp((smoothNoise(keys.cloud, at / (19 * hourMs)) - 0.32) * 1.5 + front.cloud, 0, 1);
    const temperatureC =
      temperature(climate, place, at, cloud) + (smoothNoise(keys.warmth, at / (3.3 * dayMs)) - 0.5) * 6;
    const warmth = clamp((temperatureC + 5) / (climate.meanC + climate.seasonalSwingC + 5), 0.2, 1.25);
    return {
      temperatureC,
      cloud,
      sun: sky * (1 - 0.78 * cloud),
      rainMmPerHour: front.rainMmPerHour,
      etMmPerHour: (climate.peakEtMm / clearDay) * sky * (1 - 0.6 * cloud) * warmth,
    };
  }

  return (at) => {
    const slot = Math.floor(at / slotMs);
    let weather = slots.get(slot);
    if (!weather) {
      weather = compute((slot + 0.5) * slotMs);
      // Two days: more would cost a thousand farms a quarter of a gigabyte.
      if (slots.size > 400) slots.clear();
      slots.set(slot, weather);
    }
    return weather;
  };
}

/** Days into the year, near enough for seasons. */
function dayOfYear(at: number): number {
  return (at / dayMs) % yearDays;
}

function solarHour(place: LatLng, at: number): number {
  return (((at / hourMs + place.lng / 15) % 24) + 24) % 24;
}

/** Sine of the sun's height, 0 at night (Cooper's declination). */
function sinElevation(place: LatLng, at: number): number {
  const declination = -0.40928 * Math.cos((2 * Math.PI * (dayOfYear(at) + 10)) / yearDays);
  const latitude = (place.lat * Math.PI) / 180;
  const angle = ((solarHour(place, at) - 12) * Math.PI) / 12;
  return Math.max(
    0,
    Math.sin(latitude) * Math.sin(declination) + Math.cos(latitude) * Math.cos(declination) * Math.cos(angle),
  );
}

/** Sum of the sun's height over the hours of midsummer: turns the peak day into a rate. */
function clearSkyHours(lat: number): number {
  const midsummer = Date.UTC(2023, 11, 21);
  let sum = 0;
  for (let tenth = 0; tenth < 240; tenth += 1)
    sum += sinElevation({ lat, lng: 0 }, midsummer + (tenth * hourMs) / 10) / 10;
  return sum;
}

/** Warmest at the end of January, coldest at the end of July; dawn to mid-afternoon, less under cloud. */
function temperature(climate: Climate, place: LatLng, at: number, cloud: number): number {
  const season = climate.seasonalSwingC * Math.cos((2 * Math.PI * (dayOfYear(at) - 25)) / yearDays);
  const daily = Math.cos((2 * Math.PI * (solarHour(place, at) - 15)) / 24);
  return climate.meanC + season + climate.dailySwingC * (1 - 0.55 * cloud) * daily;
}

/** Fronts begin on days drawn by season, last 4 to 18 hours and rain in showers; two may overlap. */
function frontAt(climate: Climate, key: number, at: number): { rainMmPerHour: number; cloud: number } {
  const today = Math.floor(at / dayMs);
  let rainMmPerHour = 0;
  let cloud = 0;
  for (const day of [today - 1, today]) {
    const winter = 0.5 + 0.5 * Math.cos((2 * Math.PI * (dayOfYear(day * dayMs) - 196)) / yearDays);
    const perMonth =
      climate.frontsPerMonth.summer +
      (climate.frontsPerMonth.winter - climate.frontsPerMonth.summer) * winter;
    if (noiseAt(key, day * 4) > perMonth / 30.4) continue;
    const start = day * dayMs + noiseAt(key, day * 4 + 1) * dayMs;
    const duration = (4 + 14 * noiseAt(key, day * 4 + 2)) * hourMs;
    const passed = (at - start) / duration;
    if (passed > -0.3 && passed < 1.2) cloud += 0.6;
    if (passed < 0 || passed > 1) continue;
    const amount = Math.min(6, -Math.log(1 - noiseAt(key, day * 4 + 3))) * climate.meanFrontMm;
    const shower = 2 * noiseAt(key ^ 0x5bd1e995, Math.floor(at / slotMs));
    rainMmPerHour += (amount / (duration / hourMs)) * 2 * Math.sin(Math.PI * passed) ** 2 * shower;
  }
  return { rainMmPerHour, cloud };
}
