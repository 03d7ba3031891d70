import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { commandTitles } from '@headrace/contract/command-types';
import type { SprinklerHistory } from '@headrace/contract/sprinkler-history';
import { emitCommandUpdate } from '../../api/live-events.ts';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { rakaia } from '../../testing/fixtures.ts';
// The map is much code: it is there before a test waits for it.
import '../../map/farm-map-view.tsx';
import '../group-map/group-map-page.tsx';
import './history-tab.tsx';
import './sprinkler-dialog.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { dayText } from '../../ui/format.ts';
import { buildCommand, buildUnit as buildCommandUnit } from '../commands/command-fixtures.ts';
import { buildGroup, buildUnit } from '../group-map/group-fixtures.ts';
import { buildRun, buildSprinklerInfo } from './sprinkler-info-fixtures.ts';

beforeEach(stubCanvas);
afterEach(() => vi.restoreAllMocks());

const unit = buildUnit(9);
const nothing: SprinklerHistory = { runs: [], commands: [], swaps: [], batteries: [], isCut: false };
const command = {
  ...buildCommand(1, { command: 'Poll', state: 'failed' }),
  createdAt: '2026-11-20T20:00:00.000Z',
};
// All on 21 November in New Zealand, but for the battery.
const full: SprinklerHistory = {
  ...nothing,
  runs: [buildRun()],
  commands: [
    {
      command,
      unit: buildCommandUnit(9, {
        uid: unit.id,
        state: 'failed',
        at: '2026-11-20T20:01:00.000Z',
        note: 'no answer',
      }),
    },
  ],
  swaps: [{ at: '2026-11-20T21:00:00.000Z', from: 'IPC-1', to: 'IPC-2', by: 'Olive Owner' }],
  batteries: [{ at: '2026-11-18T21:00:00.000Z', how: 'battery', by: 'Ann' }],
};

async function open(history: SprinklerHistory | Failure, search = '', over: Partial<typeof unit> = {}) {
  const shown = { ...unit, ...over };
  const api = new FakeApi()
    .on('GET /group/units', buildGroup([shown]))
    .on('GET /ipc/fullinfo', buildSprinklerInfo(shown))
    .on('GET /ipc/history', history);
  const view = renderApp(`/group-status/FARM?ipc=${unit.id}&tab=history${search}`, { api });
  const dialog = within(await screen.findByRole('dialog', { name: /A9/ }));
  return { ...view, api, dialog };
}
type Dialog = Awaited<ReturnType<typeof open>>['dialog'];
const rows = (dialog: Dialog) => dialog.getAllByRole('listitem').map(({ textContent }) => textContent);

test('has waterings, commands, swaps and batteries in one list, the newest first, under their days', async () => {
  const { dialog, api } = await open(full);
  await dialog.findByText('Unit replaced');
  expect(rows(dialog)).toEqual([
    'Unit replacedIPC-2 took the place of IPC-110:00Olive Owner',
    `${commandTitles.Poll}Failed 09:01: no answer09:00${command.sentBy}`,
    '05:12 to 05:41 (29 min)Watering: about 5.8 mm; it said so',
    'Battery replaced10:00Ann',
  ]);
  expect(dialog.getByRole('heading', { name: dayText('2026-11-19') })).toBeTruthy();
  expect(
    dialog.getByText('mm are reckoned from minutes, as its group or the farm was set then.'),
  ).toBeTruthy();
  expect(dialog.getByRole('link', { name: commandTitles.Poll }).getAttribute('href')).toBe(
    `/commands/${rakaia._id}?command=${command._id}`,
  );
  expect(api.calls('GET /ipc/history')[0]?.query).toMatchObject({ deviceId: unit.id, period: 60 });
});

test('lists one kind by choice, and the choice and the days stand in the address', async () => {
  const { dialog, router, user, api } = await open(full);
  await user.click(await dialog.findByRole('radio', { name: 'Changes' }));
  await waitFor(() => expect(rows(dialog)).toHaveLength(2));
  expect(router.state.location.search).toMatchObject({ kind: 'changes' });
  await user.click(dialog.getByRole('radio', { name: 'Week' }));
  await waitFor(() => expect(api.calls('GET /ipc/history').at(-1)?.query).toMatchObject({ period: 7 }));
  expect(router.state.location.search).toMatchObject({ kind: 'changes', period: 'Week' });
});

test('of a part sprinkler its mm are said to be of a full circle', async () => {
  const { dialog } = await open(full, '', { isPartSprinkler: true });
  expect(await dialog.findByText(/It is a part sprinkler: they are as of a full circle\.$/)).toBeTruthy();
});

test('of days without any of it says so, and not that nothing was heard', async () => {
  const { dialog } = await open(nothing);
  expect(await dialog.findByText('No watering, command or change is known of these days')).toBeTruthy();
});

test('that is longer than is told says so', async () => {
  const { dialog } = await open({ ...nothing, isCut: true });
  expect(await dialog.findByText(/^Only the newest 500 of a kind are listed/)).toBeTruthy();
});

test('that could not be loaded says so, with Retry', async () => {
  const { dialog, api, user } = await open(new Failure(500, 'The database is away.'));
  await dialog.findByText("Its history couldn't be loaded");
  api.on('GET /ipc/history', full);
  await user.click(dialog.getByRole('button', { name: 'Retry' }));
  expect(await dialog.findByText('Unit replaced')).toBeTruthy();
});

test('follows a command of its farm', async () => {
  const { dialog, api } = await open(nothing);
  await dialog.findByText('No watering, command or change is known of these days');
  api.on('GET /ipc/history', full);
  emitCommandUpdate({ ...command, farmUID: rakaia._id });
  expect(await dialog.findByText('Unit replaced')).toBeTruthy();
});
