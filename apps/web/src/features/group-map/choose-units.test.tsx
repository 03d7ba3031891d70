import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { FakeApi } from '../../testing/fake-api.ts';
import { nothingInTheWay, rakaia, uid } from '../../testing/fixtures.ts';
// The map is much code: it is there before a test waits for it.
import '../../map/lasso-select-view.tsx';
import '../commands/many/many-dialog.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { buildCommand, buildDetails } from '../commands/command-fixtures.ts';
import { buildGroup as buildGroupCard } from '../groups/group-fixtures.ts';
import { buildGroup, buildOther, buildUnit } from './group-fixtures.ts';
import './choose-units.tsx';
import './group-map-page.tsx';
import './map-toolbar.tsx';

beforeEach(stubCanvas);
afterEach(() => vi.restoreAllMocks());

const north = buildGroupCard(3, 'North');
const names = (n: number) => ({ groups: n <= 4 ? ['North'] : ['South'] });
function open(path: string) {
  const units = Array.from({ length: 12 }, (_none, n) => buildUnit(n + 1, names(n + 1)));
  units[11] = buildUnit(12, { ...names(12), lat: null, lng: null });
  const api = new FakeApi()
    .on('GET /group/units', buildGroup(units, { gateways: [buildOther(1, 'Dairy shed')] }))
    .on('GET /groups', { groups: [north] })
    .on('POST /commands/plan', { ...nothingInTheWay, total: 4, toDo: 4 })
    .on('POST /commands/send', { commandId: uid(5001), status: 'queued' })
    .on('GET /command', buildDetails(buildCommand(1, { command: 'PollGroup', state: 'queued' })));
  return { ...renderApp(path, { api }), api };
}
const bar = async () => within(await screen.findByRole('toolbar', { name: 'Chosen sprinklers' }));
const button = async (name: string) => (await bar()).findByRole('button', { name });

test('a group and one more are chosen, and a poll goes to them alone', async () => {
  const { api, user } = open('/group-status/FARM');
  fireEvent.click(await screen.findByRole('button', { name: 'Options' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Choose sprinklers…' }));
  expect(await screen.findByRole('heading', { name: `Choose sprinklers of ${rakaia.name}` })).toBeTruthy();
  expect(((await button('Commands…')) as HTMLButtonElement).disabled).toBe(true);
  await user.selectOptions((await bar()).getByRole('combobox', { name: 'Add a group' }), 'North');
  await button('Commands for 4…');
  // The one without a place is in the list alone.
  fireEvent.click(await screen.findByText('Devices as a list (1 without location)'));
  await user.type(await screen.findByRole('textbox', { name: 'Find a device by its name' }), 'A12');
  await user.click(await screen.findByRole('checkbox', { name: 'Sprinkler A12, ok' }));
  fireEvent.click(await button('Commands for 5…'));
  fireEvent.click(await screen.findByRole('button', { name: 'Poll…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Poll 5 sprinklers' }));
  const uids = [1001, 1002, 1003, 1004, 1012].map(uid);
  await waitFor(() =>
    expect(api.calls('POST /commands/plan')[0]?.body.payload).toEqual({ groupUID: 'FARM', uids }),
  );
  await dialog.findByText('It goes to 4 sprinklers.');
  await user.click(dialog.getByRole('button', { name: 'Poll' }));
  await waitFor(() =>
    expect(api.calls('POST /commands/send').find(({ body }) => body.type === 22)?.body.payload).toMatchObject(
      {
        groupUID: 'FARM',
        uids,
      },
    ),
  );
});

test('all that the search lists are chosen, and cleared; Done leads back to the map', async () => {
  const { user } = open('/group-status/North?choose=1&q=A1');
  // A1, A10, A11 and A12.
  await user.click(await button('The 4 listed'));
  await button('Commands for 4…');
  await user.click(await button('Clear'));
  await button('Commands…');
  expect(screen.queryByRole('combobox', { name: 'Add a group' })).toBeNull();
  await user.click(await button('Done'));
  await screen.findByRole('toolbar', { name: 'What can be done with North' });
});

test('Shift ticks all between two of the list, and takes them away', async () => {
  open('/group-status/North?choose=1');
  fireEvent.click(await screen.findByText('Devices as a list (1 without location)'));
  const box = (name: string) => screen.findByRole('checkbox', { name });
  fireEvent.click(await box('Sprinkler A2, ok'));
  fireEvent.click(await box('Sprinkler A5, ok'), { shiftKey: true });
  await button('Commands for 4…');
  fireEvent.click(await box('Sprinkler A4, ok'), { shiftKey: true });
  // A4 was ticked: it and A5, the last before, are taken away.
  await button('Commands for 2…');
});
