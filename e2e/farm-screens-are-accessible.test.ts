import { beforeAll, describe, expect, it } from 'vitest';
import { headlineTypes } from '@headrace/contract/default-settings';
import { gatewayTypes } from '@headrace/contract/gateway-types';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { demoStage, looks, screensIn, speakingTanks } from './support/accessible-screens.ts';
import type { Client } from './support/api.ts';
import { PHONE } from './support/browser.ts';
import { downloadsOf, namedButtons } from './support/downloads.ts';

/** A farm of tanks alone, with a unit that has every tab; and one with all there is. */
let tanksOnly: { farm: string; tank: string };
let full: { farm: string; pumped: string; gateway: string };
/** Of that farm, with a restriction that begins in an hour. */
let take: string;

// So much that a night's leak is found.
const open = demoStage({ historyDays: 2 }, async (owner) => {
  const farms = await owner.get('GET /farms-card');
  const farmOf = (name: string) => farms.find((farm) => farm.name === name)?._id ?? '';
  const withTanks = farmOf('Barcoo Station');
  const withAll = farmOf('Rakaia Downs');
  const unit = (await speakingTanks(owner, withTanks)).find(({ type }) => type === sensorTypes.TLM_V3);
  const pumped = (await speakingTanks(owner, withAll)).find(({ name }) => name === 'Bore buffer');
  const { gateways } = await owner.get('GET /gateway/devices', { farmUID: withAll });
  const gateway = gateways.find(({ type }) => type === gatewayTypes.INC);
  if (!unit || !pumped || !gateway)
    throw new Error('The demo has other farms than these tests were written for');
  tanksOnly = { farm: withTanks, tank: unit._id };
  full = { farm: withAll, pumped: pumped._id, gateway: gateway._id };
  await chooseHeadlines(owner);
  await bindRelay(owner);
  await restrictTake(owner);
});

/** What the readings point to: each opens for its reasons. The lists of silent sprinklers open too. */
const FINDINGS = 'main details:not(#card-ipccomms *)';

/** Three headlines, and a place that is free. */
async function chooseHeadlines(owner: Client): Promise<void> {
  const { sites } = await owner.get('GET /telemetry/sites', { farmUID: full.farm });
  const headlines = [
    { position: 0, type: headlineTypes.TankLevel, configs: { sensor: full.pumped } },
    { position: 1, type: headlineTypes.Temperature, configs: { site: sites[0]?.id } },
    { position: 2, type: headlineTypes.LocalTime },
    { position: 3, type: headlineTypes.Empty },
  ];
  await owner.send('PUT /settings', {
    data: { farms: [{ info: { id: full.farm }, headlines }] },
    version: 6,
  });
}

/** Low flow: nothing may be taken tomorrow, so it is shown what is planned then. */
async function restrictTake(owner: Client): Promise<void> {
  const [known] = (await owner.get('GET /water-take', { farmUID: full.farm })).takes;
  if (!known) throw new Error('The demo farm has no water take');
  const { updatedAt: _updatedAt, meters, ...entries } = known;
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  await owner.send('PUT /water-take', {
    farmUID: full.farm,
    ...entries,
    restrictions: [{ from: inHours(1), to: inHours(25), kind: 'rate', percent: 50, note: 'Low flow' }],
    meters: meters.map(({ device: _device, isGone: _isGone, readings: _readings, ...meter }) => meter),
  });
  take = known.uid;
}

/** A tank's level switches a relay: who turns it by hand is asked first. */
async function bindRelay(owner: Client): Promise<void> {
  const monitor = await owner.get('GET /gateway/monitor', { farmUID: full.farm });
  if (!monitor) throw new Error('The demo farm has no inputs and relays');
  const relay6 = { title: 'Buffer pump', binding: full.pumped, maxOnTime: 20 };
  await owner.send('POST /gateway/iosettings', {
    farmUID: full.farm,
    mac: monitor.mac,
    ioSettings: { ...monitor.ioSettings, relay6 },
  });
}

