import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Failure } from '../../testing/fake-api.ts';
import { uid } from '../../testing/fixtures.ts';
// Much code for a test to wait for.
import '../../app/device-form-page.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { buildSensor, deviceApi, farmUID } from '../devices/device-fixtures.ts';

afterEach(() => vi.restoreAllMocks());

const tank = buildSensor(1);
const PATH = `/sensor-device/${farmUID}/${tank._id}`;
const NEW = `/sensor-device/new/${farmUID}`;
const unknownSerial = {
  mac: '',
  currentlyActive: false,
  isSpare: false,
  name: '',
  farmName: '',
  farmUID: '',
  channel: 3,
  spfactor: 10,
};
const field = (name: string | RegExp) => screen.findByRole<HTMLInputElement>('textbox', { name });
const enter = async (values: object) => {
  for (const [name, value] of Object.entries(values))
    fireEvent.change(await field(name), { target: { value } });
};
const identity = { Name: 'Top tank', 'Serial number': 'T9', 'MAC address or DevEUI': '0004A30000D9' };

describe('the settings of a tank', () => {
  test.each([
    [/^Offset/, '-5', 'Offset can not be less than 0', '0'],
    // Not below the water of a full tank, either.
    [/^Tank height/, '-1', 'Tank height can not be less than 0', '2500'],
    [/^Tank height/, '100', 'Tank height can not be less than the top water level', '2500'],
    [/^Offset/, '2500', 'Offset must be less than the top water level', '2499'],
    [/^Tank volume/, '-30000', 'Tank volume can not be less than 0', '0'],
    [/^Top water level/, '3501', 'Top water level can not be greater than offset + 3000 mm', '3500'],
  ])('%s is brought back into its bounds with a warning', async (name, typed, warning, clamped) => {
    const { user } = renderApp(PATH, { api: deviceApi({ sensors: [tank] }) });
    const input = await field(name);
    await user.clear(input);
    await user.type(input, typed);
    await user.tab();
    expect(await screen.findByText(warning)).toBeTruthy();
    expect(input.value).toBe(clamped);
  });

  test('get a flow meter at the inlet when it is switched on, and none when it is off', async () => {
    const api = deviceApi({ sensors: [tank] });
    api.on('PUT /sensor', { ...tank, version: 2 });
    const { user } = renderApp(PATH, { api });
    const meter = await screen.findByRole('switch', { name: /Flow meter/ });
    expect(screen.queryByRole('combobox', { name: 'Flow direction' })).toBeNull();
    await user.click(meter);
    const direction = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Flow direction' });
    expect(direction.value).toBe('0');
    expect([...direction.options].map(({ value, text }) => [value, text])).toEqual([
      ['0', 'Tank Inlet'],
      ['1', 'Tank Outlet'],
    ]);
    const perPulse = await field(/Volume per pulse/);
    await user.clear(perPulse);
    await user.type(perPulse, '0');
    await user.tab();
    expect(await screen.findByText('Volume per pulse can not be less than 1')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(api.calls('PUT /sensor')).toHaveLength(1));
    expect(api.calls('PUT /sensor')[0]?.body.settings).toMatchObject({
      enabledFlow: true,
      flowDirection: 0,
      litrePerPulse: 1,
      offset: 500,
    });
  });

  test('have an install date, which is today where one in the future was entered', async () => {
    const api = deviceApi({ sensors: [tank] });
    api.on('PUT /sensor', { ...tank, version: 2 });
    const { user } = renderApp(PATH, { api });
    const before = Date.now();
    fireEvent.change(await screen.findByLabelText('Installed on'), { target: { value: '2099-01-01' } });
    fireEvent.blur(screen.getByLabelText('Installed on'));
    expect(await screen.findByText('Sensor install date can not be in the future')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(api.calls('PUT /sensor')).toHaveLength(1));
    const stored = Date.parse(api.calls('PUT /sensor')[0]?.body.settings?.sensorInstallDate ?? '');
    expect(stored).toBeGreaterThanOrEqual(before);
    expect(stored).toBeLessThanOrEqual(Date.now());
  });

  test('have a drawing that says in words what is measured', async () => {
    renderApp(PATH, { api: deviceApi({ sensors: [tank] }) });
    expect(
      await screen.findByRole('img', { name: /Offset is from the floor up to the sensor/ }),
    ).toBeTruthy();
  });
});

