import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** How files of each kind begin; a CSV with the mark without which spreadsheets misread macrons. */
const BEGINS: Readonly<Record<string, string>> = { pdf: '%PDF-1.7', csv: '\uFEFF', zip: 'PK' };

/** A report may take a minute where the machine is busy; then the server gives up. */
const LONGEST_MS = 75_000;

/** Presses each of these buttons and takes what it gives: the names of the files, each of which is what its name says. */
export async function downloadsOf(page: Page, buttons: readonly Locator[]): Promise<string[]> {
  const names: string[] = [];
  for (const button of buttons) {
    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: LONGEST_MS }),
      button.click(),
    ]);
    const name = download.suggestedFilename();
    const content = readFileSync(await download.path()).toString('utf8');
    const begin = BEGINS[name.split('.').at(-1) ?? ''] ?? 'of no known kind';
    expect([name, content.slice(0, begin.length)]).toEqual([name, begin]);
    expect(content.length, name).toBeGreaterThan(100);
    names.push(name);
  }
  return names;
}

/** The buttons that are named so, by their names of now: while a file is made its button is called otherwise. */
export async function namedButtons(part: Locator, name: RegExp): Promise<Locator[]> {
  const found = await part
    .getByRole('button', { name })
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent ?? ''));
  return found.map((one) => part.getByRole('button', { name: one, exact: true }));
}
