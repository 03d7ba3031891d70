import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import type { Headline } from '@headrace/contract/settings';
import type { SoilSite } from '@headrace/contract/soil-moisture';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { buildFarmRecord, HOUR, MINUTE, permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { ago, buildTank } from '../../testing/tank-fixtures.ts';

afterEach(() => vi.restoreAllMocks());

const tank = buildTank(1, { name: 'Top tank' });
/** Well within that minute: pages see the clock move in steps of 10 s. */
const minutes = (n: number) => ago(n * MINUTE + 30_000);
const site: SoilSite = {
  id: uid(4001),
  name: 'North block',
  serialNumber: 'SM4001',
  lat: null,
  lng: null,
  swp1_name: 'Shallow',
  swp2_name: 'Deep',
  statusTime: minutes(1),
  isOutOfContact: false,
  invalidProbes: [],
};
const meter = uid(3001);
const slot = (position: number, type: number, configs: object = {}): Headline => ({
  position,
  type,
  configs,
});
/** Of the dashboard only the headlines, as somebody chose them. */
const api = (...headlines: Headline[]) =>
  new FakeApi()
    .on('GET /settings', {
      data: {
        farms: [{ info: { id: rakaia._id }, headlines, dashboard: { cards: onlyHeadlines } }],
      },
      version: 6,
    })
    .on('GET /lvl/suminfo', { tanks: [tank] })
    .on('GET /headline/tank', {
      name: 'Top tank',
      value: 62,
      valueInLitres: 15_500,
      invalid: false,
      at: minutes(6),
    });
const onlyHeadlines = ['SoilMoisture', 'Tank', 'Flow', 'IO'].map((type) => ({ type, visible: false }));
const tile = (name: string) => screen.findByRole('article', { name });
const text = async (name: string) => (await tile(name)).textContent;
const stored = (fake: FakeApi) =>
  (fake.calls('PUT /settings').at(-1)?.body.data as { farms: { headlines: Headline[] }[] } | undefined)
    ?.farms[0]?.headlines;

describe('the row', () => {
  test('is not there while nothing is in it, but a way to fill it is', async () => {
    renderApp('/dashboard', { api: api(slot(0, -1), slot(1, 0)) });
    const edit = await screen.findByRole('link', { name: 'Edit headlines' });
    expect(screen.queryByRole('region', { name: 'Headline' })).toBeNull();
    await act(async () => edit.click());
    expect(await screen.findAllByRole('link', { name: /^Add a headline at place [1-4]$/ })).toHaveLength(4);
  });

  test('is no part of a dashboard whose person hid it', async () => {
    const hidden = { info: { id: rakaia._id }, dashboard: { cards: [{ type: 'Headline', visible: false }] } };
    const fake = api().on('GET /settings', { data: { farms: [hidden] }, version: 6 });
    renderApp('/dashboard', { api: fake });
    await screen.findByRole('heading', { name: 'Tank Levels' });
    expect(screen.queryByRole('link', { name: 'Edit headlines' })).toBeNull();
  });

  test('shows each kind with its unit, what it is of, and its age', async () => {
    const fake = api(
      slot(0, 4, { sensor: tank._id, unit: 'L' }),
      slot(1, 9, { sensor: tank._id, sumType: 'current', metric: 'm3/h' }),
      slot(2, 5, { sensor: meter, unit: 'lph' }),
      slot(3, 7, { port: 'relay2' }),
    )
      .on('GET /headline/tankflow', { name: 'Top tank', value: 1.25, at: minutes(4) })
      .on('GET /headline/flow', {
        name: 'Main line',
        litresPerSecond: 1.5,
        litresPerHour: 5400,
        cubicMetresDay: 129.6,
        at: minutes(3),
      })
      .on('GET /headline/io', {
        ...ports('input', []),
        ...ports('relay', [2]),
        titles: { relay2: 'Bore pump' },
        at: minutes(2),
      });
    renderApp('/dashboard', { api: fake });
    await waitFor(() =>
      expect(screen.getAllByRole('article').map((one) => one.textContent)).toEqual([
        'Top tankTank level15,500L6 min ago',
        'Top tankCurrent Flow1.25m³/h4 min ago',
        'Main lineFlow now5,400L/h3 min ago',
        'Bore pumpRelay 2On2 min ago',
      ]),
    );
    expect(fake.calls('GET /headline/tankflow')[0]?.query).toEqual({
      sensorUid: tank._id,
      sumType: 'current',
      metric: 'm3/h',
    });
  });

  test('asks for the weather of its site and place in the farm’s days', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.parse('2026-11-20T20:30:00Z') });
    const fake = api(
      slot(0, 1, { site: site.id, time: 6 }),
      slot(1, 2, { site: site.id, days: 2 }),
      slot(2, 3, { days: 4 }),
      slot(3, 6, { sensor: meter, days: '7' }),
    )
      .on('GET /telemetry/sites', { sites: [site] })
      .on('GET /headline/temperature', { temperature: 7.35, at: '2026-11-20T16:55:00.000Z' })
      .on('GET /headline/accumulated-rainfall', { rain: 12.4, at: '2026-11-20T20:25:00.000Z' })
      .on('GET /headline/rain-forecast-accumulated', {
        rain: 3,
        at: '2026-11-20T20:00:00.000Z',
        source: 'Made up for demonstration',
        isDemo: true,
      })
      .on('GET /headline/accumulated-flow', { name: 'Main line', value: 84_000, at: minutes(3) });
    renderApp('/dashboard', { api: fake });
    // 09:30 on 21 November in New Zealand: rain since the 19th, the first of three days.
    await waitFor(() =>
      expect(fake.calls('GET /headline/accumulated-rainfall').at(-1)?.query).toEqual({
        farmUID: rakaia._id,
        site: site.id,
        startDate: '2026-11-19',
      }),
    );
    await waitFor(() =>
      expect(screen.getAllByRole('article').map((one) => one.textContent)).toEqual([
        'North blockTemperature at 06:007.4°C3 h ago',
        'North blockRain: Since 2 days ago12.4mm5 min ago',
        'Rain forecastToday and 4 more days3.0mm30 min agoDemo. Made up for demonstration',
        'Main lineFlow: Last 7 days84,000L3 min ago',
      ]),
    );
    expect(fake.calls('GET /headline/temperature')[0]?.query).toEqual({
      farmUID: rakaia._id,
      site: site.id,
      time: 6,
    });
    expect(fake.calls('GET /headline/rain-forecast-accumulated')[0]?.query).toEqual({
      lat: rakaia.lat,
      long: rakaia.lng,
      days: 4,
    });
    // Read 5 minutes before the hour that was asked for: as good as a reading of that hour can be.
    expect(screen.getAllByRole('article')[0]?.hasAttribute('data-stale')).toBe(false);
  });

  test('asks for rain to come in days of standard time where the farm keeps it all year', async () => {
    const record = buildFarmRecord(rakaia);
    const timezone = { ...record.timezone, dstEnabled: false };
    const fake = api(slot(0, 3, { days: 1 }))
      .on('GET /farm', { ...record, timezone })
      .on('GET /headline/rain-forecast-accumulated', {
        rain: 3,
        at: ago(0),
        source: 'The Met',
        isDemo: false,
      });
    renderApp('/dashboard', { api: fake });
    await waitFor(() =>
      expect(fake.calls('GET /headline/rain-forecast-accumulated').at(-1)?.query).toEqual({
        lat: rakaia.lat,
        long: rakaia.lng,
        days: 1,
        dstEnabled: false,
      }),
    );
  });

  test('says that a value is older than its device may be silent', async () => {
    const fake = api(slot(0, 4, { sensor: tank._id })).on('GET /headline/tank', {
      name: 'Top tank',
      value: 62,
      valueInLitres: null,
      invalid: false,
      at: ago(3 * HOUR + MINUTE),
    });
    renderApp('/dashboard', { api: fake });
    await screen.findByText('3 h ago');
    expect((await tile('Top tank')).hasAttribute('data-stale')).toBe(true);
  });

  test.each([
    [
      'that cannot be a level',
      { invalid: true, at: minutes(3) },
      'Top tankTank level–Invalid sensor value3 min ago',
    ],
    ['that never came', { invalid: false, at: null }, 'Top tankTank level–No data'],
  ])('a value %s is a dash with the reason', async (_name, over, shown) => {
    const fake = api(slot(0, 4, { sensor: tank._id })).on('GET /headline/tank', {
      name: 'Top tank',
      value: null,
      valueInLitres: null,
      ...over,
    });
    renderApp('/dashboard', { api: fake });
    await waitFor(async () => expect(await text('Top tank')).toBe(shown));
  });

  test('a failed tank flow says its status and is asked for again', async () => {
    const fake = api(slot(0, 9, { sensor: tank._id })).on('GET /headline/tankflow', new Failure(403, 'No.'));
    const { user } = renderApp('/dashboard', { api: fake });
    expect(await screen.findByText('Failed to fetch tank flow info. (403)')).toBeTruthy();
    fake.on('GET /headline/tankflow', { name: 'Top tank', value: 1840, at: minutes(3) });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(async () => expect(await text('Top tank')).toBe('Top tankToday Usage1,840L3 min ago'));
  });

  test('that could not be loaded keeps the name of its tank', async () => {
    const fake = api(slot(0, 4, { sensor: tank._id }))
      .on('GET /headline/tank', new Failure(500, 'Broken.'))
      .on('GET /lvl/suminfo', { tanks: [{ ...tank, name: 'Top tank' }] });
    renderApp('/dashboard', { api: fake });
    await waitFor(async () => expect(await text('Top tank')).toBe('Top tankTank level–Broken.Retry'));
  });

  test('a sensor that was taken off the farm is said to be gone', async () => {
    const fake = api(slot(0, 4, { sensor: uid(77) })).on(
      'GET /headline/tank',
      new Failure(404, 'Not there.'),
    );
    renderApp('/dashboard', { api: fake });
    expect(await screen.findByText("It isn't on this farm any more.")).toBeTruthy();
  });

  test('leads to the tank’s history, for those who may read it', async () => {
    renderApp('/dashboard', { api: api(slot(0, 4, { sensor: tank._id }), slot(1, 8)) });
    const link = await screen.findByRole('link', { name: 'Top tank' });
    expect(link.getAttribute('href')).toBe(`/dashboard?farm=${rakaia._id}&tank=${tank._id}&tab=level`);
    expect(screen.queryByRole('link', { name: 'Local time' })).toBeNull();
  });

  test('keeps the focus on its link while the page below changes', async () => {
    const { router } = renderApp('/dashboard', { api: api(slot(0, 4, { sensor: tank._id })) });
    const link = await screen.findByRole('link', { name: 'Top tank' });
    link.focus();
    await act(() => router.navigate({ to: '/dashboard', search: { period: 'Week' } as never }));
    await act(() => router.invalidate());
    expect(document.activeElement).toBe(link);
    expect(link.isConnected).toBe(true);
  });

  test('leads nowhere for people who may not read sensors', async () => {
    const row = permissionsOn(rakaia, { ...presets.none, dashboard: true });
    const fake = api(slot(0, 4, { sensor: tank._id })).on('GET /permissions-list', { permissions: [row] });
    renderApp('/dashboard', { api: fake });
    expect(within(await tile('Top tank')).queryByRole('link')).toBeNull();
  });

  test('is renewed by what its own tank says', async () => {
    // The attention line's list of tanks is renewed too.
    const fake = api(slot(0, 4, { sensor: tank._id })).on('GET /level/basic-info', tank);
    renderApp('/dashboard', { api: fake });
    await screen.findByText('62');
    fake.on('GET /headline/tank', {
      name: 'Top tank',
      value: 58,
      valueInLitres: null,
      invalid: false,
      at: ago(0),
    });
    const say = (of: string) =>
      act(() =>
        FakeSocket.last.push({
          type: 'status_update',
          data: {
            type: 'tank_level',
            farmUID: rakaia._id,
            uid: of,
            serialNumber: 'TLM1',
            updatedAt: '2026-11-21T06:00:00.000Z',
          },
        }),
      );
    const before = fake.calls('GET /headline/tank').length;
    say(tank._id);
    expect(await screen.findByText('58')).toBeTruthy();
    expect(fake.calls('GET /headline/tank')).toHaveLength(before + 1);
  });
});

