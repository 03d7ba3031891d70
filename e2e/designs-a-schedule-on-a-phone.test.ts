import { commandTypes } from '@headrace/contract/command-types';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, signInByApi } from './support/api.ts';
import { launchBrowser, openPage, PHONE } from './support/browser.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';
import { until } from './support/processes.ts';
import { sendSchedules } from './support/send-schedules.ts';
import { signIn } from './support/sign-in.ts';

/** From signing in to the set that can be sent. */
const PROMISED_MS = 60_000;

let headrace: Headrace;
let browser: Browser;
let page: Page;
let faults: string[];
let owner: Client;
let farm: string;
let night: string;

beforeAll(async () => {
  [headrace, browser] = await Promise.all([
    startHeadrace({ historyDays: 2, unitDelayMs: 80 }),
    launchBrowser(),
  ]);
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

const standing = async () => {
  const { sets } = await owner.get('GET /schedules/sets', { farmUID: farm });
  return sets.find(({ _id }) => _id === night)?.standing ?? null;
};

/** From the set's menu to the moment from which on it is under way. */
async function send(): Promise<void> {
  await page.goto(`/schedules/${farm}`);
  await tap('Menu of Night');
  await page.getByRole('menuitem', { name: 'Send…' }).tap();
  const dialog = page.getByRole('dialog', { name: /^Send Night/ });
  await sendSchedules({ page, faults }, dialog);
}
/** Of the newest send of schedules. */
const lastState = async () => {
  const { commands } = await owner.get('GET /commands', { farmUID: farm, about: 'schedules' });
  return commands[0]?.state ?? '';
};
const done = async () =>
  Number(await page.getByRole('progressbar', { name: 'Units done' }).getAttribute('aria-valuenow'));

it('is looked at, sent to 300 sprinklers, taken back half-way and sent again', async () => {
  const started = performance.now();
  await page.goto(`/schedules/view/${farm}?set=${night}`);
  // Late in the evening the first blocks of the night are over.
  await page
    .getByRole('listitem', { name: /^Block \d+, .* waterings?, (will|may) run$/ })
    .first()
    .waitFor();
  const plan = {
    farmUID: farm,
    type: commandTypes.SendScheduleSet,
    payload: { setUID: night, groupUID: 'FARM' },
  };
  await until(
    'the gateway with its list',
    () => owner.send('POST /commands/plan', plan).catch(() => false),
    90_000,
  );

  await send();
  await until('the first sprinklers to have it', async () => (await done()) >= 40, 60_000);
  await tap('Cancel command');
  await tap(/^Cancel for \d+ units$/);
  await tap('Go back');
  await until('all to hold what they held before', async () => (await standing()) === null, 60_000);
  await until('the way back to end', async () => !/queued|sent|accepted/.test(await lastState()), 60_000);

  await send();
  const progress = page.getByRole('region', { name: 'How far it is' });
  // Two of the demo's are never heard, and six lie behind a repeater that is down.
  await progress.getByText(/^8 failedE11, K11, O03, O04, O05, O06, O07, O08$/).waitFor({ timeout: 120_000 });
  // One says that it holds another, whatever it answered.
  await until('the others to hold it', async () => ((await standing())?.holding ?? 0) >= 291, 60_000);
  expect(await standing()).toMatchObject({ total: 300, onTheirWay: 0, otherwise: 0 });
  expect(faults).toEqual([]);
  console.log(
    `From the look at it to the second send's end: ${Math.round((performance.now() - started) / 1000)} s`,
  );
}, 400_000);

it('is told the morning after: who missed it, and who was not heard', async () => {
  const farms = await owner.get('GET /farms-card');
  const rakaia = farms.find(({ name }) => name === 'Rakaia Downs')?._id ?? '';
  const days = { start: yesterday(), stop: yesterday() };
  await until(
    'the history of last night',
    async () => {
      const { logs } = await owner.get('GET /irr-diary-logs', { farmUID: rakaia, ...days });
      return logs.some(({ sprinkler, outcome }) => sprinkler === 'D06' && outcome === 'missed');
    },
    90_000,
  );
  await page.goto(`/irr-diary-logs/view/${rakaia}`);
  // Its valve is stuck: it was looked at twice in its turn.
  const missed = page.getByRole('listitem').filter({ hasText: 'D06' }).filter({ hasText: 'Missed' }).first();
  await missed.filter({ hasText: /it said closed at/i }).waitFor();
  expect(await missed.textContent()).toContain('23:20 to 23:48');
  await page.goto(`/schedules/view/${rakaia}?date=${yesterday()}`);
  await page.getByRole('listitem', { name: /^Line A, 21:00 to .* waterings, ran, they said so$/ }).waitFor();
  expect(faults).toEqual([]);
}, 180_000);

/** On the farm's clock. */
function yesterday(): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' });
  return parts.format(Date.now() - 86_400_000);
}
