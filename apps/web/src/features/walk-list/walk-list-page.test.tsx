import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import type { WalkStop } from '@headrace/contract/walk-list';
import { Failure, FakeApi, UNREACHABLE } from '../../testing/fake-api.ts';
import { buildFarmRecord, permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { buildUnit } from '../group-map/group-fixtures.ts';
import { buildSprinklerInfo } from '../sprinkler-dialog/sprinkler-info-fixtures.ts';

const farmUID = rakaia._id;
const PATH = `/walk-list/${farmUID}`;
const DAY = 86_400_000;

/** So many thousandths of a degree north of the farm's place: 111 m each. */
const build = (n: number, name: string, north: number, over: Partial<WalkStop> = {}): WalkStop => ({
  id: uid(7000 + n),
  device: 'sprinkler',
  name,
  serialNumber: `IPC-${name}`,
  groups: [],
  location: { lat: rakaia.lat + north / 1000, lng: rakaia.lng },
  why: [{ kind: 'batteryLow', since: null, due: null }],
  charge: 16,
  chargeAt: Date.now() - 3 * 3_600_000,
  ...over,
});
const far = build(1, 'FAR', 9);
const near = build(2, 'NEAR', 1, { groups: ['Line A'] });
const silent = build(3, 'DUMB', 4, {
  why: [{ kind: 'outOfContact', since: Date.now() - 40 * DAY, due: null }],
});
const serve = (stops: WalkStop[]) =>
  new FakeApi()
    .on('GET /walk-list', { at: Date.now(), stops })
    // The tests' canvas draws no land.
    .on('GET /farm', buildFarmRecord(rakaia, { boundary: [] }));
const stops = () =>
  within(screen.getByRole('list', { name: 'Where to go' })).getAllByRole('heading', { level: 2 });
const names = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
const open = async (api: FakeApi) => {
  const app = renderApp(PATH, { api });
  await screen.findByRole('list', { name: 'Where to go' });
  return app;
};
beforeEach(() => localStorage.removeItem('headrace.batteries-changed'));

describe('the walk list', () => {
  test('goes to the nearest next, with the way, the groups and what is to be done', async () => {
    await open(serve([far, silent, near]));
    expect(names()).toEqual(['1.NEARIPC-NEAR', '2.DUMBIPC-DUMB', '3.FARIPC-FAR']);
    const says = (text: string) => screen.getByText(text);
    expect(says('110 m N of the farm’s place · Line A')).toBeTruthy();
    expect(says('335 m N of NEAR')).toBeTruthy();
    expect(screen.getAllByText('Battery low: 16 %, it said 3 h ago. Change it.')).toHaveLength(2);
    expect(says('Not heard for more than 30 days, last 40 days ago.')).toBeTruthy();
    expect(screen.getByText(/^3 places, 1.0 km as the crow flies\./)).toBeTruthy();
  });

  test.each([
    [{ days: 9, earliest: 7, latest: null, confidence: 'fair' as const }, 'in about 9 days (7 to many)'],
    [{ days: 1, earliest: 1, latest: 1, confidence: 'good' as const }, 'in about 1 day'],
    [{ days: 0, earliest: 0, latest: 2, confidence: 'low' as const }, 'today'],
  ])('says when a battery will be low: %j', async (due, label) => {
    await open(serve([build(1, 'A', 1, { charge: 61, why: [{ kind: 'batteryDue', since: null, due }] })]));
    expect(
      screen.getByText(`Battery low ${label} at the rate of the last three weeks, now 61 %. Change it.`),
    ).toBeTruthy();
  });

  test('shows batteries or repairs alone', async () => {
    const { user } = await open(serve([far, silent, near]));
    await user.click(screen.getByRole('radio', { name: 'Repairs' }));
    expect(names()).toEqual(['1.DUMBIPC-DUMB']);
    await user.click(screen.getByRole('radio', { name: 'Batteries' }));
    expect(names()).toEqual(['1.NEARIPC-NEAR', '2.FARIPC-FAR']);
  });

  test('is nothing to do on a farm that is new', async () => {
    renderApp(PATH, { api: serve([]) });
    expect(await screen.findByText('Nobody has to go anywhere.')).toBeTruthy();
  });

  test('says that it could not be loaded', async () => {
    renderApp(PATH, { api: new FakeApi().on('GET /walk-list', new Failure(500, 'Out of order.')) });
    expect(await screen.findByText("The walk list couldn't be loaded")).toBeTruthy();
  });

  test('offers no new battery to who may not record one', async () => {
    const api = serve([near]).on('GET /permissions-list', {
      permissions: [permissionsOn(rakaia, { ...presets.guest, sprinklersStatus: true })],
    });
    await open(api);
    expect(screen.queryByRole('button', { name: /Battery changed/ })).toBeNull();
  });
});

describe('a battery that was changed', () => {
  const change = async (app: Awaited<ReturnType<typeof open>>, name: string) => {
    await app.user.click(screen.getByRole('button', { name: `Battery changed at ${name}` }));
    await app.user.click(screen.getByRole('button', { name: `Yes, record a new battery for ${name}` }));
  };
  const info = (over: Partial<ReturnType<typeof buildSprinklerInfo>> = {}) =>
    buildSprinklerInfo(buildUnit(1, { id: near.id, name: 'NEAR', statustime: Date.now() - DAY }), over);
  const record = 'POST /ipc/replace-battery';

  test('is recorded with its time, and leaves the walk', async () => {
    const api = serve([near, far]).on(record, { success: true }).on('GET /ipc/fullinfo', info());
    const app = await open(api);
    const before = Date.now();
    await change(app, 'NEAR');
    expect(await screen.findByText('Battery replacement recorded successfully!')).toBeTruthy();
    const [{ body } = { body: undefined }] = app.api.calls(record);
    expect(body?.ipcUID).toBe(near.id);
    expect(Math.abs(Date.parse(body?.at ?? '') - before)).toBeLessThan(60_000);
    expect(stops()).toHaveLength(1);
  });

  test('without a network is kept, said so, and recorded once there is one again', async () => {
    const api = serve([near, far]).on(record, UNREACHABLE).on('GET /ipc/fullinfo', info());
    const app = await open(api);
    await change(app, 'NEAR');
    expect(
      await screen.findByText(/^1 new battery is kept in this browser and not recorded yet/),
    ).toBeTruthy();
    api.on(record, { success: true });
    act(() => void dispatchEvent(new Event('online')));
    expect(await screen.findByText('Battery replacement recorded successfully!')).toBeTruthy();
    const times = app.api.calls(record).map(({ body }) => body.at);
    expect(new Set(times).size).toBe(1);
  });

  test('that is refused says why and can be tried again', async () => {
    const api = serve([near, far]).on(record, new Failure(403, 'You may not do this.'));
    const app = await open(api);
    await change(app, 'NEAR');
    expect(await screen.findByText(/^Sorry, coudn't record the battery replacement\./)).toBeTruthy();
    expect(stops()).toHaveLength(2);
    api.on(record, { success: true }).on('GET /ipc/fullinfo', info());
    await app.user.click(screen.getByRole('button', { name: 'Try again to record it for NEAR' }));
    expect(await screen.findByText('Battery replacement recorded successfully!')).toBeTruthy();
  });

  test('is followed by a Poll, and by what the unit then says it kept', async () => {
    const api = serve([near, far]).on(record, { success: true }).on('GET /ipc/fullinfo', info());
    const app = await open(api);
    await change(app, 'NEAR');
    expect(await screen.findByText(/^Not heard since its battery was changed/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Poll' })).toBeTruthy();
    const heard = info({
      statustime: Date.now() + 1000,
      clock: -3600,
      hasClockError: true,
      held: { ...info().held, state: 'nothing' },
      wanted: {
        setId: uid(1),
        setName: 'Summer',
        scheduleGroup: 'A',
        crc: '1A:2B',
        entries: [{ start: 312, duration: 29, cycle: 1 }],
        cycleDays: 1,
        since: 0,
        commandId: null,
      },
    });
    api.on('GET /ipc/fullinfo', heard);
    await act(() => app.queryClient.invalidateQueries({ queryKey: ['sprinkler-info'] }));
    const after = await screen.findByRole('region', { name: 'NEAR after its new battery' });
    await waitFor(() =>
      expect(within(after).getByText(/It holds nothing: send its schedule\./)).toBeTruthy(),
    );
    expect(within(after).getByText(/Its clock is 3,600 s slow: set its time\./)).toBeTruthy();
    expect(within(after).getByRole('button', { name: 'Send its schedule' })).toBeTruthy();
    expect(within(after).getByRole('button', { name: 'Set Time' })).toBeTruthy();
  });
});
