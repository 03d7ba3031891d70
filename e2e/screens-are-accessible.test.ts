import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { signInByApi } from './support/api.ts';
import { accessFaults } from './support/axe.ts';
import { DESK, launchBrowser, openPage, PHONE, type Scheme } from './support/browser.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';
import { until } from './support/processes.ts';
import { signIn } from './support/sign-in.ts';

let headrace: Headrace;
let browser: Browser;
/** The farm whose screens are looked at, a tank unit of it that has every tab, and a gateway. */
let farm: string;
let tank: string;
let gateway: string;

const isTankUnit = ({ type }: { type: number }) => type === sensorTypes.TLM_V3;

beforeAll(async () => {
  [headrace, browser] = await Promise.all([startHeadrace({ historyDays: 9 }), launchBrowser()]);
  const owner = await signInByApi(headrace.url);
  for (const { _id } of await owner.get('GET /farms-card')) {
    const unit = await until('levels from the devices', async () => {
      const { tanks } = await owner.get('GET /lvl/suminfo', { farmUID: _id });
      return tanks.some(({ level }) => level.value !== null) && { ofFarm: tanks.find(isTankUnit) };
    });
    if (unit.ofFarm) [farm, tank] = [_id, unit.ofFarm._id];
  }
  if (!tank) throw new Error('No demo farm has a TLM_V3 tank unit');
  const { gateways } = await owner.get('GET /tank/site-info', { farmUID: farm });
  gateway = gateways[0]?._id ?? '';
  const whole = { name: '-', mac: '-', serialNumber: '-' };
  await owner.send('POST /commands/send', { farmUID: farm, type: commandTypes.IncTimeSet, ...whole });
});

afterAll(async () => {
  await browser?.close();
  await headrace?.stop();
});

const looks: { scheme: Scheme; width: number; size: typeof DESK }[] = [
  { scheme: 'light', width: 390, size: PHONE },
  { scheme: 'dark', width: 390, size: PHONE },
  { scheme: 'light', width: 1440, size: DESK },
  { scheme: 'dark', width: 1440, size: DESK },
];

describe.each(looks)('in $scheme at $width px axe finds nothing on', ({ scheme, size }) => {
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    ({ page, faults } = await openPage(browser, headrace.url, { scheme, size }));
  });
  afterAll(() => page?.context().close());

  it('the sign-in page, as it is and with its faults shown', async () => {
    await page.goto('/login');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('[aria-invalid=true]').first().waitFor();
    expect(await accessFaults(page)).toEqual([]);
  });

  it('the farms', async () => {
    await signIn(page);
    await page.getByRole('article').first().getByRole('listitem').first().waitFor();
    expect(await accessFaults(page)).toEqual([]);
  });

  it('the dashboard', async () => {
    await page.goto(`/dashboard?farm=${farm}`);
    await page
      .getByRole('article')
      .filter({ hasText: /\d+\s*%/ })
      .first()
      .waitFor();
    expect(await accessFaults(page)).toEqual([]);
  });

  it.each(['Details', 'Usage', 'Level', 'Battery', 'Flow'])('the tank dialog, %s', async (name) => {
    const dialog = page.getByRole('dialog');
    if ((await dialog.count()) === 0) await page.goto(`/dashboard?farm=${farm}&tank=${tank}`);
    await dialog.getByRole('tab', { name }).click();
    await dialog.getByRole('tabpanel', { name }).locator('dl').first().waitFor();
    expect(await accessFaults(page)).toEqual([]);
  });

  it('the tank map', async () => {
    await page.goto(`/tanks?farm=${farm}`);
    await page.getByRole('list', { name: 'Tanks Summary' }).waitFor();
    await page.locator('.leaflet-container canvas').first().waitFor();
    expect(await accessFaults(page)).toEqual([]);
  });

  it('the commands of a farm, and the details of one', async () => {
    await page.goto(`/commands/${farm}`);
    await page.getByRole('link', { name: /^Set Time/ }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('link', { name: /^Set Time/ }).click();
    await page.getByRole('dialog').getByRole('list', { name: 'Units' }).getByRole('listitem').waitFor();
    expect(await accessFaults(page)).toEqual([]);
  });

  it('the farm form, new and with its faults shown, and what leaving it asks', async () => {
    await page.goto('/farm/new');
    await page.locator('.leaflet-container canvas').first().waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Name is required.').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Name' }).fill('Hinds Block');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
  });

  it("a farm's form with its history, and its menu", async () => {
    await page.goto(`/farm/${farm}`);
    await page.getByRole('form', { name: 'Farm Information' }).waitFor();
    await page.getByRole('heading', { name: 'History of changes' }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.goto('/');
    await page
      .getByRole('button', { name: /^Menu of/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Delete farm' }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
  });

  it('the gateway dialog', async () => {
    await page.goto(`/tanks?farm=${farm}&gateway=${gateway}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Set Time' }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
  });

  it('none of them broke', () => {
    expect(faults).toEqual([]);
  });
});
