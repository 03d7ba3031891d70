import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AddressSuggestion } from '@headrace/contract/farms';
import { buildAccount } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { createGeocodeService } from './geocode.service.ts';

interface Reply {
  suggestions: AddressSuggestion[];
  source: string;
}

let server: TestServer;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await createTestServer();
  headers = await server.signIn(await buildAccount(server.database.db));
});
afterAll(() => server.close());

describe('without a geocoder', () => {
  const ask = async (text: string) =>
    (await server.call('GET /geocode', { headers, query: { text } })).json<Reply>();
  const texts = async (text: string) => (await ask(text)).suggestions.map((one) => one.text);

  it('places of the gazetteer are suggested, with who made it', async () => {
    expect(await ask('Ashburton')).toEqual({
      suggestions: [
        {
          text: 'Ashburton, Canterbury, New Zealand',
          address: {
            fullAddress: 'Ashburton, Canterbury, New Zealand',
            street: '',
            suburb: '',
            city: 'Ashburton',
            zip: '',
            country: 'New Zealand',
          },
          lat: -43.898,
          lng: 171.73,
        },
        expect.objectContaining({ text: 'Ashburton, Victoria, Australia', lat: -37.867, lng: 145.083 }),
      ],
      source: 'GeoNames (CC BY 4.0)',
    });
  });

  it.each([
    ['ashb', 'Ashburton, Canterbury, New Zealand'],
    ['Taupō', 'Taupo, Waikato, New Zealand'],
    ['ashburton vic', 'Ashburton, Victoria, Australia'],
    ['Ashburton, New Zealand', 'Ashburton, Canterbury, New Zealand'],
    ['Waitangi, Chatham', 'Waitangi, Chatham Islands, New Zealand'],
    ['Hill New South Wales', 'Castle Hill, New South Wales, Australia'],
  ])('%s finds %s', async (text, first) => {
    expect((await texts(text))[0]).toBe(first);
  });

  it('a road before a place is kept', async () => {
    const { suggestions } = await ask('12 Race Road, Ashburton, Cant');
    expect(suggestions).toMatchObject([
      {
        text: '12 Race Road, Ashburton, Canterbury, New Zealand',
        address: { street: '12 Race Road', city: 'Ashburton' },
        lat: -43.898,
      },
    ]);
  });

  it('nothing is suggested for what is no place', async () => {
    expect(await texts('qqqqqq')).toEqual([]);
    expect(await texts('....')).toEqual([]);
  });

  it.each([['Ash'], ['  Ash  '], ['    '], ['']])('"%s" is too short', async (text) => {
    const reply = await server.call('GET /geocode', { headers, query: { text } });
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ field: 'text' });
  });

  it('only places of the enabled countries are suggested', async () => {
    const service = createGeocodeService({
      geocoder: null,
      countries: async () => ['au'],
      log: { warn() {} },
    });
    const { suggestions } = await service.suggest('Ashburton', new Date());
    expect(suggestions.map(({ text }) => text)).toEqual(['Ashburton, Victoria, Australia']);
  });
});

/** As each provider answers, cut to what is read and a little more. */
const point = (lng: number, lat: number) => ({ type: 'Point', coordinates: [lng, lat] });
const providers: [string, object, AddressSuggestion][] = [
  [
    'Mapbox v5',
    {
      id: 'address.123',
      place_name: '12 Race Road, Hinds 7773, New Zealand',
      place_type: ['address'],
      text: 'Race Road',
      address: '12',
      center: [171.57, -44],
      geometry: point(171.57, -44),
      properties: { accuracy: 'point' },
      context: [
        { id: 'postcode.1', text: '7773' },
        { id: 'place.2', text: 'Hinds' },
        { id: 'region.3', text: 'Canterbury', short_code: 'NZ-CAN' },
        { id: 'country.4', text: 'New Zealand', short_code: 'nz' },
      ],
    },
    {
      text: '12 Race Road, Hinds 7773, New Zealand',
      address: {
        fullAddress: '12 Race Road, Hinds 7773, New Zealand',
        street: '12 Race Road',
        suburb: '',
        city: 'Hinds',
        zip: '7773',
        country: 'New Zealand',
      },
      lat: -44,
      lng: 171.57,
    },
  ],
  [
    'Photon',
    {
      type: 'Feature',
      geometry: point(145.4, -36.38),
      properties: {
        osm_key: 'building',
        housenumber: '7',
        street: 'Channel Road',
        postcode: '3630',
        city: 'Shepparton',
        state: 'Victoria',
        country: 'Australia',
        countrycode: 'AU',
      },
    },
    {
      text: '7 Channel Road, Shepparton, Australia',
      address: {
        fullAddress: '7 Channel Road, Shepparton, Australia',
        street: '7 Channel Road',
        suburb: '',
        city: 'Shepparton',
        zip: '3630',
        country: 'Australia',
      },
      lat: -36.38,
      lng: 145.4,
    },
  ],
  [
    'Nominatim',
    {
      type: 'Feature',
      geometry: point(171.57, -44),
      properties: {
        place_id: 1,
        display_name: '12, Race Road, Lowcliffe, Hinds, 7773, New Zealand',
        address: {
          house_number: '12',
          road: 'Race Road',
          suburb: 'Lowcliffe',
          town: 'Hinds',
          postcode: '7773',
          country: 'New Zealand',
          country_code: 'nz',
        },
      },
    },
    {
      text: '12, Race Road, Lowcliffe, Hinds, 7773, New Zealand',
      address: {
        fullAddress: '12, Race Road, Lowcliffe, Hinds, 7773, New Zealand',
        street: '12 Race Road',
        suburb: 'Lowcliffe',
        city: 'Hinds',
        zip: '7773',
        country: 'New Zealand',
      },
      lat: -44,
      lng: 171.57,
    },
  ],
  [
    'LINZ',
    {
      type: 'Feature',
      geometry: point(171.57, -44),
      properties: {
        address_id: 9,
        full_address: '12 Race Road, Lowcliffe, Hinds',
        full_address_number: '12',
        full_road_name: 'Race Road',
        suburb_locality: 'Lowcliffe',
        town_city: 'Hinds',
      },
    },
    {
      text: '12 Race Road, Lowcliffe, Hinds',
      address: {
        fullAddress: '12 Race Road, Lowcliffe, Hinds',
        street: '12 Race Road',
        suburb: 'Lowcliffe',
        city: 'Hinds',
        zip: '',
        country: '',
      },
      lat: -44,
      lng: 171.57,
    },
  ],
];
const collection = (...features: object[]) => JSON.stringify({ type: 'FeatureCollection', features });
const [, linz] = providers[3] as [string, object, AddressSuggestion];

