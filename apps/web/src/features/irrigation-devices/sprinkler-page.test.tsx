import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Api } from '@headrace/contract/api';
import { ownerPermissions } from '@headrace/contract/permissions';
import { Failure } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
// Much code for a test to wait for.
import '../../app/device-form-page.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { buildIpc, deviceApi, farmUID } from '../devices/device-fixtures.ts';

afterEach(() => vi.restoreAllMocks());

const unit = buildIpc(1);
const PATH = `/irrigation-device/${farmUID}/${unit._id}`;
const NEW = `/irrigation-device/new/${farmUID}`;
const found = {
  mac: '0004A30B001C0001',
  currentlyActive: false,
  isSpare: false,
  name: '',
  farmName: '',
  farmUID: '',
};

describe('a new sprinkler', () => {
  test("loses another device's MAC when its serial number is typed on", async () => {
    // Only one device begins with IPC1; IPC17 is none.
    const api = deviceApi().on('GET /mac', ({ query }) =>
      query.serialNumber === 'IPC1' ? found : { ...found, mac: '' },
    );
    const { user } = renderApp(NEW, { api });
    const serial = await screen.findByRole('textbox', { name: /Serial number/ });
    const mac = screen.getByRole<HTMLInputElement>('textbox', { name: /MAC address/ });
    await user.type(serial, 'IPC1');
    await waitFor(() => expect(mac.value).toBe(found.mac));
    await user.type(serial, '7');
    expect(await screen.findByText(/^This serial number is not in the register/)).toBeTruthy();
    await waitFor(() => expect(mac.value).toBe(''));
    // What somebody typed stays.
    await user.type(mac, '70B3D50000000001');
    await user.type(serial, '0');
    await waitFor(() => expect(api.calls('GET /mac')).toHaveLength(3));
    expect(mac.value).toBe('70B3D50000000001');
  });

  test('begins with the radio used last, finds its MAC by the serial number, and is saved', async () => {
    const api = deviceApi();
    api.on('GET /mac', found).on('POST /ipc', { id: uid(1777) });
    const { user, router } = renderApp(NEW, { api });
    await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'B7');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Farm ID' }).value).toBe('01:02');
    await user.type(screen.getByRole('textbox', { name: /Serial number/ }), 'IPC1');
    expect(await screen.findByText('MAC address found.')).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: /MAC address/ }).value).toBe(found.mac);
    expect(api.calls('GET /mac').map(({ query }) => query)).toEqual([
      { serialNumber: 'IPC1', type: 'exclude-spares' },
    ]);
    const choices = (name: string) =>
      [...screen.getByRole<HTMLSelectElement>('combobox', { name }).options].map(
        ({ value, text }) => `${value} ${text}`,
      );
    expect(choices('Comms mode')).toEqual(['0 Mesh', '1 Local', '2 Hybrid']);
    expect(choices('Type')).toEqual(['0 IPC', '1 Pivot']);
    await user.clear(screen.getByRole('textbox', { name: 'Channel' }));
    await user.click(screen.getByRole('checkbox', { name: 'Pump' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`/irrigation-devices/${farmUID}`));
    expect(api.calls('POST /ipc')[0]?.body).toMatchObject({
      farmUID,
      name: 'B7',
      serialNumber: 'IPC1',
      macAddress: found.mac,
      farmId: '01:02',
      channel: 1,
      commsMode: 1,
      type: 0,
      groups: [uid(8001)],
      lat: null,
      lng: null,
      isSpareUnit: false,
      isPartSprinkler: false,
    });
  });

  test('is not looked up before four characters, nor saved with what breaks a rule', async () => {
    const api = deviceApi();
    const { user } = renderApp(NEW, { api });
    await user.type(await screen.findByRole('textbox', { name: /Serial number/ }), 'IPC');
    await user.clear(screen.getByRole('textbox', { name: 'Channel' }));
    await user.type(screen.getByRole('textbox', { name: 'Channel' }), '12');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByText('Name is required.')).toBeTruthy();
    expect(screen.getByText('MAC address is required.')).toBeTruthy();
    expect(screen.getByText('Channel must be 1 to 9 or 16 to 25.')).toBeTruthy();
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(api.calls('GET /mac')).toHaveLength(0);
    expect(api.calls('POST /ipc')).toHaveLength(0);
  });

  test.each([
    ['used', '', 2, 'In use on another farm. Delete it there first.'],
    ['used', 'Waihao Flats', 2, 'In use on Waihao Flats as C3. Delete it there first.'],
    ['used', 'Home', 1, 'In use on this farm as C3. Delete it there first.'],
    ['spare', '', 2, 'A spare on another farm. Delete it there first.'],
    ['spare', 'Home', 1, 'A spare on this farm as C3. Delete it there first.'],
    ['out', 'Waihao Flats', 2, 'Out of service on Waihao Flats as C3. Delete it there first.'],
    ['out', 'Home', 1, 'Out of service on this farm as C3. Delete it there first.'],
  ])(
    'says of a number that is taken (%s, %j) where, as far as one may know, and what frees it',
    async (how, farmName, farm, text) => {
      const api = deviceApi();
      api.on('GET /mac', {
        ...found,
        currentlyActive: how === 'used',
        isSpare: how === 'spare',
        farmName,
        name: farmName && 'C3',
        farmUID: farmName && (farm === 1 ? farmUID : uid(farm)),
      });
      const { user } = renderApp(NEW, { api });
      await user.type(await screen.findByRole('textbox', { name: /Serial number/ }), 'IPC77');
      expect(await screen.findByText(text)).toBeTruthy();
    },
  );
});