test('the zero value of an analog flow meter has its own warning', async () => {
  const { user } = renderApp(NEW, { api: deviceApi() });
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Type' }), 'Flow, analog');
  const zero = await field('Zero value');
  await user.type(zero, '-2');
  await user.tab();
  expect(await screen.findByText('Zero value can not be less than 0')).toBeTruthy();
  expect(screen.queryByRole('textbox', { name: /Tank height/ })).toBeNull();
});

test('a new sensor begins as a tank with the usual measures, and is saved with them', async () => {
  const api = deviceApi();
  api.on('GET /macsensor', unknownSerial).on('POST /sensor', { id: uid(7099) });
  const { user, router } = renderApp(NEW, { api });
  await enter({ ...identity, 'Unit shown': 'kL', 'Serial number of the probe': 'P-9' });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/sensor-devices/${farmUID}`));
  expect(api.calls('POST /sensor')[0]?.body).toEqual({
    farmUID,
    name: 'Top tank',
    description: '',
    serialNumber: 'T9',
    macAddress: '0004A30000D9',
    type: 100,
    lat: null,
    lng: null,
    channel: 3,
    gatewayUID: null,
    settings: {
      offset: 500,
      height: 3000,
      toplevel: 2500,
      volume: 30_000,
      unit: 'kL',
      sensorInstallDate: null,
      sensorSerialNumber: 'P-9',
      enabledFlow: false,
      flowDirection: null,
      litrePerPulse: 10,
      spfactor: 10,
      commsMode: 1,
    },
  });
});

test.each([
  [
    'Soil moisture',
    { 'Temperature channel': '2', 'Name of soil sensor 1': '20 cm', 'Name of soil sensor 4': '80 cm' },
    { temp_channel: 2, swp1_name: '20 cm', swp2_name: '', swp3_name: '', swp4_name: '80 cm', spfactor: 10 },
  ],
  ['Flow, analog', { 'Zero value': '4' }, { offset: 4, spfactor: 10 }],
  ['Flow, pulses', { 'Volume per pulse L': '30' }, { litrePerPulse: 30, spfactor: 10 }],
  ['Switch', {}, { spfactor: 10 }],
])('%s has settings of its own', async (type, typed, settings) => {
  const api = deviceApi();
  api.on('GET /macsensor', unknownSerial).on('POST /sensor', { id: uid(7099) });
  const { user } = renderApp(NEW, { api });
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Type' }), type);
  await enter({ ...identity, ...typed });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(api.calls('POST /sensor')).toHaveLength(1));
  expect(api.calls('POST /sensor')[0]?.body.settings).toEqual({ ...settings, commsMode: 1 });
});

describe('the comms mode', () => {
  const picker = () => screen.findByRole<HTMLSelectElement>('combobox', { name: 'Comms mode' });

  test('is LoRa too, once a DevEUI is entered, unless somebody has chosen another', async () => {
    const api = deviceApi();
    api.on('GET /macsensor', unknownSerial).on('POST /sensor', { id: uid(7099) });
    const { user } = renderApp(NEW, { api });
    expect([...(await picker()).options].map(({ value, text }) => `${value} ${text}`)).toEqual([
      '0 Mesh',
      '1 Local',
      '2 Hybrid',
      '3 LoRa',
    ]);
    await enter(identity);
    expect((await picker()).value).toBe('1');
    await enter({ 'MAC address or DevEUI': '00-04-A3-0B-00-1C-05-30' });
    expect((await picker()).value).toBe('3');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(api.calls('POST /sensor')).toHaveLength(1));
    expect(api.calls('POST /sensor')[0]?.body.settings).toMatchObject({ commsMode: 3 });
  });

  test('that was chosen stays with another MAC, and is saved', async () => {
    const meshed = { ...tank, settings: { ...tank.settings, commsMode: 0 } };
    const api = deviceApi({ sensors: [meshed] });
    api.on('PUT /sensor', { ...meshed, version: 2 });
    const { user } = renderApp(PATH, { api });
    expect((await picker()).value).toBe('0');
    await user.selectOptions(await picker(), 'Hybrid');
    await enter({ 'MAC address or DevEUI': '0004A30B001C0530' });
    expect((await picker()).value).toBe('2');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(api.calls('PUT /sensor')).toHaveLength(1));
    expect(api.calls('PUT /sensor')[0]?.body.settings).toMatchObject({ commsMode: 2 });
  });
});

test('sensors are listed by when they were heard, in the words of all other screens', async () => {
  const sensors = [1, 2, 3, 4].map((status) => buildSensor(status, { status }));
  renderApp(`/sensor-devices/${farmUID}`, { api: deviceApi({ sensors }) });
  const rows = within(await screen.findByRole('table', { name: 'Sensors' })).getAllByRole('row');
  const label = rows.slice(1).map((row) => within(row).getAllByRole('cell')[1]?.textContent);
  expect(label).toEqual(['Never contacted', 'In contact', 'Out of contact', 'Out of contact']);
});

test('a sensor that is refused tells the status in the known words, and the reason at its field', async () => {
  const api = deviceApi({ sensors: [tank] });
  api.on('PUT /sensor', new Failure(409, 'This MAC is in use.', { field: 'macAddress' }));
  const { user } = renderApp(PATH, { api });
  await user.type(await field(/^Name/), 'x');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Failed to update sensor. (409)')).toBeTruthy();
  expect(screen.getAllByText('This MAC is in use.').length).toBeGreaterThan(0);
});

test('a sensor that could not be added tells the status in the known words', async () => {
  const api = deviceApi();
  api
    .on('GET /macsensor', unknownSerial)
    .on('POST /sensor', new Failure(409, 'This MAC is in use.', { field: 'macAddress' }));
  const { user } = renderApp(NEW, { api });
  await enter(identity);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Failed to create sensor. (409)')).toBeTruthy();
});

test('one that could not be loaded or deleted tells the status, too', async () => {
  const api = deviceApi({ sensors: [tank] });
  api.on('GET /sensor', new Failure(403, 'Not now.'));
  const { user, router } = renderApp(PATH, { api });
  expect(await screen.findByText('Failed to fetch sensor. (403)')).toBeTruthy();
  api.on('GET /sensor', tank).on('DELETE /sensor', new Failure(503, 'Not now.'));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await user.click(await screen.findByRole('button', { name: 'Delete sensor' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Tank 1?' }));
  await user.click(dialog.getByRole('button', { name: 'Delete sensor' }));
  expect(await screen.findByText('Failed to delete sensor. (503)')).toBeTruthy();
  api.on('DELETE /sensor', { success: true });
  await user.click(dialog.getByRole('button', { name: 'Delete sensor' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/sensor-devices/${farmUID}`));
  expect(api.calls('DELETE /sensor').at(-1)?.query).toEqual({ deviceId: tank._id });
});

