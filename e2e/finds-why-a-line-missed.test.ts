import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signInByApi } from './support/api.ts';
import { launchBrowser, openPage, PHONE } from './support/browser.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';
import { until } from './support/processes.ts';
import { signIn } from './support/sign-in.ts';

let headrace: Headrace;
let browser: Browser;
beforeAll(async () => {
  [headrace, browser] = await Promise.all([startHeadrace({ historyDays: 3 }), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await headrace?.stop();
});

it('who sees in the morning that a line was not watered whole finds in two taps which sprinkler it was, and why', async () => {
  const owner = await signInByApi(headrace.url);
  const farm = (await owner.get('GET /farms-card')).find(({ name }) => name === 'Rakaia Downs');
  const farmUID = farm?._id ?? '';
  // The history of the night comes in after what is so now.
  await until(
    'the last watering to be told',
    async () => {
      const { counts } = await owner.get('GET /irr-diary-logs/last', { farmUID });
      return counts.watered > 30 && counts.missed > 0;
    },
    60_000,
  );
  const { page } = await openPage(browser, headrace.url, { size: PHONE, touch: true });
  await signIn(page);
  await page.goto(`/dashboard?farm=${farmUID}`);
  await page.getByRole('link', { name: /\d+ of \d+ watered; .*missed/ }).tap();
  const troubles = page.getByRole('list', { name: 'Not as planned in the last watering' });
  const stuck = troubles.getByRole('listitem').filter({ hasText: 'D06' });
  await stuck.getByText('Missed').waitFor();
  expect(await stuck.textContent()).toContain('Line D');
  expect(await stuck.textContent()).toMatch(/No reason known|said closed/i);
  await stuck.getByRole('link', { name: 'D06' }).tap();
  const dialog = page.getByRole('dialog', { name: /D06/ });
  await dialog.getByRole('tab', { name: 'History', selected: true }).waitFor({ timeout: 60_000 });
}, 180_000);
