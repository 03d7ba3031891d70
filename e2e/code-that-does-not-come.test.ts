import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signInByApi } from './support/api.ts';
import { launchBrowser, openPage } from './support/browser.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';
import { signIn } from './support/sign-in.ts';

let headrace: Headrace;
let browser: Browser;
let farmUID: string;
beforeAll(async () => {
  [headrace, browser] = await Promise.all([startHeadrace({ historyDays: 1 }), launchBrowser()]);
  const owner = await signInByApi(headrace.url);
  farmUID = (await owner.get('GET /farms-card')).find(({ name }) => name === 'Waihao Flats')?._id ?? '';
});
afterAll(async () => {
  await browser?.close();
  await headrace?.stop();
});

/** Code and style sheet of this piece don't come until the returned function is called. */
async function withhold(page: Page, piece: string): Promise<() => Promise<void>> {
  const files = new RegExp(`/${piece}-[\\w-]{8}\\.(js|css)$`);
  await page.route(files, (route) => route.abort());
  return () => page.unroute(files);
}

const firstSprinkler = (page: Page) => page.getByRole('list', { name: 'Devices' }).getByRole('link').first();

it('a sprinkler’s dialog, its battery and a card whose code does not come say so, and come with the next try', async () => {
  const { page } = await openPage(browser, headrace.url);
  await signIn(page);
  const giveDialog = await withhold(page, 'sprinkler-dialog');
  const giveBattery = await withhold(page, 'battery-tab');
  const giveCard = await withhold(page, 'sprinkler-status-card');
  await page.goto(`/group-status/FARM?farm=${farmUID}`);
  await firstSprinkler(page).click();
  await page
    .getByText(/^That couldn't be loaded\./)
    .first()
    .waitFor();
  await expect.poll(() => page.url()).not.toContain('ipc=');
  await giveDialog();
  await firstSprinkler(page).click();
  const dialog = page.getByRole('dialog', { name: /A01/ });
  await dialog.getByRole('tab', { name: 'Battery' }).click();
  await dialog.getByText("The battery's history couldn't be loaded").waitFor();
  // It may come after the tabs.
  await dialog.getByRole('button', { name: 'Poll' }).waitFor();
  await giveBattery();
  await dialog.getByRole('button', { name: 'Retry' }).click();
  const record = dialog.getByRole('button', { name: 'Record Battery Replacement' });
  await record.waitFor();
  // Its style sheet came too: without it the chart would have no height.
  await expect
    .poll(async () => (await dialog.locator('canvas').first().boundingBox())?.height ?? 0)
    .toBeGreaterThan(100);

  await page.goto(`/dashboard?farm=${farmUID}`);
  const card = page.getByRole('region', { name: 'Sprinkler Status' });
  await card.getByText("This part of the app didn't arrive.").waitFor();
  await giveCard();
  await card.getByRole('button', { name: 'Retry' }).click();
  await card.getByRole('list', { name: 'Sprinklers by status' }).waitFor();
}, 240_000);