test('a name that other sprinklers of the farm have is said so, and taken', async () => {
  const ipcs = ['A1', 'a2', 'A2'].map((name, index) => ({ ...unit, _id: uid(5000 + index), name }));
  const api = deviceApi({ ipcs });
  const { user } = renderApp(NEW, { api });
  const name = await screen.findByRole('textbox', { name: /^Name/ });
  await user.type(name, 'A2');
  expect(await screen.findByText('2 other sprinklers have this name.')).toBeTruthy();
  await user.clear(name);
  await user.type(name, 'A1');
  expect(await screen.findByText('Another sprinkler has this name.')).toBeTruthy();
  await user.type(name, '1');
  expect(screen.queryByText(/this name/)).toBeNull();
});

test('a duplicate begins with all but the numbers, under the next free name, where the line goes on', async () => {
  const at = (n: number) => ({ lat: -43.75, lng: 172 + n / 1000 });
  const ipcs = [
    buildIpc(1, at(1)),
    buildIpc(2, { ...at(2), channel: 16, groups: [uid(8001)] }),
    buildIpc(3, at(9)),
  ];
  const api = deviceApi({ ipcs });
  const { user, router } = renderApp(`/irrigation-device/${farmUID}/${uid(1002)}`, { api });
  await user.click(await screen.findByRole('link', { name: 'Duplicate' }));
  await screen.findByRole('heading', { name: 'New sprinkler' });
  const valueOf = async (name: RegExp | string) =>
    (await screen.findByRole<HTMLInputElement>('textbox', { name })).value;
  // A3 is there already.
  await waitFor(async () => expect(await valueOf(/^Name/)).toBe('A4'));
  expect([await valueOf(/Serial number/), await valueOf(/MAC address/), await valueOf('Channel')]).toEqual([
    '',
    '',
    '16',
  ]);
  expect((await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Pump' })).checked).toBe(true);
  expect([await valueOf('Latitude'), await valueOf('Longitude')]).toEqual(['-43.75', '172.003']);
  expect(router.state.location.pathname).toBe(NEW);
});

describe('sprinklers that are added one after the other', () => {
  const another = () => screen.findByRole('button', { name: 'Save and add another' });
  const valueOf = (name: RegExp | string) => screen.getByRole<HTMLInputElement>('textbox', { name }).value;

  test('keep radio, groups and mode; name and place carry on, and the next serial number is waited for', async () => {
    const api = deviceApi({ ipcs: [buildIpc(9)] });
    api.on('POST /ipc', { id: uid(1777) });
    const { user, router } = renderApp(NEW, { api });
    await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'A7');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Comms mode' }), 'Hybrid');
    await user.click(await screen.findByRole('checkbox', { name: 'Pump' }));
    const enterPlace = async (lat: string, lng: string) => {
      for (const [name, text] of [
        ['Latitude', lat],
        ['Longitude', lng],
      ] as const) {
        const box = await screen.findByRole('textbox', { name });
        await user.clear(box);
        await user.type(box, text);
      }
    };
    await enterPlace('-43.75', '172.02');
    await user.type(screen.getByRole('textbox', { name: /Serial number/ }), 'S1');
    await user.type(screen.getByRole('textbox', { name: /MAC address/ }), '70B3D50000000001');
    await user.click(await another());
    // A9 is on the farm already; of one place alone no line follows.
    await waitFor(() => expect(valueOf(/^Name/)).toBe('A8'));
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /Serial number/ }));
    expect([valueOf(/Serial number/), valueOf(/MAC address/), valueOf('Latitude')]).toEqual(['', '', '']);
    await enterPlace('-43.7501', '172.0203');
    await user.type(screen.getByRole('textbox', { name: /Serial number/ }), 'S2');
    await user.type(screen.getByRole('textbox', { name: /MAC address/ }), '70B3D50000000002');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(valueOf(/^Name/)).toBe('A10'));
    expect([valueOf('Latitude'), valueOf('Longitude')]).toEqual(['-43.7502', '172.0206']);
    expect(screen.getByText(/^Proposed: it carries the line on/)).toBeTruthy();
    // A scanner ends each number with Enter: that goes on too.
    await user.type(screen.getByRole('textbox', { name: /MAC address/ }), '70B3D50000000003');
    await user.type(screen.getByRole('textbox', { name: /Serial number/ }), 'S3{Enter}');
    await waitFor(() => expect(valueOf(/^Name/)).toBe('A11'));
    const sent = api.calls('POST /ipc').map(({ body }) => body);
    expect(sent.map(({ name, lat, lng }) => [name, lat, lng])).toEqual([
      ['A7', -43.75, 172.02],
      ['A8', -43.7501, 172.0203],
      ['A10', -43.7502, 172.0206],
    ]);
    for (const body of sent)
      expect(body).toMatchObject({ farmId: '01:02', channel: 4, commsMode: 2, groups: [uid(8001)] });
    // Nothing is typed: one may go without being asked.
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`/irrigation-devices/${farmUID}`));
  });

  test('stay in the form with what was entered when one is refused', async () => {
    const api = deviceApi();
    api.on('POST /ipc', new Failure(409, 'This MAC address is already in use.', { field: 'macAddress' }));
    const { user } = renderApp(NEW, { api });
    await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'A1');
    await user.type(screen.getByRole('textbox', { name: /MAC address/ }), '70B3D50000000001');
    await user.type(screen.getByRole('textbox', { name: /Serial number/ }), 'S1');
    await user.click(await another());
    expect(await screen.findAllByText('This MAC address is already in use.')).not.toEqual([]);
    expect([valueOf(/^Name/), valueOf(/Serial number/)]).toEqual(['A1', 'S1']);
  });

  test('find the MAC also for somebody who saves before it was looked up', async () => {
    const api = deviceApi();
    api.on('GET /mac', found).on('POST /ipc', { id: uid(1777) });
    const { user } = renderApp(NEW, { api });
    await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'A1');
    await user.type(screen.getByRole('textbox', { name: /Serial number/ }), 'IPC1');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(valueOf(/^Name/)).toBe('A2'));
    expect(api.calls('POST /ipc')[0]?.body).toMatchObject({ serialNumber: 'IPC1', macAddress: found.mac });
  });
});

