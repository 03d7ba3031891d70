import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { globalSettings, noSprinklers, rakaia, uid } from '../../testing/fixtures.ts';
// Much code for a test to wait for.
import '../../app/device-form-page.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { buildGateway, buildIpc, deviceApi, farmUID } from '../devices/device-fixtures.ts';

afterEach(() => vi.restoreAllMocks());

const MAC = '0004A30B001C';

test('a new gateway shows its key once, with what is to be entered at the gateway', async () => {
  const api = deviceApi();
  api
    .on('GET /macgateway', {
      mac: MAC,
      currentlyActive: false,
      isSpare: false,
      name: '',
      farmName: '',
      farmUID: '',
      channel: 1,
      spfactor: 10,
    })
    .on('POST /gateway', { id: uid(5099), userName: MAC, password: 'k3y-of-the-gateway' });
  const { user, router } = renderApp(`/gateway-device/new/${farmUID}`, { api });
  await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Pump shed gateway');
  await user.type(screen.getByRole('textbox', { name: /Serial number/ }), 'INC');
  await screen.findByText('MAC address found.');
  expect(api.calls('GET /macgateway')[0]?.query).toEqual({ serialNumber: 'INC', type: '0' });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = await screen.findByRole('dialog', { name: 'Key of Pump shed gateway' });
  expect(api.calls('POST /gateway')[0]?.body).toMatchObject({
    farmUID,
    name: 'Pump shed gateway',
    serialNumber: 'INC',
    macAddress: MAC,
    type: 0,
  });
  expect(within(dialog).getByText('This key is shown once.')).toBeTruthy();
  expect(within(dialog).getByText('k3y-of-the-gateway')).toBeTruthy();
  expect(dialog.textContent).toContain(`subscribe headrace/v1/${MAC}/down/#`);
  expect(dialog.textContent).toContain('mosquitto_pub -h localhost -p 1883 -V mqttv311 -q 1');
  // What is said lies above dialogs: it waits until the key was read.
  expect(screen.queryByText('Gateway added.')).toBeNull();
  await user.click(within(dialog).getByRole('button', { name: 'I have copied it' }));
  expect(await screen.findByText('Gateway added.')).toBeTruthy();
  await waitFor(() => expect(router.state.location.pathname).toBe(`/gateway-devices/${farmUID}`));
  expect(screen.queryByText('k3y-of-the-gateway')).toBeNull();
});

test('a new key is made only after saying that the gateway falls silent', async () => {
  const gateway = buildGateway(1);
  const api = deviceApi({ gateways: [gateway] });
  api.on('POST /gateway/rotate-key', { userName: gateway.macAddress, password: 'second-key' });
  const { user } = renderApp(`/gateway-device/${farmUID}/${gateway._id}`, { api });
  await user.click(await screen.findByRole('button', { name: 'New device key' }));
  expect(await screen.findByText(/The old key ends at once/)).toBeTruthy();
  expect(api.calls('POST /gateway/rotate-key')).toHaveLength(0);
  await user.click(screen.getByRole('button', { name: 'Make a new key' }));
  expect(await screen.findByText('second-key')).toBeTruthy();
});

test.each([
  [
    { host: '', port: 2883, tls: false },
    ['host      localhost', 'port      2883'],
    '-h localhost -p 2883 -V mqttv311',
  ],
  [
    { host: 'water.example.com', port: 8883, tls: true },
    ['host      water.example.com', 'port      8883', 'tls       yes'],
    '-h water.example.com -p 8883 --tls-use-os-certs -V mqttv311',
  ],
  [null, ['host      <host>', 'port      <port>'], "This server hasn't said where its broker is"],
])('what is copied for a broker at %o holds its address', async (broker, lines, besides) => {
  const gateway = buildGateway(1);
  const api = deviceApi({ gateways: [gateway] });
  api
    .on('POST /gateway/rotate-key', { userName: gateway.macAddress, password: 'second-key' })
    .on('GET /ims-settings', { ...globalSettings, broker });
  const { user } = renderApp(`/gateway-device/${farmUID}/${gateway._id}`, { api });
  await user.click(await screen.findByRole('button', { name: 'New device key' }));
  await user.click(await screen.findByRole('button', { name: 'Make a new key' }));
  const dialog = await screen.findByRole('dialog', { name: /^New key of/ });
  await waitFor(() => {
    for (const line of lines)
      expect(within(dialog).getByText(line, { normalizer: (text) => text })).toBeTruthy();
  });
  expect(dialog.textContent).toContain(besides);
});

