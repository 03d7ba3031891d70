import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import type { Pipe } from '@headrace/contract/flow';
import type { GroupInfo, IpcStatus } from '@headrace/contract/groups';
import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';
import { levels, presets, type Permissions } from '@headrace/contract/permissions';
import { conditions } from '@headrace/contract/rules/condition';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { Failure, FakeApi, UNREACHABLE } from '../../testing/fake-api.ts';
import { HOUR, nothingInTheWay, permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
// The map is much code: it is there before a test waits for it.
import '../../map/farm-map-view.tsx';
import '../group-map/group-map-page.tsx';
import './sprinkler-dialog.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { buildCommand, buildDetails } from '../commands/command-fixtures.ts';
import { buildGroup, buildOther, buildUnit } from '../group-map/group-fixtures.ts';
import { buildSprinklerInfo } from './sprinkler-info-fixtures.ts';

beforeEach(stubCanvas);
afterEach(() => vi.restoreAllMocks());

const open9 = {
  active: true,
  condition: conditions.active,
  valveOpen: true,
  belief: {
    state: 'open',
    since: Date.now() - HOUR,
    until: Date.now() + HOUR,
    basis: 'said',
    cause: 'schedule',
  },
} satisfies Partial<IpcStatus>;
const setUID = uid(4001);
const north: Pipe = {
  kind: 'line',
  name: 'North',
  maxLps: null,
  open: 2,
  openLps: 8,
  mayBe: 0,
  mayBeLps: 0,
  unset: 0,
  planned: { starts: 0, unsure: 0, firstAt: null, lps: 0, mayBeLps: 0, unset: 0, unknown: 0 },
};

interface Given {
  /** None: a farm that is being set up. */
  gateways?: GroupInfo['gateways'];
  rights?: Permissions;
  prepare?: (api: FakeApi) => void;
  /** All of it, besides what the map has; nothing is wanted of it unless it is said. */
  info?: Partial<SprinklerInfo>;
}
async function open(
  over: Partial<IpcStatus>,
  { rights = presets.farmManager, gateways = [buildOther(1, 'Dairy shed')], prepare, info }: Given = {},
) {
  const api = new FakeApi()
    .on('GET /group/units', buildGroup([buildUnit(9, over)], { gateways }))
    .on('GET /ipc/fullinfo', buildSprinklerInfo(buildUnit(9, over), { wanted: null, ...info }))
    .on('GET /permissions-list', { permissions: [permissionsOn(rakaia, rights)] })
    .on('GET /schedules/list', [{ id: setUID, name: 'Summer', default: true, selected: true }])
    .on('GET /flow/pipes', { lps: 0.5, until: new Date().toISOString(), pipes: [north] })
    .on('POST /commands/send', { commandId: uid(5001), status: 'queued' })
    .on('GET /command', buildDetails(buildCommand(1, { command: 'Poll', state: 'done' })));
  prepare?.(api);
  const view = renderApp(`/group-status/FARM?ipc=${buildUnit(9).id}`, { api });
  const dialog = within(await screen.findByRole('dialog', { name: /A9/ }));
  // The last of what comes once how it is has been painted.
  await dialog.findByRole('button', { name: 'More for A9' });
  const sent = () =>
    api
      .calls('POST /commands/send')
      .map(({ body }) => body)
      .filter(({ type }) => type !== commandTypes.Ping);
  const menu = async () => {
    fireEvent.click(dialog.getByRole('button', { name: 'More for A9' }));
    return within(await dialog.findByRole('menu'));
  };
  return { ...view, api, dialog, sent, menu };
}
const unit = { name: 'A9', mac: '0018B2000A4F0001', serialNumber: '40009' };

describe('a command from the dialog', () => {
  test('is for this unit, and what became of it is said there', async () => {
    const { dialog, sent } = await open({});
    fireEvent.click(dialog.getByRole('button', { name: 'Poll' }));
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toMatchObject({ farmUID: rakaia._id, type: commandTypes.Poll, ...unit });
    const outcome = await dialog.findByText('Poll:');
    await waitFor(() => expect(outcome.parentElement?.textContent).toMatch(/^Poll: done \d\d:\d\d:\d\d$/));
  });

  test('Poll is also a pull down from the top, let go far enough', async () => {
    const { dialog, sent } = await open({});
    const body = dialog.getByRole('group', { name: 'About this sprinkler' });
    const pull = (px: number, right = 0) => {
      fireEvent.touchStart(body, { touches: [{ clientX: 100, clientY: 100 }] });
      fireEvent.touchMove(body, { touches: [{ clientX: 100 + right, clientY: 100 + px }] });
      const shown = dialog.queryByText(/to poll$/)?.textContent ?? null;
      fireEvent.touchEnd(body, { changedTouches: [{ clientX: 100 + right, clientY: 100 + px }] });
      return shown;
    };
    expect(pull(50)).toBe('Pull down to poll');
    expect(pull(90, 200)).toBeNull();
    body.scrollTop = 40;
    expect(pull(200)).toBeNull();
    body.scrollTop = 0;
    expect(sent()).toEqual([]);
    expect(pull(90)).toBe('Let go to poll');
    expect(dialog.queryByText(/to poll$/)).toBeNull();
    await waitFor(() => expect(sent()).toMatchObject([{ type: commandTypes.Poll, ...unit }]));
  });

  test('Valve Off is one tap, beside what says that it is open', async () => {
    const { dialog, sent } = await open(open9);
    const now = within(dialog.getByRole('region', { name: 'Now' }));
    fireEvent.click(now.getByRole('button', { name: 'Valve Off' }));
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toMatchObject({ type: commandTypes.ValveOff, ...unit });
  });

  test('Valve Off needs nothing but the keyboard, from the row on; neither do the tabs beside it', async () => {
    const view = await open(open9);
    await view.user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    screen.getByRole('link', { name: /A9/ }).focus();
    await view.user.keyboard('{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: /A9/ }));
    // The address follows the dialog.
    await waitFor(() => expect(view.router.state.location.search).toHaveProperty('ipc'));
    /** Steps on until the keyboard stands on it. */
    const goTo = async (find: () => HTMLElement | null) => {
      for (let steps = 0; steps < 60 && find() !== document.activeElement; steps += 1)
        await view.user.keyboard('{Tab}');
      expect(document.activeElement).toBe(find());
    };
    const now = within(await dialog.findByRole('region', { name: 'Now' }));
    await goTo(() => now.queryByRole('button', { name: 'Valve Off' }));
    await view.user.keyboard('{Enter}');
    await waitFor(() => expect(view.sent()).toMatchObject([{ type: commandTypes.ValveOff, ...unit }]));
    await goTo(() => dialog.queryByRole('tab', { selected: true }));
    const first = document.activeElement?.textContent;
    await view.user.keyboard('{ArrowRight}');
    const next = await dialog.findByRole('tab', { selected: true });
    expect(document.activeElement).toBe(next);
    expect(next.textContent).not.toBe(first);
  });

  test('Valve On asks for the minutes first, and takes none but 1 to 1440', async () => {
    const { api, dialog, sent, user } = await open({});
    fireEvent.click(dialog.getByRole('button', { name: 'Valve On…' }));
    const question = within(await screen.findByRole('dialog', { name: 'Open the valve of A9?' }));
    // 30 min of 0.2 mm each.
    expect(await question.findByText(/That is about 6\.0 mm, 900 L\./)).toBeTruthy();
    const line = await question.findByRole('list', { name: 'What else runs on its line' });
    expect(line.textContent).toMatch(
      /^On its line \(North\), 2 others are open now: 8 L\/s\.Nothing else is planned to start there by \d\d:\d\d\.$/,
    );
    const minutes = question.getByRole('textbox', { name: /^Minutes/ });
    await user.clear(minutes);
    await user.type(minutes, '1441');
    await user.click(question.getByRole('button', { name: 'Valve On' }));
    expect(question.getByText('Enter whole minutes from 1 to 1440.')).toBeTruthy();
    await user.clear(minutes);
    await user.type(minutes, '45');
    // What is planned is asked about for as long as it would be open, and for nothing that it can't be.
    await waitFor(() => expect(api.calls('GET /flow/pipes').at(-1)?.query).toMatchObject({ minutes: 45 }));
    await user.click(question.getByRole('button', { name: 'Valve On' }));
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toMatchObject({ type: commandTypes.ValveOn, payload: { maxOpenMinutes: 45 }, ...unit });
  });

  test('Valve On of an inhibited unit is sent only where that is ticked', async () => {
    const { dialog, sent, user } = await open({ isInhibited: true, condition: conditions.inhibited });
    await user.click(dialog.getByRole('button', { name: 'Valve On…' }));
    const question = within(await screen.findByRole('dialog', { name: 'Open the valve of A9?' }));
    await user.click(question.getByRole('button', { name: 'Valve On' }));
    expect(question.getByText('It is inhibited: without this it is left out.')).toBeTruthy();
    expect(sent()).toEqual([]);
    await user.click(question.getByRole('checkbox', { name: /^Open it once although it is inhibited/ }));
    await user.click(question.getByRole('button', { name: 'Valve On' }));
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]?.payload).toMatchObject({ maxOpenMinutes: 30, alsoInhibited: true });
  });

  test('Send Schedule to an inhibited unit asks first, as it waters again by it', async () => {
    const { menu, sent, user } = await open({ isInhibited: true, condition: conditions.inhibited });
    const item = async () => (await menu()).findByRole('menuitem', { name: 'Send Schedule…' });
    await user.click(await item());
    const question = within(await screen.findByRole('dialog', { name: 'Send A9 its schedule?' }));
    expect(sent()).toEqual([]);
    await user.click(question.getByRole('button', { name: 'Send and let it water' }));
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toMatchObject({
      type: commandTypes.UpdateSchedule,
      payload: { setUID, serialNumbers: ['40009'], alsoInhibited: true },
    });
  });

  test('Send Schedule sends the set that is wanted of the unit, not the one that the farm waters by', async () => {
    const other = uid(4002);
    const { wanted } = buildSprinklerInfo(buildUnit(9));
    const { dialog, sent } = await open(
      { hasScheduleError: true, ipc_crc: '3C:4D' },
      { info: { wanted: wanted && { ...wanted, setId: other } } },
    );
    const alerts = within(dialog.getByRole('list', { name: 'What needs attention' }));
    const button = alerts.getByRole('button', { name: 'Send Schedule' });
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull());
    fireEvent.click(button);
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]?.payload).toMatchObject({ setUID: other });
  });

  test('that fails says so in its place', async () => {
    const { dialog } = await open(
      {},
      {
        prepare: (api) => api.on('POST /commands/send', new Failure(505, 'Gateway offline.')),
      },
    );
    fireEvent.click(dialog.getByRole('button', { name: 'Poll' }));
    const outcome = await dialog.findByText('Poll:');
    expect(outcome.parentElement?.textContent).toBe('Poll: Gateway currently unavailable.');
  });
});

