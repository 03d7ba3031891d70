import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, signInByApi } from './support/api.ts';
import { launchBrowser, openPage, PHONE } from './support/browser.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';
import { signIn } from './support/sign-in.ts';

/** From signing in to the set that can be sent. */
const PROMISED_MS = 60_000;

let headrace: Headrace;
let browser: Browser;
let page: Page;
let faults: string[];
let owner: Client;
let farm: string;
let night = '';

beforeAll(async () => {
  [headrace, browser] = await Promise.all([startHeadrace(), launchBrowser()]);
  owner = await signInByApi(headrace.url);
  const farms = await owner.get('GET /farms-card');
  farm = farms.find(({ name }) => name === 'Waihao Flats')?._id ?? '';
  ({ page, faults } = await openPage(browser, headrace.url, { size: PHONE, touch: true }));
});
afterAll(async () => {
  await browser?.close();
  await headrace?.stop();
});

const box = (name: string | RegExp) => page.getByRole('textbox', { name });
const tap = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).tap();

it('a template that does not fit the pump and the night is mended as is offered, and a set made of it', async () => {
  const started = performance.now();
  await signIn(page);
  await page.goto(`/scheduler/${farm}`);
  await page.getByRole('link', { name: 'New template' }).first().tap();
  await box(/^Name/).fill('Night');
  await tap('Choose all 12');
  // The pump gives 45 L/s: eleven of the twelve lines at once.
  await page.getByText('300 sprinklers · cycle 1 day · up to 44 L/s').waitFor();
  await box(/^Most flow/).fill('20');
  await tap('Add hours for water');
  await box('Hours for water 1, from').fill('2100');
  await box('Hours for water 1, to').fill('0700');

  // 300 × 28 min with five at a time are 28 h; two nights have 20.
  await page.getByRole('button', { name: "Doesn't fit yet: 1 problem" }).tap();
  await page.getByText(/^The plan does not fit into the limits: .*20 min each fit\.$/).waitFor();
  await tap('20 min each');
  await page.getByText('300 sprinklers · cycle 2 days · up to 20 L/s').waitFor();
  expect(await box(/^Duration/).inputValue()).toBe('20');

  await tap('Save and compute');
  const dialog = page.getByRole('dialog', { name: 'Set Night is made' });
  await dialog.getByText(/^300 sprinklers, cycle 2 days\. Nothing is sent yet/).waitFor();
  await dialog.getByRole('button', { name: 'Not now' }).tap();
  await page.getByText('Night').filter({ visible: true }).first().waitFor();
  const { sets } = await owner.get('GET /schedules/sets', { farmUID: farm });
  const made = sets.find(({ name }) => name === 'Night');
  night = made?._id ?? '';
  expect([made?.figures?.units, made?.settings.cycleLen, made?.isByHand, made?.isCurrent]).toEqual([
    300,
    2880,
    false,
    false,
  ]);

  await page.goto(`/schedules/view/${farm}?tab=table&set=${night}`);
  await page.getByRole('button', { name: '00:00 A01 [20 mins]' }).waitFor();
  expect(faults).toEqual([]);
  const took = performance.now() - started;
  const verdict = took <= PROMISED_MS ? 'as promised' : `promised are ${PROMISED_MS / 1000} s`;
  console.log(`From signing in to the set: ${Math.round(took / 1000)} s, ${verdict}`);
}, 180_000);
