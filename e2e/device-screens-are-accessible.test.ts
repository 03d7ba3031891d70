import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import { demoStage, looks, screensIn, speakingTanks } from './support/accessible-screens.ts';
import type { Client } from './support/api.ts';
import { PHONE } from './support/browser.ts';

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

/** Of each tank that isn't full to the rim: what the others find waits for their holds. */
const tellsAtOnce = (farmUID: string) => ({
  farmUID,
  name: 'Not full',
  enabled: true,
  kind: 'TankLow' as const,
  deviceIds: [],
  condition: 'below' as const,
  value: 98,
  holdMinutes: 0,
});

let site: Site;
const open = demoStage({ historyDays: 1 }, async (owner) => {
  site = await findSite(owner);
  await speakingTanks(owner, site.farm);
  await owner.send('POST /alert', tellsAtOnce(site.farm));
  const whole = { name: '-', mac: '-', serialNumber: '-' };
  await owner.send('POST /commands/send', { farmUID: site.farm, type: commandTypes.IncTimeSet, ...whole });
});

describe.each(looks)('in $scheme at $width px axe finds nothing on', (shape) => {
  const look = screensIn(open, shape);

  it('the commands of a farm, and the details of one', async () => {
    await look.follow(`/commands/${site.farm}`);
    await look.page.getByRole('link', { name: /^Set Time/ }).waitFor();
    await look.expectNoFaults();
    await look.page.getByRole('link', { name: /^Set Time/ }).click();
    await look.page.getByRole('dialog').getByRole('list', { name: 'Units' }).getByRole('listitem').waitFor();
    await look.expectNoFaults();
  });

  it('the farm form, new and with its faults shown, and what leaving it asks', async () => {
    await look.follow('/farm/new');
    await look.map();
    await look.page.getByRole('button', { name: 'Save' }).click();
    await look.page.getByText('Name is required.').waitFor();
    await look.expectNoFaults();
    await look.page.getByRole('textbox', { name: 'Name' }).fill('Hinds Block');
    await look.page.getByRole('button', { name: 'Cancel' }).click();
    await look.page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await look.expectNoFaults();
    await look.page.getByRole('button', { name: 'Leave', exact: true }).click();
    // The next test goes elsewhere: not while this leads home.
    await look.page.waitForURL(({ pathname }) => pathname !== '/farm/new');
  });

  it("a farm's form with its history, and its menu", async () => {
    await look.follow(`/farm/${site.farm}`);
    await look.page.getByRole('form', { name: 'Farm Information' }).waitFor();
    await look.page.getByRole('heading', { name: 'History of changes' }).waitFor();
    await look.expectNoFaults();
    await look.follow('/');
    // The farms are sorted by what needs a person once that is known: a tap meanwhile may miss.
    await look.page
      .getByRole('button', { name: /^Menu of/ })
      .first()
      .waitFor();
    await look.settled();
    await look.page
      .getByRole('button', { name: /^Menu of/ })
      .first()
      .click();
    await look.page.getByRole('menuitem', { name: 'Delete farm' }).waitFor();
    // What lies beneath an open menu is covered by it, and no target.
    await look.expectNoFaults('[role=menu]');
  });

  it('the walk list', async () => {
    await look.follow(`/walk-list/${site.farm}`);
    await look.page.getByRole('list', { name: 'Where to go' }).getByRole('listitem').first().waitFor();
    await look.map();
    await look.expectNoFaults();
  });

  it('the alerts, what one has told, its link of a mail that has ended, and the form of a new one', async () => {
    await look.follow(`/alerts?farm=${site.farm}`);
    await look.page.getByRole('list', { name: 'Alerts' }).waitFor();
    const open = look.page.getByRole('list', { name: 'What is so now' });
    await open.getByRole('link').first().waitFor();
    await look.expectNoFaults();
    await open.getByRole('link').first().click();
    await look.page.getByRole('dialog').getByRole('heading', { name: 'What happened' }).waitFor();
    await look.settled();
    await look.expectNoFaults();
    await look.follow(`/a/${'A'.repeat(12)}`);
    await look.page.getByText('This link has ended.').waitFor();
    await look.expectNoFaults();
    await look.follow(`/alerts/new?farm=${site.farm}`);
    await look.page.getByRole('textbox', { name: /^Limit/ }).waitFor();
    await look.page.getByText(/^In the last 30 days this would have told you/).waitFor();
    await look.expectNoFaults();
  });

  it.each(kinds)('the list of $list', async ({ list, name }) => {
    await look.follow(`/${list}/${site.farm}`);
    await look.page.getByRole('table', { name }).getByRole('cell').first().waitFor();
    await look.expectNoFaults();
  });

  it.each(kinds)('the form of $one', async ({ one, form }) => {
    await look.follow(`/${one}/${site.farm}/${site.devices[one]}`);
    await look.page.getByRole('form', { name: form }).waitFor();
    await look.page.getByRole('heading', { name: 'History of changes' }).waitFor();
    await look.map();
    await look.expectNoFaults();
  });

  it('the groups, and the form of one', async () => {
    await look.follow(`/?t=g&f=${site.farm}`);
    await look.page.getByRole('article').first().waitFor();
    await look.expectNoFaults();
    await look.follow(`/group/${site.farm}/${site.group.id}`);
    await look.page.getByRole('form', { name: 'Group' }).waitFor();
    await look.expectNoFaults();
  });

  it("a group's devices, in a list with some chosen, and on the map", async () => {
    await look.follow(`/group/devices-list/${site.farm}/${site.group.id}`);
    await look.page
      .getByRole('checkbox', { name: /^Choose (?!all)/ })
      .first()
      .check();
    await look.page.getByRole('region', { name: 'Chosen' }).waitFor();
    await look.expectNoFaults();
    await look.follow(`/group/devices-map/${site.farm}/${site.group.id}`);
    await look.map();
    await look.expectNoFaults();
  });

  it("the map of a group's sprinklers, also while they are moved", async () => {
    await look.follow(`/group-status/${site.group.name}?farm=${site.farm}`);
    await look.map();
    await look.expectNoFaults();
    await look.button('Move devices').click();
    await look.page.getByRole('toolbar', { name: 'Move devices' }).waitFor();
    await look.expectNoFaults();
  });

  it('the report of what a map lists; the browser makes it', async () => {
    await look.follow(`/group-status/${site.group.name}?farm=${site.farm}`);
    await look.map();
    if (shape.size === PHONE) await look.button(/^List/).click();
    await look.button('PDF report').click();
    const dialog = look.page.getByRole('dialog', { name: 'Sprinklers Status Report' });
    const way = dialog.getByRole('button', { name: 'Download ipc_status_report.pdf' });
    await way.waitFor();
    await look.expectNoFaults();
    const [download] = await Promise.all([look.page.waitForEvent('download'), way.click()]);
    expect(download.suggestedFilename()).toBe('ipc_status_report.pdf');
    const pdf = readFileSync(await download.path());
    expect([pdf.subarray(0, 8).toString(), pdf.subarray(-6).toString().trim()]).toEqual([
      '%PDF-1.7',
      '%%EOF',
    ]);
    await look.page.keyboard.press('Escape');
  });

  it('sprinklers of a group that are chosen for a command', async () => {
    await look.follow(`/group-status/${site.group.name}?farm=${site.farm}&choose=1`);
    await look.map();
    await look.button('All').click();
    await look.button(/^Commands for \d+…$/).waitFor();
    await look.expectNoFaults();
  });

  it('rows that are pasted, and taps on the map that add sprinklers', async () => {
    await look.follow(`/irrigation-device/paste/${site.farm}`);
    await look.page.getByRole('textbox').first().waitFor();
    await look.expectNoFaults();
    await look.follow(`/irrigation-device/map/${site.farm}`);
    await look.map();
    await look.expectNoFaults();
  });

  it('messages of devices that were not taken, and what the farm may write', async () => {
    await look.follow(`/device-messages/${site.farm}`);
    await look.heading('Device messages');
    await look.settled();
    await look.expectNoFaults();
  });

  it('everything that a sensor says, with one of it drawn', async () => {
    await look.follow(`/sensor-device/${site.farm}/${site.devices['sensor-device']}`);
    const panel = look.page.getByRole('region', { name: 'Everything this sensor says' });
    await panel.getByRole('button').first().click();
    await panel.getByRole('figure').locator('canvas').first().waitFor();
    await look.expectNoFaults();
  });

  it('the MAC address lookup', async () => {
    await look.follow(`/mac/lookup?serial=${site.serialNumber}`);
    await look.page.getByText('MAC address', { exact: true }).waitFor();
    await look.expectNoFaults();
  });

  it('the bar code tool, and what it tells of a serial number', async () => {
    await look.follow('/barcode');
    // By its words: any other message of the moment is an alert too, while the page itself is still on its way.
    await look.page.getByRole('alert').getByText('No camera was found here.').waitFor();
    await look.expectNoFaults();
    await look.follow(`/barcode/${site.serialNumber}`);
    await look.page.getByRole('img', { name: /^Bar code of/ }).waitFor();
    await look.expectNoFaults();
    await look.follow('/barcode/x');
    await look.page.getByText('No device has the serial number x.').waitFor();
    await look.expectNoFaults();
  });
});
