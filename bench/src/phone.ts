import { hashPassword } from '@headrace/server/dist/features/accounts/password.js';
import type { Browser, Locator, Page } from 'playwright-core';
import { aPhone, inChromium, signInTo, slowDown, SLOWER } from './in-chromium.ts';
import { median, percentile } from './numbers.ts';
import { record } from './report.ts';
import { addSprinklers } from './sprinkler-farm.ts';
import type { Stand } from './stand.ts';
import { type BenchGateway, buildWorld } from './world.ts';

const SPRINKLERS = 930;
const OPENINGS = 20;
const [EMAIL, PASSWORD] = ['phone@bench.test', 'bench-password'];

/** A farm of 930 sprinklers on a slow phone: from a tap on one in the list to its dialog, and on to the next ones. */
export async function benchPhone(stand: Stand): Promise<void> {
  const farm = await buildFarm(stand);
  await inChromium(async (browser) => {
    const page = await openList(browser, stand, farm);
    const [now, all, next] = await openDialogs(page);
    tell('tap → header and Now of a sprinkler’s dialog', now, 100);
    tell('tap → all of it', all, 400);
    tell('tap → the next sprinkler', next, 50);
  });
}

const tell = (what: string, times: readonly number[], target: number) =>
  record({
    what: `${what}, a phone ${SLOWER} times slower`,
    value: `p50 ${median(times).toFixed(0)} worst ${percentile(times, 1).toFixed(0)} ms`,
    target: { text: `p50 at most ${target} ms`, met: median(times) <= target },
  });

async function buildFarm(stand: Stand): Promise<BenchGateway> {
  const [farm] = await buildWorld(stand.sql, {
    farms: 1,
    sensors: 1,
    from: 90_000_000,
    ownerEmail: EMAIL,
    passwordHash: await hashPassword(PASSWORD),
  });
  if (!farm) throw new Error('no farm');
  await addSprinklers(stand.sql, farm, SPRINKLERS);
  return farm;
}

async function openList(browser: Browser, stand: Stand, farm: BenchGateway): Promise<Page> {
  const page = await signInTo(
    stand,
    await browser.newContext({ ...aPhone, locale: 'en-NZ' }),
    EMAIL,
    PASSWORD,
  );
  await page.goto(`${stand.url}/group-status/FARM?farm=${farm.farmUid}`);
  await page.getByRole('button', { name: 'List' }).waitFor();
  await slowDown(page);
  return page;
}

const rows = (page: Page): Locator => page.getByRole('list', { name: 'Devices' }).getByRole('link');

/** Milliseconds of each opening until its header and Now are painted, until all of it is, and of each step to the next one. */
async function openDialogs(page: Page): Promise<[number[], number[], number[]]> {
  const [now, all, next]: [number[], number[], number[]] = [[], [], []];
  // It stays where it is while one after the other is opened.
  await page.getByRole('button', { name: 'List' }).tap();
  await rows(page).first().waitFor();
  for (let opening = 0; opening <= OPENINGS; opening += 1) {
    const opened = await measure(page, () =>
      rows(page)
        .nth(opening % 5)
        .tap(),
    );
    const stepped = await measure(page, () => page.getByRole('button', { name: 'Next sprinkler' }).tap());
    await page.getByRole('button', { name: 'Close dialog' }).tap();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The first one loads the dialog's code.
    if (opening === 0) continue;
    now.push(opened.now);
    all.push(opened.all);
    next.push(stepped.now);
  }
  return [now, all, next];
}

interface Marks {
  /** From the finger's leaving the glass until another sprinkler's header and Now are painted, ms. */
  now: number;
  /** Until nothing of it is still loading. */
  all: number;
}

/** The page looks at itself in each frame: a driver's own looking is slower than what it looks for. */
const WATCH = `globalThis.watched = new Promise((seen) => {
  const dialog = () => document.querySelector('[role=dialog]');
  const title = () => dialog()?.querySelector('h2')?.textContent;
  const before = title();
  addEventListener('pointerup', ({ timeStamp }) => {
    let now = null;
    const look = () => {
      if (now === null && title() !== before && dialog()?.querySelector('[aria-label=Now]')) now = performance.now() - timeStamp;
      const isAll = now !== null && dialog().querySelector('[role=tabpanel]') && !dialog().querySelector('[class*=skeleton]');
      if (isAll) seen({ now, all: performance.now() - timeStamp });
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(() => requestAnimationFrame(look));
  }, { capture: true, once: true });
})`;

async function measure(page: Page, tap: () => Promise<void>): Promise<Marks> {
  await page.evaluate(`${WATCH}; 0`);
  await tap();
  return page.evaluate<Marks>('watched');
}
