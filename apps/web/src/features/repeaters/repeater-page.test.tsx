import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Failure } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { uid } from '../../testing/fixtures.ts';
// Much code for a test to wait for.
import '../../app/device-form-page.tsx';
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

test('what somebody else saves or deletes while the form is open is told at once, and nothing typed is lost', async () => {
  const [repeater] = repeaters;
  if (!repeater) throw new Error('No repeater');
  const api = deviceApi({ repeaters });
  const { user } = renderApp(`/repeater-device/${farmUID}/${repeater._id}`, { api });
  const name = await screen.findByRole('textbox', { name: /^Name/ });
  const tell = () =>
    act(async () => FakeSocket.last.push({ type: 'records_update', data: { farmUID, kinds: ['repeater'] } }));
  api.on('GET /repeater', { ...repeater, name: 'Ridge', version: 2 });
  await tell();
  await waitFor(() => expect(name).toHaveProperty('value', 'Ridge'));
  await user.type(name, '{Backspace}');
  api.on('GET /repeater', { ...repeater, name: 'Hill', version: 3 });
  await tell();
  expect(await screen.findByRole('button', { name: 'Compare now' })).toBeTruthy();
  api.on('GET /repeater', new Failure(404, "Sorry, we couldn't find what you're looking for."));
  await tell();
  expect(
    await screen.findByText('These are the last values received; it is not there any more.'),
  ).toBeTruthy();
  api.on('PUT /repeater', new Failure(404, "Sorry, we couldn't find what you're looking for."));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(
    await screen.findByText("Nothing was saved: this isn't there any more. Somebody may have deleted it."),
  ).toBeTruthy();
  expect(name).toHaveProperty('value', 'Ridg');
});

test('a new repeater is saved with what was entered', async () => {
  const api = deviceApi();
  api.on('POST /repeater', { id: uid(6099) });
  const { user, router } = renderApp(`/repeater-device/new/${farmUID}`, { api });
  const entered = { Name: 'R9', 'Serial number': 'RPT', 'MAC address': '0004A30000E9' };
  for (const [name, value] of Object.entries(entered))
    fireEvent.change(await screen.findByRole('textbox', { name }), { target: { value } });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/repeater-devices/${farmUID}`));
  expect(api.calls('POST /repeater')[0]?.body).toEqual({
    farmUID,
    name: 'R9',
    description: '',
    serialNumber: 'RPT',
    macAddress: '0004A30000E9',
    gatewayUID: null,
    lat: null,
    lng: null,
  });
});

test('a place far from the farm is asked about before it is saved; an old one is not', async () => {
  const far = { lat: -41.2996, lng: 173.3023 };
  const api = deviceApi({ repeaters: [{ ...repeaters[0], ...far } as (typeof repeaters)[number]] });
  api.on('POST /repeater', { id: uid(6099) });
  const { user } = renderApp(`/repeater-device/new/${farmUID}`, { api });
  const entered = {
    Name: 'R9',
    'Serial number': 'RPT',
    'MAC address': '0004A30000E9',
    Latitude: String(far.lat),
    Longitude: String(far.lng),
  };
  for (const [name, value] of Object.entries(entered)) {
    const box = await screen.findByRole('textbox', { name: new RegExp(`^${name}`) });
    fireEvent.change(box, { target: { value } });
    fireEvent.blur(box);
  }
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Is this meant?' }));
  expect(dialog.getByText(/^This place is \d{3} km from Rākaia Downs\. Save it there\?$/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Back to the form' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(api.calls('POST /repeater')).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await user.click(await screen.findByRole('button', { name: 'Save it' }));
  await waitFor(() => expect(api.calls('POST /repeater')).toHaveLength(1));
  expect(api.calls('POST /repeater')[0]?.body).toMatchObject(far);
});

test('a repeater whose battery was replaced is recorded, then it is deleted', async () => {
  const [repeater] = repeaters;
  if (!repeater) throw new Error('No repeater');
  const api = deviceApi({ repeaters });
  api.on('POST /repeater/replace-battery', new Failure(400, 'no')).on('DELETE /repeater', { success: true });
  const { user, router } = renderApp(`/repeater-device/${farmUID}/${repeater._id}`, { api });
  await user.click(await screen.findByRole('button', { name: 'Record Battery Replacement' }));
  await user.click(await screen.findByRole('button', { name: 'Record replacement' }));
  expect(
    await screen.findByText("Sorry, coudn't record the battery replacement. Please, try again."),
  ).toBeTruthy();
  api.on('POST /repeater/replace-battery', { success: true });
  await user.click(screen.getByRole('button', { name: 'Record replacement' }));
  expect(await screen.findByText('Battery replacement recorded successfully!')).toBeTruthy();
  expect(api.calls('POST /repeater/replace-battery')[1]?.body).toEqual({ rptrUID: repeater._id });
  await user.click(screen.getByRole('button', { name: 'Delete repeater' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete R1?' }));
  await user.click(dialog.getByRole('button', { name: 'Delete repeater' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/repeater-devices/${farmUID}`));
  expect(api.calls('DELETE /repeater')[0]?.query).toEqual({ deviceId: repeater._id });
});
