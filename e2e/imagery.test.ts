import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, signInByApi } from './support/api.ts';
import { launchBrowser, openPage } from './support/browser.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';
import { signIn } from './support/sign-in.ts';

/** A grey pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

interface Asked {
  z: number;
  x: number;
  y: number;
  key: string | null;
  referrer: string | undefined;
}

/** A provider of tiles that remembers what it was asked for, and can fail. */
const provider = { asked: [] as Asked[], isDown: false };
let tiles: Server;
let headrace: Headrace;
let browser: Browser;
let owner: Client;

beforeAll(async () => {
  tiles = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://tiles');
    const [z = 0, x = 0, y = 0] = pathname.slice(1).replace('.png', '').split('/').map(Number);
    provider.asked.push({ z, x, y, key: searchParams.get('key'), referrer: request.headers.referer });
    if (provider.isDown) response.writeHead(503).end();
    else response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
  });
  await new Promise<void>((listening) => tiles.listen(0, '127.0.0.1', listening));
  const { port } = tiles.address() as AddressInfo;
  const env = {
    TILE_URL: `http://127.0.0.1:${port}/{z}/{x}/{y}.png?key=k1`,
    TILE_ATTRIBUTION: '© <a href="https://example.com/terms">Aerial Photos Ltd</a>',
    TILE_MAX_ZOOM: '17',
  };
  [headrace, browser] = await Promise.all([startHeadrace({ env }), launchBrowser()]);
  owner = await signInByApi(headrace.url);
});
afterAll(async () => {
  await browser?.close();
  await headrace?.stop();
  tiles?.close();
});

/** Column and row of the tile that holds a place. */
function tileOf({ lat, lng }: { lat: number; lng: number }, z: number) {
  const sin = Math.sin((lat * Math.PI) / 180);
  const down = 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI);
  return { x: Math.floor((lng / 360 + 0.5) * 2 ** z), y: Math.floor(down * 2 ** z) };
}

it("the map asks the provider for the farm's tiles with key and referrer, names it, and says what is missing", async () => {
  const farm = (await owner.get('GET /farms-card')).find(({ name }) => name === 'Rakaia Downs');
  if (!farm) throw new Error('The demo has Rakaia Downs.');
  const { page, faults } = await openPage(browser, headrace.url);
  await signIn(page);
  await page.goto(`/tanks?farm=${farm._id}`);
  const map = page.getByRole('application');
  await map.locator('img.leaflet-tile-loaded').first().waitFor();
  const [first] = provider.asked;
  expect(first?.z).toBeLessThan(17);
  // A browser asks for some tiles at a time: this one need not be among the first.
  await expect
    .poll(() => provider.asked)
    .toContainEqual({
      z: first?.z,
      ...tileOf(farm, first?.z ?? 0),
      key: 'k1',
      referrer: `${headrace.url}/`,
    });
  await page.getByRole('link', { name: 'Aerial Photos Ltd' }).waitFor();
  // The content security policy let the tiles in.
  expect(faults).toEqual([]);

  await page.getByRole('button', { name: 'Imagery' }).click();
  await expect.poll(() => map.locator('img.leaflet-tile').count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Aerial Photos Ltd' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Imagery' }).click();
  await map.locator('img.leaflet-tile-loaded').first().waitFor();

  // Beyond its closest zoom the tiles that it has are stretched.
  provider.asked = [];
  for (let step = 0; step < 3; step += 1) await page.getByRole('button', { name: 'Zoom in' }).click();
  // The zooms on the way there are asked for first.
  await expect.poll(() => Math.max(...provider.asked.map(({ z }) => z))).toBe(17);

  provider.isDown = true;
  await page.getByRole('button', { name: 'Show the whole farm' }).click();
  for (let step = 0; step < 3; step += 1) await page.getByRole('button', { name: 'Zoom out' }).click();
  await page.getByText("Some of the imagery didn't load").waitFor();
  expect(Math.max(...provider.asked.map(({ z }) => z))).toBe(17);
});
