import { type Place, type SourceDay, type WeatherDriver, WeatherFault } from './weather-driver.ts';

/** What a source said of a place, and when (epoch ms). */
export interface Fetched {
  at: number;
  days: SourceDay[];
  /** Older than an hour, since the source doesn't answer. */
  isStale: boolean;
}

const HOUR = 3_600_000;
/** Forecast models run every 1 to 6 hours. */
const FRESH_MS = HOUR;
/** An older forecast is no news of today. */
const KEPT_MS = 24 * HOUR;
const PLACES_MAX = 500;
/** After a failure the source is left alone this long, doubled by each further one. */
const REST_MS = { first: 30_000, most: 15 * 60_000 } as const;
/** Together for all places: a caller who asks for one place after the other doesn't use up the operator's allowance. */
const ASKED_PER_MINUTE = 60;

interface Rest {
  until: number;
  failures: number;
}

/**
 * Forecasts in memory, by place and zone: they are few and small, each is fetched again by one request after a restart, and
 * the database need not hold what its source replaces by the hour. Nobody waits for a source that just failed.
 */
export function createForecastCache(
  driver: WeatherDriver,
  log: { warn(details: object, message: string): void },
) {
  const known = new Map<string, { at: number; days: SourceDay[] }>();
  const underWay = new Map<string, Promise<void>>();
  const rests = new Map<string, Rest>();
  let asked = { since: 0, count: 0 };

  const keyOf = ({ lat, lng, zone }: Place) => `${lat} ${lng} ${zone.timeZoneId} ${zone.dstEnabled}`;
  const restsAt = (key: string, now: number) => (rests.get(key)?.until ?? 0) > now;

  function mayAsk(key: string, now: number): boolean {
    if (restsAt(ALL, now) || restsAt(key, now)) return false;
    if (now - asked.since >= 60_000) asked = { since: now, count: 0 };
    asked.count += 1;
    return asked.count <= ASKED_PER_MINUTE;
  }

  async function ask(key: string, place: Place, now: Date): Promise<void> {
    try {
      const days = await driver.forecast(place, now);
      keep(known, key, { at: now.getTime(), days });
      rests.delete(key);
      rests.delete(ALL);
    } catch (error) {
      const fault = error instanceof WeatherFault ? error : new WeatherFault('unknown');
      const whose = fault.ofPlace ? key : ALL;
      const failures = (rests.get(whose)?.failures ?? 0) + 1;
      const rest = Math.min(REST_MS.most, REST_MS.first * 2 ** (failures - 1));
      keep(rests, whose, { failures, until: now.getTime() + rest });
      // Not the address, which may hold the token.
      log.warn({ reason: fault.message, retryInSeconds: rest / 1000 }, 'the weather source gave no forecast');
    }
  }

  return {
    /** Null when nothing is known that is younger than a day. Never throws. */
    async read(place: Place, now: Date): Promise<Fetched | null> {
      const key = keyOf(place);
      const at = now.getTime();
      const isFresh = () => at - (known.get(key)?.at ?? Number.NEGATIVE_INFINITY) < FRESH_MS;
      if (!isFresh()) {
        const running = underWay.get(key);
        if (running) await running;
        else if (mayAsk(key, at)) {
          const request = ask(key, place, now).finally(() => underWay.delete(key));
          underWay.set(key, request);
          await request;
        }
      }
      const found = known.get(key);
      return !found || at - found.at > KEPT_MS ? null : { ...found, isStale: !isFresh() };
    },
  };
}

const ALL = '*';

/** The oldest goes when there are too many. */
function keep<T>(map: Map<string, T>, key: string, entry: T): void {
  map.delete(key);
  map.set(key, entry);
  const [oldest] = map.keys();
  if (map.size > PLACES_MAX && oldest !== undefined) map.delete(oldest);
}
