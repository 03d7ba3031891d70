import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { type Client, signInByApi } from './support/api.ts';
import { accessFaults } from './support/axe.ts';
import { DESK, launchBrowser, openPage, PHONE, type Scheme } from './support/browser.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';
import { until } from './support/processes.ts';
import { signIn } from './support/sign-in.ts';

const kinds = [
  { list: 'irrigation-devices', one: 'irrigation-device', name: 'Sprinklers', form: 'Sprinkler' },
  { list: 'gateway-devices', one: 'gateway-device', name: 'Gateways', form: 'Gateway' },
  { list: 'repeater-devices', one: 'repeater-device', name: 'Repeaters', form: 'Repeater' },
  { list: 'sensor-devices', one: 'sensor-device', name: 'Sensors', form: 'Sensor' },
  { list: 'pois', one: 'pois', name: 'Points of interest', form: 'Point of interest' },
] as const;

/** A farm that has devices of all kinds and groups, with one of each. */
interface Site {
  farm: string;
  devices: Record<(typeof kinds)[number]['one'], string>;
  group: { id: string; name: string };
  serialNumber: string;
}

async function findSite(owner: Client): Promise<Site> {
  for (const { _id: farmUID } of await owner.get('GET /farms-card')) {
    const { ipcs } = await owner.get('GET /irrigation/devices', { farmUID });
    const { gateways } = await owner.get('GET /gateway/devices', { farmUID });
    const { repeaters } = await owner.get('GET /repeater/devices', { farmUID });
    const { sensors } = await owner.get('GET /sensor/devices', { farmUid: farmUID });
    const { pois } = await owner.get('GET /pois', { farmUID });
    const { groups } = await owner.get('GET /groups', { farmUID });
    const [ipc, gateway, repeater, sensor, poi, group] = [
      ipcs[0],
      gateways[0],
      repeaters[0],
      sensors[0],
      pois[0],
      groups[0],
    ];
    if (!ipc || !gateway || !repeater || !sensor || !poi || !group) continue;
    return {
      farm: farmUID,
      devices: {
        'irrigation-device': ipc._id,
        'gateway-device': gateway._id,
        'repeater-device': repeater._id,
        'sensor-device': sensor._id,
        pois: poi._id,
      },
      group: { id: group._id, name: group.name },
      serialNumber: ipc.serialNumber,
    };
  }
  throw new Error('No demo farm has devices of all kinds and a group');
}

let headrace: Headrace;
let browser: Browser;
/** The farm whose screens are looked at, a tank unit of it that has every tab, and a gateway. */
let farm: string;
let tank: string;
let gateway: string;
let site: Site;

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
  site = await findSite(owner);
  const whole = { name: '-', mac: '-', serialNumber: '-' };
  await owner.send('POST /commands/send', { farmUID: farm, type: commandTypes.IncTimeSet, ...whole });
});

afterAll(async () => {
  await browser?.close();
  await headrace?.stop();
});

/** Colours are of the scheme and places of the width: each once finds what all four together do. */
const looks: { scheme: Scheme; width: number; size: typeof DESK }[] = [
  { scheme: 'light', width: 390, size: PHONE },
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

  const map = () => page.locator('.leaflet-container canvas').first().waitFor();

  it.each(kinds)('the list of $list', async ({ list, name }) => {
    await page.goto(`/${list}/${site.farm}`);
    await page.getByRole('table', { name }).getByRole('cell').first().waitFor();
    expect(await accessFaults(page)).toEqual([]);
  });

  it.each(kinds)('the form of $one', async ({ one, form }) => {
    await page.goto(`/${one}/${site.farm}/${site.devices[one]}`);
    await page.getByRole('form', { name: form }).waitFor();
    await page.getByRole('heading', { name: 'History of changes' }).waitFor();
    await map();
    expect(await accessFaults(page)).toEqual([]);
  });

  it('the groups, and the form of one', async () => {
    await page.goto(`/?t=g&f=${site.farm}`);
    await page.getByRole('article').first().waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.goto(`/group/${site.farm}/${site.group.id}`);
    await page.getByRole('form', { name: 'Group' }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
  });

  it("a group's devices, in a list with some chosen, and on the map", async () => {
    await page.goto(`/group/devices-list/${site.farm}/${site.group.id}`);
    await page
      .getByRole('checkbox', { name: /^Choose (?!all)/ })
      .first()
      .check();
    await page.getByRole('region', { name: 'Chosen' }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.goto(`/group/devices-map/${site.farm}/${site.group.id}`);
    await map();
    expect(await accessFaults(page)).toEqual([]);
  });

  it("the map of a group's sprinklers", async () => {
    await page.goto(`/group-status/${site.group.name}?farm=${site.farm}`);
    await map();
    expect(await accessFaults(page)).toEqual([]);
  });

  it('the MAC address lookup', async () => {
    await page.goto(`/mac/lookup?serial=${site.serialNumber}`);
    await page.getByText('MAC address', { exact: true }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
  });

  it('the bar code tool, and what it tells of a serial number', async () => {
    await page.goto('/barcode');
    await page.getByRole('alert').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.goto(`/barcode/${site.serialNumber}`);
    await page.getByRole('img', { name: /^Bar code of/ }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.goto('/barcode/x');
    await page.getByText('No device has the serial number x.').waitFor();
    expect(await accessFaults(page)).toEqual([]);
  });

  it('none of them broke', () => {
    expect(faults).toEqual([]);
  });
});
