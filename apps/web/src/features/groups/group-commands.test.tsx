import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import type { SendPlan } from '@headrace/contract/commands';
import { presets, type Permissions } from '@headrace/contract/permissions';
import { hearServer, missServer } from '../../api/reach.ts';
import { Failure, type FakeApi, UNREACHABLE } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { HOUR, nothingInTheWay, permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import '../commands/many/many-dialog.tsx';
import { buildBehind, buildCommand, buildDetails, buildUnit } from '../commands/command-fixtures.ts';
import { deviceApi, farmUID } from '../devices/device-fixtures.ts';
import { buildGroup } from './group-fixtures.ts';

const north = buildGroup(3, 'North', { amountOfIpc: 930 });
const setUID = uid(4001);
const gateway: SendPlan['gateways'][number] = {
  name: 'Dairy shed',
  isAvailable: true,
  toDo: 930,
  ahead: 0,
  secondsEach: 9.4,
  finish: null,
};
const planned: SendPlan = { ...nothingInTheWay, total: 930, toDo: 930, gateways: [gateway] };

async function choose(
  item: string,
  { rights = presets.farmManager, prepare }: { rights?: Permissions; prepare?: (api: FakeApi) => void } = {},
) {
  const api = deviceApi()
    .on('GET /groups-card', { groups: [north] })
    .on('GET /permissions-list', { permissions: [permissionsOn(rakaia, rights)] })
    .on('GET /schedules/list', [{ id: setUID, name: 'Summer', default: true, selected: true }])
    .on('POST /commands/plan', planned)
    .on('POST /commands/send', { commandId: uid(5001), status: 'queued' })
    .on('GET /command', buildDetails(buildCommand(1, { command: 'PollGroup' })));
  prepare?.(api);
  const view = renderApp('/?t=g', { api });
  fireEvent.click(await screen.findByRole('button', { name: 'Menu of North' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: item }));
  const dialog = within(await screen.findByRole('dialog', { name: /North$/ }));
  const sent = () =>
    api
      .calls('POST /commands/send')
      .map(({ body }) => body)
      .filter(({ type }) => type !== commandTypes.Ping);
  const button = (name: string) => dialog.getByRole('button', { name });
  const isReady = (name: string) =>
    waitFor(() => expect(button(name).getAttribute('aria-disabled')).toBeNull());
  return { ...view, api, dialog, sent, button, isReady };
}

/** So many hours from now. */
const ahead = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();

describe('a command to a group', () => {
  test('says first to how many it goes, who is left out and why, and when it would be done', async () => {
    const { dialog, api } = await choose('Poll group…', {
      prepare: (api) =>
        api.on('POST /commands/plan', {
          ...planned,
          toDo: 768,
          inStep: 140,
          finish: { atMost: ahead(1) },
          ahead: ['Send Schedules, South: 75 sprinklers'],
          findings: [
            {
              kind: 'outOfService',
              text: '22 sprinklers are spare or out of service and are left out.',
              count: 22,
              names: ['A1', 'A2'],
            },
          ],
        }),
    });
    const plan = within(await dialog.findByRole('region', { name: 'What it would do' }));
    expect(plan.getByText('It goes to 768 of 930 sprinklers.')).toBeTruthy();
    const lines = plan.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(lines.slice(0, 3)).toEqual([
      '140 sprinklers had it already when last heard.',
      '22 sprinklers are spare or out of service and are left out.A1, A2 and 20 more',
      'Before it, the gateway is busy with: Send Schedules, South: 75 sprinklers.',
    ]);
    expect(lines[3]).toMatch(/^Done by .* at the latest: how fast its units answer is not known yet\.$/);
    expect(api.calls('POST /commands/plan')[0]?.body).toMatchObject({
      farmUID,
      type: commandTypes.PollGroup,
      payload: { groupUID: north._id },
    });
    expect(api.calls('POST /commands/send')).toEqual([]);
  });

  test('of a set that somebody deletes meanwhile can not be sent, and says so at once', async () => {
    const { dialog, user, api, sent, button } = await choose('Send schedules…');
    const SEND = 'Send Schedules to Devices';
    await dialog.findByRole('option', { name: /^Summer/ });
    await user.selectOptions(dialog.getByLabelText('Schedule Set'), setUID);
    await dialog.findByRole('region', { name: 'What it would do' });
    api.on('POST /commands/plan', new Failure(404, 'This farm has no such schedule set.'));
    act(() => FakeSocket.last.push({ type: 'records_update', data: { farmUID, kinds: ['schedule set'] } }));
    expect((await dialog.findByRole('alert')).textContent).toContain('This farm has no such schedule set.');
    expect(dialog.queryByRole('region', { name: 'What it would do' })).toBeNull();
    expect(button(SEND).getAttribute('aria-disabled')).toBe('true');
    await user.click(button(SEND));
    expect(sent()).toEqual([]);
  });

  test('that waits for somebody else’s says for whose, how far that is now, and that it can be taken back', async () => {
    const other = buildCommand(2, {
      command: 'ChangeGroupComms',
      name: 'North',
      state: 'progress',
      total: 300,
      done: 12,
    });
    const waiting = buildCommand(1, {
      command: 'PollGroup',
      state: 'queued',
      total: 300,
      done: 0,
      message: 'Poll Group: waiting for another command.',
      behind: buildBehind(other),
    });
    const { dialog, user, isReady, button } = await choose('Poll group…', {
      prepare: (api) => api.on('GET /command', buildDetails(waiting, { unitStates: { queued: 300 } })),
    });
    await isReady('Poll');
    await user.click(button('Poll'));
    const far = within(await dialog.findByRole('region', { name: 'How far it is' }));
    expect(far.getByText('Waiting for another command')).toBeTruthy();
    const line = () => far.getByRole('link', { name: 'Change Comms Mode, North' }).closest('li')?.textContent;
    expect(line()).toBe('Waits for Change Comms Mode, North, sent by Aroha Ngata (12 of 300 done).');
    expect(far.getByText('What still waits can be cancelled.')).toBeTruthy();
    expect(far.getByRole('button', { name: 'Cancel command' })).toBeTruthy();
    act(() => FakeSocket.last.push({ type: 'command_update', data: { ...other, done: 40 } }));
    await waitFor(() => expect(line()).toContain('(40 of 300 done)'));
    const further = { ...other, done: 200, hadIt: 148 };
    act(() => FakeSocket.last.push({ type: 'command_update', data: further }));
    await waitFor(() => expect(line()).toContain('(52 of 152 done; 148 had it already)'));
  });

  test('leaves no more waiting than its newest word says, though its units are from before that', async () => {
    const running = buildCommand(1, { command: 'PollGroup', state: 'progress', total: 50, done: 3 });
    const unitStates = { done: 2, sent: 40, queued: 8 };
    const { dialog, user, isReady, button } = await choose('Poll group…', {
      prepare: (api) => api.on('GET /command', buildDetails(running, { units: [], unitStates })),
    });
    await isReady('Poll');
    await user.click(button('Poll'));
    const far = within(await dialog.findByRole('region', { name: 'How far it is' }));
    expect(far.getByText('3 of 50 done')).toBeTruthy();
    expect(far.getByText('47 have not answered yet')).toBeTruthy();
  });

  test('shows how far it is in its place, with who has not answered, and takes back the rest', async () => {
    const units = [
      buildUnit(1),
      buildUnit(2, { state: 'failed', note: 'No answer.' }),
      // As they are sent, which isn't the order of their names.
      buildUnit(12, { state: 'sent' }),
      buildUnit(3, { state: 'sent' }),
    ];
    const running = buildCommand(1, {
      command: 'PollGroup',
      state: 'progress',
      total: 930,
      done: 412,
      failed: 1,
      finish: { expected: ahead(1), low: ahead(1), high: ahead(1) },
    });
    const unitStates = { done: 412, failed: 1, sent: 13, queued: 504 };
    const { dialog, user, api, isReady, button } = await choose('Poll group…', {
      prepare: (api) =>
        api
          .on('GET /command', buildDetails(running, { units, unitStates }))
          .on('POST /commands/cancel', { cancelled: 504 }),
    });
    await isReady('Poll');
    await user.click(button('Poll'));
    const far = within(await dialog.findByRole('region', { name: 'How far it is' }));
    expect(far.getByText('412 of 930 done, 1 failed')).toBeTruthy();
    expect(far.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Done about /),
      '1 failedP002',
      '517 have not answered yetP003, P012 and 515 more',
    ]);
    await user.click(far.getByRole('button', { name: 'Cancel command' }));
    expect(far.getByText(/^504 of 930 units wait for the gateway/)).toBeTruthy();
    await user.click(far.getByRole('button', { name: 'Cancel for 504 units' }));
    expect(await screen.findByText('Command cancelled for 504 units.')).toBeTruthy();
    expect(api.calls('POST /commands/cancel')).toHaveLength(1);
  });

  test('sent again to those that failed, is shown in its place until that one ends', async () => {
    const units = [buildUnit(1), buildUnit(2, { state: 'failed', note: 'No answer.' })];
    const over = { command: 'PollGroup', state: 'failed', stateAt: new Date().toISOString() } as const;
    const first = buildCommand(1, { ...over, total: 2, done: 1, failed: 1 });
    const second = buildCommand(2, { ...over, state: 'done', total: 1, done: 1 });
    const { dialog, user, api, isReady, button } = await choose('Poll group…', {
      prepare: (api) =>
        api
          .on('POST /commands/send', { commandId: first._id, status: 'queued' })
          .on('GET /command', ({ query }) =>
            query['commandId'] === second._id
              ? buildDetails(second, { units: [buildUnit(2)] })
              : buildDetails(first, { units }),
          )
          .on('POST /commands/again', { commandId: second._id, status: 'queued' }),
    });
    await isReady('Poll');
    await user.click(button('Poll'));
    await user.click(await dialog.findByRole('button', { name: 'Try this one again' }));
    expect(await dialog.findByText('Sent again, to those that failed before.')).toBeTruthy();
    await waitFor(() => expect(dialog.getByRole('status').textContent).toBe('Done'));
    expect(api.calls('POST /commands/again').map(({ body }) => body['commandId'])).toEqual([first._id]);
    expect(dialog.queryByRole('button', { name: /again$/ })).toBeNull();
  });

  test('that was cancelled half-way goes back in its place, and says so', async () => {
    const first = buildCommand(1, { command: 'SendScheduleSet', state: 'cancelled', total: 4, done: 2 });
    const back = buildCommand(2, { command: 'SendScheduleSet', state: 'sent', total: 2 });
    const none = { count: 0, names: [] };
    const goBack = { answered: 2, out: none, outOfContact: none, inhibited: none };
    const { dialog, user, isReady, button } = await choose('Poll group…', {
      prepare: (api) =>
        api
          .on('POST /commands/send', { commandId: first._id, status: 'queued' })
          .on('GET /command', ({ query }) =>
            query['commandId'] === back._id ? buildDetails(back) : buildDetails(first, { goBack }),
          )
          .on('POST /commands/go-back', { commandId: back._id, status: 'queued', inhibitId: null }),
    });
    await isReady('Poll');
    await user.click(button('Poll'));
    await user.click(await dialog.findByRole('button', { name: 'Go back' }));
    expect(await dialog.findByText('They go back to what they had before.')).toBeTruthy();
    expect(dialog.queryByText(/failed before/)).toBeNull();
  });

  test('that may open water is one command however often it is tapped', async () => {
    const { sent, isReady, button } = await choose('Valves On…');
    await isReady('Valves On');
    const valvesOn = button('Valves On');
    fireEvent.click(valvesOn);
    fireEvent.click(valvesOn);
    await screen.findByRole('region', { name: 'How far it is' });
    expect(sent()).toHaveLength(1);
    expect(sent()[0]).toMatchObject({
      name: '-',
      type: commandTypes.TurnGroupValvesOn,
      payload: { groupUID: north._id, groupName: 'North', maxOpenMinutes: 30, beginWithinMinutes: 10 },
    });
  });

  test('pressed again after it was refused has the same name, with other minutes another', async () => {
    const { sent, user, isReady, button, dialog } = await choose('Valves On…', {
      prepare: (api) =>
        api.on('POST /commands/send', ({ body }) =>
          body.type === commandTypes.Ping
            ? { commandId: uid(5002), status: 'done' }
            : new Failure(409, 'The line is in repair.'),
        ),
    });
    await isReady('Valves On');
    await user.click(button('Valves On'));
    // A group's command says what the server says.
    expect(await dialog.findByText('The line is in repair.')).toBeTruthy();
    await isReady('Valves On');
    await user.click(button('Valves On'));
    await waitFor(() => expect(sent()).toHaveLength(2));
    await isReady('Valves On');
    const minutes = dialog.getByRole('textbox', { name: /^Minutes/ });
    await user.clear(minutes);
    await user.type(minutes, '45');
    await user.click(button('Valves On'));
    await waitFor(() => expect(sent()).toHaveLength(3));
    const [first, second, third] = sent().map(({ requestId }) => requestId);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  test('leaves inhibited sprinklers out unless it is ticked', async () => {
    const { sent, user, isReady, button, dialog, api } = await choose('Valves On…', {
      prepare: (api) => api.on('POST /commands/plan', { ...planned, inhibited: 3 }),
    });
    await isReady('Valves On');
    await user.click(dialog.getByRole('checkbox', { name: /^Also those that are inhibited/ }));
    await waitFor(() =>
      expect(api.calls('POST /commands/plan').at(-1)?.body.payload).toMatchObject({ alsoInhibited: true }),
    );
    await isReady('Valves On');
    await user.click(button('Valves On'));
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]?.payload).toMatchObject({ alsoInhibited: true });
  });

  test('wants a chosen mode to update the devices', async () => {
    const { sent, user, isReady, button, dialog } = await choose('Change comms mode…');
    await isReady('Update Devices');
    await user.click(button('Update Devices'));
    expect(await dialog.findByText('Choose a mode.')).toBeTruthy();
    expect(sent()).toEqual([]);
    const modes = dialog.getByRole('combobox', { name: /^Comms mode/ });
    expect(
      within(modes)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Choose a mode', 'Mesh', 'Local', 'Hybrid']);
    await user.selectOptions(modes, 'Local');
    await isReady('Update Devices');
    await user.click(button('Update Devices'));
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]?.payload).toEqual({ groupUID: north._id, groupName: 'North', commsMode: 1 });
  });

  test('says while there is no connection of when its progress is, and how fast it is no more', async () => {
    const going = buildCommand(1, { command: 'PollGroup', state: 'progress', total: 300, done: 12 });
    const { dialog, user, isReady, button } = await choose('Poll group…', {
      prepare: (api) => api.on('GET /command', buildDetails(going, { perMinute: 40 })),
    });
    await isReady('Poll');
    await user.click(button('Poll'));
    const far = within(await dialog.findByRole('region', { name: 'How far it is' }));
    expect(far.getByText('Now about 40 a minute answer.')).toBeTruthy();
    act(missServer);
    expect(
      far.getByText(/^There is no connection now: shown as of \d\d:\d\d\. It goes on without this page\.$/),
    ).toBeTruthy();
    expect(far.getByText('12 of 300 done')).toBeTruthy();
    expect(far.queryByText(/^Now about/)).toBeNull();
    act(() => hearServer());
    expect(far.queryByText(/^There is no connection/)).toBeNull();
  });

  test('can not go without a connection, and says so', async () => {
    const { sent, isReady, button, dialog } = await choose('Valves Off…');
    await isReady('Valves Off');
    act(missServer);
    expect(await dialog.findByText(/^There is no connection now\./)).toBeTruthy();
    fireEvent.click(button('Valves Off'));
    expect(button('Valves Off').getAttribute('aria-disabled')).toBe('true');
    expect(sent()).toEqual([]);
  });

  test('of which no answer came is not said to have stayed here, also where the connection is gone', async () => {
    const { user, dialog, isReady, button } = await choose('Valves Off…', {
      prepare: (api) => api.on('POST /commands/send', UNREACHABLE),
    });
    await isReady('Valves Off');
    await user.click(button('Valves Off'));
    await waitFor(() =>
      expect(dialog.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
        expect.stringMatching(/^Server couldn't be reached\. It isn't known whether the command was sent\./),
        expect.stringMatching(/^There is no connection now\./),
      ]),
    );
  });

  test('can not go while its gateways are away, and says so', async () => {
    const { dialog, button } = await choose('Poll group…', {
      prepare: (api) =>
        api.on('POST /commands/plan', { ...planned, gateways: [{ ...gateway, isAvailable: false }] }),
    });
    expect(await dialog.findByText('Gateway currently unavailable.')).toBeTruthy();
    expect(button('Poll').getAttribute('aria-disabled')).toBe('true');
  });

  test('whose plan could not be worked out says that nothing was sent, and works it out again when asked', async () => {
    const { dialog, sent, user, api, button, isReady } = await choose('Poll group…', {
      prepare: (api) => api.on('POST /commands/plan', new Failure(500, 'Broken.')),
    });
    expect((await dialog.findByRole('alert')).textContent).toMatch(
      /^What it would do couldn't be worked out\. Nothing was sent\./,
    );
    await user.click(button('Poll'));
    expect(sent()).toEqual([]);
    api.on('POST /commands/plan', planned);
    await user.click(button('Retry'));
    await isReady('Poll');
    expect(dialog.queryByRole('alert')).toBeNull();
  });

  test('that stops water is sent without a plan and without asking the gateway first', async () => {
    const { sent, user, api, button } = await choose('Valves Off…', {
      prepare: (api) => api.on('POST /commands/plan', new Failure(500, 'Broken.')),
    });
    await user.click(button('Valves Off'));
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(api.calls('POST /commands/send')).toHaveLength(1);
  });
});

