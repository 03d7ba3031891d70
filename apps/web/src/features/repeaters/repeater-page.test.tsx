import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderApp } from '../../testing/render-app.tsx';
import { buildRepeater, deviceApi, farmUID } from '../devices/device-fixtures.ts';

afterEach(() => vi.restoreAllMocks());

const repeaters = [buildRepeater(1), buildRepeater(2, { charge: 49 }), buildRepeater(3, { statusTime: 0 })];

test('repeaters are listed with how each is, and opened from there with the keyboard', async () => {
  const { user, router } = renderApp(`/repeater-devices/${farmUID}`, { api: deviceApi({ repeaters }) });
  const table = await screen.findByRole('table', { name: 'Repeaters' });
  const rows = within(table).getAllByRole('row').slice(1);
  expect(rows.map((row) => within(row).getAllByRole('cell')[1]?.textContent)).toEqual([
    'OK',
    'Low battery',
    'Never contacted',
  ]);
  screen.getByRole('link', { name: 'R2' }).focus();
  await user.keyboard('{Enter}');
  const path = `/repeater-device/${farmUID}/${repeaters[1]?._id}`;
  await waitFor(() => expect(router.state.location.pathname).toBe(path));
});

test('a repeater whose name is too long is not saved; with a short one it is', async () => {
  const [repeater] = repeaters;
  if (!repeater) throw new Error('No repeater');
  const api = deviceApi({ repeaters });
  api.on('PUT /repeater', ({ body }) => ({ ...repeater, name: body.name, version: 2 }));
  const { user, router } = renderApp(`/repeater-device/${farmUID}/${repeater._id}`, { api });
  const name = await screen.findByRole('textbox', { name: /^Name/ });
  await user.clear(name);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('Name is required.')).toBeTruthy();
  await user.type(name, 'Ridge top');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/repeater-devices/${farmUID}`));
  expect(api.calls('PUT /repeater')[0]?.body).toMatchObject({ id: repeater._id, version: 1, name: 'Ridge' });
});
