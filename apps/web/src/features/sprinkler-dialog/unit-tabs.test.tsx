import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { HOUR, rakaia, uid } from '../../testing/fixtures.ts';
// The map is much code: it is there before a test waits for it.
import '../../map/farm-map-view.tsx';
import '../group-map/group-map-page.tsx';
import './sprinkler-dialog.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { buildBehind, buildCommand, buildUnit as buildCommandUnit } from '../commands/command-fixtures.ts';
import { buildGroup, buildUnit } from '../group-map/group-fixtures.ts';
import { buildNext, buildRun, buildSprinklerInfo } from './sprinkler-info-fixtures.ts';

beforeEach(stubCanvas);
afterEach(() => vi.restoreAllMocks());

const unit = buildUnit(9);
async function open(tab: string, over: Partial<SprinklerInfo> = {}, prepare?: (api: FakeApi) => void) {
  const api = new FakeApi()
    .on('GET /group/units', buildGroup([unit]))
    .on('GET /ipc/fullinfo', buildSprinklerInfo(unit, over));
  prepare?.(api);
  const view = renderApp(`/group-status/FARM?ipc=${unit.id}&tab=${tab}`, { api });
  const dialog = within(await screen.findByRole('dialog', { name: /A9/ }));
  await dialog.findByRole('tablist');
  return { ...view, api, dialog };
}

test('a tab stands in the address, and stays when another unit is shown', async () => {
  const { dialog, router, user } = await open('');
  await user.click(dialog.getByRole('tab', { name: 'Details' }));
  await waitFor(() => expect(router.state.location.search).toMatchObject({ ipc: unit.id, tab: 'details' }));
  expect(dialog.getByRole('tab', { name: 'Details' }).getAttribute('aria-selected')).toBe('true');
});

test('what could not be loaded says so, with a Retry, and leaves the rest of the dialog', async () => {
  const { dialog, api } = await open('', {}, (failing) =>
    failing.on('GET /ipc/fullinfo', new Failure(500, 'The database is away.')),
  );
  const retry = await dialog.findByRole('button', { name: 'Retry' });
  expect(dialog.getByText("Its schedule couldn't be loaded")).toBeTruthy();
  expect(dialog.getByRole('region', { name: 'Now' })).toBeTruthy();
  api.on('GET /ipc/fullinfo', buildSprinklerInfo(unit));
  fireEvent.click(retry);
  expect(await dialog.findByText('Next waterings')).toBeTruthy();
});

describe('the schedule', () => {
  test('tells when it waters next, and why it may not', async () => {
    const { dialog, api } = await open('', {
      next: [
        buildNext(),
        buildNext({
          startAt: Date.now() + 30 * HOUR,
          fate: { kind: 'unsure', reasons: [{ code: 'onItsWay', at: null }], shiftS: 0 },
        }),
      ],
    });
    const table = within(await dialog.findByRole('table'));
    const facts = table.getAllByRole('row').map((row) => row.lastElementChild?.textContent);
    expect(facts).toEqual(['What is known', 'Planned', 'Not sure: a new schedule is on its way to it']);
    // 29 min of 0.2 mm each.
    expect(table.getAllByRole('cell', { name: '5.8' })).toHaveLength(2);
    expect(api.calls('GET /ipc/fullinfo')[0]?.query).toEqual({ deviceId: unit.id });
  });

  test('of a unit that nobody knows it of says that, and shows what it is to hold beside it', async () => {
    const full = buildSprinklerInfo(unit);
    const { dialog } = await open('', {
      next: [],
      held: { ...full.held, state: 'foreign', setName: null, entries: null },
    });
    expect(
      await dialog.findByText(
        'It holds a schedule that was not sent from here: when it waters is not known.',
      ),
    ).toBeTruthy();
    expect(dialog.getByText('What it holds is not what it is to hold')).toBeTruthy();
    expect(dialog.getByText('Holds: A schedule that was not sent from here')).toBeTruthy();
    expect(dialog.getByText('Is to hold: Summer')).toBeTruthy();
    expect(dialog.getByText('05:12, 29 min')).toBeTruthy();
  });

  test('has the last waterings, and says where there are none', async () => {
    const { dialog } = await open('', { runs: [buildRun()] });
    expect(await dialog.findByText('05:12 to 05:41 (29 min)')).toBeTruthy();
    expect(dialog.getByText('about 5.8 mm')).toBeTruthy();
  });

  test('of a unit that was never heard to water says so', async () => {
    const { dialog } = await open('');
    expect(await dialog.findByText('None was heard of it yet.')).toBeTruthy();
  });
});

test('the commands are those under way for it, and lead to all of the farm', async () => {
  const command = buildCommand(1, { command: 'UpdateSchedule', state: 'sent' });
  const { dialog } = await open('commands', {
    commands: [{ command, unit: buildCommandUnit(9, { uid: unit.id, state: 'accepted' }) }],
  });
  const link = await dialog.findByRole('link', { name: 'Send Schedule' });
  expect(link.getAttribute('href')).toBe(`/commands/${rakaia._id}?command=${command._id}`);
  expect(link.parentElement?.textContent).toContain('Gateway has it');
  expect(dialog.getByRole('link', { name: 'All commands of this farm' })).toBeTruthy();
});

test('a command that waits for another one says so', async () => {
  const behind = buildBehind(buildCommand(2, { command: 'PollGroup', state: 'sent' }));
  const command = buildCommand(1, { command: 'UpdateSchedule', state: 'queued', behind });
  const { dialog } = await open('commands', {
    commands: [{ command, unit: buildCommandUnit(9, { uid: unit.id, state: 'queued' }) }],
  });
  expect(await dialog.findByText(/^Waiting for another command/)).toBeTruthy();
});

test('without a command under way it says so', async () => {
  const { dialog } = await open('commands');
  expect(await dialog.findByText('No command is under way for it.')).toBeTruthy();
});

test('Why? names what was carried out and what is on its way, each with its time', async () => {
  const full = buildSprinklerInfo(unit);
  const at = Date.now() - 2 * HOUR;
  const { dialog } = await open('', {
    statustime: unit.statustime,
    reportedAt: { ...full.reportedAt, clock: Date.now() - 3 * HOUR, checksum: Date.now() - 4 * HOUR },
    belief: {
      ...full.belief,
      facts: { ...full.belief.facts, opening: { openedAt: at, closesBy: at + HOUR }, offAt: at + HOUR },
    },
    commands: [
      {
        command: buildCommand(2, { command: 'Poll', state: 'sent' }),
        unit: buildCommandUnit(9, { uid: uid(1009), state: 'sent', at: new Date(at).toISOString() }),
      },
    ],
  });
  fireEvent.click(dialog.getByRole('button', { name: 'Why?' }));
  const why = within(dialog.getByLabelText('Why'));
  const said = async (name: string) => (await why.findByText(name)).nextSibling?.textContent;
  expect(await said('Valve On')).toMatch(/^Carried out 2 h ago; it closes by itself by /);
  expect(await said('Valve Off')).toBe('Carried out 1 h ago');
  expect(await said('Poll')).toBe('Sent, not answered yet 2 h ago');
  expect(await said('Its clock')).toBe('Right 3 h ago');
  expect(await said('It holds')).toMatch(/\) 4 h ago$/);
});
