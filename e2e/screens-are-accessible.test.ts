import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { FORBIDDEN_TEXT, NOT_FOUND_TEXT } from '@headrace/contract/texts';
import { AGENT, type Client, signInByApi } from './support/api.ts';
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

/** Of the form that keys have, and nobody's. */
const UNKNOWN_KEY = 'k'.repeat(43);

let headrace: Headrace;
let browser: Browser;
/** The farm whose screens are looked at, a tank unit of it that has every tab, and a gateway. */
let farm: string;
let tank: string;
let gateway: string;
let site: Site;
/** A mailed key, and a share that was accepted. */
let mailedKey: string;
let shareKey: string;

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
  const { invites } = await owner.get('GET /invites');
  shareKey = invites.find(({ accepted }) => accepted)?.key ?? '';
  mailedKey = await inviteKey(owner);
  const whole = { name: '-', mac: '-', serialNumber: '-' };
  await owner.send('POST /commands/send', { farmUID: farm, type: commandTypes.IncTimeSet, ...whole });
});

afterAll(async () => {
  await browser?.close();
  await headrace?.stop();
});

/** What `/invite` opens: the key of an invitation's mail. Without a mail server mails wait where the operator reads them. */
async function inviteKey(owner: Client): Promise<string> {
  const contacts = [{ email: 'new.person@example.com', name: 'New Person' }];
  const { invites } = await owner.send('POST /permissions', {
    contacts,
    farms: [],
    isAccountShare: true,
    template: 4,
    permissions: { farms: 1 },
  });
  if (invites.length !== 1) throw new Error('The invitation was not made');
  const outbox = await fetch(`${headrace.url}/operator/outbox`, { headers: { Accept: 'application/json' } });
  const [, key] = /\/invite\?key=([\w-]+)/.exec(await outbox.text()) ?? [];
  if (!key) throw new Error('No mail has the key of an invitation');
  return key;
}

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

  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' });
  const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor();
  const faultsOf = (name: string) => page.locator(`[name="${name}"][aria-invalid=true]`).waitFor();

  it('the pages of a forgotten password and of mailed links that no longer work', async () => {
    await page.goto('/forgot-password');
    await heading('Forgot your password?');
    expect(await accessFaults(page)).toEqual([]);
    await page.goto(`/reset-password?key=${UNKNOWN_KEY}`);
    await button('Set password').click();
    await faultsOf('password');
    expect(await accessFaults(page)).toEqual([]);
    await page.goto(`/confirm-email?key=${UNKNOWN_KEY}`);
    await page.getByText("This link doesn't work").waitFor();
    expect(await accessFaults(page)).toEqual([]);
  });

  const accept = async (type: 'owner' | 'delegate') => {
    await page.goto(`/register/terms?type=${type}`);
    await page.getByRole('switch', { name: 'I accept the Terms of Use' }).check({ force: true });
  };

  it('registration as a farm owner, with its faults shown, and as a delegate', async () => {
    await page.goto('/register/account-type');
    await page.getByRole('link', { name: /^Farm Owner/ }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await accept('owner');
    expect(await accessFaults(page)).toEqual([]);
    await button('Next').click();
    await page.getByRole('form', { name: 'Contact' }).waitFor();
    await button('Next').click();
    await faultsOf('name');
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Name' }).fill('Aroha Reid');
    await page.getByRole('textbox', { name: 'E-mail' }).fill('aroha@example.com');
    await page.getByLabel('Country code').selectOption('64');
    await page.getByLabel('Mobile').fill('211234567');
    await page.locator('[name=password]').fill('tractor shed wind');
    await page.locator('[name=passwordConfirmation]').fill('tractor shed wind');
    await button('Next').click();
    await page.getByRole('form', { name: 'Farm Details' }).waitFor();
    await page.locator('.leaflet-container canvas').first().waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await accept('delegate');
    await button('Next').click();
    await page.getByRole('form', { name: 'Farm Delegate' }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
  });

  it('the terms, the privacy policy, an invitation, and pages that are not there', async () => {
    const looked: [string, string | RegExp][] = [
      ['/terms-of-use', 'Terms of Use'],
      ['/privacy-policy', 'Privacy Policy'],
      [`/invite?key=${mailedKey}`, /shares all farms with you/],
      [`/invite?key=${UNKNOWN_KEY}`, 'Oops! Something went wrong.'],
      ['/nowhere', NOT_FOUND_TEXT],
    ];
    for (const [path, title] of looked) {
      await page.goto(path);
      await heading(title);
      expect(await accessFaults(page), path).toEqual([]);
    }
  });

  it('the farms', async () => {
    await signIn(page);
    // Where the button was a tip may open below the pointer: tips are not what is looked at.
    await page.mouse.move(0, 0);
    await page.getByRole('tooltip').waitFor({ state: 'hidden' });
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

  it("one's details, what closing the account asks, and the security page", async () => {
    await page.goto('/account-details');
    await page.getByRole('form').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await button(/^Close account/).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Your password' }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.goto('/security');
    await button('Sign out everywhere but here').waitFor();
    expect(await accessFaults(page)).toEqual([]);
  });

  it('the shares of an owner, their log, and what revoking one asks', async () => {
    await page.goto('/invitations?tab=log');
    await page.getByRole('list', { name: 'Access log' }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.goto('/invitations');
    await button(/^Revoke/)
      .first()
      .click();
    await page.getByRole('dialog', { name: 'Revoke this access?' }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await accessFaults(page)).toEqual([]);
  });

  it('the steps of sharing, and the permissions of a share', async () => {
    await page.goto('/invitations/share/select');
    await page.getByRole('checkbox').nth(1).check();
    expect(await accessFaults(page)).toEqual([]);
    await button('Next').click();
    await page.getByRole('checkbox').first().check();
    await button('New contact').click();
    await page.getByRole('dialog', { name: 'New contact' }).getByLabel('Name').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await accessFaults(page)).toEqual([]);
    await button('Next').click();
    await page.getByRole('checkbox', { name: 'Read Farm' }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.goto(`/invitations/permissions/${shareKey}`);
    await page.getByRole('checkbox', { name: 'Delete Farm' }).check();
    expect(await accessFaults(page)).toEqual([]);
  });

  it.each([
    ['list', 'Settings'],
    ['general', 'General'],
    ['farm-cards', 'Home/Farm Cards'],
    ['stress-bands', 'Soil Moisture Stress Bands'],
    ['dashboard', 'Dashboard Card Order & Visibility'],
    ['alerts', 'Alerts'],
  ])('the settings, %s', async (name, title) => {
    await page.goto(`/?settings=${name}`);
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.getByRole('button').nth(1).waitFor();
    await dialog.locator('[aria-busy=true]').waitFor({ state: 'hidden' });
    expect(await accessFaults(page)).toEqual([]);
  });

  it('the page of a right that one does not have, and what an agent has been given', async () => {
    await page.goto('/403');
    await heading(FORBIDDEN_TEXT);
    expect(await accessFaults(page)).toEqual([]);
    const other = await openPage(browser, headrace.url, { scheme, size });
    await signIn(other.page, AGENT);
    await other.page.goto('/invitations');
    await other.page
      .getByRole('button', { name: /^Give up/ })
      .first()
      .waitFor();
    expect(await accessFaults(other.page)).toEqual([]);
    await other.page.context().close();
    expect(other.faults).toEqual([]);
  });

  it('none of them broke', () => {
    expect(faults).toEqual([]);
  });
});