describe('sending schedules to a group', () => {
  test('wants a chosen set, then plans and sends it', async () => {
    const { sent, user, isReady, button, dialog } = await choose('Send schedules…');
    await user.click(button('Send Schedules to Devices'));
    expect(await dialog.findByText('Choose a schedule set.')).toBeTruthy();
    const sets = await dialog.findByRole('combobox', { name: /^Schedule Set/ });
    await within(sets).findByRole('option', { name: 'Summer (the farm waters by it)' });
    await user.selectOptions(sets, setUID);
    expect(await dialog.findByText('It goes to 930 sprinklers.')).toBeTruthy();
    await isReady('Send Schedules to Devices');
    await user.click(button('Send Schedules to Devices'));
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toMatchObject({
      type: commandTypes.SendScheduleSet,
      payload: { groupUID: north._id, setUID },
    });
  });

  test('without sprinklers says so', async () => {
    const text = 'There are no sprinklers in this group to send the schedule to.';
    const { user, button, dialog } = await choose('Send schedules…', {
      prepare: (api) => api.on('POST /commands/plan', new Failure(400, text)),
    });
    const sets = await dialog.findByRole('combobox', { name: /^Schedule Set/ });
    await within(sets).findByRole('option', { name: /Summer/ });
    await user.selectOptions(sets, setUID);
    expect(await dialog.findByText(text)).toBeTruthy();
    expect(button('Send Schedules to Devices').getAttribute('aria-disabled')).toBe('true');
  });
});

test('the menu offers what the person may send', async () => {
  const rights = { ...presets.guest, pollSprinkler: true };
  const { api } = await choose('Poll group…', { rights });
  expect(api.calls('POST /commands/plan').length).toBeGreaterThan(0);
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Menu of North' }));
  const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(items).toEqual(['Map of the group', 'Poll group…']);
});
