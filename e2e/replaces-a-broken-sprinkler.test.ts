import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signInByApi } from './support/api.ts';
import { accessFaults } from './support/axe.ts';
import { launchBrowser, openPage, PHONE } from './support/browser.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';
import { until } from './support/processes.ts';
import { signIn } from './support/sign-in.ts';

let headrace: Headrace;
let browser: Browser;
beforeAll(async () => {
  [headrace, browser] = await Promise.all([startHeadrace({ historyDays: 1 }), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await headrace?.stop();
});

it('a broken sprinkler is replaced by a spare of the farm, on a phone', async () => {
  const owner = await signInByApi(headrace.url);
  const farm = (await owner.get('GET /farms-card')).find(({ name }) => name.endsWith('kaia Downs'));
  if (!farm) throw new Error('The demo has no such farm');
  const query = { farmUID: farm._id };
  const unitsNow = async () => (await owner.get('GET /group/info', { ...query, name: 'FARM' })).ipcs;
  const broken = (await unitsNow()).find(({ name }) => name === 'E10');
  if (!broken) throw new Error('The demo has no E10');
  const spare = await until(
    'a spare to be heard',
    async () =>
      (await owner.get('GET /ipc/spare-units', query)).ipcs.find(({ statusTime }) => statusTime > 0),
    120_000,
  );
  const { page } = await openPage(browser, headrace.url, { size: PHONE });
  await signIn(page);
  await page.goto(`/group-status/FARM?farm=${farm._id}&ipc=${broken.id}`);
  const dialog = page.getByRole('dialog', { name: /E10/ });
  await dialog.getByRole('button', { name: 'More for E10' }).click();
  await dialog
    .getByRole('menuitem', { name: 'Replace…' })
    .and(dialog.locator(':not([aria-disabled])'))
    .click();
  const replace = page.getByRole('dialog', { name: 'Replace unit' });
  const way = replace.getByRole('button', { name: `Replace with ${spare.name}, ${spare.serialNumber}` });
  await way.waitFor();
  expect(await accessFaults(page)).toEqual([]);
  await way.click();
  await page
    .getByRole('dialog', { name: /^spare (not )?ready$/i })
    .getByRole('button', { name: 'Yes' })
    .click();
  await replace.getByText('Replaced', { exact: true }).waitFor({ timeout: 120_000 });
  expect(await accessFaults(page)).toEqual([]);
  const after = await unitsNow();
  expect(after.find(({ name }) => name === 'E10')).toMatchObject({
    serial: spare.serialNumber,
    mac: spare.macAddress,
    outOfService: false,
    lat: broken.lat,
    lng: broken.lng,
  });
  expect(after.find(({ serial }) => serial === broken.serial)).toMatchObject({
    isSpareUnit: true,
    outOfService: true,
    spareStatus: 1,
  });
}, 400_000);
