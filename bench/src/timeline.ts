import { hashPassword } from '@headrace/server/dist/features/accounts/password.js';
import type { Browser, Locator, Page } from 'playwright-core';
import { holdAndWater } from './held-farm.ts';
import { aPhone, framesDuring, inChromium, signInTo, slowDown, SLOWER } from './in-chromium.ts';
import { median, percentile } from './numbers.ts';
import { record } from './report.ts';
import { addSprinklers } from './sprinkler-farm.ts';
import type { Stand } from './stand.ts';
import { type BenchGateway, buildWorld } from './world.ts';

const SIZES = [930, 5000] as const;
/** Lines that are opened, of fifty sprinklers each. */
const LINES = 20;
const OPENINGS = 9;
const FRAMES = 50;
const [EMAIL, PASSWORD] = ['timeline@bench.test', 'bench-password'];

/** The timeline of 930 sprinklers in lines of fifty: how soon it is there on a slow phone. Of them, and of 5,000: how evenly it moves on a desktop. */
export async function benchTimelineScreen(stand: Stand): Promise<void> {
  const farms = await buildFarms(stand);
  await inChromium(async (browser) => {
    await onPhone(browser, stand, farms[0]);
    for (const [place, farm] of farms.entries()) await onDesktop(browser, stand, farm, SIZES[place] ?? 0);
  });
}

async function buildFarms(stand: Stand): Promise<[BenchGateway, BenchGateway]> {
  const [small, large] = await buildWorld(stand.sql, {
    farms: SIZES.length,
    sensors: 1,
    from: 97_000_000,
    ownerEmail: EMAIL,
    passwordHash: await hashPassword(PASSWORD),
  });
  if (!small || !large) throw new Error('no farms');
  for (const [farm, count] of [
    [small, SIZES[0]],
    [large, SIZES[1]],
  ] as const) {
    await addSprinklers(stand.sql, farm, count);
    await holdAndWater(stand.sql, farm.farmId);
  }
  return [small, large];
}

const pathOf = (farm: BenchGateway) => `/schedules/view/${farm.farmUid}`;

async function onPhone(browser: Browser, stand: Stand, farm: BenchGateway): Promise<void> {
  const page = await signInTo(
    stand,
    await browser.newContext({ ...aPhone, locale: 'en-NZ' }),
    EMAIL,
    PASSWORD,
  );
  await page.goto(`${stand.url}${pathOf(farm)}`);
  await page.getByRole('heading', { name: 'Now', exact: true }).waitFor();
  await slowDown(page);
  const [within, byAddress]: [number[], number[]] = [[], []];
  for (let opening = 0; opening < OPENINGS; opening += 1) {
    await page.goto(`${stand.url}/`);
    await page.getByRole('heading', { name: 'Farms', level: 1 }).waitFor();
    await page.waitForTimeout(2500);
    const goThere = `performance.now(); history.pushState({}, '', '${pathOf(farm)}')`;
    within.push(await page.evaluate<number>(painted(goThere)));
    await page.goto(`${stand.url}${pathOf(farm)}`, { waitUntil: 'commit' });
    byAddress.push(await page.evaluate<number>(painted('0')));
  }
  tell('timeline, opened within the app', within, 1000);
  tell('timeline, opened by its address', byAddress);
}

/** Until what waters now, what comes next and the day are painted, ms from `start` on. */
const painted = (start: string) => `new Promise((seen) => {
  const start = ${start};
  const look = () => {
    if (!document.getElementById('agenda-now')) requestAnimationFrame(look);
    else requestAnimationFrame(() => setTimeout(() => seen(performance.now() - start)));
  };
  look();
})`;

const tell = (what: string, times: readonly number[], most?: number) =>
  record({
    what: `${what}, a phone ${SLOWER} times slower`,
    value: `p50 ${median(times).toFixed(0)} worst ${percentile(times, 1).toFixed(0)} ms`,
    ...(most !== undefined && { target: { text: `p50 at most ${most} ms`, met: median(times) <= most } }),
  });

async function onDesktop(
  browser: Browser,
  stand: Stand,
  farm: BenchGateway,
  sprinklers: number,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-NZ' });
  const page = await signInTo(stand, context, EMAIL, PASSWORD);
  await page.goto(`${stand.url}${pathOf(farm)}?hours=168`);
  const rows = await openLines(page);
  const move = (what: string, act: () => Promise<void>) =>
    measureMove(page, `timeline of ${sprinklers}, ${what}`, act);
  await move(`scrolling ${rows} rows of a week`, () => scroll(page));
  const steps = ['Later', 'Later', 'Earlier', 'Earlier'].map((name) =>
    page.getByRole('button', { name, exact: true }),
  );
  await move('going to other weeks', () => press(page, steps));
  const spans = ['24 h', '48 h', '7 days'].map((name) => page.getByRole('radiogroup').getByText(name));
  await move('zooming to a day, two days, a week', () => press(page, spans));
  await context.close();
}

const lines = (page: Page) => page.getByRole('list', { name: 'Lines' });

/** From the last in sight to the first, so that the others stay where they are. Each is a call of its own, and a busy machine takes long for them. */
async function openLines(page: Page): Promise<string | null> {
  const closed = lines(page).locator('button[aria-expanded=false]');
  await closed.first().waitFor();
  for (let opened = 0; opened < LINES && (await closed.count()) > 0; opened += 1) await closed.last().click();
  const loading = lines(page).getByText('Loading its sprinklers…').first();
  await loading.waitFor({ state: 'detached', timeout: 120_000 });
  return lines(page).locator('[aria-setsize]').first().getAttribute('aria-setsize');
}

async function scroll(page: Page): Promise<void> {
  await lines(page).hover();
  for (let step = 0; step < 160; step += 1) {
    await page.mouse.wheel(0, step < 100 ? 110 : -180);
    await page.waitForTimeout(16);
  }
}

async function press(page: Page, ways: readonly Locator[]): Promise<void> {
  for (const way of ways) {
    await way.click();
    await page.waitForTimeout(600);
  }
}

async function measureMove(page: Page, what: string, act: () => Promise<void>): Promise<void> {
  const { perSecond, longest } = await framesDuring(page, act);
  record({
    what,
    value: `${perSecond.toFixed(0)}/s, longest ${longest.toFixed(0)} ms`,
    target: { text: `at least ${FRAMES} frames a second`, met: perSecond >= FRAMES },
  });
}
