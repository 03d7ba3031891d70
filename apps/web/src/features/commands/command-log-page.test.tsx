import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import type { Command } from '@headrace/contract/commands';
import { presets, type Permissions } from '@headrace/contract/permissions';
import { missServer } from '../../api/reach.ts';
import { Failure, FakeApi, UNREACHABLE } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { HOUR, permissionsOn, rakaia, uid, waihao } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { at, buildBehind, buildCommand, buildDetails, buildStep, buildUnit } from './command-fixtures.ts';

const PATH = `/commands/${rakaia._id}`;
const FORBIDDEN = "Sorry, you don't have permissions to access this page for the current farm.";

const withLog = (...commands: Command[]) =>
  new FakeApi().on('GET /commands', { commands: [...commands].reverse(), more: false });
const withRights = (api: FakeApi, permissions: Permissions) =>
  api.on('GET /permissions-list', { permissions: [permissionsOn(rakaia, permissions)] });
/** The query cache tells its readers a moment later. */
const push = (command: Command) =>
  act(async () => {
    FakeSocket.last.push({ type: 'command_update', data: command });
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  });
const rows = () => screen.getAllByRole('listitem').map((row) => row.textContent);
const titles = async () =>
  (await screen.findAllByRole('link', { name: /Gateway \d/ })).map((a) => a.textContent);
const scrollDownTo = (y: number) =>
  act(async () => {
    vi.stubGlobal('scrollY', y);
    dispatchEvent(new Event('scroll'));
  });

afterEach(() => vi.unstubAllGlobals());

