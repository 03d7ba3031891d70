import type { Timezone } from '@headrace/contract/farms';
import type { Forecast } from '@headrace/contract/weather';
import type { FarmRow } from '../../db/schema.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { zoneOfPlace } from '../farms/zone-of-place.ts';
import { createForecastCache, type Fetched } from './forecast-cache.ts';
import { dayText, sumOfRain } from './forecast-days.ts';
import { usualWind } from './usual-wind.ts';
import type { SourceDay, WeatherDriver } from './weather-driver.ts';

export interface WeatherOptions {
  /** No forecast anywhere when null: rain is never made up. */
  readonly driver: WeatherDriver | null;
  readonly log: { warn(details: object, message: string): void };
}

/** Rain expected, mm; `at`: ISO time when the forecast was fetched; `source`: whose it is. */
export interface ExpectedRain {
  rain: number;
  at: string;
  source: string;
  isDemo: boolean;
}

/** Of a day, YYYY-MM-DD. */
export interface PastEt0 {
  readonly day: string;
  readonly mm: number;
  readonly source: string;
  readonly isDemo: boolean;
}

/** From today on, and before it. */
interface Known extends Fetched {
  readonly past: readonly SourceDay[];
}

const SHOWN_DAYS = 10;
/** A tenth of a degree, about 11 km: forecasts know no more, and the source learns no farm's exact place. */
const tenth = (degrees: number) => Math.round(degrees * 10) / 10 || 0;

export function createWeatherService({ driver, log }: WeatherOptions) {
  const cache = driver && createForecastCache(driver, log);

  async function read(lat: number, lng: number, zone: Timezone, now: Date): Promise<Known | null> {
    const fetched = await cache?.read({ lat: tenth(lat), lng: tenth(lng), zone }, now);
    if (!fetched) return null;
    const today = dayText(zone, now.getTime());
    const days = fetched.days.filter(({ date }) => date >= today).slice(0, SHOWN_DAYS);
    const past = fetched.days.filter(({ date }) => date < today);
    return days.length === 0 ? null : { ...fetched, days, past };
  }

  return {
    /** The farm's days from today on, by its zone. Null: no source, or nothing from it that is younger than a day. */
    async forecast(farm: FarmRow, now: Date): Promise<Forecast | null> {
      const fetched = await read(farm.lat, farm.lng, toZone(farm), now);
      if (!driver || !fetched) return null;
      const { days, at, isStale } = fetched;
      return {
        source: driver.source,
        isDemo: driver.isDemo,
        fetchedAt: new Date(at).toISOString(),
        isStale,
        days: days.map(({ wind: _wind, ...day }) => day),
        windByHour: usualWind(days),
      };
    },

    /** Reference evapotranspiration of days that are over, as the source reckons it, mm; empty: no source. */
    async pastEt0(farm: FarmRow, now: Date): Promise<PastEt0[]> {
      const fetched = await read(farm.lat, farm.lng, toZone(farm), now);
      if (!driver || !fetched) return [];
      const { source, isDemo } = driver;
      return fetched.past.flatMap(({ date, et0 }) =>
        et0 === null ? [] : [{ day: date, mm: et0, source, isDemo }],
      );
    },

    /**
     * Rain expected today and on `days` more days (0 to 9), mm, by the days of the place. Null where it isn't known of each
     * of these days: part of a sum would be told as the whole. `dstEnabled` false: days of its standard time.
     */
    async rainOver(
      { lat, lng, dstEnabled = true }: { lat: number; lng: number; dstEnabled?: boolean | undefined },
      days: number,
      now: Date,
    ): Promise<ExpectedRain | null> {
      if (!driver) return null;
      const place = zoneOfPlace(lat, lng, now);
      const zone = { ...place, dstEnabled: place.dstEnabled && dstEnabled };
      const fetched = await read(lat, lng, zone, now);
      const rain = fetched && sumOfRain(fetched.days, zone, days, now);
      if (!fetched || rain === null) return null;
      const { source, isDemo } = driver;
      return { rain, at: new Date(fetched.at).toISOString(), source, isDemo };
    },
  };
}
export type WeatherService = ReturnType<typeof createWeatherService>;
