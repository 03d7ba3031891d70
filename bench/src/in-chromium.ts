import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromiumFlags, findChromium } from '../../scripts/chromium.mjs';
import type { Stand } from './stand.ts';

/** How many times slower than this machine a phone's processor is. */
export const SLOWER = 4;

export const aPhone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

export async function inChromium(work: (browser: Browser) => Promise<void>): Promise<void> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('This part needs Chromium: install it, or set CHROMIUM_PATH.');
  const browser = await chromium.launch({ executablePath, args: chromiumFlags });
  try {
    await work(browser);
  } finally {
    await browser.close();
  }
}

/** A page of somebody who has just signed in. */
export async function signInTo(
  { url }: Stand,
  context: BrowserContext,
  email: string,
  password: string,
): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Farms', level: 1 }).waitFor();
  return page;
}

/** From now on the page's processor is a phone's. */
export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
}

interface Frames {
  perSecond: number;
  /** The longest wait for one, ms. */
  longest: number;
}

/** Frames that the page draws while `act` goes on. */
export async function framesDuring(page: Page, act: () => Promise<void>): Promise<Frames> {
  await page.evaluate(`{
    globalThis.ticks = [];
    const tick = (at) => {
      ticks?.push(at);
      if (globalThis.ticks) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }`);
  await act();
  const ticks = await page.evaluate<number[]>('{ const seen = ticks; globalThis.ticks = null; seen }');
  const gaps = ticks.slice(1).map((at, place) => at - (ticks[place] ?? at));
  const ms = gaps.reduce((sum, gap) => sum + gap, 0);
  return { perSecond: (gaps.length * 1000) / ms, longest: Math.max(...gaps) };
}
