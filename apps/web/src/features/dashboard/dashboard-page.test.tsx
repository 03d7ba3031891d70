import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { TankSummary } from '@headrace/contract/tanks';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { buildFarm, HOUR, MINUTE, permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { ago, buildInfo, buildTank, pump } from '../tanks/tank-fixtures.ts';

afterEach(() => vi.restoreAllMocks());

const withTanks = (...tanks: TankSummary[]) =>
  new FakeApi().on('GET /lvl/suminfo', { tanks }).on('GET /level/full-info', ({ query }) => {
    const tank = tanks.find(({ _id }) => _id === query.sensorUid);
    return tank ? buildInfo(tank) : new Failure(404, 'not there');
  });
const card = (name: string) => screen.findByRole('article', { name });

describe('the dashboard', () => {
  test('shows the farm, and says what needs a person before all else', async () => {
    const api = withTanks(
      buildTank(1),
      buildTank(2, { statusTime: ago(5 * HOUR) }),
      buildTank(3, { level: { value: 9, valueInLitres: 2250, invalid: false } }),
      buildTank(4, { batteryVoltage: 3.3 }),
    );
    renderApp('/dashboard', { api });
    expect(await screen.findByRole('heading', { level: 1, name: 'Rākaia Downs' })).toBeTruthy();
    expect(screen.getByText('Dairy, 420 ha by the river')).toBeTruthy();
    const list = await screen.findByRole('list', { name: 'Needs attention' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['1 out of contact', '1 low level', '1 low battery']);
    expect(within(list).getByRole('link', { name: '1 low battery' }).getAttribute('href')).toBe(
      `/tanks?farm=${rakaia._id}&filter=LowBattery`,
    );
  });

  test('says so when all is well', async () => {
    renderApp('/dashboard', { api: withTanks(buildTank(1), buildTank(2)) });
    expect(await screen.findByText('All 2 tanks are in contact, with water and battery.')).toBeTruthy();
  });

  test('a farm without a description has the default one', async () => {
    const bare = buildFarm(1);
    const api = withTanks().on('GET /farms-card', [bare]);
    renderApp('/dashboard', { api });
    expect(await screen.findByText('No description')).toBeTruthy();
  });

  test('shows the cards that the person chose for this farm; without any it says so', async () => {
    const hidden = { info: { id: rakaia._id }, dashboard: { cards: [{ type: 'Tank', visible: false }] } };
    const api = withTanks(buildTank(1)).on('GET /settings', { data: { farms: [hidden] }, version: 6 });
    const { router } = renderApp('/dashboard', { api });
    const choose = await screen.findByRole('link', { name: 'Choose cards' });
    expect(screen.queryByRole('heading', { name: 'Tank Levels' })).toBeNull();
    await act(async () => choose.click());
    expect(await screen.findByRole('dialog', { name: 'Dashboard Card Order & Visibility' })).toBeTruthy();
    act(() => FakeSocket.last.push({ type: 'settings', data: { data: {}, version: 6 } }));
    expect(await screen.findByRole('heading', { name: 'Tank Levels', hidden: true })).toBeTruthy();
    expect(router.state.location.pathname).toBe('/dashboard');
  });

  test('an empty list says so, with the next step beside it', async () => {
    renderApp('/dashboard', { api: withTanks() });
    expect(await screen.findByText('No items to display.')).toBeTruthy();
    expect(screen.getByText(/Add a tank's level sensor/)).toBeTruthy();
  });

  test('a failure says what failed and tries again', async () => {
    const api = withTanks().on('GET /lvl/suminfo', new Failure(403, 'Not for you.'));
    const { user } = renderApp('/dashboard', { api });
    expect((await screen.findByRole('alert')).textContent).toContain("The tanks couldn't be loaded");
    expect(screen.getByText('Not for you.')).toBeTruthy();
    api.on('GET /lvl/suminfo', { tanks: [buildTank(1)] });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await card('Tank 1')).toBeTruthy();
  });
});

describe('a tank card', () => {
  test('cards stand by name, without regard to case', async () => {
    const names = ['yards', 'Back Dam', 'hill 10', 'Hill 2'];
    renderApp('/dashboard', { api: withTanks(...names.map((name, n) => buildTank(n, { name }))) });
    await card('yards');
    expect(
      screen.getAllByRole('article').map((element) => within(element).getByRole('heading').textContent),
    ).toEqual(['Back Dam', 'Hill 2', 'hill 10', 'yards']);
  });

  test('shows level, litres, direction, flow, pump and age', async () => {
    const tank = buildTank(1, {
      type: sensorTypes.TLM_V3,
      trending: -1,
      flow: { flowrate: 12.44, direction: 1, leakDetected: false },
      pumpControl: pump(),
    });
    renderApp('/dashboard', { api: withTanks(tank) });
    const element = within(await card('Tank 1'));
    expect(element.getByText('62')).toBeTruthy();
    expect(element.getByText('15,500')).toBeTruthy();
    expect(element.getByText('falling')).toBeTruthy();
    expect(element.getByRole('link', { name: 'Flow of Tank 1: 12.4 litres a minute out' })).toBeTruthy();
    expect(element.getByRole('link', { name: 'Pump running: Tank 1' })).toBeTruthy();
    expect(element.getByText('6 min ago')).toBeTruthy();
    expect(element.getByText('Pump on at 35 %. Pump off at 85 %.')).toBeTruthy();
  });

  test.each([
    ['Pump stopped', pump({ relayState: false })],
    ['Pump control disabled', pump({ relayControl: false })],
    ['Pump control not available', null],
  ])('the pump icon says %s', async (text, pumpControl) => {
    renderApp('/dashboard', { api: withTanks(buildTank(1, { pumpControl })) });
    expect(within(await card('Tank 1')).getByRole('link', { name: `${text}: Tank 1` })).toBeTruthy();
  });

  test('names what is wrong in words', async () => {
    const tank = buildTank(1, {
      level: { value: 12, valueInLitres: 3000, invalid: false },
      batteryVoltage: 3.41,
      leakDetected: true,
    });
    renderApp('/dashboard', { api: withTanks(tank) });
    const element = within(await card('Tank 1'));
    expect(element.getByText('Low level')).toBeTruthy();
    expect(element.getByText('Possible leak detected')).toBeTruthy();
    expect(element.getByText('Low battery 3.41 V')).toBeTruthy();
  });

  test('an invalid level is said, not shown as a number', async () => {
    const level = { value: null, valueInLitres: null, invalid: true };
    renderApp('/dashboard', { api: withTanks(buildTank(1, { level })) });
    expect(within(await card('Tank 1')).getByText('Invalid sensor value')).toBeTruthy();
  });

  test('a tank that never reported has no data', async () => {
    const level = { value: null, valueInLitres: null, invalid: false };
    renderApp('/dashboard', {
      api: withTanks(buildTank(1, { level, statusTime: null, isOutOfContact: true })),
    });
    const element = within(await card('Tank 1'));
    expect(element.getAllByText('No data')).toHaveLength(2);
    expect(element.getByText("Unit couldn't be reached.")).toBeTruthy();
  });

  test('out of contact, it says for how long and hides the direction', async () => {
    const tank = buildTank(1, { statusTime: ago(5 * HOUR + 24 * MINUTE), trending: 1 });
    renderApp('/dashboard', { api: withTanks(tank) });
    const element = within(await card('Tank 1'));
    expect(element.getByText("This unit hasn't been in contact for 5 hours, 24 minutes.")).toBeTruthy();
    expect(element.queryByText('rising')).toBeNull();
    expect(element.getByRole('img', { name: 'Out of contact' })).toBeTruthy();
  });

  test('it ages before our eyes, every 10 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    renderApp('/dashboard', { api: withTanks(buildTank(1, { statusTime: ago(59 * MINUTE + 55_000) })) });
    const element = within(await card('Tank 1'));
    expect(element.getByText('59 min ago')).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(11_000));
    expect(element.getByText('1 h ago')).toBeTruthy();
  });

  test('leads to Details, Usage, Flow and the map', async () => {
    const tank = buildTank(1, {
      type: sensorTypes.TLM_V3,
      flow: { flowrate: 3, direction: 0, leakDetected: false },
    });
    renderApp('/dashboard', { api: withTanks(tank) });
    const element = within(await card('Tank 1'));
    const href = (name: RegExp) => element.getByRole('link', { name }).getAttribute('href');
    expect(href(/^Tank 1$/)).toBe(`/dashboard?tank=${tank._id}`);
    expect(href(/Usage of/)).toBe(`/dashboard?tank=${tank._id}&tab=usage`);
    expect(href(/Flow of/)).toBe(`/dashboard?tank=${tank._id}&tab=flow`);
    expect(href(/on the map/)).toBe(`/tanks?farm=${rakaia._id}&p=TLM1001`);
  });

  test('is no link for people who may not read sensors', async () => {
    const row = permissionsOn(rakaia, { ...presets.none, dashboard: true });
    const api = withTanks(buildTank(1)).on('GET /permissions-list', { permissions: [row] });
    renderApp('/dashboard', { api });
    expect(within(await card('Tank 1')).queryAllByRole('link')).toEqual([]);
  });
});

describe('a live update', () => {
  const frame = (tank: TankSummary, updatedAt: string) => ({
    type: 'status_update' as const,
    data: {
      type: 'tank_level' as const,
      farmUID: rakaia._id,
      uid: tank._id,
      serialNumber: tank.serialNumber,
      updatedAt,
    },
  });

  test('renews its own tank alone', async () => {
    const [one, two] = [buildTank(1), buildTank(2)];
    const api = withTanks(one, two).on('GET /level/basic-info', ({ query }) => ({
      ...(query.sensorUid === one._id ? one : two),
      level: { value: 71, valueInLitres: 17_750, invalid: false },
      updatedAt: '2026-11-21T06:00:00.000Z',
    }));
    renderApp('/dashboard', { api });
    await card('Tank 1');
    act(() => FakeSocket.last.push(frame(one, '2026-11-21T06:00:00.000Z')));
    expect(await within(await card('Tank 1')).findByText('71')).toBeTruthy();
    expect(within(await card('Tank 2')).getByText('62')).toBeTruthy();
    expect(api.calls('GET /level/basic-info').map(({ query }) => query)).toEqual([
      { farmUid: rakaia._id, sensorUid: one._id },
    ]);
    expect(api.calls('GET /lvl/suminfo')).toHaveLength(1);
  });

  test('that the card already shows asks for nothing', async () => {
    const tank = buildTank(1);
    const api = withTanks(tank);
    renderApp('/dashboard', { api });
    await card('Tank 1');
    act(() => FakeSocket.last.push(frame(tank, tank.updatedAt ?? '')));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(api.calls('GET /level/basic-info')).toEqual([]);
  });

  test('of a tank that is new asks for the list', async () => {
    const tank = buildTank(1);
    const api = withTanks(tank);
    renderApp('/dashboard', { api });
    await card('Tank 1');
    const fresh = buildTank(9);
    api.on('GET /lvl/suminfo', { tanks: [tank, fresh] });
    act(() => FakeSocket.last.push(frame({ ...fresh, _id: uid(1009) }, '2026-11-21T06:00:00.000Z')));
    await waitFor(() => expect(screen.getByRole('article', { name: 'Tank 9' })).toBeTruthy());
  });
});
