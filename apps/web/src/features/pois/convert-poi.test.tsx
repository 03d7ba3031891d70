import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Failure } from '../../testing/fake-api.ts';
// The forms are much code: it is there before a test waits for it.
import '../../app/device-form-page.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { buildIpc, buildPoi, buildSensor, deviceApi, farmUID } from '../devices/device-fixtures.ts';

afterEach(() => vi.restoreAllMocks());

const poi = buildPoi(1, { name: 'North gate' });
const PATH = `/pois/${farmUID}/${poi._id}`;
const MAC = '0004A30B001C';

async function open(to: 'sprinkler' | 'sensor') {
  const api = deviceApi({ pois: [poi] });
  api
    .on('GET /mac', { mac: '', currentlyActive: false, isSpare: false, name: '', farmName: '', farmUID: '' })
    .on('GET /macsensor', {
      mac: MAC,
      currentlyActive: false,
      isSpare: false,
      name: '',
      farmName: '',
      farmUID: '',
      channel: 3,
      spfactor: 10,
    });
  const view = renderApp(PATH, { api });
  await view.user.click(await screen.findByRole('button', { name: `Convert to ${to}` }));
  const dialog = await screen.findByRole('dialog', { name: `Convert North gate to a ${to}` });
  return { ...view, dialog };
}

test('Escape closes the dialog, and the focus is on the button that opened it', async () => {
  const { user, dialog } = await open('sprinkler');
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Convert to sprinkler' }));
});

test('a point becomes a sprinkler; an empty channel is 1, and the name has five characters at most', async () => {
  const { user, api, dialog, router } = await open('sprinkler');
  api.on('POST /poi/convert', { ipc: { ...buildIpc(3), condition: 2 } });
  await user.click(within(dialog).getByRole('button', { name: 'Convert to sprinkler' }));
  expect(within(dialog).getByText('Name is required.')).toBeTruthy();
  expect(within(dialog).getByText('MAC address is required.')).toBeTruthy();
  await user.type(within(dialog).getByRole('textbox', { name: /^Name/ }), 'North gate');
  await user.type(within(dialog).getByRole('textbox', { name: /Serial number/ }), 'X1');
  await user.type(within(dialog).getByRole('textbox', { name: /MAC/ }), MAC);
  await user.clear(within(dialog).getByRole('textbox', { name: 'Channel' }));
  await user.click(within(dialog).getByRole('button', { name: 'Convert to sprinkler' }));
  expect(await screen.findByText('POI converted to sprinkler successfully!')).toBeTruthy();
  expect(api.calls('POST /poi/convert')[0]?.body).toEqual({
    poiUID: poi._id,
    name: 'North',
    serialNumber: 'X1',
    macAddress: MAC,
    channel: 1,
  });
  await waitFor(() => expect(router.state.location.pathname).toBe(`/pois/${farmUID}`));
});

test.each([
  [true, 'In use on this farm as C3. Make it a spare first.'],
  [false, 'A spare on this farm as C3.'],
])(
  'a number in use (%j) on the farm: a spare is taken, another unit is not',
  async (currentlyActive, text) => {
    const { user, api, dialog } = await open('sprinkler');
    const use = {
      mac: MAC,
      currentlyActive,
      isSpare: !currentlyActive,
      name: 'C3',
      farmName: 'Home',
      farmUID,
    };
    api.on('GET /mac', use);
    await user.type(within(dialog).getByRole('textbox', { name: /Serial number/ }), 'IPC77');
    expect(await within(dialog).findByText(text)).toBeTruthy();
  },
);

test('a point becomes a sensor whose MAC is found from three characters on', async () => {
  const { user, api, dialog } = await open('sensor');
  api.on('POST /poi/sensorconv', { sensor: { ...buildSensor(3), value: 0, valueInLitres: 100 } });
  await user.type(within(dialog).getByRole('textbox', { name: /^Name/ }), 'NG');
  await user.type(within(dialog).getByRole('textbox', { name: /Serial number/ }), 'TLM');
  await within(dialog).findByText('MAC address found.');
  await user.click(within(dialog).getByRole('button', { name: 'Convert to sensor' }));
  expect(await screen.findByText('POI converted to sensor successfully!')).toBeTruthy();
  expect(api.calls('POST /poi/sensorconv')[0]?.body).toEqual({
    poiUID: poi._id,
    name: 'NG',
    serialNumber: 'TLM',
    macAddress: MAC,
    channel: 3,
    type: 100,
  });
});

test('a conversion that fails says so in the known words, and what was typed stays', async () => {
  const { user, api, dialog } = await open('sprinkler');
  api.on('POST /poi/convert', new Failure(409, 'This MAC is in use.', { field: 'macAddress' }));
  await user.type(within(dialog).getByRole('textbox', { name: /^Name/ }), 'NG');
  await user.type(within(dialog).getByRole('textbox', { name: /Serial number/ }), 'X1');
  await user.type(within(dialog).getByRole('textbox', { name: /MAC/ }), MAC);
  await user.click(within(dialog).getByRole('button', { name: 'Convert to sprinkler' }));
  expect(await screen.findByText("Couldn't convert POI to sprinkler.")).toBeTruthy();
  expect(within(dialog).getByText('This MAC is in use.')).toBeTruthy();
  expect(within(dialog).getByRole<HTMLInputElement>('textbox', { name: /^Name/ }).value).toBe('NG');
});

test('a sensor that could not be made is said in its own words', async () => {
  const { user, api, dialog } = await open('sensor');
  api.on('POST /poi/sensorconv', new Failure(409, 'This MAC is in use.', { field: 'macAddress' }));
  await user.type(within(dialog).getByRole('textbox', { name: /^Name/ }), 'NG');
  await user.type(within(dialog).getByRole('textbox', { name: /Serial number/ }), 'TLM');
  await within(dialog).findByText('MAC address found.');
  await user.click(within(dialog).getByRole('button', { name: 'Convert to sensor' }));
  expect(await screen.findByText("Couldn't convert POI to sensor.")).toBeTruthy();
});
