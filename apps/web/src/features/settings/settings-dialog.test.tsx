import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { mallee, rakaia, uid, waihao } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';

const noSoil = () => new FakeApi().on('GET /sensor/list', { sensors: [] });
const open = (page: string, api = noSoil()) => ({ ...renderApp(`/?settings=${page}`, { api }), api });
const dialog = (name: string) => screen.findByRole('dialog', { name });
const toggle = (name: string) => screen.findByRole<HTMLInputElement>('switch', { name });
const lastStored = async (api: FakeApi) => {
  await waitFor(() => expect(api.calls('PUT /settings').length).toBeGreaterThan(0));
  return api.calls('PUT /settings').at(-1)?.body.data;
};
const withFarm = (currFarm: string) =>
  noSoil().on('GET /settings', { data: { currFarm, displayTooltips: true }, version: 6 });

describe('the settings', () => {
  test('open from the account menu, go from list to page and back, and close with Back', async () => {
    const { user, router } = renderApp('/');
    await user.click(await screen.findByRole('button', { name: /^Account of/ }));
    await user.click(await screen.findByRole('button', { name: 'Settings' }));
    const list = within(await dialog('Settings'));
    expect(
      list.getAllByRole('listitem').map((item) => item.querySelector('span > span')?.textContent),
    ).toEqual([
      'General',
      'Home/Farm Cards',
      'Soil Moisture Stress Bands',
      'Dashboard Card Order & Visibility',
      'Alerts',
    ]);
    await user.click(list.getByRole('button', { name: /^General/ }));
    expect(router.state.location.search).toMatchObject({ settings: 'general' });
    const back = within(await dialog('General')).getByRole('button', { name: 'All settings' });
    await waitFor(() => expect(document.activeElement).toBe(back));
    await user.click(back);
    await dialog('Settings');
    await waitFor(() => expect(document.activeElement?.textContent).toMatch(/^General/));
    router.history.back();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('begin with the list again after they were closed on a page', async () => {
    const { user, router } = open('general');
    await dialog('General');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(router.state.location.search).not.toHaveProperty('settings');
    await user.click(screen.getByRole('button', { name: /^Account of/ }));
    await user.click(await screen.findByRole('button', { name: 'Settings' }));
    await dialog('Settings');
  });

  test('keep the rest of the address', async () => {
    const { user, router } = renderApp('/?q=waihao&settings=list');
    await dialog('Settings');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(router.state.location.search).toEqual({ q: 'waihao' }));
  });

  test('General has the five switches, and each is stored', async () => {
    const { user, api } = open('general');
    await dialog('General');
    expect(screen.getAllByRole('switch').map((one) => one.getAttribute('aria-label'))).toEqual([
      'Display Tooltips',
      'Display Spare Ready confirm dialog',
      'Display POIs',
      'Display Sensors',
      'Display Spares',
    ]);
    for (const hint of [
      'Points of interest on the sprinkler and tank maps',
      'Sensors on the sprinkler map',
      'Spares on the sprinkler map and in its list',
    ])
      expect(screen.getByText(hint)).toBeTruthy();
    await user.click(await toggle('Display Tooltips'));
    await user.click(await toggle('Display Spares'));
    await waitFor(async () =>
      expect(await lastStored(api)).toMatchObject({
        displayTooltips: false,
        showSpareReadyDialog: true,
        displayPOI: true,
        displaySensors: true,
        displaySpares: true,
      }),
    );
  });
});

describe('maps on farm cards', () => {
  test('can be switched once a farm is chosen, for that farm alone', async () => {
    const { user, api } = open('farm-cards');
    const tankMap = await toggle('Display tank map');
    expect(tankMap.disabled).toBe(true);
    await user.click(screen.getByRole('checkbox', { name: 'Waihao Flats' }));
    expect(tankMap.disabled).toBe(false);
    expect(tankMap.checked).toBe(true);
    await user.click(tankMap);
    expect(tankMap.checked).toBe(false);
    expect((await lastStored(api))?.farms).toEqual([
      {
        info: {
          accountId: waihao.accountId,
          id: waihao._id,
          name: 'Waihao Flats',
          description: 'Sheep and lucerne',
          icon: 'farm-green',
          position: { lat: -43.75, lng: 172.02 },
          tankOnly: false,
        },
        displayTankMap: false,
      },
    ]);
  });

  test('say for how many of the chosen farms they are on, and all farms are one choice', async () => {
    const stored = { data: { farms: [{ info: { id: waihao._id }, displayIPCMap: false }] }, version: 6 };
    const { user, api } = open('farm-cards', noSoil().on('GET /settings', stored));
    const map = await toggle('Display sprinklers map');
    await user.click(screen.getByRole('checkbox', { name: 'All farms' }));
    expect(map.checked).toBe(false);
    expect(screen.getByText('On for 2 of 3 farms')).toBeTruthy();
    await user.click(map);
    const data = await lastStored(api);
    expect(data?.displayIPCMap).toBe(true);
    // Its own choice is gone, so that a later farm and this one follow the same.
    expect(data?.farms?.[0]).not.toHaveProperty('displayIPCMap');
  });
});

describe('stress bands', () => {
  const starts = () => screen.getAllByRole<HTMLInputElement>('slider').map((one) => one.valueAsNumber);
  const move = (name: string, to: number) =>
    fireEvent.change(screen.getByRole('slider', { name }), { target: { value: String(to) } });

  test('are five levels with the default starts; one that is moved pushes the others', async () => {
    const { api } = open('stress-bands', withFarm(rakaia._id));
    await dialog('Soil Moisture Stress Bands');
    await screen.findByRole('slider', { name: 'Stress starts at' });
    expect(starts()).toEqual([0, 10, 30, 60, 100]);
    const sliders = screen.getAllByRole<HTMLInputElement>('slider');
    expect(new Set(sliders.map(({ min, max }) => `${min} to ${max} kPa`))).toEqual(new Set(['0 to 200 kPa']));
    move('Full starts at', 75);
    expect(starts()).toEqual([0, 75, 75, 75, 100]);
    const farm = (await lastStored(api))?.farms?.[0];
    expect(farm?.info.id).toBe(rakaia._id);
    expect(farm?.smStressBands?.map(({ start }) => start)).toEqual([0, 75, 75, 75, 100]);
  });

  test('have a colour each, and go back to their defaults', async () => {
    const { user, api } = open('stress-bands', withFarm(rakaia._id));
    const colour = await screen.findByLabelText<HTMLInputElement>('Colour of Refill');
    fireEvent.change(colour, { target: { value: '#123456' } });
    move('Refill starts at', 20);
    expect(starts()).toEqual([0, 10, 20, 20, 100]);
    await user.click(screen.getByRole('button', { name: /^Reset to Default ?: Refill$/ }));
    expect(colour.value).toBe('#f99b18');
    expect(starts()).toEqual([0, 10, 20, 60, 100]);
    await waitFor(async () =>
      expect((await lastStored(api))?.farms?.[0]?.smStressBands?.[3]).toMatchObject({
        start: 60,
        color: '#f99b18',
      }),
    );
  });

  test('can be one site’s own', async () => {
    const sensor = { id: uid(41), name: 'North block', serialNumber: 'SM41', type: 2 as const };
    const api = withFarm(rakaia._id).on('GET /sensor/list', { sensors: [sensor] });
    const { user } = open('stress-bands', api);
    await user.selectOptions(await screen.findByRole('combobox', { name: 'For' }), 'North block');
    move('Normal starts at', 40);
    expect((await lastStored(api))?.farms?.[0]?.sites).toMatchObject([{ id: uid(41) }]);
    await user.selectOptions(screen.getByRole('combobox', { name: 'For' }), 'Rākaia Downs, all sites');
    expect(starts()).toEqual([0, 10, 30, 60, 100]);
  });

  test('say with which status the sites could not be had, and are still the farm’s', async () => {
    const api = withFarm(rakaia._id).on('GET /sensor/list', new Failure(403, 'no'));
    open('stress-bands', api);
    expect(await screen.findByText('Failed to fetch sensor list. (403)')).toBeTruthy();
    expect(starts()).toEqual([0, 10, 30, 60, 100]);
  });

  test('need a farm', async () => {
    const api = noSoil().on('GET /farms-card', []).on('GET /farms-summary', { farms: [] });
    open('stress-bands', api);
    expect(await screen.findByText('No Farm Selected')).toBeTruthy();
  });
});

describe('dashboard cards', () => {
  // The tests' browser lays nothing out: rows of 60 px, one below the other.
  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function at(
      this: HTMLElement,
    ) {
      const rows = [...document.querySelectorAll('ol[aria-label="Dashboard cards in their order"] > li')];
      return new DOMRect(0, Math.max(0, rows.indexOf(this)) * 60, 300, 50);
    });
  });
  afterEach(() => vi.restoreAllMocks());

  const names = async () =>
    within(await screen.findByRole('list', { name: 'Dashboard cards in their order' }))
      .getAllByRole('listitem')
      .map((item) => item.textContent);
  const order = [
    'Headline',
    'Soil Moisture',
    'Tank Meter',
    'Flow Meter',
    'Sprinkler Status',
    'Sprinkler Health',
    'Sprinkler Communications',
    'Gateway I/O',
  ];

  test('stand in the default order, and are moved by keyboard, with what happens spoken', async () => {
    const { user, api } = open('dashboard', withFarm(rakaia._id));
    expect(await names()).toEqual(order);
    screen.getByRole('button', { name: 'Move Tank Meter' }).focus();
    await user.keyboard(' ');
    const spoken = async (text: string) =>
      waitFor(() => expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain(text));
    await spoken('Tank Meter is over place 3 of 8.');
    await user.keyboard('{ArrowUp}');
    await spoken('Tank Meter is over place 2 of 8.');
    await user.keyboard(' ');
    await spoken('Tank Meter is now at place 2 of 8.');
    expect(await names()).toEqual(['Headline', 'Tank Meter', 'Soil Moisture', ...order.slice(3)]);
    const cards = (await lastStored(api))?.farms?.[0]?.dashboard?.cards;
    expect(cards?.slice(0, 3).map(({ type }) => type)).toEqual(['Headline', 'Tank', 'SoilMoisture']);
  });

  test('a held one goes back with Escape, and the dialog stays', async () => {
    const { user } = open('dashboard', withFarm(rakaia._id));
    (await screen.findByRole('button', { name: 'Move Headline' })).focus();
    await user.keyboard(' ');
    await waitFor(() =>
      expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain(
        'Headline is over place 1 of 8.',
      ),
    );
    await user.keyboard('{ArrowDown}{Escape}');
    expect(await names()).toEqual(order);
    expect(screen.getByRole('dialog', { name: 'Dashboard Card Order & Visibility' })).toBeTruthy();
  });

  test('are hidden one by one, and all come back with the defaults', async () => {
    const { user, api } = open('dashboard', withFarm(rakaia._id));
    await user.click(await toggle('Show Flow Meter'));
    expect((await lastStored(api))?.farms?.[0]?.dashboard?.cards?.[3]).toMatchObject({
      type: 'Flow',
      visible: false,
    });
    await user.click(screen.getByRole('button', { name: 'Reset to defaults' }));
    expect((await toggle('Show Flow Meter')).checked).toBe(true);
    await waitFor(async () => expect((await lastStored(api))?.farms?.[0]).not.toHaveProperty('dashboard'));
  });

  test('of a farm of tanks are Headline and Tank Meter', async () => {
    open('dashboard', withFarm(mallee._id));
    expect(await names()).toEqual(['Headline', 'Tank Meter']);
  });
});
