import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import type { Command } from '@headrace/contract/commands';
import { presets, type Permissions } from '@headrace/contract/permissions';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import './command-drawer.tsx';
import { buildCommand, buildDetails, buildUnit } from './command-fixtures.ts';

const HOUR_MS = 3_600_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

async function open(over: Partial<Command> = {}, rights: Permissions = presets.farmManager) {
  const command = buildCommand(1, {
    command: 'PollGroup',
    state: 'failed',
    stateAt: ago(HOUR_MS),
    total: 930,
    done: 926,
    failed: 3,
    ...over,
  });
  const api = new FakeApi()
    .on('GET /commands', { commands: [command], more: false })
    .on('GET /permissions-list', { permissions: [permissionsOn(rakaia, rights)] })
    .on(
      'GET /command',
      buildDetails(command, {
        units: [buildUnit(1, { state: 'failed' })],
        unitStates: { done: 926, failed: 3, expired: 1 },
      }),
    )
    .on('POST /commands/again', { commandId: uid(5002), status: 'queued' });
  const view = renderApp(`/commands/${rakaia._id}?command=${command._id}`, { api });
  const drawer = within(await screen.findByRole('dialog'));
  await drawer.findByRole('tab', { name: 'Units (930)' });
  return { ...view, api, drawer, command };
}
const button = { name: 'Try these 4 again' };

test('a command goes once more to those that failed, once however often it is tapped', async () => {
  const { api, drawer, command } = await open();
  const again = drawer.getByRole('button', button);
  fireEvent.click(again);
  fireEvent.click(again);
  const link = await drawer.findByRole('link', { name: 'See how far it is' });
  expect(link.getAttribute('href')).toBe(`/commands/${rakaia._id}?command=${uid(5002)}`);
  const bodies = api.calls('POST /commands/again').map(({ body }) => body);
  expect(bodies[0]).toMatchObject({
    farmUID: rakaia._id,
    commandId: command._id,
    type: commandTypes.PollGroup,
  });
  expect(new Set(bodies.map(({ requestId }) => requestId)).size).toBe(1);
});

test('why it could not be sent again is said, and it can be tried once more', async () => {
  const { api, drawer, user } = await open();
  api.on('POST /commands/again', new Failure(505, 'Away.'));
  await user.click(drawer.getByRole('button', button));
  expect(await drawer.findByText('Gateway currently unavailable.')).toBeTruthy();
  api.on('POST /commands/again', { commandId: uid(5002), status: 'queued' });
  await user.click(drawer.getByRole('button', button));
  await waitFor(() => expect(drawer.getByText(/^Sent again\./)).toBeTruthy());
});

test.each([
  ['a day later', { stateAt: ago(25 * HOUR_MS) }, presets.farmManager],
  ['what a gateway does', { type: commandTypes.IncTimeSet }, presets.farmManager],
  ['who may not send it', {}, presets.guest],
] as const)('is not offered: %s', async (_case, over, rights) => {
  const { drawer } = await open(over, rights);
  expect(drawer.queryByRole('button', button)).toBeNull();
});