describe('what is wrong has its remedy beside it', () => {
  const press = async (over: Partial<IpcStatus>, name: string) => {
    const view = await open(over);
    const alerts = within(view.dialog.getByRole('list', { name: 'What needs attention' }));
    await waitFor(() =>
      expect(alerts.getByRole('button', { name }).getAttribute('aria-disabled')).toBeNull(),
    );
    fireEvent.click(alerts.getByRole('button', { name }));
    return { ...view, alerts };
  };

  test.each<[string, Partial<IpcStatus>, object]>([
    [
      'Try to fix',
      { isOutOfContact: true, condition: conditions.outOfContact },
      { type: commandTypes.IpcUpdate, payload: { name: 'Mode', value: 'Mesh' }, ...unit },
    ],
    ['Set Time', { hasClockError: true, clock: 95 }, { type: commandTypes.IncTimeSet, name: '-', mac: '-' }],
    [
      'Send Schedule',
      { hasScheduleError: true, ipc_crc: '3C:4D' },
      {
        type: commandTypes.UpdateSchedule,
        payload: {
          setUID,
          serialNumbers: ['40009'],
          hideNotification: false,
          resultMessage: 'A9 has its schedule.',
        },
      },
    ],
    [
      'Uninhibit',
      { isInhibited: true, condition: conditions.inhibited },
      { type: commandTypes.Uninhibit, ...unit },
    ],
  ])('%s', async (name, over, body) => {
    const { alerts, sent } = await press(over, name);
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toMatchObject(body);
    expect(await alerts.findByRole('list', { name: 'What became of it' })).toBeTruthy();
  });

  test('a new battery is recorded after a question, and said to be', async () => {
    const { api, user } = await press({ hasBatteryError: true, charge: 41 }, 'Record Battery Replacement');
    const question = within(await screen.findByRole('dialog', { name: 'Battery of A9 replaced?' }));
    api.on('POST /ipc/replace-battery', new Failure(500, 'The database is away.'));
    await user.click(question.getByRole('button', { name: 'Record replacement' }));
    expect(
      await screen.findByText("Sorry, coudn't record the battery replacement. Please, try again."),
    ).toBeTruthy();
    api.on('POST /ipc/replace-battery', { success: true });
    await user.click(question.getByRole('button', { name: 'Record replacement' }));
    expect(await screen.findByText('Battery replacement recorded successfully!')).toBeTruthy();
    expect(api.calls('POST /ipc/replace-battery').at(-1)?.body).toEqual({ ipcUID: buildUnit(9).id });
  });
});

