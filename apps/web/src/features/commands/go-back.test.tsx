import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { GoBackPlan } from '@headrace/contract/commands';
import { presets } from '@headrace/contract/permissions';
import { FakeApi } from '../../testing/fake-api.ts';
import { permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import './command-drawer.tsx';
import { buildCommand, buildDetails } from './command-fixtures.ts';

const none = { count: 0, names: [] };

async function open(plan: GoBackPlan | null) {
  const command = buildCommand(1, { command: 'SendScheduleSet', state: 'cancelled', total: 40 });
  const api = new FakeApi()
    .on('GET /commands', { commands: [command], more: false })
    .on('GET /permissions-list', { permissions: [permissionsOn(rakaia, presets.farmManager)] })
    .on('GET /command', buildDetails(command, { goBack: plan }))
    .on('POST /commands/go-back', { commandId: uid(5002), status: 'queued', inhibitId: null });
  renderApp(`/commands/${rakaia._id}?command=${command._id}`, { api });
  const drawer = within(await screen.findByRole('dialog'));
  await drawer.findByRole('tab', { name: 'Units (40)' });
  return { api, drawer };
}
const button = { name: 'Go back' };

test('going back says whom it is for, by name where they have not answered or were inhibited', async () => {
  const { api, drawer } = await open({
    answered: 12,
    out: { count: 12, names: ['A1', 'A2'] },
    outOfContact: { count: 1, names: ['B7'] },
    inhibited: { count: 1, names: ['C3'] },
  });
  expect(drawer.getByText(/took the new schedule/).textContent).toBe(
    '12 sprinklers took the new schedule. 12 may have taken it, without an answer so far: A1, A2 and 10 more. ' +
      '1 may have taken it and is out of contact: B7. The others have the old one. Go back sends these what they had before. ' +
      '1 sprinkler was inhibited before it and will be again: C3.',
  );
  fireEvent.click(drawer.getByRole('button', button));
  expect(await drawer.findByText(/^Sent: they go back\./)).toBeTruthy();
  expect(api.calls('POST /commands/go-back')).toHaveLength(1);
});

test.each([
  ['where nobody is left', { answered: 0, out: none, outOfContact: none, inhibited: none }],
  ['of a command that was not cancelled half-way', null],
])('it is not offered %s', async (_case, plan) => {
  const { drawer } = await open(plan);
  expect(drawer.queryByRole('button', button)).toBeNull();
});
