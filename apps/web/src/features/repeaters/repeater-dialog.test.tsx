import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { BatteryLife } from '@headrace/contract/battery-life';
import { levels, presets } from '@headrace/contract/permissions';
import type { Repeater } from '@headrace/contract/repeaters';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { Failure } from '../../testing/fake-api.ts';
import { permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
// Much code for a test to wait for.
import '../../map/farm-map-view.tsx';
import '../group-map/group-map-page.tsx';
import './repeater-dialog.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { buildRepeater, deviceApi, farmUID } from '../devices/device-fixtures.ts';
import { buildGroup, buildOther } from '../group-map/group-fixtures.ts';

beforeEach(stubCanvas);

const life: BatteryLife = {
  charge: [
    { time: '2026-11-20T20:00:00.000Z', value: 62, lowest: null, highest: null },
    { time: '2026-11-20T21:00:00.000Z', value: 49, lowest: null, highest: null },
  ],
  span: 'reading',
  changes: [{ at: '2026-11-20T20:30:00.000Z', how: 'battery', by: 'Ann' }],
  threshold: 50,
};
const HOUR = 3_600_000;
const serve = (over: Partial<Repeater> = {}) =>
  deviceApi({ repeaters: [buildRepeater(1, over)] }).on('GET /repeater/batterylife', life);
const id = uid(6001);
const list = `/repeater-devices/${farmUID}`;
const dialog = async (name = 'Repeater R1') => within(await screen.findByRole('dialog', { name }));

test('a repeater opens from the list with what it said and its battery; Back closes it', async () => {
  const api = serve();
  const { user, router } = renderApp(list, { api });
  await user.click(await screen.findByRole('link', { name: 'Details of R1' }));
  const shown = await dialog();
  const facts = shown.getAllByRole('term').map((term) => {
    const said = term.nextElementSibling?.textContent ?? '';
    return `${term.textContent}: ${said}`;
  });
  expect(facts).toEqual([
    expect.stringMatching(/^Battery: 92.?%/),
    expect.stringMatching(/^Last contact: .+/),
    'MAC: 0004A30000E1',
    'Farm ID: 01:01',
  ]);
  expect(await shown.findByRole('figure', { name: 'Battery of R1' })).toBeTruthy();
  expect(shown.getByRole('list', { name: 'Replacements' }).textContent).toMatch(/New battery\s?Ann$/);
  await user.click(shown.getByRole('radio', { name: 'Week' }));
  await waitFor(() =>
    expect(api.calls('GET /repeater/batterylife').map(({ query }) => query)).toEqual([
      { deviceId: id, period: 60 },
      { deviceId: id, period: 7 },
    ]),
  );
  act(() => router.history.back());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the charge is as old as the report that told it, whatever came since', async () => {
  const now = Date.now();
  const api = serve({ chargeAt: now - 26 * HOUR, statusTime: now - 2 * HOUR });
  renderApp(`${list}?repeater=${id}`, { api });
  const shown = await dialog();
  const said = async (name: string) =>
    (await shown.findByText(name, { selector: 'dt' })).nextElementSibling?.textContent;
  expect(await said('Battery')).toMatch(/1 day ago/);
  expect(await said('Last contact')).toMatch(/2 h ago/);
});

test("a charge that isn't known is unknown", async () => {
  renderApp(`${list}?repeater=${id}`, { api: serve({ charge: null, chargeAt: null }) });
  expect((await (await dialog()).findByText('Battery', { selector: 'dt' })).nextSibling?.textContent).toBe(
    'Unknown',
  );
});

test('one of which nothing is known says so', async () => {
  const api = serve().on(
    'GET /repeater',
    new Failure(404, "Sorry, we couldn't find what you're looking for."),
  );
  renderApp(`${list}?repeater=${id}`, { api });
  const text =
    'This repeater has no information available, please refresh the page. If this issue persists, please contact support.';
  expect(await (await dialog('Repeater')).findByText(text)).toBeTruthy();
});

test('a new battery is recorded from there by those who may edit repeaters', async () => {
  const api = serve().on('POST /repeater/replace-battery', { success: true });
  const { user } = renderApp(`${list}?repeater=${id}`, { api });
  await user.click(await (await dialog()).findByRole('button', { name: 'Record Battery Replacement' }));
  await user.click(await screen.findByRole('button', { name: 'Record replacement' }));
  expect(await screen.findByText('Battery replacement recorded successfully!')).toBeTruthy();
  expect(api.calls('POST /repeater/replace-battery').map(({ body }) => body)).toEqual([{ rptrUID: id }]);
});

test('who may only read repeaters records nothing', async () => {
  const repeaters = levels.Read;
  const api = serve().on('GET /permissions-list', {
    permissions: [permissionsOn(rakaia, { ...presets.none, repeaters })],
  });
  renderApp(`${list}?repeater=${id}`, { api });
  const shown = await dialog();
  expect(await shown.findByText('0004A30000E1')).toBeTruthy();
  expect(shown.queryByRole('button', { name: 'Record Battery Replacement' })).toBeNull();
});

test("the map's popup of a repeater opens it, and closing it is the map", async () => {
  const repeaters = [buildOther(2, 'R1')];
  const marked = repeaters[0]?.id ?? '';
  const api = serve({ _id: marked }).on('GET /group/units', buildGroup([], { repeaters }));
  const { user, router } = renderApp(`/group-status/FARM?ipc=${marked}`, { api });
  const popup = within(await screen.findByRole('region', { name: 'Repeater R1' }));
  await user.click(popup.getByRole('link', { name: 'Open repeater' }));
  await dialog();
  act(() => router.history.back());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.state.location.search).toMatchObject({ ipc: marked });
});