const metricNow = (value: number | null, at: string | null, of: object = {}) => ({
  name: 'Trough',
  metric: 'custom.ph',
  label: 'pH',
  unit: 'pH',
  kind: 'gauge' as const,
  isBoolean: false,
  digits: null,
  value,
  at,
  ...of,
});

/** Six minutes old when it is shown. */
const TOLD = 'told';

describe('any sensor value', () => {
  const show = (reply: ReturnType<typeof metricNow>) =>
    renderApp('/dashboard', {
      api: api(slot(0, 10, { sensor: uid(5), metric: 'custom.ph' })).on('GET /headline/metric', {
        ...reply,
        at: reply.at === TOLD ? minutes(6) : reply.at,
      }),
    });

  test.each([
    ['its decimals, unit and age', metricNow(7.25, TOLD), 'TroughpH7.25pH6 min ago'],
    [
      'the decimals of its metric',
      metricNow(61.257, TOLD, { label: 'Humidity', unit: '%', digits: 1 }),
      'TroughHumidity61.3%6 min ago',
    ],
    ['yes or no', metricNow(1, TOLD, { label: 'Leak', unit: '', isBoolean: true }), 'TroughLeakYes6 min ago'],
    ['that it was never reported', metricNow(null, null), 'TroughpH–Not reported yet'],
    ['that its newest is invalid', metricNow(null, TOLD), 'TroughpH–Invalid sensor value6 min ago'],
  ])('says %s', async (_what, reply, expected) => {
    show(reply);
    await waitFor(async () => expect(await text('Trough')).toBe(expected));
  });

  test('leads to its chart on the sensor’s page', async () => {
    show(metricNow(7.25, TOLD));
    const link = await screen.findByRole('link', { name: 'Trough' });
    expect(link.getAttribute('href')).toBe(`/sensor-device/${rakaia._id}/${uid(5)}?said=custom.ph`);
  });
});

