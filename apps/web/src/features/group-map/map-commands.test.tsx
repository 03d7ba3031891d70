import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { FakeApi } from '../../testing/fake-api.ts';
import { nothingInTheWay, rakaia, uid } from '../../testing/fixtures.ts';
// The map is much code: it is there before a test waits for it.
import '../../map/farm-map-view.tsx';
import '../commands/many/many-dialog.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { buildGroup as buildGroupCard } from '../groups/group-fixtures.ts';
import { buildGroup, buildOther, buildUnit } from './group-fixtures.ts';
import './group-map-page.tsx';
import './map-commands.tsx';

beforeEach(stubCanvas);
afterEach(() => vi.restoreAllMocks());

const north = buildGroupCard(3, 'North');
const setUID = uid(4001);
function open(name: string, group = north) {
  const units = Array.from({ length: 300 }, (_none, n) => buildUnit(n + 1));
  const api = new FakeApi()
    .on('GET /group/units', buildGroup(units, { gateways: [buildOther(1, 'Dairy shed')] }))
    .on('GET /groups', { groups: [group] })
    .on('GET /schedules/list', [{ id: setUID, name: 'Summer', default: true, selected: false }])
    .on('POST /commands/plan', { ...nothingInTheWay, total: 300, toDo: 300, notInSet: 2 })
    .on('POST /commands/send', { commandId: uid(5001), status: 'queued' });
  return { ...renderApp(`/group-status/${name}`, { api }), api };
}
const menuOf = async (name: string) => {
  fireEvent.click(await screen.findByRole('button', { name: `Commands for ${name}` }));
  const list = within(await screen.findByRole('dialog', { name: `Commands for ${name}` }));
  return list.getAllByRole('listitem').map(({ textContent }) => textContent);
};

test("a group's map has the commands of its group", async () => {
  const { api } = open('North');
  const button = await screen.findByRole('button', { name: 'Commands for North' });
  expect(button.textContent).toBe('Commands');
  expect(await menuOf('North')).toEqual([
    'Choose sprinklers…',
    'Send schedules…',
    'Poll group…',
    'Inhibit group…',
    'Uninhibit group…',
    'Valves On…',
    'Valves Off…',
    'Reconfigure group…',
    'Change comms mode…',
    'Hold from watering…',
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Poll group…' }));
  await screen.findByRole('dialog', { name: 'Poll North' });
  await waitFor(() =>
    expect(api.calls('POST /commands/plan')[0]?.body.payload).toEqual({ groupUID: north._id }),
  );
});

test("the farm's map stops all water, and sends a set to all groups or to one", async () => {
  const { api, user } = open('FARM');
  expect(await menuOf(rakaia.name)).toEqual([
    'Choose sprinklers…',
    'Stop all water…',
    'Send schedules…',
    'Poll all…',
    'Inhibit all…',
    'Uninhibit all…',
    'Valves On…',
    'Reconfigure all…',
    'Change comms mode…',
    'Hold from watering…',
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Send schedules…' }));
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

test.each([
  // At 4 L/s 30 min are 5.2 mm, at 8 L/s 10.3 mm, by the design's spacing.
  ['North', 'Open the valves of North', 'About 10 mm'],
  ['FARM', `Open the valves of ${rakaia.name}`, 'About 5 to 10 mm'],
])('opening the valves of %s says how much water lands by its groups', async (name, title, depth) => {
  open(name, { ...north, walConfig: { ...rakaia.walConf, sprinklerFlow: 8 } });
  await menuOf(name === 'FARM' ? rakaia.name : name);
  fireEvent.click(screen.getByRole('button', { name: 'Valves On…' }));
  const dialog = within(await screen.findByRole('dialog', { name: title }));
  fireEvent.change(await dialog.findByRole('textbox', { name: /^Minutes/ }), { target: { value: '30' } });
  expect(await dialog.findByText(depth)).toBeTruthy();
});
