import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, signInByApi } from './support/api.ts';
import { DESKTOP, launchBrowser, openPage, PHONE } from './support/browser.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';
import { signIn } from './support/sign-in.ts';

let headrace: Headrace;
let browser: Browser;
let owner: Client;
let farm: string;

beforeAll(async () => {
  [headrace, browser] = await Promise.all([startHeadrace(), launchBrowser()]);
  owner = await signInByApi(headrace.url);
  const made = await owner.send('POST /farm', {
    name: 'Tui Flat',
    description: '',
    address: { fullAddress: 'Methven' },
    lat: -43.63,
    lng: 171.65,
    boundary: [
      { lat: -43.62, lng: 171.64 },
      { lat: -43.62, lng: 171.66 },
      { lat: -43.64, lng: 171.66 },
      { lat: -43.64, lng: 171.64 },
    ],
  });
  farm = made.farmUID;
});
afterAll(async () => {
  await browser?.close();
  await headrace?.stop();
});

/** A press in the middle of it reaches it: tried, not done. */
const isFree = (target: Locator): Promise<void> => target.click({ trial: true });

const enter = async (page: Page, name: string, serialNumber: string, mac: string) => {
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Serial number' }).fill(serialNumber);
  await page.getByRole('textbox', { name: /^MAC address/ }).fill(mac);
};

describe.each([
  ['at a desk', DESKTOP, '1'],
  ['on a phone', PHONE, '2'],
] as const)('%s', (_name, size, digit) => {
  it('the message of what was saved lies on no button of the list', async () => {
    const { page, faults } = await openPage(browser, headrace.url, { size });
    await signIn(page);
    await page.goto(`/irrigation-device/new/${farm}`);
    await enter(page, `T${digit}`, `TOAST${digit}`, `00158D000A00000${digit}`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const add = page.getByRole('link', { name: 'Add sprinkler' });
    const message = page.getByText('Sprinkler added.');
    // Under the pointer it stays, however slow the list comes.
    await message.hover();
    await page
      .getByRole('row')
      .filter({ hasText: `TOAST${digit}` })
      .waitFor();
    // With the message still there: it is its place that frees the button, not its end.
    await isFree(add);
    expect(await message.count()).toBe(1);
    for (const box of await page.getByRole('search').getByRole('combobox').all()) {
      // What was tried took the pointer from it.
      await message.hover();
      await isFree(box);
    }
    await add.click();
    await page.getByRole('heading', { name: 'New sprinkler' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

it('a unit is moved on the map with the keys, said how far, and put back', async () => {
  const place = { lat: -43.63, lng: 171.65 };
  const { id } = await owner.send('POST /ipc', {
    farmUID: farm,
    name: 'M1',
    serialNumber: 'MOVE1',
    macAddress: '00158D000A000009',
    ...place,
  });
  const placeNow = async () => {
    const { lat, lng } = await owner.get('GET /ipc', { deviceId: id });
    return { lat, lng };
  };
  const { page, faults } = await openPage(browser, headrace.url, { size: DESKTOP });
  await signIn(page);
  await page.goto(`/group-status/FARM?farm=${farm}`);
  await page.getByRole('link', { name: /M1/ }).click();
  await page.getByRole('button', { name: 'More for M1' }).click();
  await page.getByRole('menuitem', { name: 'Move on the map' }).click();
  await page.getByRole('toolbar', { name: 'Move devices' }).waitFor();
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByText('M1 moved 50 m.').waitFor();
  // 50 m where a degree has 80.6 km.
  expect((await placeNow()).lng).toBeCloseTo(171.65 + 0.00062, 5);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(placeNow, { timeout: 20_000 }).toEqual(place);
  expect(faults).toEqual([]);
  await page.context().close();
});
