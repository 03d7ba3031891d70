import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../testing/fake-api.ts';
// Much code for a test to wait for.
import '../../app/device-form-page.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { deviceApi, farmUID } from '../devices/device-fixtures.ts';
import { registerApi, stubCamera, stubDevices, stubReader } from './registry-fixtures.ts';

const named = (name: string) => Object.assign(new Error('No.'), { name });
const typed = () => screen.findByRole('textbox', { name: 'Serial number' });
/** Facts by name: "MAC address: 0004A3000001". */
const facts = async () => {
  await screen.findByText('MAC address');
  return screen
    .getAllByRole('term')
    .map((term) => `${term.textContent}: ${term.nextElementSibling?.firstChild?.textContent}`);
};
const ofSprinkler = ['MAC address: 0004A3000001', 'Device: Sprinkler', 'Serial number: IPC10001'];

describe('the MAC address lookup', () => {
  test('is reached from the account menu, and tells the MAC of a serial number and what it is', async () => {
    const { user, api, router } = renderApp('/', { api: registerApi() });
    await user.click(await screen.findByRole('button', { name: /^Account of/ }));
    await user.click(await screen.findByRole('link', { name: 'MAC Address Lookup' }));
    await user.type(await typed(), ' IPC10001{Enter}');
    expect(await facts()).toEqual(ofSprinkler);
    expect(api.calls('GET /mac-test').map(({ query }) => query)).toEqual([{ serialNumber: 'IPC10001' }]);
    expect(router.state.location.href).toBe('/mac/lookup?serial=IPC10001');
    expect(screen.getByRole('link', { name: 'Show its bar code' }).getAttribute('href')).toBe(
      '/barcode/IPC10001',
    );
  });

  test('has the way to a MAC address that another farm has entered', async () => {
    const api = registerApi().on(
      'POST /mac/contest',
      new Failure(409, 'None of your gateways has heard it.'),
    );
    const { user } = renderApp('/mac/lookup', { api });
    await user.click(await screen.findByRole('button', { name: 'Contest a MAC address' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Contest a MAC address' }));
    await user.click(dialog.getByRole('button', { name: 'Contest' }));
    expect(await dialog.findByText('MAC address is required.')).toBeTruthy();
    await user.type(dialog.getByRole('textbox', { name: /^Serial number/ }), 'IPC10001');
    await user.type(dialog.getByRole('textbox', { name: /^MAC address/ }), '0004A3000001');
    await user.click(dialog.getByRole('button', { name: 'Contest' }));
    expect(await dialog.findByText('None of your gateways has heard it.')).toBeTruthy();
    api.on('POST /mac/contest', { success: true });
    await user.click(dialog.getByRole('button', { name: 'Contest' }));
    expect(await screen.findByText('The MAC address is free. Now add the device on your farm.')).toBeTruthy();
    expect(api.calls('POST /mac/contest').at(-1)?.body).toEqual({
      farmUID,
      serialNumber: 'IPC10001',
      macAddress: '0004A3000001',
    });
  });

  test('says so when nothing has the number, and what to do', async () => {
    renderApp('/mac/lookup?serial=IPC9', { api: registerApi() });
    expect(await screen.findByText('No device has the serial number IPC9.')).toBeTruthy();
    expect(
      screen.getByText('Compare it with the label: the whole number is needed, letters included.'),
    ).toBeTruthy();
  });

  test('asks for a number where none was typed', async () => {
    const { user, api } = renderApp('/mac/lookup', { api: registerApi() });
    await user.click(await screen.findByRole('button', { name: 'Look up' }));
    expect(screen.getByText('Enter a serial number.')).toBeTruthy();
    expect(api.calls('GET /mac-test')).toHaveLength(0);
  });

  test('takes the number out of what a scanner types, and says when there is none', async () => {
    const { user, api } = renderApp('/mac/lookup', { api: registerApi() });
    await user.click(await typed());
    await user.paste('https://farm.example/app/barcode/IPC10001?from=label-of-the-sprinkler');
    await user.keyboard('{Enter}');
    expect(await facts()).toEqual(ofSprinkler);
    await user.clear(await typed());
    await user.paste(`https://maker.example/${'x'.repeat(30)}`);
    await user.keyboard('{Enter}');
    expect(screen.getByText('Serial number can have at most 40 characters.')).toBeTruthy();
    expect(api.calls('GET /mac-test')).toHaveLength(1);
  });

  test('that failed can be asked again', async () => {
    const api = registerApi().on(
      'GET /mac-test',
      new Failure(429, 'Too many requests. Please wait a minute.'),
    );
    const { user } = renderApp('/mac/lookup?serial=IPC10001', { api });
    expect(await screen.findByText("The serial number couldn't be looked up")).toBeTruthy();
    expect(screen.getByText('Too many requests. Please wait a minute.')).toBeTruthy();
    api.on('GET /mac-test', { serialNumber: 'IPC10001', mac: '0004A3000001', kind: 'gateway', found: true });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await facts()).toContain('Device: Gateway');
  });

  test('is for people who are signed in', async () => {
    renderApp('/mac/lookup', { api: registerApi(), as: null });
    expect(await screen.findByRole('link', { name: 'Sign in' })).toBeTruthy();
  });
});

describe("a serial number's page", () => {
  test('is for everybody: MAC, what it is, and its bar code', async () => {
    const { container } = renderApp('/barcode/IPC10001', { api: registerApi(), as: null });
    expect(await facts()).toEqual(ofSprinkler);
    const code = screen.getByRole('img', { name: 'Bar code of IPC10001' });
    // Code 128: start B, I P C (three of 11), switch to C, 10 00 in pairs… the narrowest bars of start B come first.
    expect(code.querySelector('path')?.getAttribute('d')).toMatch(
      /^M10 0h2v48h-2zM13 0h1v48h-1zM16 0h1v48h-1z/,
    );
    expect(container.querySelector('figcaption')?.textContent).toBe('IPC10001');
    expect(screen.getByRole('link', { name: 'Scan another' }).getAttribute('href')).toBe('/barcode');
    expect(screen.getByRole('link', { name: 'Headrace, home' })).toBeTruthy();
  });

  test('has no bar code when nothing has the number, but the way to another', async () => {
    renderApp('/barcode/NOPE%2F1', { api: registerApi(), as: null });
    expect(await screen.findByText('No device has the serial number NOPE/1.')).toBeTruthy();
    expect(screen.queryByRole('img')).toBeNull();
    expect(screen.getByRole('link', { name: 'Scan another' })).toBeTruthy();
  });

  test('asks nobody about a text that is too long to be one', async () => {
    const { api } = renderApp(`/barcode/${'x'.repeat(41)}`, { api: registerApi(), as: null });
    expect(await screen.findByText(/^No device has the serial number xxx/)).toBeTruthy();
    expect(api.calls('GET /mac-test')).toHaveLength(0);
  });
});

describe('scanning a bar code', () => {
  test('opens what the label says, without its blanks and separators, and lets the camera go', async () => {
    const camera = stubCamera(['', ' IPC10001\u001D\n']);
    const { router } = renderApp('/barcode', { api: registerApi(), as: null });
    await screen.findByText('Hold the bar code in the picture.');
    expect(await facts()).toEqual(ofSprinkler);
    expect(router.state.location.pathname).toBe('/barcode/IPC10001');
    expect(camera.isStopped()).toBe(true);
  });

  test('opens the number that stands in the address of a label', async () => {
    stubCamera(['https://maker.example/q?serial=IPC10001']);
    const { router } = renderApp('/barcode', { api: registerApi(), as: null });
    expect(await facts()).toEqual(ofSprinkler);
    expect(router.state.location.pathname).toBe('/barcode/IPC10001');
  });

  test('lets the camera go when one leaves', async () => {
    const camera = stubCamera([]);
    const { user } = renderApp('/barcode', { api: registerApi(), as: null });
    await screen.findByText('Hold the bar code in the picture.');
    expect(camera.isStopped()).toBe(false);
    await user.type(screen.getByRole('textbox', { name: 'Serial number' }), 'IPC10001{Enter}');
    expect(await facts()).toEqual(ofSprinkler);
    expect(camera.isStopped()).toBe(true);
  });

  test('has a light where the camera has one', async () => {
    const camera = stubCamera([], { hasTorch: true });
    const { user } = renderApp('/barcode', { api: registerApi(), as: null });
    const light = await screen.findByRole('button', { name: 'Light', pressed: false });
    await user.click(light);
    expect(await screen.findByRole('button', { name: 'Light', pressed: true })).toBeTruthy();
    expect(camera.lights).toEqual([{ advanced: [{ torch: true }] }]);
  });

  test.each([
    ['NotFoundError', /^No camera was found here\./, false],
    ['NotAllowedError', /^The camera isn't allowed for this page\./, true],
    ['NotReadableError', /^The camera couldn't be started: another app may be using it\./, true],
  ])('says why there is no picture: %s', async (name, told, hasRetry) => {
    stubDevices(named(name));
    renderApp('/barcode', { api: registerApi(), as: null });
    expect((await screen.findByRole('alert')).textContent).toMatch(told);
    expect(screen.queryByRole('button', { name: 'Try again' }) !== null).toBe(hasRetry);
    expect(screen.getByRole('textbox', { name: 'Serial number' })).toBeTruthy();
  });

  test('says that plain http has no camera', async () => {
    renderApp('/barcode', { api: registerApi(), as: null });
    expect((await screen.findByRole('alert')).textContent).toMatch(
      /^The camera opens on a secure address \(https\) only\./,
    );
  });

  test('begins anew on Try again', async () => {
    stubDevices(named('NotAllowedError'));
    const { user } = renderApp('/barcode', { api: registerApi(), as: null });
    const again = await screen.findByRole('button', { name: 'Try again' });
    stubCamera(['IPC10001']);
    await user.click(again);
    expect(await facts()).toEqual(ofSprinkler);
  });

  test('reads a picture too, and says when there is no bar code in it', async () => {
    const found: { rawValue: string }[] = [];
    stubReader((picture) => (picture instanceof Blob ? found : []));
    const { user } = renderApp('/barcode', { api: registerApi(), as: null });
    const field = await screen.findByLabelText('Read a picture');
    await user.upload(field, new File(['-'], 'field.jpg', { type: 'image/jpeg' }));
    expect(await screen.findByText(/^No bar code was found in the picture\./)).toBeTruthy();
    found.push({ rawValue: 'IPC10001' });
    await user.upload(field, new File(['-'], 'label.jpg', { type: 'image/jpeg' }));
    expect(await facts()).toEqual(ofSprinkler);
  });
});

describe("a device form's serial number", () => {
  const newRepeater = `/repeater-device/new/${farmUID}`;

  test('is filled from the label by the camera', async () => {
    const camera = stubCamera(['RPT1007']);
    const { user } = renderApp(newRepeater, { api: deviceApi() });
    await user.click(await screen.findByRole('button', { name: 'Scan the label' }));
    await waitFor(() =>
      expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Serial number' }).value).toBe('RPT1007'),
    );
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(camera.isStopped()).toBe(true);
  });

  test('lets the camera go when the dialog is closed', async () => {
    const camera = stubCamera([]);
    const { user } = renderApp(newRepeater, { api: deviceApi() });
    await user.click(await screen.findByRole('button', { name: 'Scan the label' }));
    const dialog = await screen.findByRole('dialog', { name: 'Scan the label' });
    await within(dialog).findByText('Hold the bar code in the picture.');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(camera.isStopped()).toBe(true));
  });

  test('has no Scan button where there is no camera', async () => {
    renderApp(newRepeater, { api: deviceApi() });
    await typed();
    expect(screen.queryByRole('button', { name: 'Scan the label' })).toBeNull();
  });
});