describe('the command log', () => {
  test('says of each command what, for whom, how it stands, who sent it and when, the newest first', async () => {
    renderApp(PATH, {
      api: withLog(
        buildCommand(1, {
          command: 'ValveOn',
          name: 'P042',
          state: 'failed',
          message: 'Valve On: failed. No radio.',
        }),
        buildCommand(60, { name: 'Shed gateway', sentBy: 'Wiremu Hoani' }),
      ),
    });
    expect(await screen.findByRole('heading', { name: 'Commands', level: 1 })).toBeTruthy();
    await waitFor(() =>
      expect(rows()).toEqual([
        'Set Time Shed gatewayDoneWiremu Hoani10:03',
        'Valve On P042FailedNo radio.Aroha Ngata10:02',
      ]),
    );
    expect(screen.getByText('Rākaia Downs', { selector: 'main *' })).toBeTruthy();
  });

  test('a state is never a colour alone', async () => {
    const states = ['queued', 'sent', 'accepted', 'progress', 'failed', 'expired', 'cancelled'] as const;
    const made = states.map((state, n) => buildCommand(n, { state, total: 40, done: 12, message: '' }));
    renderApp(PATH, { api: withLog(...made) });
    await screen.findByText('Waiting for the gateway');
    for (const label of ['Sent, not answered yet', 'Gateway has it', '12 of 40 done', 'Ran out of time'])
      expect(screen.getByText(label)).toBeTruthy();
    const bar = screen.getByRole('progressbar', { name: 'Units done' });
    expect([bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuemax')]).toEqual(['12', '40']);
    for (const row of screen.getAllByRole('listitem')) expect(row.querySelector('svg')).toBeTruthy();
  });

  test('can be narrowed, and the address keeps it', async () => {
    const api = withLog(
      buildCommand(1),
      buildCommand(2, { state: 'sent' }),
      buildCommand(3, { state: 'expired' }),
      buildCommand(4, { state: 'progress', total: 2 }),
    );
    const { user, router } = renderApp(PATH, { api });
    await user.click(await screen.findByRole('link', { name: 'Under way' }));
    await waitFor(() => expect(screen.queryByText(/Gateway 1/)).toBeNull());
    expect(await titles()).toEqual(['Set Time Gateway 4', 'Set Time Gateway 2']);
    expect(router.state.location.search).toEqual({ show: 'under-way' });
    await user.click(screen.getByRole('link', { name: 'Not done' }));
    await waitFor(async () => expect(await titles()).toEqual(['Set Time Gateway 3']));
    const chosen = () => document.querySelectorAll('main nav [aria-current]');
    expect([...chosen()].map((link) => link.textContent)).toEqual(['Not done']);
  });

  test('older commands come page by page', async () => {
    const api = new FakeApi().on('GET /commands', ({ query }) =>
      query.before === undefined
        ? { commands: [buildCommand(3), buildCommand(2)], more: true }
        : { commands: [buildCommand(1)], more: false },
    );
    const { user } = renderApp(PATH, { api });
    await user.click(await screen.findByRole('button', { name: 'Show older commands' }));
    await screen.findByRole('link', { name: /Gateway 1/ });
    expect(api.calls('GET /commands').map(({ query }) => query?.before)).toEqual([
      undefined,
      buildCommand(2)._id,
    ]);
    expect(screen.queryByRole('button', { name: 'Show older commands' })).toBeNull();
  });

  test('older ones that do not come leave the rest standing, with a way to try again', async () => {
    const api = new FakeApi().on('GET /commands', ({ query }) =>
      query.before === undefined ? { commands: [buildCommand(2)], more: true } : new Failure(403, 'No.'),
    );
    const { user } = renderApp(PATH, { api });
    await user.click(await screen.findByRole('button', { name: 'Show older commands' }));
    expect(await screen.findByText("Older commands couldn't be loaded.")).toBeTruthy();
    expect(screen.queryByText(/newer ones couldn't be loaded/)).toBeNull();
    api.on('GET /commands', { commands: [buildCommand(1)], more: false });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('link', { name: /Gateway 1/ })).toBeTruthy();
  });

  test('a filter that hides all that was looked through says how far back it looked', async () => {
    const api = new FakeApi().on('GET /commands', { commands: [buildCommand(1)], more: true });
    renderApp(`${PATH}?show=not-done`, { api });
    expect(await screen.findByText('Every command was done among those looked through')).toBeTruthy();
    expect(await screen.findByText(/Looked back to .* 10:02/)).toBeTruthy();
  });

  test('without commands it says so, and where they come from', async () => {
    renderApp(PATH, { api: withLog() });
    expect(await screen.findByText('No commands yet')).toBeTruthy();
  });

  test('a failure says what failed and tries again', async () => {
    const api = new FakeApi().on('GET /commands', UNREACHABLE);
    const { user } = renderApp(PATH, { api });
    expect((await screen.findByRole('alert')).textContent).toContain("The commands couldn't be loaded");
    expect(screen.getByText("Server couldn't be reached")).toBeTruthy();
    api.on('GET /commands', { commands: [buildCommand(1)], more: false });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await titles()).toEqual(['Set Time Gateway 1']);
  });

  test('is not for people who may read nothing that is commanded', async () => {
    renderApp(PATH, { api: withRights(withLog(), { ...presets.none, farms: 1, sensors: 15 }) });
    expect(await screen.findByText(FORBIDDEN)).toBeTruthy();
  });

  test('makes the farm in the address the current one; one that is not theirs is not there', async () => {
    const api = withLog().on('GET /commands', { commands: [], more: false });
    const { unmount } = renderApp(`/commands/${waihao._id}`, { api });
    expect(await screen.findByRole('button', { name: /^Current farm: Waihao Flats/ })).toBeTruthy();
    unmount();
    renderApp(`/commands/${uid(77)}`, { api: withLog() });
    expect(await screen.findByText("Sorry, we couldn't find what you're looking for.")).toBeTruthy();
  });

  test('follows the switcher to the commands of another farm', async () => {
    const { user, router } = renderApp(`${PATH}?show=not-done`, { api: withLog() });
    await user.click(await screen.findByRole('button', { name: /^Current farm: Rākaia Downs/ }));
    await user.click(await screen.findByRole('option', { name: /Waihao Flats/ }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`/commands/${waihao._id}`));
    expect(router.state.location.search).toEqual({});
    expect(await screen.findByRole('button', { name: /^Current farm: Waihao Flats/ })).toBeTruthy();
  });

  test('is reached from the dashboard and the menu of a farm', async () => {
    const { user } = renderApp('/dashboard');
    const link = await screen.findByRole('link', { name: 'Commands' });
    expect(link.getAttribute('href')).toBe(PATH);
    await user.click(screen.getByRole('link', { name: 'Headrace, home' }));
    await user.click(await screen.findByRole('button', { name: 'Menu of Waihao Flats' }));
    const item = await screen.findByRole('menuitem', { name: 'Commands' });
    expect(item.getAttribute('href')).toBe(`/commands/${waihao._id}`);
  });
});

describe('a live message', () => {
  test('changes its command where it stands, without asking the server', async () => {
    const api = withLog(buildCommand(1, { state: 'sent' }), buildCommand(2));
    renderApp(PATH, { api });
    await screen.findByText('Sent, not answered yet');
    await push(buildCommand(1, { state: 'progress', total: 40, done: 12, stateAt: at(30) }));
    expect(await screen.findByText('12 of 40 done')).toBeTruthy();
    expect(api.calls('GET /commands')).toHaveLength(1);
  });

  test('that came late does not take back what is known', async () => {
    renderApp(PATH, { api: withLog(buildCommand(1, { state: 'done', stateAt: at(30) })) });
    await screen.findByText('Done');
    await push(buildCommand(1, { state: 'accepted', stateAt: at(20) }));
    expect(screen.getByText('Done')).toBeTruthy();
  });

  test('of a new command puts it on top for a reader who is there', async () => {
    renderApp(PATH, { api: withLog(buildCommand(1)) });
    await titles();
    await push(buildCommand(2, { state: 'queued', message: '' }));
    expect(await titles()).toEqual(['Set Time Gateway 2', 'Set Time Gateway 1']);
  });

  test('waits behind a button for a reader who has scrolled down', async () => {
    renderApp(PATH, { api: withLog(buildCommand(1)) });
    await titles();
    await scrollDownTo(900);
    await push(buildCommand(2));
    await push(buildCommand(3));
    expect(await screen.findByRole('button', { name: '2 new commands' })).toBeTruthy();
    expect(await titles()).toEqual(['Set Time Gateway 1']);
    await scrollDownTo(0);
    expect(screen.queryByRole('button', { name: /new command/ })).toBeNull();
    expect(await titles()).toEqual(['Set Time Gateway 3', 'Set Time Gateway 2', 'Set Time Gateway 1']);
  });

  test('of another farm changes nothing here', async () => {
    renderApp(PATH, { api: withLog(buildCommand(1)) });
    await titles();
    await push(buildCommand(2, { farmUID: waihao._id }));
    expect(await titles()).toEqual(['Set Time Gateway 1']);
  });

  test('missed while the connection was down is made good when it is back', async () => {
    const api = withLog(buildCommand(1));
    renderApp(PATH, { api });
    await titles();
    api.on('GET /commands', { commands: [buildCommand(2), buildCommand(1)], more: false });
    await act(async () => FakeSocket.last.drop());
    await act(async () => void dispatchEvent(new Event('online')));
    await waitFor(async () => expect(await titles()).toEqual(['Set Time Gateway 2', 'Set Time Gateway 1']));
  });
});

describe('the details of a command', () => {
  const group = buildCommand(1, {
    command: 'TurnGroupValvesOn',
    name: 'North block',
    state: 'progress',
    total: 3,
    done: 1,
    message: 'Group Valves On: 1 done of 3.',
    maxOpenMinutes: 60,
  });
  const valve = { openedAt: at(9), closesBy: at(3609), closedAt: null, why: '' };
  const details = buildDetails(group, {
    units: [
      buildUnit(1, { state: 'done', valve }),
      buildUnit(2, { state: 'queued' }),
      buildUnit(3, { state: 'queued' }),
    ],
    steps: [
      buildStep(1, 'queued'),
      buildStep(2, 'sent'),
      buildStep(4, 'accepted'),
      buildStep(9, 'done', { name: 'P001', note: 'Valve open.' }),
    ],
  });
  const open = (api = withLog(group), answer = details) =>
    renderApp(`${PATH}?command=${group._id}`, { api: api.on('GET /command', answer) });
  const drawer = async () => within(await screen.findByRole('dialog', { name: 'Group Valves On' }));

  test('show its life with times, its units and what is known of their valves', async () => {
    open();
    const view = await drawer();
    const stages = within(await view.findByRole('list', { name: 'Its life' })).getAllByRole('listitem');
    expect(stages.map((stage) => stage.textContent)).toEqual([
      'Asked for10:02:01',
      'Sent to the gateway10:02:02',
      'Gateway has it10:02:04',
      '1 of 3 done',
      'Donenot yet',
    ]);
    expect(stages[3]?.getAttribute('aria-current')).toBe('step');
    const units = within(view.getByRole('list', { name: 'Units' })).getAllByRole('listitem');
    expect(units.map((unit) => unit.textContent)).toEqual([
      'P001Done10:02:01 · IPC1 · open since 10:02, closes by itself by 11:02',
      'P002Waiting for the gateway10:02:02 · IPC2',
      'P003Waiting for the gateway10:02:03 · IPC3',
    ]);
    expect(view.getByText('60 min')).toBeTruthy();
    expect(view.queryByText('Pace')).toBeNull();
  });

  test('say how quickly units answer, where that is known', async () => {
    open(undefined, { ...details, perMinute: 0.5 });
    const view = await drawer();
    expect((await view.findByText('Pace')).nextSibling?.textContent).toBe('about 30 an hour');
  });

  const opened = (closesAfterS: number, closedAt: string | null = null) => {
    const closesBy = new Date(Date.now() + closesAfterS * 1000).toISOString();
    const command = buildCommand(1, { command: 'ValveOn', name: 'P001', maxOpenMinutes: 60 });
    return buildDetails(command, { units: [buildUnit(1, { valve: { ...valve, closesBy, closedAt } })] });
  };

  test('close a valve that they opened and that is not known to be closed', async () => {
    const api = withLog(group)
      .on('GET /command', opened(600))
      .on('POST /commands/send', { commandId: uid(5009), status: 'queued' });
    const { user } = renderApp(`${PATH}?command=${group._id}`, { api });
    const view = within(await screen.findByRole('dialog', { name: 'Valve On' }));
    await user.click(await view.findByRole('button', { name: 'Valve Off' }));
    const link = await view.findByRole('link', { name: 'See how far it is' });
    expect(link.getAttribute('href')).toContain(`command=${uid(5009)}`);
    expect(api.calls('POST /commands/send').at(-1)?.body).toMatchObject({
      type: commandTypes.ValveOff,
      name: 'P001',
      serialNumber: 'IPC1',
    });
  });

  test.each([
    ['failed', 1],
    ['expired', 1],
    ['accepted', 0],
  ] as const)('offer a Valve Off again where the first is %s: %i time(s)', async (state, times) => {
    const off = buildDetails(buildCommand(9, { command: 'ValveOff', name: 'P001', state }));
    const api = withLog(group)
      .on('GET /command', ({ query }) => (query.commandId === off.command._id ? off : opened(600)))
      .on('POST /commands/send', { commandId: off.command._id, status: 'queued' });
    const { user } = renderApp(`${PATH}?command=${group._id}`, { api });
    const view = within(await screen.findByRole('dialog', { name: 'Valve On' }));
    await user.click(await view.findByRole('button', { name: 'Valve Off' }));
    await view.findByRole('link', { name: 'See how far it is' });
    await waitFor(() => expect(api.calls('GET /command').at(-1)?.query.commandId).toBe(off.command._id));
    await waitFor(() => expect(view.queryAllByRole('button', { name: 'Valve Off' })).toHaveLength(times));
    expect(view.queryAllByText(/The Valve Off failed, or got no answer in time/)).toHaveLength(times);
  });

  test.each([
    ['that has said so', opened(600, at(20))],
    ['that must have closed by itself', opened(-1)],
    ['that are many', details],
  ])('offer no Valve Off for valves %s', async (_which, answer) => {
    renderApp(`${PATH}?command=${group._id}`, { api: withLog(group).on('GET /command', answer) });
    await screen.findByRole('tab', { name: /^Units/ });
    expect(screen.queryByRole('button', { name: 'Valve Off' })).toBeNull();
  });

  test('have every step', async () => {
    const { user } = open();
    const view = await drawer();
    await user.click(await view.findByRole('tab', { name: 'Every step (4)' }));
    const steps = within(view.getByRole('list', { name: 'Steps' })).getAllByRole('listitem');
    expect(steps.map((step) => step.textContent).slice(2)).toEqual([
      '10:02:04Gateway has it',
      '10:02:09P001: DoneValve open.',
    ]);
  });

  test('renew themselves as units answer', async () => {
    const { api } = open();
    const view = await drawer();
    await view.findByText('P001');
    api.on('GET /command', {
      ...details,
      units: details.units.map((unit) => ({ ...unit, state: 'done' as const })),
      unitStates: { done: 3 },
    });
    await push({ ...group, state: 'done', done: 3, stateAt: at(40), message: 'Group Valves On: done.' });
    await waitFor(() => expect(view.getAllByText('Done')).toHaveLength(4));
  });

  test('of one that ended badly are seen by looking at them, on a page that is in sight, once for each end', async () => {
    const now = new Date().toISOString();
    const failed = { ...group, state: 'failed' as const, stateAt: now };
    const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    const api = withLog(failed);
    open(api, buildDetails(failed));
    await drawer();
    await screen.findByText('Sent by');
    expect(api.calls('POST /commands/seen')).toEqual([]);
    hidden.mockRestore();
    for (let time = 0; time < 2; time += 1) document.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() =>
      expect(api.calls('POST /commands/seen').map(({ body }) => body)).toEqual([
        { farmUID: rakaia._id, commandId: failed._id },
      ]),
    );
  });

  test('of one that went well need no look', async () => {
    const api = withLog(group);
    open(api, buildDetails({ ...group, state: 'done' }));
    await drawer();
    await screen.findByText('Sent by');
    expect(api.calls('POST /commands/seen')).toEqual([]);
  });

  test('that were sent by nobody say so', async () => {
    const own = { ...group, sentBy: '', isAutomatic: true };
    open(withLog(own), buildDetails(own));
    expect((await drawer()).getByText('Sent by itself')).toBeTruthy();
  });

  test('of 930 units draw only those in sight, and find one by its name', async () => {
    const units = Array.from({ length: 930 }, (_, n) => buildUnit(n + 1));
    units[411] = buildUnit(412, { state: 'failed', note: 'No radio.' });
    const { user } = open(withLog(group), buildDetails(group, { units }));
    const view = await drawer();
    const list = await view.findByRole('list', { name: 'Units' });
    const drawn = within(list).getAllByRole('listitem');
    expect(drawn.length).toBeLessThan(60);
    expect(drawn[0]?.getAttribute('aria-setsize')).toBe('930');
    expect(view.getByText('Not done (1)')).toBeTruthy();
    await user.type(view.getByRole('searchbox', { name: 'Search units' }), 'p412');
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((unit) => unit.textContent),
    ).toEqual([expect.stringMatching(/^P412Failed.* · IPC412 · No radio\.$/)]);
    await user.clear(view.getByRole('searchbox', { name: 'Search units' }));
    await user.click(view.getByText('Not done (1)'));
    expect(within(list).getAllByRole('listitem')).toHaveLength(1);
  });

  test('of more units than are shown say so, count them all, and show the rest when asked', async () => {
    const units = Array.from({ length: 5 }, (_, n) => buildUnit(n + 1));
    const many = { ...group, total: 900 };
    const answer = buildDetails(many, {
      units,
      unitStates: { done: 880, failed: 20 },
      steps: details.steps,
      stepCount: 2700,
    });
    const { user, api } = open(withLog(many), answer);
    const view = await drawer();
    expect(await view.findByText('5 of 900 units, those that failed first')).toBeTruthy();
    expect(view.getByRole('tab', { name: 'Every step (2,700)' })).toBeTruthy();
    api.on(
      'GET /command',
      buildDetails(many, { units: Array.from({ length: 900 }, (_, n) => buildUnit(n + 1)) }),
    );
    await user.click(view.getByRole('button', { name: 'Show all units' }));
    await waitFor(() => expect(view.queryByText(/of 900 units/)).toBeNull());
    expect(api.calls('GET /command').at(-1)?.query).toMatchObject({ limit: 5000 });
    expect(view.getByText('Not done (0)')).toBeTruthy();
  });

  test('open with a key, take the focus, and give it back on Escape', async () => {
    const { user, router } = renderApp(PATH, { api: withLog(group).on('GET /command', details) });
    const link = await screen.findByRole('link', { name: /Group Valves On/ });
    link.focus();
    await user.keyboard('{Enter}');
    const dialog = await screen.findByRole('dialog', { name: 'Group Valves On' });
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
    expect(router.state.location.search).toEqual({ command: group._id });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(router.state.location.search).toEqual({});
    await waitFor(() => expect(document.activeElement).toBe(link));
  });

  test('of a command that is not there say so', async () => {
    const api = withLog().on(
      'GET /command',
      new Failure(404, "Sorry, we couldn't find what you're looking for."),
    );
    renderApp(`${PATH}?command=${uid(9)}`, { api });
    expect(await screen.findByText("The command couldn't be loaded")).toBeTruthy();
  });

  test('say what cancelling does before it is done', async () => {
    const { user, api } = open();
    api.on('POST /commands/cancel', { cancelled: 2 });
    const view = await drawer();
    await user.click(await view.findByRole('button', { name: 'Cancel command' }));
    expect(
      view.getByText("2 of 3 units wait for the gateway: they won't get it. The other one stays as it is."),
    ).toBeTruthy();
    expect(api.calls('POST /commands/cancel')).toHaveLength(0);
    await user.click(view.getByRole('button', { name: 'Cancel for 2 units' }));
    expect(await screen.findByText('Command cancelled for 2 units.')).toBeTruthy();
    expect(view.queryByRole('group', { name: 'Cancel command' })).toBeNull();
    expect(api.calls('POST /commands/cancel')[0]?.body).toEqual({
      farmUID: rakaia._id,
      commandId: group._id,
      type: 30,
    });
  });

  test('say why there is no way to cancel what the gateway has all of', async () => {
    open(withLog(group), buildDetails(group, { unitStates: { done: 1, accepted: 2 } }));
    const view = await drawer();
    expect(await view.findByText('Too late to cancel: the gateway has it.')).toBeTruthy();
    expect(view.queryByRole('button', { name: 'Cancel command' })).toBeNull();
  });

  test('keep saying what was taken back, and what was not', async () => {
    const partly = buildDetails(group, {
      units: [buildUnit(1, { state: 'done' })],
      unitStates: { cancelled: 100, done: 7, skipped: 1, failed: 1, expired: 1, sent: 4, accepted: 9 },
    });
    // As the newest word of it may still have it.
    const at = new Date(Date.now() + HOUR).toISOString();
    const finish = { expected: at, low: at, high: at };
    open(withLog(group), {
      ...partly,
      command: { ...group, total: 123, hadIt: 1, finish, cancelledBy: 'Sam' },
    });
    const view = await drawer();
    expect(
      await view.findByText(
        'Cancelled for 100 of 123 units, not for the others: 7 done, 1 had it already, 2 failed, 13 with the gateway. Sam cancelled it.',
      ),
    ).toBeTruthy();
    expect(view.queryByText(/^about \d/)).toBeNull();
  });

  test('ask anew where others wait than those that were asked about', async () => {
    const { user, api } = open();
    const view = await drawer();
    await user.click(await view.findByRole('button', { name: 'Cancel command' }));
    const tell = async (waiting: number, unitStates: object, minutes: number) => {
      const news = { ...group, waiting, stateAt: new Date(Date.now() + minutes * 60_000).toISOString() };
      api.on('GET /command', buildDetails(news, { unitStates }));
      await push(news);
    };
    // Somebody else cancelled it; then one that the gateway had failed, and gets it once it is heard.
    await tell(0, { cancelled: 2, accepted: 1 }, 1);
    await waitFor(() => expect(view.queryByRole('button', { name: /^Cancel/ })).toBeNull());
    await tell(1, { cancelled: 2, failed: 1 }, 2);
    expect(await view.findByRole('button', { name: 'Cancel command' })).toBeTruthy();
    expect(view.queryByRole('button', { name: 'Cancel it' })).toBeNull();
  });

  test('say why it was too late to cancel', async () => {
    const { user, api } = open();
    api.on('POST /commands/cancel', new Failure(409, 'Nothing is left to cancel: Group Valves On: done.'));
    const view = await drawer();
    await user.click(await view.findByRole('button', { name: 'Cancel command' }));
    await user.click(view.getByRole('button', { name: 'Cancel for 2 units' }));
    expect((await view.findByRole('alert')).textContent).toBe(
      'Nothing is left to cancel: Group Valves On: done.',
    );
  });

  test('cancel nothing without a connection, and say so', async () => {
    const { user, api } = open();
    const view = await drawer();
    await user.click(await view.findByRole('button', { name: 'Cancel command' }));
    act(() => missServer());
    expect(view.getByText('There is no connection now.')).toBeTruthy();
    await user.click(view.getByRole('button', { name: 'Cancel for 2 units' }));
    expect(api.calls('POST /commands/cancel')).toEqual([]);
  });

  test('without an answer say that nobody knows whether it was cancelled, until that is known', async () => {
    const { user, api } = open();
    api.on('POST /commands/cancel', UNREACHABLE);
    const view = await drawer();
    await user.click(await view.findByRole('button', { name: 'Cancel command' }));
    await user.click(view.getByRole('button', { name: 'Cancel for 2 units' }));
    expect((await view.findByRole('alert')).textContent).toBe(
      "No answer came, so it isn't known whether it was cancelled.",
    );
    api.on(
      'GET /command',
      buildDetails({ ...group, waiting: 0 }, { units: [], unitStates: { cancelled: 2, done: 1 } }),
    );
    await push({
      ...group,
      state: 'cancelled',
      waiting: 0,
      stateAt: new Date(Date.now() + HOUR).toISOString(),
    });
    expect(await view.findByText(/^Cancelled for 2 of 3 units/)).toBeTruthy();
    expect(view.queryByRole('alert')).toBeNull();
  });

  test('say of units that wait for another command that they do', async () => {
    const behind = buildBehind(buildCommand(3, { command: 'PollGroup', total: 3, done: 0 }));
    const waiting = { ...group, state: 'queued', behind } as const;
    open(withLog(waiting), buildDetails(waiting, { units: [buildUnit(1, { state: 'queued' })] }));
    const view = await drawer();
    const unit = (await view.findByText('P001')).parentElement;
    expect(unit?.textContent).toContain('Waiting for another command');
  });

  test.each([
    ['people who may not send such a command', { ...presets.farmManager, toggleValve: false }],
    ['people who may not edit sprinklers', { ...presets.farmManager, irrigationDevices: 1 }],
  ])('offer no cancelling to %s', async (_who, permissions) => {
    open(withRights(withLog(group), permissions));
    const view = await drawer();
    await view.findByText('P001');
    expect(view.queryByRole('button', { name: 'Cancel command' })).toBeNull();
  });

  test('offer no cancelling where the gateway has it all', async () => {
    open(withLog(group), buildDetails(group, { units: [buildUnit(1, { state: 'accepted' })] }));
    const view = await drawer();
    await view.findByText('P001');
    expect(view.queryByRole('button', { name: 'Cancel command' })).toBeNull();
  });
});
