import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Command } from '@headrace/contract/commands';
import { commandTypes } from '@headrace/contract/command-types';
import type { Ipc } from '@headrace/contract/irrigation-devices';
import { presets } from '@headrace/contract/permissions';
import { spareStatuses } from '@headrace/contract/rules/spare-readiness';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { Failure, FakeApi, UNREACHABLE } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
// The map is much code: it is there before a test waits for it.
import '../../map/farm-map-view.tsx';
import '../group-map/group-map-page.tsx';
import '../sprinkler-dialog/sprinkler-dialog.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { buildCommand, buildDetails } from '../commands/command-fixtures.ts';
import { buildIpc } from '../devices/device-fixtures.ts';
import { buildGroup, buildOther, buildUnit } from '../group-map/group-fixtures.ts';

beforeEach(stubCanvas);
afterEach(() => vi.restoreAllMocks());

const ready = buildIpc(21, {
  name: 'S1',
  isSpareUnit: true,
  spareStatus: spareStatuses.Ready,
  charge: 96,
  lat: null,
  lng: null,
});
const notReady = buildIpc(22, {
  name: 'S2',
  isSpareUnit: true,
  spareStatus: spareStatuses.NotReady,
  spareReasons: ['battery below 70%', 'clock drift above 3 seconds'],
  charge: 41,
  lat: null,
  lng: null,
});
const commandId = uid(5001);
const replaceCommand = (over: Partial<Command>) => buildCommand(1, { command: 'Replace', ...over });

interface Given {
  spares?: Ipc[];
  prepare?: (api: FakeApi) => void;
}
/** The dialog of A9, and Replace opened from its menu. */
async function open({ spares = [notReady, ready], prepare }: Given = {}) {
  const api = new FakeApi()
    .on('GET /group/units', buildGroup([buildUnit(9)], { gateways: [buildOther(1, 'Dairy shed')] }))
    .on('GET /permissions-list', { permissions: [permissionsOn(rakaia, presets.farmManager)] })
    .on('GET /ipc/spare-units', { ipcs: spares })
    .on('POST /commands/send', { commandId, status: 'queued' })
    .on(
      'GET /command',
      buildDetails(replaceCommand({ state: 'accepted', done: 0, message: 'Replace: the gateway has it.' })),
    );
  prepare?.(api);
  const view = renderApp(`/group-status/FARM?ipc=${buildUnit(9).id}`, { api });
  const sprinkler = within(await screen.findByRole('dialog', { name: /A9/ }));
  fireEvent.click(await sprinkler.findByRole('button', { name: 'More for A9' }));
  const menu = within(await sprinkler.findByRole('menu'));
  fireEvent.click(menu.getByRole('menuitem', { name: 'Replace…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Replace unit' }));
  const sent = () =>
    api
      .calls('POST /commands/send')
      .map(({ body }) => body)
      .filter(({ type }) => type !== commandTypes.Ping);
  return { ...view, api, dialog, sent };
}
const answer = async (title: string, way: string) => {
  const question = within(await screen.findByRole('dialog', { name: title }));
  fireEvent.click(question.getByRole('button', { name: way }));
};
const order = (spare: Ipc) => ({
  farmUID: rakaia._id,
  type: commandTypes.Replace,
  name: 'A9',
  mac: '0018B2000A4F0001',
  serialNumber: '40009',
  payload: { serialNumber: spare.serialNumber, mac: spare.macAddress, sendSchedule: true },
});