test('the local time is the farm’s and moves every second', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.parse('2026-11-20T20:30:00.200Z') });
  renderApp('/dashboard', { api: api(slot(0, 8)) });
  const seconds = async () => Number(/09:30:(\d\d)/.exec((await text('Local time')) ?? '')?.[1]);
  await waitFor(async () => expect(await text('Local time')).toMatch(/09:30:\d\dSaturday, /));
  const before = await seconds();
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect((await seconds()) - before).toBeGreaterThanOrEqual(1);
});

describe('editing', () => {
  test('offers the nine kinds in their order, then any sensor value, and stores what is chosen', async () => {
    const other = buildTank(2, { name: 'Yards' });
    const fake = api(slot(0, 8)).on('GET /lvl/suminfo', { tanks: [tank, other] });
    const { user, router } = renderApp('/dashboard?headlines=edit', { api: fake });
    await user.click(await screen.findByRole('link', { name: 'Add a headline at place 3' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Headline at place 3' }));
    const kinds = dialog.getByRole('combobox', { name: 'Show' });
    expect(
      within(kinds)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual([
      'Temperature',
      'Rain forecast',
      'Accumulated rainfall',
      'Tank level',
      'Tank flow',
      'Flow',
      'Accumulated flow',
      'Gateway I/O',
      'Local time',
      'Any sensor value',
    ]);
    await user.selectOptions(kinds, 'Tank flow');
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Tank' }), 'Yards');
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Number' }), 'Current Flow');
    const units = within(dialog.getByRole('combobox', { name: 'Unit' })).getAllByRole('option');
    expect(units.map((option) => option.textContent)).toEqual(['L/min', 'm³/h']);
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Unit' }), 'm³/h');
    fake.on('GET /headline/tankflow', { name: 'Yards', value: 1, at: minutes(1) });
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(stored(fake)).toEqual([
        { position: 0, type: 8, configs: {} },
        { position: 2, type: 9, configs: { sensor: other._id, sumType: 'current', metric: 'm3/h' } },
      ]),
    );
    expect(router.state.location.search).toEqual({ farm: rakaia._id, headlines: 'edit' });
    expect(await tile('Yards')).toBeTruthy();
  });

  test.each([
    ['Temperature', 'Time of day', 24, '00:00', '23:00', '09:00'],
    ['Rain forecast', 'Days', 10, 'Today', 'Today and 9 more days', 'Today and tomorrow'],
    ['Accumulated rainfall', 'Days', 30, 'Today', 'Since 29 days ago', 'Since yesterday'],
    ['Accumulated flow', 'Days', 4, 'Today', 'Last 30 days', 'Today'],
    ['Tank level', 'Unit', 2, '%', 'L', '%'],
    ['Flow', 'Unit', 3, 'L/s', 'm³/day', 'L/s'],
    ['Gateway I/O', 'Input or relay', 12, 'Input 1', 'Relay 6', 'Input 1'],
  ])('%s has %s: %d of them from %s to %s, at first %s', async (kind, label, count, from, to, chosen) => {
    const { user } = renderApp('/dashboard?headlines=edit&slot=1', { api: api() });
    const dialog = within(await screen.findByRole('dialog', { name: 'Headline at place 2' }));
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Show' }), kind);
    const field = dialog.getByRole<HTMLSelectElement>('combobox', { name: label });
    const options = within(field).getAllByRole('option');
    expect(options).toHaveLength(count);
    expect([options.at(0)?.textContent, options.at(-1)?.textContent]).toEqual([from, to]);
    expect(field.selectedOptions[0]?.textContent).toBe(chosen);
  });

  test('any value that a sensor has reported can be chosen, and of which sensor where several report it', async () => {
    const reported = (sensor: number, metric: string, label: string, unit: string) => ({
      sensorUid: uid(sensor),
      sensorName: `Station ${sensor}`,
      metric,
      label,
      unit,
    });
    const fake = api().on('GET /headline/metrics', {
      metrics: [
        reported(1, 'humidityPercent', 'Humidity of the air', '%'),
        reported(2, 'humidityPercent', 'Humidity of the air', '%'),
        reported(2, 'custom.ph', 'pH of the trough', 'pH'),
      ],
    });
    const { user } = renderApp('/dashboard?headlines=edit&slot=0', { api: fake });
    const dialog = within(await screen.findByRole('dialog', { name: 'Headline at place 1' }));
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Show' }), 'Any sensor value');
    const values = await dialog.findByRole('combobox', { name: 'Value' });
    expect(
      within(values)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['Humidity of the air, %', 'pH of the trough, pH']);
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Sensor' }), 'Station 2');
    expect(dialog.getByRole<HTMLSelectElement>('combobox', { name: 'Sensor' }).value).toBe(uid(2));
    await user.selectOptions(values, 'pH of the trough, pH');
    expect(dialog.queryByRole('combobox', { name: 'Sensor' })).toBeNull();
    expect(dialog.getByText('Reported by Station 2 alone.')).toBeTruthy();
    fake.on('GET /headline/metric', metricNow(null, null));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(stored(fake)).toEqual([
        { position: 0, type: 10, configs: { sensor: uid(2), metric: 'custom.ph' } },
      ]),
    );
    expect(await tile('Trough')).toBeTruthy();
  });

  test('before a sensor has reported anything there is no value to choose', async () => {
    const { user } = renderApp('/dashboard?headlines=edit&slot=0', {
      api: api().on('GET /headline/metrics', { metrics: [] }),
    });
    const dialog = within(await screen.findByRole('dialog', { name: 'Headline at place 1' }));
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Show' }), 'Any sensor value');
    expect(await dialog.findByText('No sensor of this farm has reported anything yet.')).toBeTruthy();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  });

  test('a kind that the farm has no sensor for says so and cannot be saved', async () => {
    const { user } = renderApp('/dashboard?headlines=edit&slot=0', { api: api() });
    const dialog = within(await screen.findByRole('dialog', { name: 'Headline at place 1' }));
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Show' }), 'Flow');
    expect(await dialog.findByText('This farm has no flow meter.')).toBeTruthy();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  });

  test('moves and clears by keyboard; the focus goes with it and the move is said', async () => {
    const fake = api(slot(0, 8), slot(3, 4, { sensor: tank._id, unit: '%' }));
    const { user } = renderApp('/dashboard?headlines=edit', { api: fake });
    (await screen.findByRole('button', { name: 'Move Tank level at place 4 back' })).focus();
    await user.keyboard('{Enter}');
    expect(await screen.findByText('Tank level is now at place 3 of 4.')).toBeTruthy();
    await waitFor(() =>
      expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Tank level at place 3 back'),
    );
    await user.click(screen.getByRole('button', { name: 'Clear Local time at place 1' }));
    await waitFor(() =>
      expect(stored(fake)).toEqual([
        { position: 0, type: -1, configs: {} },
        { position: 2, type: 4, configs: { sensor: tank._id, unit: '%' } },
      ]),
    );
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Add a headline at place 1'));
  });
});

function ports(kind: 'input' | 'relay', on: readonly number[]) {
  return Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`${kind}${n}`, on.includes(n)])) as Record<
    `${typeof kind}${1 | 2 | 3 | 4 | 5 | 6}`,
    boolean
  >;
}
