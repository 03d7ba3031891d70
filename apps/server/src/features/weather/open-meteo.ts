import type { Timezone } from '@headrace/contract/farms';
import { createAjv } from '../../create-ajv.ts';
import {
  FETCHED_DAYS,
  PAST_DAYS,
  type Place,
  type SourceDay,
  type WeatherDriver,
  WeatherFault,
} from './weather-driver.ts';

/** A service that answers as Open-Meteo does. */
export interface WeatherSettings {
  /** Of its forecasts: `https://api.open-meteo.com/v1/forecast`. */
  readonly url: string;
  readonly token: string | null;
  /** What its owner asks to be named as. */
  readonly attribution: string;
}

const TIMEOUT_MS = 5000;
const MAX_BYTES = 256 * 1024;
const MOST_RAIN_MM = 3000;
const MOST_DAYS = 40;
const MOST_HOURS = MOST_DAYS * 24;
const asked = [
  'precipitation_sum',
  'precipitation_probability_max',
  'temperature_2m_min',
  'temperature_2m_max',
  'et0_fao_evapotranspiration',
] as const;
const WIND = 'wind_speed_10m';

/** What can't be (a rain of -1 mm, a minimum of 200 °C) refuses the answer: a wrong unit is worse than no forecast. */
const values = (minimum: number, maximum: number, maxItems = MOST_DAYS) => ({
  type: 'array',
  maxItems,
  items: { type: ['number', 'null'], minimum, maximum },
});
type Values = readonly (number | null)[];
type Answer = {
  daily: { time: readonly string[]; precipitation_sum: Values } & Partial<
    Record<(typeof asked)[number], Values>
  >;
  hourly?: { time: readonly string[]; wind_speed_10m: Values };
};
const ajv = createAjv({ allowUnionTypes: true });
const isAnswer = ajv.compile<Answer>({
  type: 'object',
  required: ['daily'],
  properties: {
    daily: {
      type: 'object',
      required: ['time', 'precipitation_sum'],
      properties: {
        time: {
          type: 'array',
          minItems: 1,
          maxItems: MOST_DAYS,
          items: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
        },
        precipitation_sum: values(0, MOST_RAIN_MM),
        precipitation_probability_max: values(0, 100),
        temperature_2m_min: values(-100, 70),
        temperature_2m_max: values(-100, 70),
        et0_fao_evapotranspiration: values(0, 50),
      },
    },
    hourly: {
      type: 'object',
      required: ['time', WIND],
      properties: {
        time: {
          type: 'array',
          maxItems: MOST_HOURS,
          items: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$' },
        },
        [WIND]: values(0, 500, MOST_HOURS),
      },
    },
  },
});

/** Forecasts from the operator's one configured host; callers choose the place and nothing else of the address. */
export function createOpenMeteo(settings: WeatherSettings, timeoutMs = TIMEOUT_MS): WeatherDriver {
  return {
    source: settings.attribution,
    isDemo: false,
    async forecast(place) {
      const answer = await ask(addressOf(settings, place), timeoutMs);
      if (!isAnswer(answer)) throw new WeatherFault(`its answer can't be used: ${whyNot()}`);
      return toDays(answer);
    },
  };
}

async function ask(address: string, timeoutMs: number): Promise<unknown> {
  try {
    const response = await fetch(address, {
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
      headers: { accept: 'application/json', 'user-agent': 'Headrace' },
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new WeatherFault(`it answered with status ${response.status}`, response.status === 400);
    }
    return JSON.parse(await readText(response));
  } catch (error) {
    throw error instanceof WeatherFault ? error : new WeatherFault(reasonOf(error));
  }
}

function addressOf({ url, token }: WeatherSettings, { lat, lng, zone }: Place): string {
  const address = new URL(url);
  const parameters = {
    latitude: String(lat),
    longitude: String(lng),
    daily: asked.join(','),
    hourly: WIND,
    wind_speed_unit: 'kmh',
    timezone: zoneAsked(zone),
    forecast_days: String(FETCHED_DAYS),
    past_days: String(PAST_DAYS),
    ...(token && { apikey: token }),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address.href;
}

/** Keeps the standard time of Adelaide and Broken Hill, which is at no whole hour. */
const DARWIN = { rawOffset: 34_200, name: 'Australia/Darwin' } as const;

/**
 * By which zone's days the source is to sum. For a farm that keeps standard time all year, where its zone doesn't, the one
 * of a fixed offset, which the time zone database has for whole hours (its signs are turned: Etc/GMT-12 is UTC+12). For the
 * Chathams, Newfoundland and Lord Howe it is the nearest hour's.
 */
function zoneAsked({ timeZoneId, dstEnabled, dstOffset, rawOffset }: Timezone): string {
  if (dstEnabled || dstOffset === 0) return timeZoneId;
  if (rawOffset === DARWIN.rawOffset) return DARWIN.name;
  const hours = Math.round(rawOffset / 3600);
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new WeatherFault(`its answer has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Names the member, and nothing of what it holds. */
const whyNot = () => ajv.errorsText(isAnswer.errors, { dataVar: '' }).slice(0, 200);

function toDays({ daily, hourly }: Answer): SourceDay[] {
  const windAt = new Map(hourly?.time.map((time, index) => [time, hourly.wind_speed_10m[index] ?? null]));
  return daily.time.map((date, index) => ({
    date,
    rain: daily.precipitation_sum[index] ?? null,
    chance: daily.precipitation_probability_max?.[index] ?? null,
    minTemperature: daily.temperature_2m_min?.[index] ?? null,
    maxTemperature: daily.temperature_2m_max?.[index] ?? null,
    et0: daily.et0_fao_evapotranspiration?.[index] ?? null,
    wind: HOURS.map((hour) => windAt.get(`${date}T${hour}`) ?? null),
  }));
}

const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);

/** fetch wraps what happened; a fault in JSON would quote the answer, and a fault in the address the token. */
function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'its answer is no JSON';
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError') return 'no answer in time';
  if (!(error.cause instanceof Error)) return 'no connection';
  const { cause } = error;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message.slice(0, 200);
}