describe('Replace', () => {
  test('needs nothing but the keyboard', async () => {
    const api = new FakeApi()
      .on('GET /group/units', buildGroup([buildUnit(9)], { gateways: [buildOther(1, 'Dairy shed')] }))
      .on('GET /permissions-list', { permissions: [permissionsOn(rakaia, presets.farmManager)] })
      .on('GET /ipc/spare-units', { ipcs: [ready] })
      .on('POST /commands/send', { commandId, status: 'queued' })
      .on(
        'GET /command',
        buildDetails(replaceCommand({ state: 'accepted', message: 'The gateway has it.' })),
      );
    const { user } = renderApp(`/group-status/FARM?ipc=${buildUnit(9).id}`, { api });
    const dialog = await screen.findByRole('dialog', { name: /A9/ });
    /** Steps on until the keyboard stands on it. */
    const goTo = async (find: () => HTMLElement | null, key = '{Tab}') => {
      for (let steps = 0; steps < 60 && find() !== document.activeElement; steps += 1)
        await user.keyboard(key);
      expect(document.activeElement).toBe(find());
    };
    await goTo(() => within(dialog).queryByRole('button', { name: 'More for A9' }));
    await user.keyboard('{Enter}');
    await within(dialog).findByRole('menu');
    await goTo(() => within(dialog).queryByRole('menuitem', { name: 'Replace…' }), '{ArrowDown}');
    await user.keyboard('{Enter}');
    const replace = within(await screen.findByRole('dialog', { name: 'Replace unit' }));
    await replace.findByRole('button', { name: /^Replace with S1/ });
    await goTo(() => replace.queryByRole('button', { name: /^Replace with S1/ }));
    await user.keyboard('{Enter}');
    const question = within(await screen.findByRole('dialog', { name: 'Spare ready' }));
    await goTo(() => question.queryByRole('button', { name: 'Yes' }));
    await user.keyboard('{Enter}');
    await replace.findByText('It ends by itself. Until it is done, A9 has 40009.');
    const sent = api.calls('POST /commands/send').map(({ body }) => body);
    expect(sent.filter(({ type }) => type === commandTypes.Replace)).toMatchObject([order(ready)]);
  });

  test('offers the ready spare first, asks once, and shows the command to its end', async () => {
    const { dialog, sent } = await open();
    const list = within(await dialog.findByRole('list', { name: 'Spares of this farm' }));
    expect(list.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
      `Replace with S1, ${ready.serialNumber}`,
      `Replace with S2, ${notReady.serialNumber}`,
    ]);
    expect(list.getByText('Ready, battery 96 %')).toBeTruthy();
    fireEvent.click(list.getByRole('button', { name: /S1/ }));
    await answer('Spare ready', 'Yes');
    expect((await dialog.findAllByText('Processing your command...')).length).toBeGreaterThan(0);
    await dialog.findByText('It ends by itself. Until it is done, A9 has 40009.');
    expect(sent()).toMatchObject([order(ready)]);
    act(() =>
      FakeSocket.last.push({
        type: 'command_update',
        data: replaceCommand({ state: 'done', stateAt: '2026-11-20T21:03:00.000Z' }),
      }),
    );
    expect(await dialog.findByText('Replaced')).toBeTruthy();
    expect(
      dialog.getByText(new RegExp(`^${ready.serialNumber} is at A9 now\\. 40009 is a spare`)),
    ).toBeTruthy();
    expect(dialog.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  test("leaves the place's schedule to the person where that is unticked", async () => {
    const { dialog, sent } = await open();
    fireEvent.click(
      await dialog.findByRole('checkbox', { name: "Also send this position's schedule to the new unit" }),
    );
    fireEvent.click(await dialog.findByRole('button', { name: /^Replace with S1/ }));
    await answer('Spare ready', 'Yes');
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]?.['payload']).toEqual({ serialNumber: ready.serialNumber, mac: ready.macAddress });
  });

  test('asks no more about a ready spare once somebody has had enough of that', async () => {
    const { dialog, sent, api } = await open();
    fireEvent.click(await dialog.findByRole('button', { name: /^Replace with S1/ }));
    const question = within(await screen.findByRole('dialog', { name: 'Spare ready' }));
    fireEvent.click(question.getByRole('checkbox', { name: 'Do not show this again' }));
    fireEvent.click(question.getByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(sent()).toHaveLength(1));
    await waitFor(() =>
      expect(api.calls('PUT /settings').at(-1)?.body).toMatchObject({
        data: { showSpareReadyDialog: false },
      }),
    );
  });

  test('with a spare that is not ready lists the reasons first, and No sends nothing', async () => {
    const { dialog, sent } = await open();
    fireEvent.click(await dialog.findByRole('button', { name: /^Replace with S2/ }));
    const question = within(await screen.findByRole('dialog', { name: 'SPARE NOT READY' }));
    expect(question.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'battery below 70%',
      'clock drift above 3 seconds',
    ]);
    fireEvent.click(question.getByRole('button', { name: 'No' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'SPARE NOT READY' })).toBeNull());
    expect(sent()).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: /^Replace with S2/ }));
    await answer('SPARE NOT READY', 'Yes');
    await waitFor(() => expect(sent()).toMatchObject([order(notReady)]));
  });

  test('says that nothing was changed where it failed, and leads back to the choice', async () => {
    const failed = replaceCommand({
      state: 'failed',
      done: 0,
      failed: 1,
      message: 'Replace: failed. The gateway says: no answer from the new unit',
    });
    const { dialog } = await open({ prepare: (api) => api.on('GET /command', buildDetails(failed)) });
    fireEvent.click(await dialog.findByRole('button', { name: /^Replace with S1/ }));
    await answer('Spare ready', 'Yes');
    expect(await dialog.findByText('Replace failed')).toBeTruthy();
    expect(
      dialog.getByText(/no answer from the new unit\. Nothing was changed: A9 has 40009\.$/),
    ).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Try again' }));
    expect(await dialog.findByRole('button', { name: /^Replace with S1/ })).toBeTruthy();
  });

  test.each([
    [new Failure(505, 'Gateway offline.'), 'Gateway currently unavailable.'],
    [new Failure(403, 'You may not send this on this farm.'), 'You may not send this on this farm.'],
    [new Failure(409, 'S1 is in use.'), 'S1 is in use.'],
    [UNREACHABLE, "Server couldn't be reached. The command was not sent, and is not kept to be sent later."],
  ])('that could not be sent says so and why, beside the choice: %j', async (failure, why) => {
    const { dialog } = await open({ prepare: (api) => api.on('POST /commands/send', failure) });
    fireEvent.click(await dialog.findByRole('button', { name: /^Replace with S1/ }));
    await answer('Spare ready', 'Yes');
    const sentences = (await dialog.findByRole('alert')).querySelectorAll('p');
    expect([...sentences].map(({ textContent }) => textContent)).toEqual([
      "Your command couldn't be sent!",
      'Please, wait some minutes and try again.',
      why,
    ]);
    expect(dialog.getByRole('button', { name: /^Replace with S1/ })).toBeTruthy();
  });

  test('by a serial number finds the MAC, and sends it', async () => {
    const mac = '0004A30B001C0530';
    const { dialog, sent, user, api } = await open({
      spares: [],
      prepare: (given) =>
        given.on('GET /mac', {
          mac,
          currentlyActive: false,
          isSpare: false,
          name: '',
          farmName: '',
          farmUID: '',
        }),
    });
    expect(await dialog.findByText('This farm has no spares.')).toBeTruthy();
    await user.type(dialog.getByRole('textbox', { name: /^Serial number/ }), 'IPC9');
    await waitFor(() =>
      expect(dialog.getByRole<HTMLInputElement>('textbox', { name: /^MAC address/ }).value).toBe(mac),
    );
    expect(api.calls('GET /mac').map(({ query }) => query)).toEqual([
      { serialNumber: 'IPC9', type: 'exclude-spares' },
    ]);
    await user.click(dialog.getByRole('button', { name: 'Replace with this unit' }));
    await waitFor(() =>
      expect(sent()[0]?.payload).toEqual({ serialNumber: 'IPC9', mac, sendSchedule: true }),
    );
  });

  test('by the serial number of a spare of the farm asks as for that spare', async () => {
    const { dialog, user } = await open({
      prepare: (api) =>
        api.on('GET /mac', {
          mac: notReady.macAddress,
          currentlyActive: false,
          isSpare: true,
          name: 'S2',
          farmName: rakaia.name,
          farmUID: rakaia._id,
        }),
    });
    await dialog.findByRole('list', { name: 'Spares of this farm' });
    await user.type(dialog.getByRole('textbox', { name: /^Serial number/ }), notReady.serialNumber);
    await waitFor(() =>
      expect(dialog.getByRole<HTMLInputElement>('textbox', { name: /^MAC address/ }).value).not.toBe(''),
    );
    await user.click(dialog.getByRole('button', { name: 'Replace with this unit' }));
    expect(await screen.findByRole('dialog', { name: 'SPARE NOT READY' })).toBeTruthy();
  });

  test('by a serial number that is in use elsewhere is refused before anything is sent', async () => {
    const { dialog, user, sent } = await open({
      prepare: (api) =>
        api.on('GET /mac', {
          mac: '0004A30B001C0530',
          currentlyActive: true,
          isSpare: false,
          name: '',
          farmName: '',
          farmUID: '',
        }),
    });
    await user.type(dialog.getByRole('textbox', { name: /^Serial number/ }), 'IPC9');
    await waitFor(() =>
      expect(dialog.getByRole<HTMLInputElement>('textbox', { name: /^MAC address/ }).value).not.toBe(''),
    );
    await user.click(dialog.getByRole('button', { name: 'Replace with this unit' }));
    const refusal = within(await screen.findByRole('dialog', { name: 'Sorry, cannot replace' }));
    expect(
      refusal.getByText('This unit is on another farm. Delete it from the other farm first.'),
    ).toBeTruthy();
    expect(sent()).toEqual([]);
  });

  test.each([
    ['used', 1, 'In use on this farm as C3. Make it a spare first.'],
    ['used', 2, 'In use on Waihao Flats as C3. Delete it there first.'],
    ['spare', 1, 'A spare on this farm as C3.'],
    ['spare', 2, 'A spare on Waihao Flats as C3. Delete it there first.'],
    ['out', 1, 'Out of service on this farm as C3.'],
    ['out', 2, 'Out of service on Waihao Flats as C3. Delete it there first.'],
  ])('by a serial number (%s, on farm %d) says beside it what will be accepted', async (how, farm, text) => {
    const { dialog, user } = await open({
      prepare: (api) =>
        api.on('GET /mac', {
          mac: '0004A30B001C0530',
          currentlyActive: how === 'used',
          isSpare: how === 'spare',
          name: 'C3',
          farmName: farm === 1 ? rakaia.name : 'Waihao Flats',
          farmUID: farm === 1 ? rakaia._id : uid(2),
        }),
    });
    await user.type(dialog.getByRole('textbox', { name: /^Serial number/ }), 'IPC9');
    expect(await dialog.findByText(text)).toBeTruthy();
    if (farm === 1) return;
    await user.click(dialog.getByRole('button', { name: 'Replace with this unit' }));
    expect(await screen.findByRole('dialog', { name: 'Sorry, cannot replace' })).toBeTruthy();
  });

  test('needs serial number and MAC, and another unit than the one there', async () => {
    const { dialog, user, sent } = await open({
      prepare: (api) => api.on('GET /mac', { mac: '' }),
    });
    await user.click(dialog.getByRole('button', { name: 'Replace with this unit' }));
    expect(await dialog.findByText('Serial number is required.')).toBeTruthy();
    expect(dialog.getByText('MAC address is required.')).toBeTruthy();
    await user.type(dialog.getByRole('textbox', { name: /^Serial number/ }), '40009');
    await user.click(dialog.getByRole('button', { name: 'Replace with this unit' }));
    expect(await dialog.findByText('This is the unit that is there already.')).toBeTruthy();
    expect(sent()).toEqual([]);
  });

  test('where the spares could not be loaded offers to ask again, and the serial number all the same', async () => {
    const { dialog } = await open({
      prepare: (api) => api.on('GET /ipc/spare-units', new Failure(500, 'Oops, something went wrong.')),
    });
    expect(await dialog.findByText("The spares of this farm couldn't be loaded")).toBeTruthy();
    expect(dialog.getByRole('textbox', { name: /^Serial number/ })).toBeTruthy();
  });

  test('without an answer says that it is not known whether it was sent', async () => {
    const { dialog } = await open({
      prepare: (api) =>
        api.on('POST /commands/send', ({ body }) =>
          body.type === commandTypes.Ping ? { commandId, status: 'done' } : UNREACHABLE,
        ),
    });
    fireEvent.click(await dialog.findByRole('button', { name: /^Replace with S1/ }));
    await answer('Spare ready', 'Yes');
    expect((await dialog.findByRole('alert')).textContent).toBe(
      "Server couldn't be reached. It isn't known whether the command was sent. Look under Commands.",
    );
  });

  test('of a unit that somebody else replaces meanwhile says so, and offers nothing', async () => {
    const { dialog, api, queryClient, sent } = await open();
    await dialog.findByRole('button', { name: /^Replace with S1/ });
    const { serial } = buildUnit(9);
    api.on('GET /group/units', buildGroup([{ ...buildUnit(9), serial: 'IPC77' }]));
    await act(() => queryClient.invalidateQueries({ queryKey: ['group-info'] }));
    expect(
      await dialog.findByText(`A9 was replaced meanwhile: IPC77 is there now, and no longer ${serial}.`),
    ).toBeTruthy();
    expect(dialog.queryByRole('button', { name: /^Replace/ })).toBeNull();
    expect(sent()).toEqual([]);
    fireEvent.click(dialog.getAllByRole('button', { name: 'Close' }).at(-1)!);
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Replace unit' })).toBeNull());
  });
});

test('who may not replace is told so in the menu', async () => {
  const rights = { ...presets.farmManager, replaceSprinkler: false };
  const api = new FakeApi()
    .on('GET /group/units', buildGroup([buildUnit(9)], { gateways: [buildOther(1, 'Dairy shed')] }))
    .on('GET /permissions-list', { permissions: [permissionsOn(rakaia, rights)] });
  renderApp(`/group-status/FARM?ipc=${buildUnit(9).id}`, { api });
  const sprinkler = within(await screen.findByRole('dialog', { name: /A9/ }));
  fireEvent.click(await sprinkler.findByRole('button', { name: 'More for A9' }));
  const item = within(await sprinkler.findByRole('menu')).getByRole('menuitem', { name: /^Replace…/ });
  expect(item.getAttribute('aria-disabled')).toBe('true');
  expect(item.textContent).toBe('Replace…You may not send this on this farm.');
});