describe('with a geocoder', () => {
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const asked: string[] = [];
  const warnings: string[] = [];
  const http = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('connection', 'close');
    answer(request, response);
  });
  const sends = (text: string, status = 200) => {
    answer = (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(text);
    };
  };
  const open = (timeoutMs?: number) => {
    const { port } = http.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/places/{text}.json?country={countries}&access_token={token}`;
    return createGeocodeService({
      geocoder: { url, token: 's&cret', attribution: 'The provider' },
      countries: async () => ['au', 'nz'],
      log: { warn: (details, message) => warnings.push(JSON.stringify([details, message])) },
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
  };
  const now = new Date('2026-11-20T21:00:00Z');
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  beforeAll(() => new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening)));
  afterAll(async () => {
    http.closeAllConnections();
    await new Promise((closed) => http.close(closed));
  });
  beforeEach(() => {
    asked.length = 0;
    warnings.length = 0;
  });

  it.each(providers)('the answer of %s is read', async (_name, feature, suggestion) => {
    sends(collection(feature));
    expect(await open().suggest('12 Race', now)).toEqual({
      suggestions: [suggestion],
      source: 'The provider',
    });
  });

  it('it is asked with the text, the countries and the token in their places, and once for the same text', async () => {
    sends(collection(linz));
    const service = open();
    const first = await service.suggest(' 12  Race/Rd & Co', now);
    expect(asked).toEqual(['/places/12%20Race%2FRd%20%26%20Co.json?country=au%2Cnz&access_token=s%26cret']);
    expect(await service.suggest('12 race/rd & co', after(86_399))).toEqual(first);
    expect(asked).toHaveLength(1);
    await service.suggest('12 race/rd & co', after(86_401));
    expect(asked).toHaveLength(2);
  });

  it('what is outside the enabled countries, or no place, is left out', async () => {
    const at = (lng: number, lat: number, properties: object) => ({ geometry: point(lng, lat), properties });
    sends(
      collection(
        at(2.35, 48.85, { name: 'Paris', countrycode: 'FR' }),
        at(178.4, -18.1, { name: 'Suva' }),
        at(171.57, -44, { name: 'A road' }),
        at(171.57, -144, { name: 'Nowhere', countrycode: 'NZ' }),
        { geometry: { type: 'Polygon', coordinates: [[[171, -44]]] }, properties: { name: 'A field' } },
        at(171.57, -44, {}),
        { geometry: null },
        at(171.57, -44, { name: `Long ${'x'.repeat(500)}\u0000\n`, countrycode: 'nz' }),
      ),
    );
    const { suggestions } = await open().suggest('anything', now);
    expect(suggestions.map(({ text }) => text)).toEqual(['A road', `Long ${'x'.repeat(195)}`]);
  });

  it.each<[string, () => void, string]>([
    ['fails', () => sends('no', 500), 'it answered with status 500'],
    [
      'sends us elsewhere',
      () =>
        (answer = ({ url }, response) => {
          if (url === '/other') response.end(collection(linz));
          else response.writeHead(302, { location: '/other' }).end();
        }),
      'redirect',
    ],
    ['answers no JSON', () => sends('<html>'), 'its answer is no JSON'],
    ['answers something else', () => sends('{"results":[]}'), 'its answer is no GeoJSON FeatureCollection'],
    ['answers too much', () => sends(`"${'x'.repeat(600_000)}"`), 'its answer has more than'],
    ['hangs up', () => (answer = (request) => request.socket.destroy()), ''],
    ['never answers', () => (answer = () => {}), 'no answer in time'],
    [
      'stops in the middle',
      () => (answer = (_q, response) => response.writeHead(200).write('{"type":')),
      'no answer in time',
    ],
  ])('when it %s, the gazetteer answers and the operator hears why', async (_name, prepare, reason) => {
    prepare();
    const service = open(300);
    const { suggestions, source } = await service.suggest('Ashburton', now);
    expect(source).toBe('GeoNames (CC BY 4.0)');
    expect(suggestions[0]?.text).toBe('Ashburton, Canterbury, New Zealand');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(reason);
    expect(warnings[0]).not.toMatch(/cret|Ashburton/);
  });

  it('after a failure it is let rest for half a minute', async () => {
    sends('no', 503);
    const service = open();
    await service.suggest('Ashburton', now);
    sends(collection(linz));
    expect((await service.suggest('Ashburton', after(29))).source).toBe('GeoNames (CC BY 4.0)');
    expect(asked).toHaveLength(1);
    expect((await service.suggest('Ashburton', after(31))).source).toBe('The provider');
  });
});