describe.each(looks)('in $scheme at $width px axe finds nothing on', (shape) => {
  const look = screensIn(open, shape);
  const dialog = (name?: string | RegExp) => look.page.getByRole('dialog', name ? { name } : {});
  const drawn = async (card: string) => {
    // Not before there is data: the sign in its place goes.
    await look.page.locator(`${card} figure`).waitFor();
    await look.page.locator(card).scrollIntoViewIfNeeded();
    await look.page.locator(`${card} canvas`).first().waitFor();
  };

  it('the farms', async () => {
    // Where the button was a tip may open below the pointer: tips are not what is looked at.
    await look.page.mouse.move(0, 0);
    await look.page.getByRole('tooltip').waitFor({ state: 'hidden' });
    await look.page.getByRole('article').getByRole('listitem').first().waitFor();
    await look.expectNoFaults();
  });

  it.each(['Import', 'Export'])("what the farm's menu opens, %s", async (item) => {
    await look.follow('/');
    await look.button('Menu of Rakaia Downs').click();
    await look.page.getByRole('menuitem', { name: item }).click();
    const opened = dialog(`${item} Configurations`);
    await opened.waitFor();
    if (item === 'Import') {
      await opened.getByLabel('Type').selectOption('podlist');
      const buffer = Buffer.from(
        'name;serial;mac;lat;lng\nQ1;NEW1;0004A3FFFF01;-43.6;171.9\nTrough4;NEW2;;;',
      );
      await opened.getByLabel('File').setInputFiles({ name: 'pods.csv', mimeType: 'text/csv', buffer });
      await opened
        .getByText(/left out\b.*\./)
        .first()
        .waitFor();
      await look.expectNoFaults();
      await opened.getByRole('button', { name: 'Other file' }).click();
      await opened.getByLabel('Type').selectOption('kml');
      const point =
        '<Placemark><name>Top gate</name><Point><coordinates>171.9,-43.6</coordinates></Point></Placemark>';
      const kml = { name: 'gates.kml', mimeType: 'text/xml', buffer: Buffer.from(`<kml>${point}</kml>`) };
      await opened.getByLabel('File').setInputFiles(kml);
      await opened.getByText('1 needs your choice.').waitFor();
      await look.map();
    } else await opened.getByRole('button', { name: 'Download readings.csv' }).waitFor();
    await look.expectNoFaults();
    await look.page.keyboard.press('Escape');
  });

  it("what the farm's menu opens, Backup & Restore", async () => {
    await look.follow('/');
    await look.button('Menu of Rakaia Downs').click();
    await look.page.getByRole('menuitem', { name: 'Backup & Restore' }).click();
    const opened = dialog('Restore configuration of the farm');
    // The night's is there already, of a farm that was still being made.
    const mine = `Before lambing, ${look.page.viewportSize()?.width ?? 0}`;
    await opened.getByLabel('Description').fill(mine);
    await opened.getByRole('button', { name: 'Create backup' }).click();
    const backup = opened.getByRole('radio', { name: new RegExp(`${mine}.*Restored on trial`) });
    await backup.waitFor();
    await look.expectNoFaults();
    await backup.check();
    await opened.getByRole('button', { name: 'Restore…' }).click();
    await opened.getByText('Nothing would change').waitFor();
    await look.expectNoFaults();
    await look.page.keyboard.press('Escape');
  });

  it.each([
    ['farm switcher', /^Current farm:/, 'option'],
    ['bell', /^Notifications/, 'dialog'],
    ['account', /^Account of/, 'dialog'],
  ] as const)("the header's menu open, %s", async (_name, opener, role) => {
    await look.follow('/403');
    await look.button(opener).click();
    await look.page.getByRole(role).first().waitFor();
    await look.settled();
    await look.expectNoFaults();
    await look.page.keyboard.press('Escape');
  });

  it('the search, with what it found', async () => {
    await look.follow('/403');
    if (shape.size === PHONE) await look.button('Search devices').click();
    await look.page.getByRole('combobox', { name: 'Search devices' }).fill('Bore');
    await look.page.getByRole('option', { name: /Bore buffer/ }).waitFor();
    await look.expectNoFaults();
  });

  it('the dashboard of a farm of tanks', async () => {
    await look.follow(`/dashboard?farm=${tanksOnly.farm}`);
    // Cards at a desk, lines on a phone.
    await look.page
      .getByRole('article')
      .or(look.page.getByRole('listitem'))
      .filter({ hasText: /\d+\s*%/ })
      .first()
      .waitFor();
    await look.expectNoFaults();
  });

  describe('the tank dialog,', () => {
    beforeAll(() => look.follow(`/dashboard?farm=${tanksOnly.farm}&tank=${tanksOnly.tank}`));

    it.each(['Details', 'Usage', 'Level', 'Battery', 'Flow'])('%s', async (name) => {
      await dialog().getByRole('tab', { name }).click();
      await dialog().getByRole('tabpanel', { name }).locator('dl').first().waitFor();
      await look.expectNoFaults();
    });
  });

  it('Pump Control, edited, asking before it is left, and on its way to the unit', async () => {
    await look.follow(`/dashboard?farm=${full.farm}&tank=${full.pumped}&tab=pump`);
    await look.page.getByRole('slider', { name: 'Low setpoint, %' }).press('ArrowLeft');
    await look.page.getByText('Not sent yet.').waitFor();
    await look.expectNoFaults();
    await look.page.keyboard.press('Escape');
    await dialog('Leave without saving?').waitFor();
    await look.expectNoFaults();
    await look.button('Stay').click();
    const pending = look.page.getByText('Pending Configuration Update').first();
    await Promise.all([pending.waitFor(), look.button('Update').click()]);
    await look.expectNoFaults();
  });

  it('the tank map', async () => {
    await look.follow(`/tanks?farm=${tanksOnly.farm}`);
    await look.page.getByRole('list', { name: 'Tanks Summary' }).waitFor();
    await look.map();
    await look.expectNoFaults();
  });

  it("a gateway's dialog, as it is and once something was sent", async () => {
    await look.follow(`/tanks?farm=${full.farm}&gateway=${full.gateway}`);
    await dialog().getByRole('button', { name: 'Set Time' }).waitFor();
    await look.expectNoFaults();
    await dialog().getByRole('button', { name: 'Ping' }).click();
    await dialog().getByRole('listitem').filter({ hasText: /done/ }).waitFor();
    await look.expectNoFaults();
  });

  it('the dashboard of a farm that has everything, with its charts drawn', async () => {
    await look.follow(`/dashboard?farm=${full.farm}`);
    await drawn('#card-soilmoisture');
    await drawn('#card-flow');
    await drawn('#card-ipchealth');
    await look.page.locator('#card-io').getByRole('switch').first().waitFor({ state: 'attached' });
    await look.page.locator('#card-headline li').nth(2).waitFor();
    // What the readings point to comes last, and moves what is below it: while axe measures, nothing shall.
    await look.page.locator(FINDINGS).first().waitFor();
    await look.page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
    await look.expectNoFaults();
  });

  it('what the readings point to, opened', async () => {
    await look.follow(`/dashboard?farm=${full.farm}`);
    await look.page.locator(FINDINGS).first().waitFor();
    // One after the other for as long as one is closed: what comes and goes with the readings moves the others.
    const closed = look.page.locator('main details:not([open]) > summary');
    while ((await closed.count()) > 0) await closed.first().click();
    await look.expectNoFaults('details[open]');
  });

  it('the reports of the cards: how each begins, and each of its files by its button', async () => {
    await look.follow(`/dashboard?farm=${full.farm}`);
    const files: string[] = [];
    for (const [of, title] of [
      ['sprinkler health', 'Sprinkler Health'],
      ['sprinkler communications', 'Sprinkler Comms'],
      ['tanks and usage', 'Tanks and usage'],
    ] as const) {
      await look.button(`PDF of ${of}`).click();
      await dialog(title).waitFor();
      for (const preview of await namedButtons(dialog(title), /^Preview /)) await preview.click();
      await dialog(title)
        .getByRole('table')
        .or(dialog(title).getByText('The table has no rows.'))
        .last()
        .waitFor();
      await dialog(title)
        .getByRole('button', { name: /^(Preview|Reading) / })
        .first()
        .waitFor({ state: 'detached' });
      await look.expectNoFaults('[role=dialog]');
      // Once: files don't look otherwise in the dark.
      if (shape.size === PHONE)
        files.push(...(await downloadsOf(look.page, await namedButtons(dialog(title), /^Download /))));
      await look.page.keyboard.press('Escape');
      await dialog(title).waitFor({ state: 'detached' });
    }
    if (shape.size !== PHONE) return;
    const day = String.raw`\d{4}-\d{2}-\d{2}`;
    for (const [nth, name] of [
      'ipchealth.csv',
      'ipchealth.pdf',
      'history-trend-Rakaia-Downs.csv',
      'history-trend-Rakaia-Downs.pdf',
      'ipccomms.csv',
      'ipccomms.pdf',
      `tanks-${day}-${day}.csv`,
      `tanks-${day}-${day}.pdf`,
    ].entries())
      expect(files[nth]).toMatch(new RegExp(`^${name.replace(/\.(csv|pdf)$/, String.raw`\.$1`)}$`));
  });

  it('the water takes of a farm, one with its restriction beside what is planned, its form and its packs', async () => {
    await look.follow(`/water-takes/${full.farm}`);
    await look.page.getByRole('list', { name: 'Water takes' }).waitFor();
    await look.settled();
    await look.expectNoFaults();
    await look.follow(`/water-takes/${full.farm}?take=${take}`);
    await look.heading(/^Water take /);
    await look.page.getByRole('list', { name: 'Restrictions' }).waitFor();
    await look.page.getByText(/planned flow; dashed: may be taken/).waitFor();
    await look.settled();
    await look.expectNoFaults();
    const pack = look.page.getByRole('form', { name: 'Evidence pack' });
    if (shape.size === PHONE) {
      const [short] = await downloadsOf(look.page, [pack.getByRole('button', { name: 'Download the pack' })]);
      expect(short).toMatch(/^water-take-.*\.zip$/);
      await pack.getByRole('button', { name: 'Last water year' }).click();
      await pack.getByRole('button', { name: 'Make the pack' }).click();
      const made = look.button(/^Download the pack \d/);
      await made.waitFor({ timeout: 60_000 });
      const [long] = await downloadsOf(look.page, [made]);
      expect(long).toMatch(/^water-take-.*-07-01-.*-06-30\.zip$/);
      await look.expectNoFaults();
    }
    await look.follow(`/water-takes/${full.farm}?take=${take}&edit=yes`);
    await look.page.getByRole('heading', { name: 'Restriction 1' }).waitFor();
    await look.settled();
    await look.expectNoFaults();
  });

  it("the headlines' editor, and the options of one", async () => {
    await look.follow(`/dashboard?farm=${full.farm}`);
    await look.page.getByRole('link', { name: 'Edit headlines' }).click();
    const row = look.page.locator('#card-headline');
    await row.getByRole('link', { name: 'Add a headline at place 4' }).waitFor();
    await row.getByText('%').first().waitFor();
    await look.expectNoFaults('#card-headline');
    await row.getByRole('link', { name: /^Change .* at place 1/ }).click();
    await dialog('Headline at place 1').getByLabel('Unit').waitFor();
    await look.expectNoFaults();
  });

  it.each([
    ['soil moisture', '#card-soilmoisture'],
    ['flow meters', '#card-flow'],
  ])('the card of %s, its export and its table', async (_name, card) => {
    await look.follow(`/dashboard?farm=${full.farm}`);
    await drawn(card);
    const part = look.page.locator(card);
    await part.getByRole('button', { name: 'Export' }).click();
    await part.getByRole('menuitem').first().waitFor();
    await look.expectNoFaults(`${card} [role=menu]`);
    await look.page.keyboard.press('Escape');
    await part.getByRole('menu').waitFor({ state: 'hidden' });
    await part.getByRole('button', { name: 'Show as table' }).click();
    await part.getByRole('cell').first().waitFor();
    // Not half under the header.
    await part.getByRole('heading').first().scrollIntoViewIfNeeded();
    await look.expectNoFaults(card);
  });

  it('the days that a chart shows, being chosen', async () => {
    await look.follow(`/dashboard?farm=${full.farm}`);
    await drawn('#card-flow');
    await look.page.locator('#card-flow').getByRole('button', { name: 'Last 60 days' }).click();
    await dialog('Select date range for sensor data').getByRole('button', { name: 'Show' }).waitFor();
    await look.expectNoFaults();
  });

  it('the labels of inputs and relays, with a fault shown, and what turning a linked relay asks', async () => {
    await look.follow(`/dashboard?farm=${full.farm}`);
    const card = look.page.locator('#card-io');
    await card.getByRole('button', { name: 'Edit labels' }).click();
    const form = look.page.getByRole('form', { name: 'Inputs and relays' });
    await form.getByRole('textbox', { name: /^Input 1/ }).fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.locator('[aria-invalid=true]').waitFor();
    await look.expectNoFaults();
    await look.follow(`/dashboard?farm=${full.farm}`);
    await card.getByRole('switch', { name: 'Buffer pump' }).press('Space');
    await dialog(/^Turn Buffer pump/).waitFor();
    await look.expectNoFaults();
  });

  it('what tank telemetry is, asking for it and adding a unit, with the faults of both shown', async () => {
    await look.follow('/tlm');
    await look.heading('Tank telemetry');
    await look.expectNoFaults();
    for (const [path, send] of [
      ['/tlm/signup', 'Send'],
      ['/tlm/add', 'Add'],
    ] as const) {
      await look.follow(path);
      await look.button(send).click();
      await look.page.locator('[aria-invalid=true]').first().waitFor();
      await look.expectNoFaults();
    }
  });
});
