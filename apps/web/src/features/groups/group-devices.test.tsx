import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import { NOT_FOUND_TEXT } from '@headrace/contract/texts';
import { Failure } from '../../testing/fake-api.ts';
import { permissionsOn, rakaia } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { buildIpc, buildPoi, farmUID } from '../devices/device-fixtures.ts';
import { asGuest, membersApi, north } from './group-fixtures.ts';
import { devicesInRanges } from './name-ranges.ts';

const listPath = `/group/devices-list/${farmUID}/${north._id}`;
const id = (n: number) => buildIpc(n)._id;
/** "A1: In the group" for each device that the list has, by name. */
const rows = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell'))
    .map((cells) => `${cells[1]?.textContent}: ${cells[3]?.textContent}`);
const openList = async (api = membersApi()) => {
  const app = renderApp(listPath, { api });
  await screen.findByRole('checkbox', { name: 'Choose A2' });
  const choose = async (...names: string[]) => {
    for (const name of names) await app.user.click(screen.getByRole('checkbox', { name: `Choose ${name}` }));
  };
  return { ...app, choose };
};

describe("a group's devices in a list", () => {
  test('says who is in it, who is in another lateral group and who is in none', async () => {
    await openList();
    expect(rows()).toEqual([
      'A1: In the group',
      'A2: –',
      'A3: –',
      'A9: Lateral in South',
      'A10: –',
      'Gate 1: –',
    ]);
    expect(screen.getByText('1 of 6 devices in the group · 1 in other lateral groups')).toBeTruthy();
  });

  test('adds those that were chosen, but none of another lateral group', async () => {
    const api = membersApi();
    const { user, choose } = await openList(api);
    await choose('A1', 'A3', 'A9', 'Gate 1');
    await user.click(screen.getByRole('button', { name: 'Add 2' }));
    await waitFor(() => expect(rows()[2]).toBe('A3: In the group'));
    expect(api.calls('PUT /group/devices/add').map(({ body }) => body)).toEqual([
      { groupId: north._id, ipcs: [id(3)], pois: [buildPoi(1)._id] },
    ]);
  });

  test('takes out those that are in', async () => {
    const api = membersApi();
    const { user, choose } = await openList(api);
    await choose('A1', 'A2');
    await user.click(screen.getByRole('button', { name: 'Remove 1' }));
    await waitFor(() => expect(api.calls('PUT /group/devices/remove')).toHaveLength(1));
    expect(api.calls('PUT /group/devices/remove')[0]?.body).toEqual({
      groupId: north._id,
      ipcs: [id(1)],
      pois: [],
    });
  });

  test('chooses a run with Shift', async () => {
    const api = membersApi();
    const { user, choose } = await openList(api);
    await choose('A2');
    await user.keyboard('{Shift>}');
    await choose('A10');
    await user.keyboard('{/Shift}');
    expect(screen.getByText('4 chosen')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Add 3' })).toBeTruthy();
  });

  test('adds a range of names, and says what was not found or may not be added', async () => {
    const api = membersApi();
    const { user } = await openList(api);
    await user.type(screen.getByRole('textbox', { name: 'Devices by their names' }), 'a2-a9, B7');
    await user.click(screen.getByRole('button', { name: 'Add' }));
    expect(
      await screen.findByText('2 devices added. A9 is in lateral group South. Not found: B7.'),
    ).toBeTruthy();
    expect(api.calls('PUT /group/devices/add')[0]?.body.ipcs).toEqual([id(2), id(3)]);
  });

  test('shows it at once, and undoes what is refused with the reason', async () => {
    const reason = 'Sprinkler A2 is in the lateral group River already. Please take it out there first.';
    let answer: (failure: Failure) => void = () => undefined;
    // It is shown before it is sent: the answer may be there before the question.
    const refusal = new Promise<Failure>((resolve) => (answer = resolve));
    const api = membersApi().on('PUT /group/devices/add', () => refusal);
    const { user, choose } = await openList(api);
    await choose('A2');
    await user.click(screen.getByRole('button', { name: 'Add 1' }));
    await waitFor(() => expect(rows()[1]).toBe('A2: In the group'));
    answer(new Failure(409, reason, { field: 'ipcs' }));
    expect(await screen.findByText(reason)).toBeTruthy();
    await waitFor(() => expect(rows()[1]).toBe('A2: –'));
    expect(rows()[0]).toBe('A1: In the group');
  });

  test('is emptied after asking, and the sentence says so', async () => {
    const api = membersApi().on('PUT /group/devices/remove-all', { success: true, changed: 1 });
    const { user } = await openList(api);
    await user.click(screen.getByRole('button', { name: 'Remove all devices' }));
    const dialog = await screen.findByRole('dialog', { name: 'Remove all devices from North?' });
    expect(within(dialog).getByText('1 device leaves the group and stays on the farm.')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Remove all devices' }));
    expect(await screen.findByText('Devices removed successfully!')).toBeTruthy();
    expect(rows()[0]).toBe('A1: –');
  });

  test('that could not be emptied says so', async () => {
    const api = membersApi().on('PUT /group/devices/remove-all', new Failure(403, 'No.'));
    const { user } = await openList(api);
    await user.click(screen.getByRole('button', { name: 'Remove all devices' }));
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Remove all devices' }));
    expect(await screen.findByText("Devices couldn't be removed!")).toBeTruthy();
    expect(rows()[0]).toBe('A1: In the group');
  });

  test('is not for people who may not manage it', async () => {
    renderApp(listPath, { api: membersApi().on('GET /permissions-list', asGuest) });
    expect(
      await screen.findByText("Sorry, you don't have permissions to access this page for the current farm."),
    ).toBeTruthy();
  });
});

describe("a group's devices for people who may manage groups but not read sprinklers", () => {
  const manager = { ...presets.none, groups: 1, pois: 1, manageGroupDevices: true };
  const as = (permissions: typeof manager) =>
    membersApi()
      .on('GET /irrigation/units', new Failure(403, 'No.'))
      .on('GET /permissions-list', { permissions: [permissionsOn(rakaia, permissions)] });

  test('are the points of interest, and how many sprinklers are in it', async () => {
    const api = as(manager);
    const { user } = renderApp(listPath, { api });
    await screen.findByRole('checkbox', { name: 'Choose Gate 1' });
    expect(rows()).toEqual(['Gate 1: –']);
    expect(screen.getByText('0 of 1 devices in the group · 1 sprinkler in it not shown')).toBeTruthy();
    expect(api.calls('GET /irrigation/units')).toHaveLength(0);
    await user.click(screen.getByRole('checkbox', { name: 'Choose Gate 1' }));
    await user.click(screen.getByRole('button', { name: 'Add 1' }));
    await waitFor(() => expect(rows()).toEqual(['Gate 1: In the group']));
  });

  test('can all be taken out, also when none of them may be seen', async () => {
    const api = as({ ...manager, pois: 0 }).on('PUT /group/devices/remove-all', {
      success: true,
      changed: 1,
    });
    const { user } = renderApp(listPath, { api });
    expect(
      await screen.findByText("You may not see this farm's sprinklers, so they can't be chosen."),
    ).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Remove all devices' }));
    const dialog = await screen.findByRole('dialog', { name: 'Remove all devices from North?' });
    await user.click(within(dialog).getByRole('button', { name: 'Remove all devices' }));
    expect(await screen.findByText('Devices removed successfully!')).toBeTruthy();
  });
});

test.each(['devices-list', 'devices-map'])('a group that is not there has no %s', async (page) => {
  const api = membersApi().on('GET /group/devices', new Failure(404, NOT_FOUND_TEXT));
  renderApp(`/group/${page}/${farmUID}/${north._id}`, { api });
  expect(await screen.findByRole('heading', { name: NOT_FOUND_TEXT })).toBeTruthy();
});

describe("a group's devices on the map", () => {
  test('are chosen by the keyboard too; those of another lateral group are not offered', async () => {
    const api = membersApi();
    const { user } = renderApp(`/group/devices-map/${farmUID}/${north._id}`, { api });
    await user.click(await screen.findByText(/^Devices as a list/));
    const boxes = await screen.findAllByRole('checkbox');
    expect(boxes.map((box) => box.getAttribute('aria-label'))).toEqual([
      'Sprinkler A1, ok',
      'Sprinkler A2, ok',
      'Sprinkler A3, ok',
      'Sprinkler A10, ok',
      'Point of interest Gate 1',
    ]);
    await user.click(screen.getByRole('checkbox', { name: 'Sprinkler A10, ok' }));
    await waitFor(() => expect(api.calls('PUT /group/devices/add')[0]?.body.ipcs).toEqual([id(10)]));
    await user.click(screen.getByRole('checkbox', { name: 'Sprinkler A1, ok' }));
    await waitFor(() => expect(api.calls('PUT /group/devices/remove')[0]?.body.ipcs).toEqual([id(1)]));
  });
});

test.each([
  ['A1-A3', ['A1', 'A2', 'A3'], []],
  ['a3 – 1', ['A1', 'A2', 'A3'], []],
  ['A2, B7; Gate 1', ['A2', 'Gate 1'], ['B7']],
  ['A1-B3', [], ['A1-B3']],
  ['A-1', ['A-1'], []],
  ['', [], []],
] as const)('%s names %j', (text, names, unknown) => {
  const devices = ['A1', 'A2', 'A3', 'A11', 'B1', 'Gate 1', 'A-1'].map((name) => ({ _id: name, name }));
  expect(devicesInRanges(text, devices)).toEqual({ ids: names, unknown });
});
