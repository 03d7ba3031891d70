import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OWNER } from './support/api.ts';
import { launchBrowser, openPage } from './support/browser.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';
import { tabTo } from './support/keyboard.ts';

let headrace: Headrace;
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  [headrace, browser] = await Promise.all([startHeadrace({ historyDays: 9 }), launchBrowser()]);
  ({ page, faults } = await openPage(browser, headrace.url));
});

afterAll(async () => {
  await browser?.close();
  await headrace?.stop();
});

const dialog = () => page.getByRole('dialog');
/** The cards of the farm's tanks, without the headlines above them. */
const tanks = () => page.getByRole('region', { name: 'Tank Levels' });
const withLevel = () =>
  tanks()
    .getByRole('article')
    .filter({ hasText: /\d+\s*%/ });
const press = (...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

describe('with the keyboard alone', () => {
  it('signs in with the demo account', async () => {
    await page.goto('/');
    await tabTo(page, page.getByLabel('E-mail'));
    await page.keyboard.type(OWNER.email);
    await tabTo(page, page.getByLabel('Password', { exact: true }));
    await page.keyboard.type(OWNER.password);
    await press('Enter');
    await page.getByRole('article', { name: 'Rakaia Downs' }).waitFor();
    await expect.poll(() => page.getByRole('article').count()).toBe(3);
  });

  it("opens a farm's tanks", async () => {
    const farm = page.getByRole('article', { name: 'Rakaia Downs' });
    await tabTo(page, farm.getByRole('link', { name: 'Dashboard' }));
    await press('Enter');
    await page.getByRole('heading', { name: 'Tank Levels' }).waitFor();
    // Alive: the devices have reported, and every level has its age.
    await withLevel().first().waitFor();
    await page.waitForURL(({ pathname }) => pathname === '/dashboard');
  });

  it('opens a tank', async () => {
    const name = (await withLevel().first().getByRole('heading').getByRole('link').textContent()) ?? '';
    // By its name from here on: others get their levels meanwhile, and another becomes the first.
    await tabTo(page, tanks().getByRole('link', { name, exact: true }));
    await press('Enter');
    await dialog().getByRole('heading', { name }).waitFor();
    await dialog().getByText('Last Contact').waitFor();
    await page.waitForURL(({ searchParams }) => /^[0-9a-f]{24}$/.test(searchParams.get('tank') ?? ''));
  });

  it('changes the period of its level to a week', async () => {
    await tabTo(page, dialog().getByRole('tab', { name: 'Details' }));
    await press('ArrowRight', 'ArrowRight');
    await dialog().getByRole('tab', { name: 'Level', selected: true }).waitFor();
    await tabTo(page, dialog().getByRole('radio', { name: 'Day' }));
    await press('ArrowRight');
    await dialog().getByRole('radio', { name: 'Week', checked: true }).waitFor({ state: 'attached' });
    await dialog().getByText('Lowest').waitFor();
    await page.waitForURL(({ searchParams }) => searchParams.get('period') === 'Week');
  });

  it('closes the tank and is back where it was', async () => {
    await press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await page.waitForURL(({ searchParams }) => !searchParams.has('tank'));
    await tanks().getByRole('article').locator('a:focus').waitFor();
  });

  it('broke nothing on the way', () => {
    expect(faults).toEqual([]);
  });
});

/** How many cards share the first one's row, of how many widths they are, and how many px the grid goes on behind them. */
async function firstRow() {
  const grid = page.getByRole('article').first().locator('..');
  const all = await grid.locator('> *').all();
  const [whole, ...boxes] = await Promise.all([grid, ...all].map((part) => part.boundingBox()));
  const row = boxes.flatMap((box) => (box && box.y === boxes[0]?.y ? [box] : []));
  const last = row.at(-1);
  const left = whole && last ? Math.round(whole.x + whole.width - last.x - last.width) : null;
  return { cards: row.length, widths: new Set(row.map(({ width }) => Math.round(width))).size, left };
}

describe.each([
  ['farms', '/'],
  ['groups', '/?t=g'],
])('cards of %s', (_name, path) => {
  it('stand four, three, two or one in a row, as the width allows', async () => {
    await page.goto(path);
    await page.getByRole('article').nth(2).waitFor();
    for (const [width, cards] of [
      [1440, 4],
      [1100, 3],
      [800, 2],
      [390, 1],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(firstRow, { message: `${width} px` }).toEqual({ cards, widths: 1, left: 0 });
    }
    expect(faults).toEqual([]);
  });
});
