import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, signInByApi } from './support/api.ts';
import { accessFaults } from './support/axe.ts';
import { launchBrowser, openPage, PHONE } from './support/browser.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';
import { signIn } from './support/sign-in.ts';

let headrace: Headrace;
let browser: Browser;
let owner: Client;
beforeAll(async () => {
  [headrace, browser] = await Promise.all([startHeadrace(), launchBrowser()]);
  owner = await signInByApi(headrace.url);
});
afterAll(async () => {
  await browser?.close();
  await headrace?.stop();
});

async function newFarm(name: string, lat: number, lng: number): Promise<string> {
  const square = [
    { lat: lat - 0.03, lng: lng - 0.03 },
    { lat: lat - 0.03, lng: lng + 0.03 },
    { lat: lat + 0.03, lng: lng + 0.03 },
    { lat: lat + 0.03, lng: lng - 0.03 },
  ];
  const entry = { name, address: { fullAddress: '1 Race Road' }, lat, lng, boundary: square };
  return (await owner.send('POST /farm', entry)).farmUID;
}
const pointsOf = async (farmUID: string) => (await owner.get('GET /pois', { farmUID })).pois;

/** As a person drags a file from a folder onto the page. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
    return transfer;
  })()`);
  // Who takes it is loaded after the map.
  const hint = page.getByText(/^Drop the file to see what it would do/);
  await expect
    .poll(async () => {
      await page.dispatchEvent('body', 'dragenter', { dataTransfer });
      return hint.isVisible();
    })
    .toBe(true);
  await page.dispatchEvent('body', 'drop', { dataTransfer });
}

it('a KML file of 74 paddocks is dragged onto the map, two are unticked, and it is undone', async () => {
  const farmUID = await newFarm('Reureu', -40.08, 175.48);
  const text = await readFile('packages/contract/fixtures/reureu-valley-paddocks.kml', 'utf8');
  const { page, faults } = await openPage(browser, headrace.url);
  await signIn(page);
  await page.goto(`/group-status/FARM?farm=${farmUID}`);
  await page.locator('.leaflet-container canvas').first().waitFor();
  await drop(page, 'paddocks.kml', text);
  const dialog = page.getByRole('dialog', { name: 'Import Configurations' });
  await dialog.getByText('74 will be added, 1 needs your choice.').waitFor();
  await dialog.locator('.leaflet-container canvas').first().waitFor();
  expect(await accessFaults(page)).toEqual([]);
  for (const name of ['Polygon 1', 'Polygon 2'])
    await dialog.getByRole('checkbox', { name: `Add Point ${name}`, exact: true }).uncheck();
  expect(await pointsOf(farmUID)).toEqual([]);
  await dialog.getByRole('button', { name: 'Import 72' }).click();
  await dialog.getByText('72 imported, 3 skipped', { exact: true }).waitFor();
  expect(await accessFaults(page)).toEqual([]);
  const points = await pointsOf(farmUID);
  expect(points).toHaveLength(72);
  expect(points.some(({ name }) => name === 'Polygon 1')).toBe(false);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => pointsOf(farmUID).then(({ length }) => length)).toBe(0);
  expect(faults).toEqual([]);
}, 120_000);

it('a CSV file with three faults is mended and imported on a phone', async () => {
  const farmUID = await newFarm('Ashburton', -43.9, 171.7);
  const { page } = await openPage(browser, headrace.url, { size: PHONE });
  await signIn(page);
  await page.goto(`/?farm=${farmUID}`);
  await page.getByRole('button', { name: 'Menu of Ashburton' }).click();
  await page.getByRole('menuitem', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import Configurations' });
  await dialog.getByLabel('Type').selectOption('podlist');
  const head = 'name;serial_number;mac_address;latitude;longitude';
  const choose = (rows: string[]) =>
    dialog.getByLabel('File').setInputFiles({
      name: 'pods.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from([head, ...rows].join('\r\n')),
    });
  await choose([
    'Z1;ZZ1;0004A3EE0001;-43.9;171.7',
    'Trough4;ZZ2;0004A3EE0002;;',
    'Z3;1.23E+11;0004A3EE0003;;',
    'Z4;ZZ4;0004A3EE0004;171.7;-43.9',
  ]);
  await dialog.getByText('1 will be added, 3 left out.').waitFor();
  for (const sentence of [
    'Name can have at most 5 characters.',
    /Format the column as text/,
    'Latitude and longitude are the wrong way round: swap the columns.',
  ])
    await dialog.getByText(sentence).waitFor();
  expect(await accessFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Other file' }).click();
  await dialog.getByLabel('Type').selectOption('podlist');
  await choose([
    'Z1;ZZ1;0004A3EE0001;-43.9;171.7',
    'T4;ZZ2;0004A3EE0002;;',
    'Z3;123000000000;0004A3EE0003;;',
    'Z4;ZZ4;0004A3EE0004;-43.901;171.7',
  ]);
  await dialog.getByText('4 will be added.').waitFor();
  await dialog.getByRole('button', { name: 'Import 4' }).click();
  await dialog.getByText('4 imported, 0 skipped', { exact: true }).waitFor();
  const { ipcs } = await owner.get('GET /group/info', { farmUID, name: 'FARM' });
  expect(ipcs.map(({ name }) => name).toSorted()).toEqual(['T4', 'Z1', 'Z3', 'Z4']);
}, 120_000);