describe('what can not be sent says why, and is not sent', () => {
  const refused = async (over: Partial<IpcStatus>, given: Given, why: string) => {
    const { dialog, sent } = await open(over, given);
    const poll = dialog.getByRole('button', { name: 'Poll' });
    await waitFor(() => expect(poll.getAttribute('aria-disabled')).toBe('true'));
    // Still the same element: who stands on it isn't thrown off.
    fireEvent.click(poll);
    expect(await dialog.findByText(`Poll: ${why}`)).toBeTruthy();
    expect(sent()).toEqual([]);
    return dialog;
  };

  test('without the right', async () => {
    await refused({}, { rights: presets.guest }, 'You may not send this on this farm.');
  });

  test('to a unit out of service', async () => {
    const dialog = await refused(
      { outOfService: true, condition: conditions.outOfService },
      {},
      'A9 is out of service.',
    );
    expect(dialog.queryByRole('button', { name: 'Valve Off' })).toBeNull();
  });

  test('while its gateway is offline', async () => {
    const away = { kind: 'gatewayAway', text: 'It is offline.', count: 1, names: ['Dairy shed'] } as const;
    await refused(
      {},
      {
        prepare: (api) =>
          api.on('POST /commands/plan', {
            ...nothingInTheWay,
            findings: [{ ...away, names: [...away.names] }],
          }),
      },
      'Its gateway Dairy shed is offline.',
    );
  });

  test('on a farm without a gateway, of which nothing is asked', async () => {
    const given = {
      gateways: [],
      prepare: (api: FakeApi) => api.on('POST /commands/plan', new Failure(409, 'None.')),
    };
    await refused({}, given, 'This farm has no gateway to send through.');
  });

  test('while there is no connection', async () => {
    const { dialog, api, sent, queryClient } = await open(open9);
    // An answer that comes after the failure would tell of a connection.
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    api.on('GET /group/units', UNREACHABLE).on('POST /commands/plan', UNREACHABLE);
    await act(() => queryClient.invalidateQueries({ queryKey: ['unit-reach'] }));
    const now = within(dialog.getByRole('region', { name: 'Now' }));
    await waitFor(() =>
      expect(now.getByRole('button', { name: 'Valve Off' }).getAttribute('aria-disabled')).toBe('true'),
    );
    fireEvent.click(now.getByRole('button', { name: 'Valve Off' }));
    const why = "There is no connection now. Commands can't go, and none is kept to be sent later.";
    expect(await dialog.findByText(`Valve Off: ${why}`)).toBeTruthy();
    expect(sent()).toEqual([]);
  });

  test('but a valve that may be open can be closed whatever the unit is recorded as', async () => {
    const { dialog, sent } = await open({ ...open9, outOfService: true });
    const now = within(dialog.getByRole('region', { name: 'Now' }));
    fireEvent.click(now.getByRole('button', { name: 'Valve Off' }));
    await waitFor(() => expect(sent()).toHaveLength(1));
  });

  test('and waits for no list of sprinklers to be loaded', async () => {
    const blocked = {
      kind: 'listNotLoaded',
      text: 'Commands blocked until sprinklers list is loaded.',
      count: 1,
      names: ['Dairy shed'],
    } as const;
    const { dialog, sent } = await open(open9, {
      prepare: (api) =>
        api.on('POST /commands/plan', {
          ...nothingInTheWay,
          findings: [{ ...blocked, names: [...blocked.names] }],
        }),
    });
    const poll = () => dialog.getByRole('button', { name: 'Poll' });
    await waitFor(() => expect(poll().getAttribute('aria-disabled')).toBe('true'));
    fireEvent.click(
      within(dialog.getByRole('region', { name: 'Now' })).getByRole('button', { name: 'Valve Off' }),
    );
    await waitFor(() => expect(sent()).toHaveLength(1));
  });
});

