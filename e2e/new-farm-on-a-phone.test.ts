import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import type { SiteFile } from '@headrace/device/site-file';
import { type Client, signInByApi } from './support/api.ts';
import { launchBrowser, openPage, PHONE } from './support/browser.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';
import { type Running, startProgram, until } from './support/processes.ts';
import { signIn } from './support/sign-in.ts';

const run = promisify(execFile);
const account = { email: 'hana@journey.test', password: 'seven wet paddocks' };
/** The whole way of a person, from signing in to the answer of the first command. */
const PROMISED_MS = 90_000;

const inc = { name: 'Shed gateway', serialNumber: 'INC90001', mac: '0004A30000900001' };
const unit = { name: 'A1', serialNumber: 'IPC90001', mac: '00158D0000900001' };
const repeater = { name: 'R1', serialNumber: 'RPT90001', mac: '0013A20000900001' };
const tank = { name: 'House tank', serialNumber: 'TLM90001', mac: '70B3D50000900001' };

let headrace: Headrace;
let browser: Browser;
let page: Page;
let faults: string[];
let simulator: Running | null = null;

beforeAll(async () => {
  [headrace, browser] = await Promise.all([startHeadrace(), launchBrowser()]);
  await admin('create-account', account.email, account.password, 'Hana', 'Parata');
  ({ page, faults } = await openPage(browser, headrace.url, { size: PHONE, touch: true }));
});
afterAll(async () => {
  await simulator?.end();
  await browser?.close();
  await headrace?.stop();
});

/** The operator's command line, beside the server that runs. */
async function admin(...args: string[]): Promise<void> {
  const program = join(import.meta.dirname, '../apps/server/dist/admin.js');
  await run(process.execPath, [program, ...args], {
    env: { ...process.env, DATA_DIR: headrace.dataDir, DATABASE_URL: '' },
  });
}

const box = (name: string | RegExp) => page.getByRole('textbox', { name, exact: true });
const tap = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).tap();
/** On the page to be read: a choice of a closed list says it as well, and is never visible. */
const readable = (on: Page, text: string | RegExp) => on.getByText(text).filter({ visible: true }).first();
const said = (text: string | RegExp) => readable(page, text).waitFor();
/** In the list that follows a saved form: the form says the same in its fields. */
const listed = (list: string, text: string) =>
  page.getByRole('table', { name: list }).getByRole('row').filter({ hasText: text }).waitFor();

/** Taps the map at a point, as shares of its width and height. */
async function tapMap(name: RegExp, x: number, y: number): Promise<void> {
  const map = page.getByRole('application', { name }).and(page.locator('[aria-busy=false]'));
  await map.scrollIntoViewIfNeeded();
  const { width, height } = (await map.boundingBox()) ?? { width: 0, height: 0 };
  await map.tap({ position: { x: width * x, y: height * y } });
}

async function makeFarm(): Promise<void> {
  await page.getByRole('link', { name: 'New Farm' }).tap();
  await box('Name').fill('Tui Flat');
  await page.getByRole('combobox', { name: /^Access Road/ }).pressSequentially('Methven');
  await page
    .getByRole('option', { name: /Methven/ })
    .first()
    .tap();
  await page.getByRole('radiogroup', { name: 'What the map changes' }).getByText('Drawable').tap();
  for (const [x, y, points] of corners) {
    await tapMap(/^Map of the farm/, x, y);
    await page.getByText(new RegExp(`^[^·]*· ${points}$`)).waitFor();
  }
  await tap('Finish');
  await tap('Save');
  await page.getByRole('article').getByText('Tui Flat').first().waitFor();
}
/** Parts of the map's width and height, and what is said then. */
const corners = [
  [0.2, 0.2, '1 point'],
  [0.8, 0.2, '2 points'],
  [0.8, 0.7, '3 points'],
  [0.2, 0.7, '4 points'],
] as const;

async function fillIdentity({ name, serialNumber, mac }: typeof unit): Promise<void> {
  await box('Name').fill(name);
  await box('Serial number').fill(serialNumber);
  await box(/^MAC address/).fill(mac);
}

/** The key as the page shows it, the one time that it does. */
async function addGateway(farm: string): Promise<string> {
  await page.goto(`/gateway-device/new/${farm}`);
  await fillIdentity(inc);
  await tap('Save');
  const dialog = page.getByRole('dialog', { name: `Key of ${inc.name}` });
  const key = await dialog.locator('pre').first().innerText();
  await dialog.getByRole('button', { name: 'I have copied it' }).tap();
  await listed('Gateways', inc.serialNumber);
  return key;
}

async function addGroup(farm: string): Promise<void> {
  await page.goto(`/group/new/${farm}`);
  await box('Name').fill('Front paddock');
  await tap('Save');
  await said('Group added.');
}

async function addSprinkler(farm: string): Promise<void> {
  await page.goto(`/irrigation-device/new/${farm}`);
  await fillIdentity(unit);
  await page.getByRole('checkbox', { name: 'Front paddock' }).tap();
  await tapMap(/^Location of A1/, 0.5, 0.4);
  await tap('Save');
  await listed('Sprinklers', unit.serialNumber);
}

async function addRepeater(farm: string): Promise<void> {
  await page.goto(`/repeater-device/new/${farm}`);
  await fillIdentity(repeater);
  await tap('Save');
  await listed('Repeaters', repeater.serialNumber);
}

