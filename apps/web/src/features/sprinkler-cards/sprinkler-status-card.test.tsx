import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import type { Command } from '@headrace/contract/commands';
import type { FlowCheckReply } from '@headrace/contract/flow';
import type { SprinklerCounts } from '@headrace/contract/groups';
import { presets } from '@headrace/contract/permissions';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { noSprinklers, nothingInTheWay, permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import '../commands/many/many-dialog.tsx';
import { at, buildCommand, buildDetails, buildUnit } from '../commands/command-fixtures.ts';
import { buildProof } from '../irr-diary/diary-fixtures.ts';
import { flowCheckText } from './flow-labels.ts';
import { ago, buildTank } from '../../testing/tank-fixtures.ts';

const HOUR = 3_600_000;
const withCounts = (counts: Partial<SprinklerCounts>) =>
  new FakeApi().on('GET /ipc/status', { ...noSprinklers, ...counts });
const counted = { ok: 280, attention: 9, failed: 8, inhibited: 3, active: 12, total: 300 };
const list = () => screen.findByRole('list', { name: 'Sprinklers by status' });

/** So many hours from now. */
const ahead = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();

test('each count leads to exactly the sprinklers that it counts', async () => {
  renderApp('/dashboard', { api: withCounts(counted) });
  const links = within(await list()).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual(
    [
      ['280Healthy', 'ok'],
      ['9Attention', 'error'],
      ['8Offline', 'outcomm'],
      ['3Inhibited', 'inhibited'],
      ['12Active', 'active'],
      ['300Total', 'all'],
    ].map(([text, filter]) => [text, `/group-status/FARM?farm=${rakaia._id}&filter=${filter}`]),
  );
});

test('whoever may not see the sprinklers reads the counts, without ways that lead nowhere', async () => {
  const row = permissionsOn(rakaia, { ...presets.none, dashboard: true });
  const api = withCounts(counted).on('GET /permissions-list', { permissions: [row] });
  renderApp('/dashboard', { api });
  expect((await list()).textContent).toBe('280Healthy9Attention8Offline3Inhibited12Active300Total');
  expect(within(await list()).queryAllByRole('link')).toEqual([]);
});

test('stops all water of the farm after saying what that does, and then who has not answered', async () => {
  const stop = buildCommand(1, {
    command: 'TurnGroupValvesOff',
    state: 'progress',
    total: 300,
    done: 296,
  });
  const units = [buildUnit(1), buildUnit(2, { state: 'sent' })];
  const api = withCounts(counted)
    .on('POST /commands/plan', {
      ...nothingInTheWay,
      total: 300,
      toDo: 300,
      finish: { atMost: ahead(1) },
    })
    .on('POST /commands/send', { commandId: stop._id, status: 'queued' })
    .on('GET /command', buildDetails(stop, { units, unitStates: { done: 296, sent: 4 }, perMinute: 12.3 }));
  const { user } = renderApp('/dashboard', { api });
  await user.click(await screen.findByRole('button', { name: 'Stop all water…' }));
  const dialog = within(await screen.findByRole('dialog', { name: `Stop all water on ${rakaia.name}?` }));
  expect(dialog.getByText('Stop the pump first, by hand,')).toBeTruthy();
  const plan = within(await dialog.findByRole('region', { name: 'What it would do' }));
  expect(plan.getByText('It goes to 300 sprinklers.')).toBeTruthy();
  expect(plan.getByText(/^Done by /)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Stop all water' }));
  const far = within(await dialog.findByRole('region', { name: 'How far it is' }));
  expect(far.getByText('296 of 300 done')).toBeTruthy();
  expect(far.getByText('Now about 12 a minute answer.')).toBeTruthy();
  expect(far.getByText('4 have not answered yet').textContent).toBe('4 have not answered yetP002 and 3 more');
  expect(api.calls('POST /commands/send').map(({ body }) => body)).toMatchObject([
    { farmUID: rakaia._id, type: commandTypes.TurnGroupValvesOff, payload: { groupUID: 'FARM' } },
  ]);
  await user.click(dialog.getByRole('button', { name: 'Inhibit all sprinklers…' }));
  expect(await screen.findByRole('dialog', { name: `Inhibit ${rakaia.name}` })).toBeTruthy();
});

test('a send under way stands on the card with how far it is, goes on by its news, and leaves when it is done', async () => {
  const send = buildCommand(1, {
    command: 'SendScheduleSet',
    name: 'Whole farm',
    state: 'progress',
    total: 930,
    done: 412,
    failed: 3,
    finish: { expected: ahead(2), low: ahead(1.5), high: ahead(2.5) },
  });
  const api = withCounts(counted).on('GET /commands', { commands: [send], more: false });
  renderApp('/dashboard', { api });
  const list = within(await screen.findByRole('list', { name: 'Under way' }));
  const link = list.getByRole('link', { name: 'Send Schedules, Whole farm' });
  expect(link.getAttribute('href')).toBe(`/commands/${rakaia._id}?command=${send._id}`);
  expect(list.getByText(/^412 of 930 done, 3 failed; all about /)).toBeTruthy();
  expect(list.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('412');
  expect(api.calls('GET /commands')[0]?.query).toEqual({ farmUID: rakaia._id, about: 'underWay' });
  const push = (data: Command) => act(async () => FakeSocket.last.push({ type: 'command_update', data }));
  await push({ ...send, done: 500, stateAt: at(500) });
  expect(await list.findByText(/^500 of 930 done/)).toBeTruthy();
  await push({ ...send, state: 'done', done: 930, failed: 0, stateAt: at(900) });
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Under way' })).toBeNull());
});

test('a stop that dead spares did not answer says who closed, and what is known of the others', async () => {
  const stop = buildCommand(1, {
    command: 'TurnGroupValvesOff',
    state: 'failed',
    total: 300,
    done: 298,
    failed: 2,
    message: 'Group Valves Off: failed.',
  });
  const units = [buildUnit(1), buildUnit(2, { state: 'failed' }), buildUnit(3, { state: 'failed' })];
  const unstopped = { saidOpen: 0, mayBeOpen: 0, saidClosed: 0, notKnown: 2, shelved: 2 };
  const api = withCounts(counted)
    .on('POST /commands/plan', { ...nothingInTheWay, total: 300, toDo: 300 })
    .on('POST /commands/send', { commandId: stop._id, status: 'queued' })
    .on('GET /command', buildDetails(stop, { units, unitStates: { done: 298, failed: 2 }, unstopped }));
  const { user } = renderApp('/dashboard', { api });
  await user.click(await screen.findByRole('button', { name: 'Stop all water…' }));
  await user.click(await screen.findByRole('button', { name: 'Stop all water' }));
  const far = within(await screen.findByRole('region', { name: 'How far it is' }));
  expect(far.getByRole('status').textContent).toBe('298 of 300 closed');
  expect(far.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    "2 did not close, or didn't answerP002, P003",
    '2 never said how the valve is, and may lie on a shelf: spare or out of service.',
  ]);
});

test('whoever may not switch valves has no button to stop them', async () => {
  const row = permissionsOn(rakaia, { ...presets.farmManager, toggleValve: false });
  renderApp('/dashboard', {
    api: withCounts(counted).on('GET /permissions-list', { permissions: [row] }),
  });
  await list();
  expect(screen.queryByRole('button', { name: 'Stop all water…' })).toBeNull();
});

const soon = Date.parse(ago(-3_600_000));
test.each([
  [
    { said: 9, planned: 2, overdue: 1, unplanned: 0 },
    /^12 watering now: 9 said so, 2 should by schedule, not confirmed, 1 should be closed by now\. $/,
  ],
  [{ said: 9, planned: 0, overdue: 0, unplanned: 0 }, /^9 watering now: 9 said so\. $/],
  [{ said: 0, planned: 0, overdue: 0, unplanned: 0 }, /^None is watering now, as far as is known\. $/],
])('what waters is told by what that rests on: %j', async (watering, label) => {
  renderApp('/dashboard', { api: withCounts({ ...counted, watering }) });
  expect(await screen.findByText(label, { normalizer: (text) => text })).toBeTruthy();
});

test('the next start is told with how many begin, and of which line', async () => {
  const next = { startAt: soon, units: 14, group: 'Line 3' };
  renderApp('/dashboard', { api: withCounts({ ...counted, next }) });
  expect(await screen.findByText(/Next: 14 at \d\d:\d\d \(Line 3\)\.$/)).toBeTruthy();
});

test('a farm without sprinklers says so beside its other cards, and leads to a first one', async () => {
  const api = withCounts({}).on('GET /lvl/suminfo', { tanks: [buildTank(1)] });
  renderApp('/dashboard', { api });
  expect(await screen.findByText('No sprinkler data to display.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Add a sprinkler' }).getAttribute('href')).toBe(
    `/irrigation-device/new/${rakaia._id}`,
  );
});

test('a failure says so, and Retry shows the counts', async () => {
  const api = new FakeApi().on('GET /ipc/status', new Failure(500, 'Something went wrong.'));
  const { user } = renderApp('/dashboard', { api });
  await screen.findByText("The sprinklers couldn't be loaded");
  const failed = within(screen.getByRole('region', { name: 'Sprinkler Status' }));
  api.on('GET /ipc/status', { ...noSprinklers, ...counted });
  await user.click(failed.getByRole('button', { name: 'Retry' }));
  await waitFor(async () => expect((await list()).textContent).toContain('280Healthy'));
});

test('valves that should be closed by now come before all else that needs a person', async () => {
  const watering = { said: 3, planned: 0, overdue: 2, unplanned: 0 };
  renderApp('/dashboard', { api: withCounts({ ...counted, watering }) });
  const line = within(await screen.findByRole('list', { name: 'Needs attention' }));
  const first = line.getAllByRole('listitem')[0];
  expect(first?.textContent).toBe('Open, should be closed by now2 sprinklers');
  expect(
    within(first as HTMLElement)
      .getByRole('link')
      .getAttribute('href'),
  ).toBe(`/group-status/FARM?farm=${rakaia._id}&filter=all`);
});

test('a stop that was not said yet is told as such', async () => {
  renderApp('/dashboard', { api: withCounts({ ...counted, stopWanted: 4 }) });
  expect(
    await screen.findByText(
      'None is watering now, as far as is known. 4 to be inhibited have not said so yet.',
    ),
  ).toBeTruthy();
});

test('the last watering stands in one line that leads to the diary', async () => {
  const api = withCounts(counted).on(
    'GET /irr-diary-logs/last',
    buildProof({ round: { from: ago(HOUR), to: ago(0), startAt: ago(HOUR), endAt: ago(HOUR / 2) } }),
  );
  renderApp('/dashboard', { api });
  const line = await screen.findByRole('link', { name: /: 928 of 930 watered; 2 not known\.$/ });
  expect(line.getAttribute('href')).toBe(`/irr-diary-logs/view/${rakaia._id}`);
});

test('a flow that nothing open explains is told with the valves that may be it, and one that agrees in a line', async () => {
  const check: FlowCheckReply = {
    state: 'more',
    meter: 'Bore',
    at: ago(0),
    meterLps: 52,
    openLps: 40,
    mayBeLps: 0,
    byLps: 12,
    suspects: [{ unitUID: uid(7012), name: 'A12', movedAt: ago(HOUR), isSaidClosed: false }],
  };
  const api = withCounts(counted).on('GET /flow/check', { check });
  renderApp('/dashboard', { api });
  const label =
    /^Bore shows 52 L\/s; sprinklers of 40 L\/s are open\. 12 L\/s more than is open: a leak, or a valve that did not close\./;
  expect(await screen.findByText(label)).toBeTruthy();
  expect(screen.getByRole('list', { name: 'Valves that may be open', hidden: true }).textContent).toMatch(
    /^A12not known to have closed; moved /,
  );
});

test.each<[Partial<FlowCheckReply>, string]>([
  [{ state: 'agrees', meterLps: 38, byLps: 0 }, 'Bore shows 38 L/s; sprinklers of 40 L/s are open: agrees.'],
  [
    { state: 'agrees', meterLps: 44, mayBeLps: 8 },
    'Bore shows 44 L/s; sprinklers of 40 to 48 L/s are open: agrees.',
  ],
  [
    { state: 'less', meterLps: 4.2, byLps: 35.8 },
    'Bore shows 4.2 L/s; sprinklers of 40 L/s are open. 36 L/s less than they should give: a pump that is off, a closed or blocked main, or valves that did not open.',
  ],
])('what flows is said in words: %j', (over, label) => {
  const check: FlowCheckReply = {
    state: 'agrees',
    meter: 'Bore',
    at: ago(0),
    meterLps: 38,
    openLps: 40,
    mayBeLps: 0,
    byLps: 0,
    suspects: [],
  };
  expect(flowCheckText({ ...check, ...over })).toBe(label);
});

test('a change of the farm’s clock is told a week ahead, with the way to what it comes to', async () => {
  vi.setSystemTime(Date.parse('2027-09-20T00:00:00Z'));
  renderApp('/dashboard', { api: withCounts(counted) });
  await list();
  const note = await screen.findByRole('note');
  expect(note.textContent).toContain('The clock goes 02:00 → 03:00 on Sun 26 Sept.');
  expect(within(note).getByRole('link', { name: 'What it comes to' }).getAttribute('href')).toBe(
    `/schedules/view/${rakaia._id}`,
  );
  vi.useRealTimers();
});
