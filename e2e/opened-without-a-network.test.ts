import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signInByApi } from './support/api.ts';
import { launchBrowser, openPage, PHONE } from './support/browser.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';
import { signIn } from './support/sign-in.ts';

let headrace: Headrace;
let browser: Browser;
let farmUID: string;
/** When the server last heard of the farm; null: never. */
let lastContact: () => Promise<string | null>;
beforeAll(async () => {
  [headrace, browser] = await Promise.all([startHeadrace({ historyDays: 1 }), launchBrowser()]);
  const owner = await signInByApi(headrace.url);
  farmUID = (await owner.get('GET /farms-card')).find(({ name }) => name === 'Rakaia Downs')?._id ?? '';
  lastContact = async () =>
    (await owner.get('GET /farms-summary')).farms.find((farm) => farm.farmUID === farmUID)?.lastContact ??
    null;
});
afterAll(async () => {
  await browser?.close();
  await headrace?.stop();
});

it('opened with no network after earlier visits: the farms and a dashboard as last known, with their ages', async () => {
  // The first summary that a page gets is kept, later ones by the minute: it is to have what is asked for below.
  await expect.poll(lastContact, { timeout: 60_000 }).not.toBeNull();
  const { page } = await openPage(browser, headrace.url, { size: PHONE, touch: true, workers: 'allow' });
  await signIn(page);
  const worker = () =>
    page.evaluate('navigator.serviceWorker.getRegistration().then((found) => found?.active?.state ?? null)');
  // It keeps some hundred files, beside a demo that is filling up.
  await expect.poll(worker, { timeout: 240_000 }).toBe('activated');
  const home = page.getByRole('article', { name: 'Rakaia Downs' });
  await home.getByText(/^Last contact/).waitFor();
  // What was seen is kept some seconds later.
  await expect.poll(() => keptQueries(page), { timeout: 30_000 }).toContain('farms-summary');
  await page.goto(`/dashboard?farm=${farmUID}`);
  const house = page.getByRole('list').getByRole('link', { name: 'House', exact: true }).first();
  await house.waitFor({ timeout: 60_000 });
  await expect.poll(() => keptQueries(page), { timeout: 30_000 }).toContain('tanks');

  await page.context().setOffline(true);
  await page.goto(`/dashboard?farm=${farmUID}`);
  await page.getByText('No internet connection.', { exact: true }).waitFor();
  await page.getByText(/Shown as of \d\d:\d\d/).waitFor();
  await house.waitFor();
  await page.goto('/');
  await home.getByText(/^Last contact/).waitFor();
  await expect.poll(() => home.textContent()).not.toContain("isn't known");
}, 480_000);

/** Names of the queries that lie in the browser, as one text. */
const keptQueries = (page: Page) =>
  page.evaluate(`new Promise((done, failed) => {
    const open = indexedDB.open('headrace-last-known');
    open.onerror = failed;
    open.onsuccess = () => {
      const keys = open.result.transaction('queries').objectStore('queries').getAllKeys();
      keys.onerror = failed;
      keys.onsuccess = () => {
        open.result.close();
        done(keys.result.join(' '));
      };
    };
  })`);
