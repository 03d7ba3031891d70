import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Permissions, presets } from '@headrace/contract/permissions';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { FakeApi } from '../../testing/fake-api.ts';
import { nothingInTheWay, permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
// The map is much code: it is there before a test waits for it.
import '../../map/farm-map-view.tsx';
import '../commands/many/many-dialog.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { buildGroup as buildGroupCard } from '../groups/group-fixtures.ts';
import { buildGroup, buildOther, buildUnit } from './group-fixtures.ts';
import './group-map-page.tsx';
import './map-toolbar.tsx';

beforeEach(stubCanvas);
afterEach(() => vi.restoreAllMocks());

const north = buildGroupCard(3, 'North');
const setUID = uid(4001);
function open(name: string, group = north, rights: Permissions = presets.farmManager) {
  const units = Array.from({ length: 300 }, (_none, n) => buildUnit(n + 1));
  const api = new FakeApi()
    .on('GET /group/units', buildGroup(units, { gateways: [buildOther(1, 'Dairy shed')] }))
    .on('GET /permissions-list', { permissions: [permissionsOn(rakaia, rights)] })
    .on('GET /irrigation/placed', { sprinklers: 300, gateways: 1, repeaters: 0, sensors: 0 })
    .on('GET /groups', { groups: [group] })
    .on('GET /schedules/list', [{ id: setUID, name: 'Summer', default: true, selected: false }])
    .on('POST /commands/plan', { ...nothingInTheWay, total: 300, toDo: 300, notInSet: 2 })
    .on('POST /commands/send', { commandId: uid(5001), status: 'queued' });
  return { ...renderApp(`/group-status/${name}`, { api }), api };
}
const toolbar = async (name: string) =>
  within(await screen.findByRole('toolbar', { name: `What can be done with ${name}` }));
const optionsOf = async (name: string) => {
  fireEvent.click((await toolbar(name)).getByRole('button', { name: 'Options' }));
  return within(await screen.findByRole('dialog', { name: `Options for ${name}` }));
};
const sent = async (name: string) =>
  within((await optionsOf(name)).getByRole('region', { name: 'Send' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

test("a group's map polls its group, sends it schedules, and has the rest among its options", async () => {
  const { api } = open('North');
  await (await toolbar('North')).findByRole('button', { name: 'Send schedules' });
  expect(await sent('North')).toEqual([
    'Choose sprinklers…',
    'Inhibit group…',
    'Uninhibit group…',
    'Valves On…',
    'Valves Off…',
    'Reconfigure group…',
    'Change comms mode…',
    'Hold from watering…',
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  fireEvent.click((await toolbar('North')).getByRole('button', { name: 'Poll' }));
  await screen.findByRole('dialog', { name: 'Poll North' });
  await waitFor(() =>
    expect(api.calls('POST /commands/plan')[0]?.body.payload).toEqual({ groupUID: north._id }),
  );
});

test("the farm's map stops all water, and sends a set to all groups or to one", async () => {
  const { api, user } = open('FARM');
  expect(await sent(rakaia.name)).toEqual([
    'Stop all water…',
    'Choose sprinklers…',
    'Inhibit all…',
    'Uninhibit all…',
    'Valves On…',
    'Reconfigure all…',
    'Change comms mode…',
    'Hold from watering…',
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  fireEvent.click((await toolbar(rakaia.name)).getByRole('button', { name: 'Send schedules' }));
  const dialog = within(await screen.findByRole('dialog', { name: `Send schedules to ${rakaia.name}` }));
  const sets = await dialog.findByRole('combobox', { name: /^Schedule Set/ });
  await within(sets).findByRole('option', { name: 'Summer' });
  await user.selectOptions(sets, setUID);
  const planned = () => api.calls('POST /commands/plan').at(-1)?.body.payload;
  await waitFor(() => expect(planned()).toEqual({ groupUID: 'FARM', setUID }));
  // Those that the set has nothing for are cleared unless that is unticked.
  await user.click(
    await dialog.findByRole('checkbox', { name: /^Clear those that the set has nothing for/ }),
  );
  await waitFor(() => expect(planned()).toEqual({ groupUID: 'FARM', setUID, clearOthers: false }));
  await user.selectOptions(dialog.getByRole('combobox', { name: /^Group/ }), north._id);
  await waitFor(() => expect(planned()).toMatchObject({ groupUID: north._id, setUID }));
});

test('the options say what maps show; who may only look sends and resets nothing', async () => {
  const { user } = open('FARM', north, presets.guest);
  const options = await optionsOf(rakaia.name);
  expect(options.queryByRole('region', { name: 'Send' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Poll' })).toBeNull();
  expect(options.queryByRole('button', { name: 'Reset sprinkler locations…' })).toBeNull();
  const spares = options.getByRole('switch', { name: 'Spares' }) as HTMLInputElement;
  expect([spares.checked, screen.getByRole<HTMLInputElement>('switch', { name: 'Sensors' }).checked]).toEqual(
    [false, true],
  );
  await user.click(spares);
  expect(spares.checked).toBe(true);
});

test("a farm's map resets the places of its sprinklers, after asking", async () => {
  open('FARM');
  fireEvent.click((await optionsOf(rakaia.name)).getByRole('button', { name: 'Reset sprinkler locations…' }));
  await screen.findByRole('dialog', { name: 'Reset sprinkler locations?' });
});

test('what the markers of a map mean stands in its legend, on the farm’s map and on a group’s', async () => {
  for (const name of ['FARM', 'North']) {
    const { unmount } = open(name);
    const legend = (await screen.findByText('Legend')).closest('details');
    const meanings = within(legend ?? document.body)
      .getAllByRole('listitem', { hidden: true })
      .map(({ textContent }) => textContent);
    expect(meanings).toEqual([
      'OK',
      'Watering: it said so',
      'Should be watering, not confirmed',
      'Open, should be closed by now',
      'To be inhibited, has not said so yet',
      'Battery, clock or schedule',
      'Out of contact',
      'Inhibited',
      'Spare or out of service',
      'Left out by the filter',
      'Gateway',
      'Repeater',
      'Sensor',
      'Point of interest',
    ]);
    unmount();
  }
});

test('what the list shows is saved as a table', async () => {
  const { user } = open('FARM');
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.push(blob as Blob);
    return 'blob:list';
  });
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
  await user.type(await screen.findByRole('searchbox', { name: 'Search this map' }), 'A300');
  await screen.findByRole('option', { name: 'All (300)' });
  const options = await optionsOf(rakaia.name);
  fireEvent.click(await options.findByRole('button', { name: 'Save the list as CSV (1)' }));
  const rows = (await saved[0]?.text())?.trim().split('\r\n') ?? [];
  expect(rows).toHaveLength(2);
  expect(rows[0]).toContain('Name,Serial number,MAC,Groups,State,Last contact');
  expect(rows[1]).toMatch(/^A300,/);
});

test.each([
  // At 4 L/s 30 min are 5.2 mm, at 8 L/s 10.3 mm, by the design's spacing.
  ['North', 'Open the valves of North', 'About 10 mm'],
  ['FARM', `Open the valves of ${rakaia.name}`, 'About 5 to 10 mm'],
])('opening the valves of %s says how much water lands by its groups', async (name, title, depth) => {
  open(name, { ...north, walConfig: { ...rakaia.walConf, sprinklerFlow: 8 } });
  await optionsOf(name === 'FARM' ? rakaia.name : name);
  fireEvent.click(await screen.findByRole('button', { name: 'Valves On…' }));
  const dialog = within(await screen.findByRole('dialog', { name: title }));
  fireEvent.change(await dialog.findByRole('textbox', { name: /^Minutes/ }), { target: { value: '30' } });
  expect(await dialog.findByText(depth)).toBeTruthy();
});