describe('the menu', () => {
  test('has what can be done with the unit', async () => {
    const { menu } = await open({});
    const items = await menu();
    await waitFor(() => expect(items.getByRole('menuitem', { name: 'Send Schedule' })).toBeTruthy());
    expect(items.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'Valve On…',
      'Valve Off',
      'Inhibit…',
      'Uninhibit',
      'Send Schedule',
      'Replace…',
      'Reconfigure',
      'Record Battery Replacement',
      'Move on the map',
      'Edit A9',
    ]);
    expect(items.getByRole('menuitemcheckbox', { name: 'Is Part Sprinkler' })).toBeTruthy();
  });

  test('says at each item why it can not be used', async () => {
    const { menu, sent } = await open({}, { rights: presets.guest });
    const item = (await menu()).getByRole('menuitem', { name: /^Reconfigure/ });
    expect(item.textContent).toBe('ReconfigureYou may not send this on this farm.');
    fireEvent.click(item);
    expect(await screen.findByText('Reconfigure: You may not send this on this farm.')).toBeTruthy();
    expect(sent()).toEqual([]);
  });

  test('makes nobody a part sprinkler for who may only read sprinklers', async () => {
    const rights = { ...presets.farmManager, irrigationDevices: levels.Read };
    const { menu, api } = await open({}, { rights });
    fireEvent.click((await menu()).getByRole('menuitemcheckbox', { name: /^Is Part Sprinkler/ }));
    expect(await screen.findByText('Is Part Sprinkler: You may not change this on this farm.')).toBeTruthy();
    expect(api.calls('PUT /ipc/flag-as-part-sprinkler')).toEqual([]);
  });

  test('inhibits after a question', async () => {
    const { menu, sent, user } = await open({});
    fireEvent.click((await menu()).getByRole('menuitem', { name: 'Inhibit…' }));
    const question = within(await screen.findByRole('dialog', { name: 'Inhibit A9?' }));
    await user.click(question.getByRole('button', { name: 'Inhibit' }));
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toMatchObject({ type: commandTypes.Inhibit, ...unit });
  });

  test('says of an inhibited one that it is, and inhibits nothing', async () => {
    const { menu, sent } = await open({ isInhibited: true, condition: conditions.inhibited });
    fireEvent.click((await menu()).getByRole('menuitem', { name: 'Inhibit…' }));
    const told = within(await screen.findByRole('dialog', { name: 'IPC inhibited.' }));
    expect(told.getByText('This IPC is already inhibited.')).toBeTruthy();
    fireEvent.click(told.getByRole('button', { name: 'OK' }));
    expect(sent()).toEqual([]);
  });

  test('makes it a part sprinkler, and says so when that fails', async () => {
    const { menu, api } = await open({});
    api.on('PUT /ipc/flag-as-part-sprinkler', new Failure(500, 'The database is away.'));
    fireEvent.click((await menu()).getByRole('menuitemcheckbox', { name: 'Is Part Sprinkler' }));
    expect(await screen.findByText("Couldn't update the device!")).toBeTruthy();
    expect(api.calls('PUT /ipc/flag-as-part-sprinkler')[0]?.body).toEqual({
      deviceId: buildUnit(9).id,
      status: true,
    });
  });
});