test('a gateway is changed to another type, then deleted', async () => {
  const gateway = buildGateway(1);
  const api = deviceApi({ gateways: [gateway] });
  api.on('PUT /gateway', { ...gateway, version: 2 }).on('DELETE /gateway', { success: true });
  const path = `/gateway-device/${farmUID}/${gateway._id}`;
  const { user, router } = renderApp(path, { api });
  const type = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Type' });
  expect([...type.options].map(({ value, text }) => `${value} ${text}`)).toEqual([
    '0 INC',
    '1 LORA',
    '100 IMSG V1',
    '101 LSG V1',
    '102 IMSG V2',
  ]);
  await user.selectOptions(type, 'LSG V1');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/gateway-devices/${farmUID}`));
  expect(api.calls('PUT /gateway')[0]?.body).toMatchObject({ id: gateway._id, version: 1, type: 101 });
  await router.navigate({ href: path });
  await user.click(await screen.findByRole('button', { name: 'Delete gateway' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Shed?' }));
  await user.click(dialog.getByRole('button', { name: 'Delete gateway' }));
  await waitFor(() => expect(api.calls('DELETE /gateway')[0]?.query).toEqual({ deviceId: gateway._id }));
});

test('a gateway that many devices are heard through goes only by its name, and may come back', async () => {
  const gateway = buildGateway(1, { name: 'Shed' });
  const ipcs = Array.from({ length: 14 }, (_, n) => buildIpc(n + 1, { gatewayUID: gateway._id }));
  const api = deviceApi({ gateways: [gateway], ipcs });
  api
    .on('DELETE /gateway', { success: true, batchId: uid(99) })
    .on('POST /undo', { undone: 15, kept: 0, batchId: null });
  const { user } = renderApp(`/gateway-device/${farmUID}/${gateway._id}`, { api });
  await user.click(await screen.findByRole('button', { name: 'Delete gateway' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Shed?' }));
  await dialog.findByText(
    /14 sprinklers are heard no more through it: A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12 and 2 more\./,
  );
  const button = dialog.getByRole('button', { name: 'Delete gateway' });
  await user.click(button);
  expect(api.calls('DELETE /gateway')).toHaveLength(0);
  await user.type(dialog.getByRole('textbox', { name: 'To confirm, type Shed' }), 'shed ');
  await user.click(button);
  expect(await screen.findByText('Shed deleted.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Undone.')).toBeTruthy();
  expect(api.calls('POST /undo')[0]?.body).toEqual({ farmUID, batchId: uid(99), act: 'delete gateway' });
});

test("a gateway that is given out at the farm's pin has no place of its own", async () => {
  const here = { lat: rakaia.lat, lng: rakaia.lng };
  const gateways = [buildGateway(1), buildGateway(2, { location: here })];
  renderApp(`/gateway-devices/${farmUID}?show=locationless`, { api: deviceApi({ gateways }) });
  await screen.findByRole('table');
  expect(screen.getByRole('link', { name: 'Gateway 2' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Shed' })).toBeNull();
});

test('an integration key is made by name and withdrawn after a warning', async () => {
  const key = {
    _id: uid(600),
    name: 'ChirpStack',
    userName: 'farm-600',
    createdAt: '2026-01-14T02:00:00.000Z',
    lastUsedAt: null,
  };
  const api = deviceApi();
  api
    .on('GET /integration-keys', { keys: [key] })
    .on('POST /integration-key', { id: uid(601), userName: 'farm-601', password: 'once' })
    .on('DELETE /integration-key', { success: true });
  const { user } = renderApp(`/gateway-devices/${farmUID}`, { api });
  await user.click(await screen.findByRole('button', { name: 'New integration key' }));
  await user.type(await screen.findByRole('textbox', { name: /Name/ }), 'The Things Stack');
  await user.click(screen.getByRole('button', { name: 'Make the key' }));
  expect(await screen.findByText('once')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'I have copied it' }));
  await user.click(await screen.findByRole('button', { name: 'Withdraw ChirpStack' }));
  await user.click(await screen.findByRole('button', { name: 'Withdraw' }));
  await waitFor(() =>
    expect(api.calls('DELETE /integration-key')[0]?.query).toEqual({ farmUID, keyUID: key._id }),
  );
});

test('no two columns of the list have one name', async () => {
  renderApp(`/gateway-devices/${farmUID}`, { api: deviceApi({ gateways: [buildGateway(1)] }) });
  const heads = (await screen.findAllByRole('columnheader')).map((head) => head.textContent);
  expect(heads.filter((name) => name === 'Status')).toHaveLength(1);
  expect(new Set(heads).size).toBe(heads.length);
});

test('a gateway of the list opens its status, and the address holds it', async () => {
  const gateway = buildGateway(1);
  const api = deviceApi({ gateways: [gateway] });
  const { user, router } = renderApp(`/gateway-devices/${farmUID}`, { api });
  await user.click(await screen.findByRole('link', { name: `Details of ${gateway.name}` }));
  expect(await screen.findByRole('dialog', { name: new RegExp(gateway.name) })).toBeTruthy();
  expect(router.state.location.search).toMatchObject({ open: gateway._id });
  await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.state.location.search).not.toHaveProperty('open');
  // The keyboard goes on where it was.
  const link = screen.getByRole('link', { name: `Details of ${gateway.name}` });
  await waitFor(() => expect(document.activeElement).toBe(link));
});

test.each([
  [0, 'No sprinklers yet'],
  [3, 'Needs sending'],
])('the list of a fresh gateway on a farm of %d sprinklers: %s', async (total, label) => {
  const gateways = [buildGateway(1, { type: 0, sync: true }), buildGateway(2, { type: 1, sync: true })];
  const api = deviceApi({ gateways }).on('GET /ipc/status', { ...noSprinklers, total });
  renderApp(`/gateway-devices/${farmUID}`, { api });
  expect(await screen.findByRole('cell', { name: label })).toBeTruthy();
  // A gateway of sensors alone holds no list.
  expect(screen.getAllByRole('cell', { name: '–' }).length).toBeGreaterThan(0);
});
