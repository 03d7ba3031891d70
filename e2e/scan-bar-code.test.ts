import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signInByApi } from './support/api.ts';
import { launchBrowser, openPage, PHONE } from './support/browser.ts';
import { type Bar, cameraFlags, filmLabel } from './support/fake-camera.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';
import { signIn } from './support/sign-in.ts';

let headrace: Headrace;
let browser: Browser;
let film: string;
/** A farm of the demo, and a gateway of it. */
let farm: string;
let device: { readonly serialNumber: string; readonly macAddress: string; readonly type: number };

beforeAll(async () => {
  headrace = await startHeadrace();
  film = join(headrace.dataDir, 'label.y4m');
  browser = await launchBrowser(cameraFlags(film));
  const owner = await signInByApi(headrace.url);
  farm = (await owner.get('GET /farms-card'))[0]?._id ?? '';
  const { gateways } = await owner.get('GET /gateway/devices', { farmUID: farm });
  if (!gateways[0]) throw new Error('The demo has no gateway');
  [device] = gateways;
});

afterAll(async () => {
  await browser?.close();
  await headrace?.stop();
});

/** A phone whose browser reads no bar codes itself. `hasCamera: false`: nor has it a camera, as on a plain http page. */
async function openPhone({ hasCamera = true } = {}) {
  const opened = await openPage(browser, headrace.url, { size: PHONE });
  await opened.page.addInitScript(() => Reflect.deleteProperty(globalThis, 'BarcodeDetector'));
  if (!hasCamera) await opened.page.addInitScript('delete Navigator.prototype.mediaDevices');
  const asked: string[] = [];
  opened.page.on('request', (request) => asked.push(request.url()));
  return { ...opened, asked };
}

it('shows the MAC and the bar code of a serial number to somebody who is not signed in', async () => {
  const { page, faults } = await openPhone();
  await page.goto('/barcode');
  await page.getByRole('textbox', { name: 'Serial number' }).fill(device.serialNumber);
  await page.getByRole('button', { name: 'Look up' }).click();
  await page.getByText(device.macAddress).waitFor();
  const code = page.getByRole('img', { name: `Bar code of ${device.serialNumber}` });
  const path = (await code.locator('path').getAttribute('d')) ?? '';
  const bars = [...path.matchAll(/M(\d+) 0h(\d+)/g)].map(
    ([, at, width]): Bar => ({ at: Number(at), width: Number(width) }),
  );
  await filmLabel(film, bars);
  expect(faults).toEqual([]);
  await page.context().close();
});

it('finds the serial number on the label that the camera sees, with nothing from other servers', async () => {
  const { page, faults, asked } = await openPhone();
  await page.goto('/barcode');
  await page.waitForURL(`/barcode/${device.serialNumber}`);
  await page.getByText(device.macAddress).waitFor();
  expect(asked.filter((url) => url.endsWith('.wasm'))).toHaveLength(1);
  expect(asked.filter((url) => !url.startsWith(headrace.url))).toEqual([]);
  expect(faults).toEqual([]);
  await page.context().close();
});

it('reads a picture of the label', async () => {
  // Else the camera, which still films the label, is faster than the picture.
  const { page, faults } = await openPhone({ hasCamera: false });
  await page.goto(`/barcode/${device.serialNumber}`);
  const label = await page.getByRole('figure').screenshot();
  await page.goto('/barcode');
  await page
    .getByLabel('Read a picture')
    .setInputFiles({ name: 'label.png', mimeType: 'image/png', buffer: label });
  await page.waitForURL(`/barcode/${device.serialNumber}`);
  expect(faults).toEqual([]);
  await page.context().close();
});

it('fills the serial number of a device form, which finds the MAC', async () => {
  const { page, faults } = await openPhone();
  await signIn(page);
  await page.goto(`/gateway-device/new/${farm}`);
  await page.getByLabel('Type').selectOption(String(device.type));
  await page.getByRole('button', { name: 'Scan the label' }).click();
  await page.getByText(/^In use on this farm/).waitFor();
  const valueOf = (name: string) => page.getByRole('textbox', { name }).inputValue();
  await expect.poll(() => valueOf('Serial number')).toBe(device.serialNumber);
  await expect.poll(() => valueOf('MAC address')).toBe(device.macAddress);
  expect(faults).toEqual([]);
  await page.context().close();
});