/** A 3 m tank of 30,000 L with its sensor on the floor. */
async function addTank(farm: string): Promise<void> {
  await page.goto(`/sensor-device/new/${farm}`);
  await fillIdentity(tank);
  for (const [label, value] of [
    [/^Offset/, '0'],
    [/^Tank height/, '3000'],
    [/^Top water level/, '3000'],
    [/^Tank volume/, '30000'],
  ] as const)
    await box(label).fill(value);
  await tap('Save');
  await listed('Sensors', tank.serialNumber);
}

async function addPoint(farm: string): Promise<void> {
  await page.goto(`/pois/new/${farm}`);
  await box('Name').fill('Gate');
  await tapMap(/^Location of Gate/, 0.5, 0.6);
  await tap('Save');
  await listed('Points of interest', 'Gate');
}

/** The devices that were entered, living in a process of their own, signed in with the key that the page showed. */
async function startDevices(key: string): Promise<Running> {
  const site: SiteFile = {
    name: 'Tui Flat',
    timeZone: 'Pacific/Auckland',
    location: { lat: -43.63, lng: 171.65 },
    gateways: [{ ...inc, type: 0, key }],
    sprinklers: [unit],
    repeaters: [repeater],
    tanks: [{ ...tank, type: 100, settings: { offset: 0, height: 3000, toplevel: 3000, volume: 30_000 } }],
  };
  const file = join(headrace.dataDir, 'site.json');
  await writeFile(file, JSON.stringify(site));
  const mqtt = `mqtt://127.0.0.1:${headrace.mqttPort}`;
  const state = join(headrace.dataDir, 'devices');
  return startProgram(
    'apps/simulator/dist/main.js',
    ['--site', file, '--mqtt', mqtt, '--state-dir', state, '--radio-loss', '0'],
    {},
  );
}

async function poll(owner: Client, farm: string): Promise<string> {
  const order = { farmUID: farm, type: commandTypes.Poll, mac: unit.mac };
  const { commandId } = await until('the command is taken', () =>
    owner.send('POST /commands/send', order).catch(() => null),
  );
  return commandId;
}

/** A page of the farm in a tab of its own, which is never loaded again. */
async function openTab(path: string, before: string): Promise<{ tab: Page; loads: string[] }> {
  const tab = await page.context().newPage();
  await tab.goto(path);
  await readable(tab, before).waitFor();
  // A page whose settings were late has loaded itself once more: that load isn't counted.
  await tab.waitForLoadState();
  const loads: string[] = [];
  tab.on('load', () => loads.push(tab.url()));
  return { tab, loads };
}

/** The pages that a person has open while the devices are put up, each saying that it has heard nothing yet. */
async function openTabs(farm: string) {
  const units = await openTab(`/group-status/FARM?farm=${farm}`, 'List');
  await units.tab.getByRole('button', { name: 'List' }).tap();
  await units.tab.getByText('No status').waitFor();
  return {
    units,
    tanks: await openTab(`/dashboard?farm=${farm}`, 'No data'),
    repeaters: await openTab(`/repeater-devices/${farm}`, 'Never contacted'),
    gateways: await openTab(`/gateway-devices/${farm}`, 'Never contacted'),
  };
}

it('a farm is made on a phone, its devices come alive on the open pages, and a command is done', async () => {
  const started = performance.now();
  await signIn(page, account);
  await makeFarm();
  const owner = await signInByApi(headrace.url, account);
  const [made] = await owner.get('GET /farms-card');
  const farm = made?._id ?? '';
  const key = await addGateway(farm);
  await addGroup(farm);
  await addSprinkler(farm);
  await addRepeater(farm);
  await addTank(farm);
  await addPoint(farm);
  const { ipcs } = await owner.get('GET /irrigation/devices', { farmUID: farm });
  expect(ipcs.map(({ name, groups }) => [name, groups.length])).toEqual([['A1', 1]]);

  const { units, tanks, repeaters, gateways } = await openTabs(farm);
  simulator = await startDevices(key);
  // The devices' process has to start first.
  await gateways.tab.getByRole('row').filter({ hasText: 'In contact' }).waitFor({ timeout: 60_000 });
  // A minute after the last change the list goes by itself; this person doesn't wait.
  await repeaters.tab.getByRole('button', { name: 'Send Sprinklers List' }).tap();
  const repeaterRow = repeaters.tab.getByRole('row').filter({ hasText: repeater.name });
  const unitLink = units.tab.getByRole('link').filter({ hasText: unit.serialNumber });
  await Promise.all([
    repeaterRow.filter({ hasText: 'OK' }).waitFor(),
    // None was sent to it yet: it isn't told as inhibited, although it says the same.
    unitLink.filter({ hasText: 'just now' }).filter({ hasText: 'No schedule' }).waitFor(),
  ]);
  const level = tanks.tab
    .getByRole('listitem')
    .filter({ hasText: tank.name })
    .filter({ hasText: /\d\s*%/ });
  await level.waitFor();
  for (const { loads } of [units, tanks, repeaters, gateways]) expect(loads).toEqual([]);

  await page.goto(`/commands/${farm}`);
  const commandId = await poll(owner, farm);
  const logged = page.getByRole('listitem').filter({ hasText: 'Poll A1' });
  await logged.filter({ hasText: 'Done' }).waitFor();
  const { units: asked } = await owner.get('GET /command', { farmUID: farm, commandId });
  expect(asked.map(({ name, state }) => [name, state])).toEqual([['A1', 'done']]);
  expect(faults).toEqual([]);
  const took = performance.now() - started;
  const verdict = took <= PROMISED_MS ? 'as promised' : `promised are ${PROMISED_MS / 1000} s`;
  console.log(`From signing in to the first command done: ${Math.round(took / 1000)} s, ${verdict}`);
}, 300_000);
