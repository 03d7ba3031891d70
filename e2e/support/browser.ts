import { rm } from 'node:fs/promises';
import chromiumFromNpm from '@sparticuz/chromium';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumFlags, findChromium } from '../../scripts/chromium.mjs';

/** The system's Chromium, or the one that npm brought. `more`: flags besides ours. */
export function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const found = findChromium();
  return found ? launch(found, more) : launchFromNpm(more);
}

const launch = (executablePath: string, more: readonly string[]) =>
  chromium.launch({ executablePath, args: [...chromiumFlags, ...more] });

/** It is unpacked once and then only looked for: where a run was cut off while unpacking, half a browser is found. */
async function launchFromNpm(more: readonly string[]): Promise<Browser> {
  const unpacked = await chromiumFromNpm.executablePath();
  try {
    return await launch(unpacked, more);
  } catch {
    await rm(unpacked, { force: true });
    return launch(await chromiumFromNpm.executablePath(), more);
  }
}

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };
export type Scheme = 'light' | 'dark';

export interface OpenPage {
  page: Page;
  /** What the page reported as broken: uncaught errors, refused resources, console errors. */
  faults: string[];
}

/** A person's own window, with nothing of others in it. */
export async function openPage(
  browser: Browser,
  baseURL: string,
  {
    size = DESKTOP,
    scheme = 'light',
    touch = false,
    workers = 'block',
  }: { size?: typeof DESKTOP; scheme?: Scheme; touch?: boolean; workers?: 'allow' | 'block' } = {},
): Promise<OpenPage> {
  const context = await browser.newContext({
    baseURL,
    viewport: size,
    hasTouch: touch,
    isMobile: touch,
    colorScheme: scheme,
    locale: 'en-NZ',
    timezoneId: 'Pacific/Auckland',
    reducedMotion: 'reduce',
    serviceWorkers: workers,
  });
  // A machine that builds for others is slow: what comes at all comes within this.
  context.setDefaultTimeout(45_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  return { page, faults };
}