test('a list that fails says with which status', async () => {
  const api = deviceApi();
  api.on('GET /sensor/devices', new Failure(403, 'no'));
  renderApp(`/sensor-devices/${farmUID}`, { api });
  expect(await screen.findByText('Failed to fetch sensor devices. (403)')).toBeTruthy();
});

describe('a LoRaWAN sensor', () => {
  const lora = buildSensor(2, { macAddress: '0004A30B001C0530' });
  const codec = {
    id: 'dragino-lht65',
    name: 'Dragino LHT65',
    builtIn: true,
    version: 1,
    measures: 'temperature, humidity',
    mapping: null,
    usedBy: [],
    off: null,
    updatedAt: null,
  };
  const api = () =>
    deviceApi({ sensors: [lora] })
      .on('GET /codecs', { codecs: [codec] })
      .on('GET /sensor/decoding', {
        codecId: null,
        version: null,
        mapping: null,
        revision: 'r1',
        lastUplink: {
          at: '2026-01-14T02:00:00.000Z',
          fPort: 2,
          fCnt: 71,
          bytes: 'cafe',
          decodedBy: 'network server',
          data: { water: { depth: 1.25 }, open: 'yes' },
          warnings: [],
          problems: [],
        },
        waiting: null,
        keptSince: null,
        anew: null,
        anewRoom: { left: 1_000_000, limit: 1_000_000, moreAt: null },
        network: [{ name: 'rssiDbm', value: '-97', at: '2026-01-14T02:00:00.000Z' }],
      });
  const LORA = `/sensor-device/${farmUID}/${lora._id}`;

  test('is mapped line by line, with what each makes of the last message', async () => {
    const server = api();
    server.on('PUT /sensor/decoding', { success: true, revision: 'r2' });
    const { user } = renderApp(LORA, { api: server });
    await user.click(await screen.findByRole('switch', { name: /Mapping of its own/ }));
    await user.type(screen.getByRole('combobox', { name: 'Member of the message' }), 'water.depth');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Is' }), 'levelMm');
    expect(screen.getByText('1.250 mm')).toBeTruthy();
    await user.type(screen.getByRole('textbox', { name: 'Unit that is in' }), 'm');
    expect(await screen.findByText('1,250 mm')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save decoding' }));
    expect(await screen.findByText('Decoding saved.')).toBeTruthy();
    expect(server.calls('PUT /sensor/decoding')[0]?.body).toEqual({
      deviceId: lora._id,
      codecId: null,
      version: null,
      mapping: [{ path: 'water.depth', metric: 'levelMm', unit: 'm' }],
      revision: 'r1',
    });
    await user.click(screen.getByRole('button', { name: 'Save decoding' }));
    await waitFor(() =>
      expect(server.calls('PUT /sensor/decoding')[1]?.body).toMatchObject({ revision: 'r2' }),
    );
  });

  test('is not written over where somebody else has chosen meanwhile; their choice can be shown', async () => {
    const server = api();
    server.on('PUT /sensor/decoding', new Failure(409, 'Somebody else changed this meanwhile.'));
    const { user } = renderApp(LORA, { api: server });
    await user.click(await screen.findByRole('button', { name: 'Save decoding' }));
    const STALE = /Nothing of yours was saved/;
    expect(await screen.findByText(STALE)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Show their choice' }));
    await waitFor(() => expect(screen.queryByText(STALE)).toBeNull());
  });

  test('says in a line that a word needs a meaning, and takes one', async () => {
    const { user } = renderApp(LORA, { api: api() });
    await user.click(await screen.findByRole('switch', { name: /Mapping of its own/ }));
    await user.type(screen.getByRole('combobox', { name: 'Member of the message' }), 'open');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Is' }), 'valveOpen');
    expect(screen.getByText('open: "yes" is neither true nor false: give it a value in "text"')).toBeTruthy();
    await user.type(screen.getByLabelText('Text: what words mean'), 'yes = true, no = false');
    expect(await screen.findByText('Yes')).toBeTruthy();
  });

  test('is tried with a payload by the chosen codec', async () => {
    const server = api();
    server.on('POST /codec/try', {
      data: { TempC: 21.5 },
      warnings: [],
      errors: [],
      values: { temperatureC: 21.5 },
      problems: [],
      tookMs: 0.4,
    });
    const { user } = renderApp(LORA, { api: server });
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Payload codec' }), codec.id);
    await user.click(screen.getByRole('button', { name: 'Try' }));
    expect(await screen.findByText('21.5')).toBeTruthy();
    expect(server.calls('POST /codec/try')[0]?.body).toEqual({
      farmUID,
      codecId: codec.id,
      fPort: 2,
      bytes: 'cafe',
      mapping: null,
    });
  });

  test('gets a codec that is refused at its line, and then saved', async () => {
    const server = api();
    server.on('POST /codec', new Failure(400, 'Line 2: Unexpected token.', { field: 'script' }));
    const { user } = renderApp(LORA, { api: server });
    await user.click(await screen.findByRole('button', { name: 'New codec' }));
    const dialog = await screen.findByRole('dialog', { name: 'New codec' });
    await user.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Mine');
    const script = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /Script/ });
    await user.click(script);
    await user.paste('function decodeUplink() {\n  retrn 1;\n}');
    await user.click(screen.getByRole('button', { name: 'Save codec' }));
    expect(await screen.findByText('Line 2: Unexpected token.')).toBeTruthy();
    expect(script.value.slice(script.selectionStart, script.selectionEnd)).toBe('  retrn 1;');
    server.on('POST /codec', { id: uid(42), version: 1 });
    await user.click(screen.getByRole('button', { name: 'Save codec' }));
    expect(await screen.findByText('Codec Mine saved as version 1.')).toBeTruthy();
  });
});
