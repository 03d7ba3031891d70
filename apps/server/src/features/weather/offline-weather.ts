import { createHash } from 'node:crypto';
import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import { dayText } from './forecast-days.ts';
import { FETCHED_DAYS, PAST_DAYS, type Place, type SourceDay, type WeatherDriver } from './weather-driver.ts';

/**
 * Forecasts made up for demonstrations and tests, without a network: always the same for a place and a date, with rain on
 * about one day in three and seasons that turn. Marked as made up wherever they are shown.
 */
export const offlineWeather: WeatherDriver = {
  source: 'Made up for demonstration',
  isDemo: true,
  forecast: async (place, now) => {
    const today = dayStart(place.zone, now.getTime());
    return Array.from({ length: PAST_DAYS + FETCHED_DAYS }, (_, index) =>
      madeUp(place, dayText(place.zone, addDays(place.zone, today, index - PAST_DAYS))),
    );
  },
};

function madeUp({ lat, lng }: Place, date: string): SourceDay {
  const [wet, amount, warm] = shares(`${lat} ${lng} ${date}`);
  const isWet = wet < 0.35;
  const summer = summerShare(lat, date);
  const maxTemperature = rounded(12 + 12 * summer + 5 * warm - (isWet ? 2 : 0));
  return {
    date,
    // Many light days and few heavy ones.
    rain: isWet ? rounded(0.4 + 24 * amount ** 3) : 0,
    chance: Math.round(isWet ? 55 + 40 * amount : 35 * amount),
    minTemperature: rounded(maxTemperature - 8 - 4 * (1 - wet)),
    maxTemperature,
    et0: rounded((isWet ? 0.6 : 1) * (0.8 + 3.8 * summer + warm)),
    wind: madeUpWind(6 + 8 * amount),
  };
}

/** A breeze that freshens in the afternoon, km/h. */
const madeUpWind = (breeze: number): number[] =>
  Array.from({ length: 24 }, (_, hour) =>
    rounded(breeze + 16 * Math.max(0, Math.cos(((hour - 15.5) * Math.PI) / 12)) ** 2),
  );

/** Three numbers in [0, 1) that belong to a text. */
function shares(text: string): [number, number, number] {
  const bytes = createHash('sha256').update(text).digest();
  return [0, 4, 8].map((at) => bytes.readUInt32BE(at) / 2 ** 32) as [number, number, number];
}

/** 0 in the middle of winter, 1 in the middle of summer. */
function summerShare(lat: number, date: string): number {
  const day = (Date.parse(date) - Date.UTC(Number(date.slice(0, 4)), 0, 15)) / 86_400_000;
  const january = (1 + Math.cos((2 * Math.PI * day) / 365.25)) / 2;
  return lat < 0 ? january : 1 - january;
}

const rounded = (value: number) => Math.round(value * 10) / 10;
