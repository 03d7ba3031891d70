import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { NOT_FOUND_TEXT } from '@headrace/contract/texts';
import { type Client, OWNER, signInByApi } from './api.ts';
import { accessFaults } from './axe.ts';
import { DESKTOP, launchBrowser, openPage, type OpenPage, PHONE, type Scheme } from './browser.ts';
import { type Headrace, type HeadraceOptions, startHeadrace } from './headrace.ts';
import { until } from './processes.ts';
import { signIn } from './sign-in.ts';

/** Colours are of the scheme and places of the width: each once finds what all four together do. */
export const looks: { scheme: Scheme; width: number; size: typeof DESKTOP }[] = [
  { scheme: 'light', width: 390, size: PHONE },
  { scheme: 'dark', width: 1440, size: DESKTOP },
];
type Look = (typeof looks)[number];

/** Opens a window of the file's demo. */
type OpenWindow = (look: Look) => Promise<OpenPage>;

/** A demo and a browser for all tests of the file; `prepare` learns what they look at. */
export function demoStage(
  options: HeadraceOptions,
  prepare: (owner: Client, headrace: Headrace) => Promise<void>,
): OpenWindow {
  let headrace: Headrace;
  let browser: Browser;
  beforeAll(async () => {
    [headrace, browser] = await Promise.all([startHeadrace(options), launchBrowser()]);
    await prepare(await signInByApi(headrace.url), headrace);
  });
  afterAll(async () => {
    await browser?.close();
    await headrace?.stop();
  });
  return (look) => openPage(browser, headrace.url, look);
}

/** The farm's tanks, once all of its units have spoken. */
export const speakingTanks = (owner: Client, farmUID: string) =>
  until(
    'levels from the devices',
    async () => {
      const { tanks } = await owner.get('GET /lvl/suminfo', { farmUID });
      return tanks.every(({ level }) => level.value !== null || level.invalid) && tanks;
    },
    120_000,
  );

/** The screens of one look, one after the other in the same window. */
export interface Screens {
  readonly page: Page;
  /** Follows an address within the app, which isn't loaded anew. */
  follow(path: string): Promise<void>;
  /** What axe finds on the page, or only within `part`, a selector: where the page around it was looked at before. */
  expectNoFaults(part?: string): Promise<void>;
  button(name: string | RegExp): Locator;
  heading(name: string | RegExp): Promise<void>;
  /** Once nothing that is seen is on its way any more. */
  settled(within?: Locator): Promise<void>;
  map(): Promise<void>;
}

/**
 * Opens a window before the tests of the `describe` around it, signed in unless `account` is null. What breaks in it fails
 * the test in which it did.
 */
export function screensIn(open: OpenWindow, look: Look, account: typeof OWNER | null = OWNER): Screens {
  let page: Page;
  let faults: string[] = [];
  beforeAll(async () => {
    ({ page, faults } = await open(look));
    await (account ? signIn(page, account) : page.goto('/login'));
  });
  afterEach(() => expect(faults.splice(0)).toEqual([]));
  afterAll(() => page?.context().close());
  const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor();
  return {
    get page() {
      return page;
    },
    async follow(path) {
      // By way of a page with nothing on it: so nothing of the last screen is taken for the next one's.
      await push(page, '/nowhere');
      await heading(NOT_FOUND_TEXT);
      await push(page, path);
    },
    async expectNoFaults(part) {
      // As text: a list is cut short where a run is summed up.
      expect((await accessFaults(page, part)).join('\n'), page.url()).toBe('');
    },
    button: (name) => page.getByRole('button', { name, exact: typeof name === 'string' }),
    heading,
    settled: (within) => {
      const busy = (within ?? page.locator('body')).locator('[aria-busy=true]').filter({ visible: true });
      return busy.first().waitFor({ state: 'detached' });
    },
    map: () => page.locator('.leaflet-container canvas').first().waitFor(),
  };
}

/** As a link of the app does it: its router hears of it. */
const push = (page: Page, path: string) =>
  page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);