describe('a sprinkler', () => {
  test('being edited keeps what was typed when somebody else changes the farm, and is not asked for', async () => {
    const api = deviceApi({ ipcs: [unit] });
    const { user } = renderApp(PATH, { api });
    const name = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ });
    await user.clear(name);
    await user.type(name, 'C7');
    const asked = api.calls('GET /ipc').length;
    api.on('GET /ipc', { ...unit, location: null, parcels: [], settings: {}, name: 'Z9', version: 2 });
    act(() =>
      FakeSocket.last.push({
        type: 'records_update',
        data: { farmUID, kinds: ['farm', 'group', 'sprinkler', 'gateway', 'poi'] },
      }),
    );
    await waitFor(() => expect(api.calls('GET /farms-card').length).toBeGreaterThan(1));
    expect(name.value).toBe('C7');
    expect(api.calls('GET /ipc')).toHaveLength(asked);
  });

  test('that somebody else changed is asked about field by field', async () => {
    const api = deviceApi({ ipcs: [unit] });
    const theirs = { ...unit, name: 'A9', version: 2 };
    api.on('PUT /ipc', ({ body }) =>
      body.version === 2
        ? { ...theirs, name: body.name, version: 3 }
        : new Failure(409, 'Changed', { current: theirs }),
    );
    const { user } = renderApp(PATH, { api });
    const name = await screen.findByRole('textbox', { name: /^Name/ });
    await user.clear(name);
    await user.type(name, 'A8');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const dialog = await screen.findByRole('dialog', { name: 'Somebody else changed this meanwhile' });
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(api.calls('PUT /ipc').at(-1)?.body).toMatchObject({ version: 2, name: 'A8' }));
  });

  test('is deleted after saying what goes with it', async () => {
    const api = deviceApi({ ipcs: [unit] });
    api.on('DELETE /ipc', { success: true });
    const { user, router } = renderApp(PATH, { api });
    await user.click(await screen.findByRole('button', { name: 'Delete sprinkler' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete A1?' });
    expect(within(dialog).getByText(/It can be undone for 30 days/)).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Delete sprinkler' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`/irrigation-devices/${farmUID}`));
    expect(api.calls('DELETE /ipc')[0]?.query).toEqual({ deviceId: unit._id });
  });

  test('that is a spare and not ready is taken into service only after a Yes', async () => {
    const spare = { ...unit, isSpareUnit: true, spareStatus: 3, spareReasons: ['battery below 70%'] };
    const api = deviceApi({ ipcs: [spare] });
    api.on('PUT /ipc/flag-as-spare', { success: true });
    const { user } = renderApp(PATH, { api });
    await user.click(await screen.findByRole('button', { name: 'Take into service' }));
    const dialog = await screen.findByRole('dialog', { name: 'SPARE NOT READY' });
    expect(within(dialog).getByText('battery below 70%')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'No' }));
    expect(api.calls('PUT /ipc/flag-as-spare')).toHaveLength(0);
    await user.click(screen.getByRole('button', { name: 'Take into service' }));
    await user.click(await screen.findByRole('button', { name: 'Yes' }));
    await waitFor(() =>
      expect(api.calls('PUT /ipc/flag-as-spare')[0]?.body).toEqual({ deviceId: unit._id, status: false }),
    );
  });

  test('that is a ready spare is asked about until somebody has had enough of it', async () => {
    const spare = { ...unit, isSpareUnit: true, spareStatus: 2 };
    const api = deviceApi({ ipcs: [spare] });
    let stored: Api['GET /settings']['reply'] = { data: null, version: 6 };
    api
      .on('PUT /ipc/flag-as-spare', { success: true })
      .on('GET /settings', () => stored)
      .on('PUT /settings', ({ body }) => (stored = body));
    const { user } = renderApp(PATH, { api });
    await user.click(await screen.findByRole('button', { name: 'Take into service' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Do not show this again' }));
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(api.calls('PUT /settings')).toHaveLength(1));
    expect(api.calls('PUT /settings')[0]?.body).toMatchObject({ data: { showSpareReadyDialog: false } });
    await user.click(await screen.findByRole('button', { name: 'Take into service' }));
    await waitFor(() => expect(api.calls('PUT /ipc/flag-as-spare')).toHaveLength(2));
  });

  test.each([
    [{}, 'Make it a spare', 'PUT /ipc/flag-as-spare', { status: true }, 'A1 is a spare.'],
    [
      {},
      'Reconfigure at next contact',
      'PUT /ipc/flag-reconfigure',
      { status: true },
      'A1 is set up anew at its next contact.',
    ],
    [
      { reconfigure: true },
      'Cancel reconfiguring',
      'PUT /ipc/flag-reconfigure',
      { status: false },
      'A1 stays as it is set up.',
    ],
    [
      { isPlaceholder: true, outOfService: true },
      'Return to service',
      'PUT /placeholder/return-to-service',
      {},
      'A1 is in service again.',
    ],
  ] as const)('%j offers: %s', async (over, button, key, sent, told) => {
    const api = deviceApi({ ipcs: [{ ...unit, ...over }] });
    api.on(key, { success: true });
    const { user } = renderApp(PATH, { api });
    await user.click(await screen.findByRole('button', { name: button }));
    expect(await screen.findByText(told)).toBeTruthy();
    expect(api.calls(key).map(({ body }) => body)).toEqual([{ deviceId: unit._id, ...sent }]);
  });

  test('becomes a placeholder after saying what stays', async () => {
    const api = deviceApi({ ipcs: [unit] });
    api.on('PUT /placeholder/convert-to-placeholder', { success: true });
    const { user } = renderApp(PATH, { api });
    await user.click(await screen.findByRole('button', { name: 'Convert to placeholder' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Make A1 a placeholder?' }));
    expect(
      dialog.getByText(/MAC stay\. Another unit may have the serial number then, but not the MAC\./),
    ).toBeTruthy();
    expect(api.calls('PUT /placeholder/convert-to-placeholder')).toHaveLength(0);
    await user.click(dialog.getByRole('button', { name: 'Convert to placeholder' }));
    expect(await screen.findByText('A1 is a placeholder.')).toBeTruthy();
    expect(api.calls('PUT /placeholder/convert-to-placeholder')[0]?.body).toEqual({ deviceId: unit._id });
  });

  test('becomes a point of interest, and tells by what name', async () => {
    const api = deviceApi({ ipcs: [unit] });
    api.on('PUT /placeholder/convert-to-poi', { name: 'A1' });
    const { user } = renderApp(PATH, { api });
    await user.click(await screen.findByRole('button', { name: 'Convert to point of interest' }));
    await user.click(await screen.findByRole('button', { name: 'Convert' }));
    expect(await screen.findByText('A1 is a point of interest.')).toBeTruthy();
  });

  test('tells of a battery that was replaced, and of one that could not be recorded, in the known words', async () => {
    const api = deviceApi({ ipcs: [unit] });
    api.on('POST /ipc/replace-battery', new Failure(400, 'no'));
    const { user } = renderApp(PATH, { api });
    await user.click(await screen.findByRole('button', { name: 'Record Battery Replacement' }));
    await user.click(await screen.findByRole('button', { name: 'Record replacement' }));
    expect(
      await screen.findByText("Sorry, coudn't record the battery replacement. Please, try again."),
    ).toBeTruthy();
    api.on('POST /ipc/replace-battery', { success: true });
    await user.click(await screen.findByRole('button', { name: 'Record replacement' }));
    expect(await screen.findByText('Battery replacement recorded successfully!')).toBeTruthy();
  });

  test('offers no conversion to people without the right to convert', async () => {
    const api = deviceApi({ ipcs: [unit] });
    const without = { ...ownerPermissions, convertIrrigationDevices: false };
    api.on('GET /permissions-list', { permissions: [permissionsOn(rakaia, without)] });
    renderApp(PATH, { api });
    await screen.findByRole('button', { name: 'Delete sprinkler' });
    expect(screen.queryByRole('button', { name: /^Convert/ })).toBeNull();
  });

  test.each([
    ['of an address that is no id', `/irrigation-device/${farmUID}/17`],
    ['of another farm', `/irrigation-device/${uid(2)}/${unit._id}`],
  ])('%s is not there', async (_name, path) => {
    renderApp(path, { api: deviceApi({ ipcs: [unit] }) });
    expect(await screen.findByText("Sorry, we couldn't find what you're looking for.")).toBeTruthy();
  });
});
