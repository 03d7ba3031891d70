import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { cardTypes, defaultStressBands } from '@headrace/contract/default-settings';
import type { Settings } from '@headrace/contract/settings';
import type { SoilReading, SoilSite } from '@headrace/contract/soil-moisture';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { HOUR, MINUTE, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { ago } from '../../testing/tank-fixtures.ts';
// Its code is there when the first test begins to wait.
import '../dashboard/dashboard-page.tsx';
import './soil-moisture-card.tsx';

const buildSite = (n: number, over: Partial<SoilSite> = {}): SoilSite => ({
  id: uid(4000 + n),
  name: `Block ${n}`,
  serialNumber: `SM${4000 + n}`,
  lat: null,
  lng: null,
  swp1_name: '200 mm',
  swp2_name: '400 mm',
  statusTime: ago(6 * MINUTE),
  isOutOfContact: false,
  invalidProbes: [],
  ...over,
});
const buildReading = (minutesAgo: number, over: Partial<SoilReading> = {}): SoilReading => ({
  id: String(minutesAgo),
  dateTime: ago(minutesAgo * MINUTE),
  temperature: 12.4,
  rainfall: 2,
  swp1: 15,
  swp2: 64.2,
  swp1_name: '200 mm',
  swp2_name: '400 mm',
  ...over,
});
const readings = [buildReading(36), buildReading(21), buildReading(6)];

interface Options {
  sites?: SoilSite[];
  readings?: SoilReading[];
  farm?: Partial<NonNullable<Settings['farms']>[number]>;
  api?: FakeApi;
}
function open({
  sites = [buildSite(1)],
  readings: given = readings,
  farm,
  api = new FakeApi(),
}: Options = {}) {
  const own = {
    info: { id: rakaia._id },
    dashboard: { cards: cardTypes.map((type) => ({ type, visible: type === 'SoilMoisture' })) },
    ...farm,
  };
  api
    .on('GET /settings', { data: { farms: [own] }, version: 6 })
    .on('GET /telemetry/sites', { sites })
    .on('GET /telemetry/soil-moisture', { span: 'reading', data: given });
  return renderApp('/dashboard', { api });
}
/** The card itself, not the loading sign that stands in its place first. */
const card = async () => {
  await screen.findByRole('radio', { name: 'Week' });
  return within(screen.getByRole('region', { name: 'Soil Moisture' }));
};
const valueOf = async (name: string) => {
  const term = await (await card()).findByText(name, { selector: 'dt' });
  return term.nextElementSibling;
};
const farmKept = (api: FakeApi) => api.calls('PUT /settings').at(-1)?.body.data.farms?.[0];
const legend = async (name: string) => (await card()).findByRole('button', { name });

describe('the soil moisture card', () => {
  test("says each probe's tension in the colour and with the word of the person's band, and its age", async () => {
    open();
    expect((await valueOf('200 mm'))?.textContent).toBe('15kPaFull');
    expect((await valueOf('200 mm'))?.querySelector('i')?.style.background).toBe('#2c7ed6');
    expect((await valueOf('400 mm'))?.textContent).toBe('64kPaRefill');
    expect((await valueOf('400 mm'))?.querySelector('i')?.style.background).toBe('#f99b18');
    expect((await valueOf('Measured'))?.textContent).toBe('6 min ago');
  });

  test('says what is no tension, and makes no number of it', async () => {
    const sites = [buildSite(1, { invalidProbes: ['swp1', 'swp3'] })];
    open({
      sites,
      readings: [buildReading(21, { swp2: null }), buildReading(6, { swp1: null, swp2: null })],
    });
    expect((await valueOf('200 mm'))?.textContent).toBe('Invalid sensor value');
    expect((await valueOf('400 mm'))?.textContent).toBe('No data');
    expect((await valueOf('Sensor 3'))?.textContent).toBe('Invalid sensor value');
  });

  test('a sensor that was wrong all day is not one without data', async () => {
    const none = { swp1: null };
    open({
      sites: [buildSite(1, { invalidProbes: ['swp1'] })],
      readings: [buildReading(21, none), buildReading(6, none)],
    });
    expect((await valueOf('200 mm'))?.textContent).toBe('Invalid sensor value');
    expect((await valueOf('400 mm'))?.textContent).toBe('64kPaRefill');
  });

  test('a sensor that the last message left out keeps its newest word for three hours', async () => {
    open({ readings: [buildReading(30), buildReading(6, { swp1: null })] });
    expect((await valueOf('200 mm'))?.textContent).toBe('15kPaFull');
  });

  test('then there is no data of it', async () => {
    open({ readings: [buildReading(200), buildReading(6, { swp1: null })] });
    expect((await valueOf('200 mm'))?.textContent).toBe('No data');
  });

  test('of a site that never spoke there is no data', async () => {
    open({ sites: [buildSite(1, { statusTime: null, isOutOfContact: true })], readings: [] });
    expect(await (await card()).findByText('The site reported nothing on these days.')).toBeTruthy();
    expect((await card()).getAllByText('No data')).toHaveLength(2);
    expect((await card()).getByText("Unit couldn't be reached.")).toBeTruthy();
  });

  test('of a silent site it shows the last word, how old it is, and that it is silent', async () => {
    const statusTime = ago(5 * HOUR);
    open({ sites: [buildSite(1, { statusTime, isOutOfContact: true })], readings: [buildReading(300)] });
    expect((await valueOf('Measured'))?.textContent).toBe('5 h ago');
    expect((await card()).getByText("This unit hasn't been in contact for 5 hours, 0 minutes.")).toBeTruthy();
  });

  test('chooses among sites, and keeps the choice', async () => {
    const { user, api } = open({ sites: [buildSite(1), buildSite(2)] });
    await user.selectOptions(await (await card()).findByRole('combobox', { name: 'Site' }), 'Block 2');
    await waitFor(() =>
      expect(api.calls('GET /telemetry/soil-moisture').at(-1)?.query.sensorUID).toBe(uid(4002)),
    );
    await waitFor(() => expect(farmKept(api)?.smCurrDisplayed).toBe(uid(4002)));
  });

  test('opens with the site that was looked at last; of one site there is nothing to choose', async () => {
    const farm = { smCurrDisplayed: uid(4002) };
    const { unmount } = open({ sites: [buildSite(1), buildSite(2)], farm });
    expect(await (await card()).findByRole('combobox', { name: 'Site' })).toHaveProperty('value', uid(4002));
    unmount();
    open({ sites: [buildSite(2)], farm });
    await valueOf('200 mm');
    expect(screen.queryByRole('combobox', { name: 'Site' })).toBeNull();
  });

  test('shows and hides lines by buttons, and keeps that for the site', async () => {
    const { user, api } = open({ farm: { sites: [{ id: uid(4001), smPlot: { temperature: false } }] } });
    expect((await legend('Temperature')).getAttribute('aria-pressed')).toBe('false');
    expect((await legend('Rain per hour')).getAttribute('aria-pressed')).toBe('false');
    const average = await legend('Average');
    average.focus();
    await user.keyboard('{Enter}');
    expect(average.getAttribute('aria-pressed')).toBe('false');
    await user.click(await legend('Rain accumulated'));
    await waitFor(() =>
      expect(farmKept(api)?.sites).toEqual([
        { id: uid(4001), smPlot: { temperature: false, average: false, rainAccumulated: true } },
      ]),
    );
    await user.click(await (await card()).findByRole('button', { name: 'Show as table' }));
    expect((await (await card()).findAllByRole('columnheader')).map((cell) => cell.textContent)).toEqual([
      'Time',
      '200 mm',
      '400 mm',
      'Rain per day',
      'Rain accumulated',
    ]);
  });

  test('offers no line of what the site does not report', async () => {
    open({ readings: [buildReading(6, { rainfall: null, temperature: null })] });
    await legend('200 mm');
    expect(screen.queryByRole('button', { name: 'Rain per day' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Temperature' })).toBeNull();
  });

  test('shows the days that were kept, and keeps those that are chosen', async () => {
    const range = { from: '2026-10-01', to: '2026-10-09' };
    const filters = [{ target: 'SoilMoisture', timeScale: 'Custom', range }];
    const { user, api } = open({ farm: { filters } });
    await waitFor(() =>
      expect(
        api.calls('GET /telemetry/soil-moisture').map(({ query }) => [query.date, query.to]),
      ).toContainEqual(['2026-10-01', '2026-10-09']),
    );
    await user.click((await card()).getByRole('radio', { name: 'Month' }));
    await waitFor(() =>
      expect(farmKept(api)?.filters).toEqual([{ target: 'SoilMoisture', timeScale: 'Month', range: null }]),
    );
  });

  test('two fingers on the chart change its time scale, on narrow screens alone', async () => {
    const { api } = open();
    const chart = await (await card()).findByRole('img', { name: 'Soil moisture of Block 1' });
    const touch = (type: string, pointerId: number, clientX: number) =>
      chart.dispatchEvent(
        new PointerEvent(type, { pointerId, clientX, clientY: 0, pointerType: 'touch', bubbles: true }),
      );
    const pinch = () =>
      act(() => {
        touch('pointerdown', 1, 0);
        touch('pointerdown', 2, 300);
        touch('pointermove', 2, 100);
        touch('pointerup', 1, 0);
        touch('pointerup', 2, 100);
      });
    vi.stubGlobal('innerWidth', 992);
    pinch();
    expect((await card()).getByRole('radio', { name: 'Week', checked: true })).toBeTruthy();
    vi.stubGlobal('innerWidth', 991);
    pinch();
    expect(await (await card()).findByRole('radio', { name: 'Month', checked: true })).toBeTruthy();
    await waitFor(() => expect(farmKept(api)?.filters?.[0]?.timeScale).toBe('Month'));
  });

  test("the bands are the person's own", async () => {
    const own = defaultStressBands.map((band) => (band.idx === 1 ? { ...band, name: 'Moist' } : band));
    open({ farm: { sites: [{ id: uid(4001), smStressBands: own, soilType: 3 }] } });
    expect((await valueOf('200 mm'))?.textContent).toBe('15kPaMoist');
    expect((await card()).getByText('Sandy loam')).toBeTruthy();
  });

  test('a history that failed says so and is tried again', async () => {
    const api = new FakeApi();
    const { user } = open({ api });
    api.on('GET /telemetry/soil-moisture', new Failure(404, 'No such site.'));
    expect(await screen.findByText("The soil moisture history couldn't be loaded")).toBeTruthy();
    api.on('GET /telemetry/soil-moisture', { span: 'reading', data: readings });
    await user.click((await card()).getAllByRole('button', { name: 'Retry' }).at(-1) as HTMLElement);
    expect(await legend('Average')).toBeTruthy();
  });

  test('renews itself when its site reports', async () => {
    const { api } = open();
    await valueOf('200 mm');
    api.on('GET /telemetry/soil-moisture', {
      span: 'reading',
      data: [...readings, buildReading(0, { swp1: 33 })],
    });
    act(() =>
      FakeSocket.last.push({
        type: 'status_update',
        data: {
          type: 'soil_moisture',
          farmUID: rakaia._id,
          uid: uid(4001),
          serialNumber: 'SM4001',
          updatedAt: '2026-11-21T07:00:00.000Z',
        },
      }),
    );
    await waitFor(async () => expect((await valueOf('200 mm'))?.textContent).toBe('33kPaNormal'));
  });
});

describe('what lies ahead', () => {
  const at = '2026-11-21T05:00:00.000Z';
  const site = { _id: uid(4001), name: 'Block 1' };

  test('is told as a reckoning, with what it rests on', async () => {
    const untilRefill = {
      days: 2,
      earliest: 1.5,
      latest: 3,
      kpaNow: 42,
      kpaPerDay: 8,
      refillKpa: 60,
      confidence: 'medium' as const,
      basis: 'Drying for 4 days.',
    };
    const sites = [{ ...site, untilRefill, noForecast: '', kpaNow: 42, refillKpa: 60 }];
    const { user } = open({ api: new FakeApi().on('GET /insights', { at, tanks: [], meters: [], sites }) });
    const line = await (await card()).findByText(
      '18 kPa to Refill, about 2 days at the rate of the last days (1½ to 3); medium confidence',
    );
    await user.click(line);
    expect((await card()).getByText('Drying for 4 days.')).toBeTruthy();
  });

  test('or why it is not known', async () => {
    const none = { untilRefill: null, noForecast: 'It rained in the last day.' };
    const sites = [{ ...site, ...none, kpaNow: 17, refillKpa: 60 }];
    open({ api: new FakeApi().on('GET /insights', { at, tanks: [], meters: [], sites }) });
    const text = "43 kPa to Refill. When it is there isn't known yet: It rained in the last day.";
    expect(await (await card()).findByText(text)).toBeTruthy();
  });

  const days = [3.24, 0, null].map((rain, n) => ({
    date: `2026-11-2${n + 1}`,
    rain,
    chance: n === 0 ? 80 : null,
    minTemperature: null,
    maxTemperature: null,
    et0: null,
  }));
  test.each([
    [false, 'Weather data by Open-Meteo.com, 36 min ago'],
    [true, 'Demo. Weather data by Open-Meteo.com, 36 min ago'],
  ])('is rain, with whose forecast it is and how old (demo: %s)', async (isDemo, label) => {
    const forecast = {
      source: 'Weather data by Open-Meteo.com',
      isDemo,
      fetchedAt: ago(36 * MINUTE),
      isStale: false,
      days,
      windByHour: null,
    };
    open({ api: new FakeApi().on('GET /weather/forecast', forecast) });
    const ahead = within(await (await card()).findByRole('region', { name: 'Rain ahead' }));
    expect(ahead.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Today3.2mm80 %',
      'Sun0mm',
      'Mon–',
    ]);
    expect(
      ahead.getByText((_, element) => element?.tagName === 'P' && element.textContent === label),
    ).toBeTruthy();
  });

  test('is absent where there is no forecast', async () => {
    open();
    await legend('Average');
    expect(screen.queryByText('Rain ahead')).toBeNull();
  });
});
