import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Forecast } from '@headrace/contract/weather';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { offlineWeather } from './offline-weather.ts';
import { createOpenMeteo } from './open-meteo.ts';
import { createWeatherService } from './weather.service.ts';

const HOUR = 3_600_000;
const start = new Date('2026-11-20T21:00:00Z');
const later = (ms: number) => new Date(start.getTime() + ms);
const silent = { warn(_details: object) {} };

/** Eleven days from 21 November on, with 1, 2, 3 … mm of rain. */
const daily = () => {
  const days = Array.from({ length: 11 }, (_, index) => index);
  const all = (value: (day: number) => unknown) => days.map((day) => value(day));
  return {
    time: all((day) => new Date(Date.UTC(2026, 10, 21 + day)).toISOString().slice(0, 10)),
    precipitation_sum: all((day) => day + 1),
    precipitation_probability_max: all((day) => (day === 1 ? null : 40)),
    temperature_2m_min: all(() => 8.5),
    temperature_2m_max: all(() => 21.4),
    et0_fao_evapotranspiration: all(() => 4.25),
  };
};
const answered = (changes: object = {}, more: object = {}) =>
  JSON.stringify({
    latitude: -43.75,
    timezone: 'Pacific/Auckland',
    daily: { ...daily(), ...changes },
    ...more,
  });

let answer: (request: IncomingMessage, response: ServerResponse) => void;
const asked: URL[] = [];
const http = createServer((request, response) => {
  asked.push(new URL(request.url ?? '', 'http://source'));
  response.setHeader('connection', 'close');
  answer(request, response);
});
beforeAll(() => new Promise<void>((done) => http.listen(0, '127.0.0.1', done)));
afterAll(() => http.close());
beforeEach(() => {
  asked.length = 0;
  answer = (_request, response) => response.end(answered());
});

