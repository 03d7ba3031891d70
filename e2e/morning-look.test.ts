import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import { type Client, signInByApi } from './support/api.ts';
import { launchBrowser, openPage, PHONE } from './support/browser.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';
import { signIn } from './support/sign-in.ts';

const FULL = 'Linked tank is almost full, manual control not allowed.';

let headrace: Headrace;
let browser: Browser;
let owner: Client;
let farmUID: string;
beforeAll(async () => {
  [headrace, browser] = await Promise.all([startHeadrace({ historyDays: 1 }), launchBrowser()]);
  owner = await signInByApi(headrace.url);
  const farm = (await owner.get('GET /farms-card')).find(({ name }) => name === 'Rakaia Downs');
  farmUID = farm?._id ?? '';
});
afterAll(async () => {
  await browser?.close();
  await headrace?.stop();
});

async function tankNamed(name: string) {
  const { tanks } = await owner.get('GET /lvl/suminfo', { farmUID });
  return tanks.find((tank) => tank.name === name);
}

/** A tank's level in %, once it is what the tank says now and no longer its history on the way in. */
async function levelOf(name: string): Promise<number> {
  await expect
    .poll(async () => minutesSinceHeard(await tankNamed(name)), { timeout: 60_000 })
    .toBeLessThan(2);
  return (await tankNamed(name))?.level.value ?? 0;
}

function minutesSinceHeard(tank: { updatedAt: string | null } | undefined): number {
  return tank?.updatedAt ? (Date.now() - Date.parse(tank.updatedAt)) / 60_000 : Number.POSITIVE_INFINITY;
}

async function moveTo(page: Page, handle: string, value: number): Promise<void> {
  const thumb = page.getByRole('slider', { name: handle });
  await thumb.focus();
  for (let now = -1; now !== value; ) {
    now = Number(await thumb.getAttribute('aria-valuenow'));
    if (now !== value) await page.keyboard.press(now < value ? 'ArrowRight' : 'ArrowLeft');
  }
}

it('a tank is short: its setpoints are raised, the unit confirms them, the pump runs and the level rises', async () => {
  const low = Math.min(90, Math.ceil(await levelOf('Bore buffer')) + 3);
  const { page, faults } = await openPage(browser, headrace.url, { size: PHONE, touch: true });
  await signIn(page);
  await page.goto(`/dashboard?farm=${farmUID}`);
  await page.getByRole('list').getByRole('link', { name: 'Bore buffer', exact: true }).first().click();
  const dialog = page.getByRole('dialog', { name: /Bore buffer/ });
  await dialog.getByRole('tab', { name: /^Pump/ }).click();
  await moveTo(page, 'High setpoint, %', Math.min(100, low + 6));
  await moveTo(page, 'Low setpoint, %', low);
  const pending = dialog.getByText('Pending Configuration Update').first();
  // Looked for before it is sent: a quick unit confirms soon.
  await Promise.all([pending.waitFor(), dialog.getByRole('button', { name: 'Update' }).click()]);
  await pending.waitFor({ state: 'hidden', timeout: 60_000 });
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  const line = page.getByRole('listitem').filter({ hasText: 'Bore buffer' });
  await line.getByText('Pump running').first().waitFor({ timeout: 60_000 });
  const before = await levelOf('Bore buffer');
  await expect
    .poll(() => levelOf('Bore buffer'), { timeout: 120_000, interval: 2000 })
    .toBeGreaterThan(before);
  expect((await tankNamed('Bore buffer'))?.pumpControl).toMatchObject({ lowSetpoint: low, relayState: true });
  expect(faults).toEqual([]);
}, 300_000);

it('an output that fills a full tank can not be turned on by hand, neither here nor past the page', async () => {
  await levelOf('House');
  const house = await tankNamed('House');
  // As much as is in it now is called full.
  const settings = { offset: 500, height: 3000, toplevel: 600, volume: 25_000 };
  await owner.send('POST /sensor/settingsupdate', { sensorUid: house?._id ?? '', settings });
  await expect.poll(() => levelOf('House')).toBe(100);
  const monitor = await owner.get('GET /gateway/monitor', { farmUID });
  if (!monitor) throw new Error('The demo farm has no inputs and relays');
  const relay6 = { title: 'House pump', binding: house?._id ?? '', maxOnTime: 20 };
  await owner.send('POST /gateway/iosettings', {
    farmUID,
    mac: monitor.mac,
    ioSettings: { ...monitor.ioSettings, relay6 },
  });

  const { page } = await openPage(browser, headrace.url);
  await signIn(page);
  await page.goto(`/dashboard?farm=${farmUID}`);
  // Without its gateway it can't be pressed, and nothing waits for that.
  await page.getByRole('switch', { name: 'House pump', disabled: false }).press('Space');
  const dialog = page.getByRole('dialog', { name: 'Turn House pump on?' });
  await dialog.getByText('This ouput is bound to a sensor!').waitFor();
  await dialog.getByText(FULL).waitFor();
  expect(await dialog.getByRole('button', { name: 'Turn on' }).count()).toBe(0);
  await expect(
    owner.send('POST /commands/send', {
      farmUID,
      type: commandTypes.ToggleIO,
      mac: monitor.mac,
      payload: { relay: 6, set: true },
    }),
  ).rejects.toThrow(FULL);
}, 180_000);