const driver = (timeoutMs?: number) =>
  createOpenMeteo(
    {
      url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1/forecast`,
      token: 'secret',
      attribution: 'The Met',
    },
    timeoutMs,
  );
const service = (log = silent) => createWeatherService({ driver: driver(300), log });
/** Rain today at one place, mm. */
const rainAt = (weather: ReturnType<typeof service>, now: Date, lat = -43.75) =>
  weather.rainOver({ lat, lng: 171.95 }, 0, now);

describe('the forecast of a farm', () => {
  let server: TestServer;
  let world: FarmWorld;
  afterEach(() => server.close());
  async function ask(weather: ReturnType<typeof driver> | null): Promise<Forecast | null> {
    server = await createTestServer({ weather });
    world = await buildFarmWorld(server);
    return (await world.get('GET /weather/forecast', { farmUID: world.farm.uid })).json<Forecast | null>();
  }

  it('is ten days from today on, as the source tells them, with whose it is and when it was fetched', async () => {
    const forecast = await ask(driver());
    expect(forecast).toMatchObject({
      source: 'The Met',
      isDemo: false,
      isStale: false,
      fetchedAt: '2026-11-20T21:00:00.000Z',
    });
    expect(forecast?.days).toHaveLength(10);
    const day = {
      date: '2026-11-21',
      rain: 1,
      chance: 40,
      minTemperature: 8.5,
      maxTemperature: 21.4,
      et0: 4.25,
    };
    expect(forecast?.days.slice(0, 2)).toEqual([day, { ...day, date: '2026-11-22', rain: 2, chance: null }]);
  });

  it('is asked for by a tenth of a degree and the farm’s zone, with the key', async () => {
    await ask(driver());
    expect(asked).toHaveLength(1);
    expect(asked[0]?.pathname).toBe('/v1/forecast');
    // The farm is at -43.75, 171.95; a half rounds up.
    expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toEqual({
      latitude: '-43.7',
      longitude: '172',
      daily:
        'precipitation_sum,precipitation_probability_max,temperature_2m_min,temperature_2m_max,et0_fao_evapotranspiration',
      hourly: 'wind_speed_10m',
      wind_speed_unit: 'kmh',
      timezone: 'Pacific/Auckland',
      forecast_days: '11',
      past_days: '14',
      apikey: 'secret',
    });
  });

  it('is asked by the days of the farm’s own clock', async () => {
    server = await createTestServer({ weather: driver() });
    world = await buildFarmWorld(server);
    const change = { dst_enabled: false };
    await server.database.db.updateTable('farm').set(change).where('id', '=', world.farm.id).execute();
    await world.get('GET /weather/forecast', { farmUID: world.farm.uid });
    expect(asked[0]?.searchParams.get('timezone')).toBe('Etc/GMT-12');
  });

  it('tells the usual wind of each hour: the middle of its days, and nothing where an hour is known of too few', async () => {
    const hourly = (days: number) => {
      const hours = Array.from({ length: days * 24 }, (_, hour) => hour);
      const time = hours.map((hour) => new Date(Date.UTC(2026, 10, 21, hour)).toISOString().slice(0, 16));
      // On the n-th day n km/h, and twenty more from 15:00 to 16:00.
      const kmh = hours.map((hour) => 1 + Math.floor(hour / 24) + (hour % 24 === 15 ? 20 : 0));
      return { time, wind_speed_10m: kmh };
    };
    answer = (_request, response) => response.end(answered({}, { hourly: hourly(5) }));
    const usual = Array.from({ length: 24 }, (_, hour) => (hour === 15 ? 23 : 3));
    expect((await ask(driver()))?.windByHour).toEqual(usual);
    await server.close();
    answer = (_request, response) => response.end(answered({}, { hourly: hourly(2) }));
    expect((await ask(driver()))?.windByHour).toBeNull();
    await server.close();
    answer = (_request, response) => response.end(answered());
    expect((await ask(driver()))?.windByHour).toBeNull();
  });

  it('is null without a source: nothing is made up', async () => {
    expect(await ask(null)).toBeNull();
  });

  it('of the demo is said to be made up, and stays the same', async () => {
    const forecast = await ask(offlineWeather);
    expect(forecast).toMatchObject({ isDemo: true, source: 'Made up for demonstration' });
    expect(forecast?.days.map(({ date }) => date).slice(0, 2)).toEqual(['2026-11-21', '2026-11-22']);
    await server.close();
    expect((await ask(offlineWeather))?.days).toEqual(forecast?.days);
    for (const day of forecast?.days ?? []) {
      expect(day.rain).toBeGreaterThanOrEqual(0);
      expect(day.minTemperature).toBeLessThan(day.maxTemperature ?? 0);
    }
  });
});

describe('rain over the next days', () => {
  it('is the sum of today and so many days more', async () => {
    // 1 mm today; 1 + 2 + 3 with two more days; 1 to 10 with nine.
    const weather = service();
    const over = async (days: number) => weather.rainOver({ lat: -43.75, lng: 171.95 }, days, start);
    expect(await over(0)).toEqual({
      rain: 1,
      at: '2026-11-20T21:00:00.000Z',
      source: 'The Met',
      isDemo: false,
    });
    expect((await over(2))?.rain).toBe(6);
    expect((await over(9))?.rain).toBe(55);
    expect(asked).toHaveLength(1);
  });

  it('begins with the new day after midnight, whenever it was fetched', async () => {
    const weather = service();
    await rainAt(weather, later(13.5 * HOUR));
    // 14 h later it is 00:00 on the 22nd: from then on 2 mm today, and ten days still.
    const after = later(14 * HOUR);
    expect((await rainAt(weather, after))?.rain).toBe(2);
    expect((await weather.rainOver({ lat: -43.75, lng: 171.95 }, 9, after))?.rain).toBe(65);
    expect(asked).toHaveLength(1);
  });

  it('is not known where a day of it is not', async () => {
    answer = (_request, response) =>
      response.end(answered({ precipitation_sum: [1, null, 3, 4, 5, 6, 7, 8, 9, 10, 11] }));
    const weather = service();
    expect((await weather.rainOver({ lat: -43.75, lng: 171.95 }, 0, start))?.rain).toBe(1);
    expect(await weather.rainOver({ lat: -43.75, lng: 171.95 }, 1, start)).toBeNull();
    expect(
      await createWeatherService({ driver: null, log: silent }).rainOver({ lat: 0, lng: 0 }, 0, start),
    ).toBeNull();
  });
});

describe('the source', () => {
  it.each([
    // Adelaide is 9 h 30 min ahead of UTC, St John's 3 h 30 min behind, London not at all.
    [-43.75, 171.95, 'Pacific/Auckland', 'Etc/GMT-12'],
    [-34.9, 138.6, 'Australia/Adelaide', 'Australia/Darwin'],
    [47.6, -52.7, 'America/St_Johns', 'Etc/GMT+3'],
    [51.5, -0.1, 'Europe/London', 'Etc/GMT'],
    [-27.5, 153, 'Australia/Brisbane', 'Australia/Brisbane'],
  ])(
    'at %s, %s is asked by the days of %s; for standard time all year by those of %s',
    async (lat, lng, zone, standard) => {
      const weather = service();
      for (const dstEnabled of [true, false, true])
        await weather.rainOver({ lat, lng, dstEnabled }, 0, start);
      const zones = [...new Set([zone, standard])];
      expect(asked.map(({ searchParams }) => searchParams.get('timezone'))).toEqual(zones);
    },
  );

  it('is asked once an hour for places that lie together, and once at a time', async () => {
    const weather = service();
    await Promise.all([-43.75, -43.74, -43.71].map((lat) => rainAt(weather, start, lat)));
    expect(asked).toHaveLength(1);
    await rainAt(weather, later(HOUR - 1));
    expect(asked).toHaveLength(1);
    await rainAt(weather, later(HOUR));
    await rainAt(weather, later(HOUR), -42);
    expect(asked).toHaveLength(3);
  });

  it('that fails leaves its last forecast, marked as old, for a day', async () => {
    const server = await createTestServer({ weather: driver(300) });
    const { farm, get } = await buildFarmWorld(server);
    const forecast = async () =>
      (await get('GET /weather/forecast', { farmUID: farm.uid })).json<Forecast | null>();
    expect((await forecast())?.isStale).toBe(false);
    answer = (_request, response) => response.writeHead(503).end();
    server.clock.now = later(2 * HOUR);
    expect(await forecast()).toMatchObject({ isStale: true, fetchedAt: '2026-11-20T21:00:00.000Z' });
    server.clock.now = later(24 * HOUR);
    expect((await forecast())?.days[0]).toMatchObject({ date: '2026-11-22', rain: 2 });
    server.clock.now = later(24 * HOUR + 1);
    expect(await forecast()).toBeNull();
    await server.close();
  });

  it('that fails is left alone for half a minute, then for twice as long', async () => {
    answer = (_request, response) => response.writeHead(503).end();
    const weather = service();
    // Asked at 0 s; again from 30 s on; then from 60 s after that on.
    const when = [0, 29, 30, 89, 90];
    const counts: number[] = [];
    for (const second of when) {
      expect(await rainAt(weather, later(second * 1000), -40 - second / 10)).toBeNull();
      counts.push(asked.length);
    }
    expect(counts).toEqual([1, 1, 2, 2, 3]);
  });

  it('that refuses one place is asked for others', async () => {
    answer = (request, response) =>
      request.url?.includes('latitude=-40&') ? response.writeHead(400).end() : response.end(answered());
    const weather = service();
    expect(await rainAt(weather, start, -40)).toBeNull();
    expect((await rainAt(weather, start, -41))?.rain).toBe(1);
    await rainAt(weather, later(1000), -40);
    expect(asked).toHaveLength(2);
  });

  it('is not asked for more than 60 places in a minute', async () => {
    const weather = service();
    for (let place = 0; place < 70; place += 1) await rainAt(weather, start, place);
    expect(asked).toHaveLength(60);
    await rainAt(weather, later(60_000), 80);
    expect(asked).toHaveLength(61);
  });

  it.each<[string, typeof answer, string]>([
    ['is silent', () => {}, 'no answer in time'],
    ['answers no JSON', (_q, r) => r.end('<html>secret</html>'), 'its answer is no JSON'],
    ['answers something else', (_q, r) => r.end('{"daily":{}}'), "its answer can't be used"],
    ['has rain that can not be', (_q, r) => r.end(answered({ precipitation_sum: [-1] })), "can't be used"],
    ['sends elsewhere', (_q, r) => r.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), 'redirect'],
    ['never ends', (_q, r) => r.end('x'.repeat(300_000)), 'more than 262144 bytes'],
  ])('that %s gives no forecast, and the log says why without the key', async (_what, wrong, reason) => {
    answer = wrong;
    const warnings: string[] = [];
    const weather = service({ warn: (details: object) => void warnings.push(JSON.stringify(details)) });
    expect(await rainAt(weather, start)).toBeNull();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(reason);
    expect(warnings[0]).not.toContain('secret');
  });
});
