import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const modal = '[role="dialog"][aria-modal="true"]';

/**
 * What axe finds on the page as it stands, or only within `part`, a selector; one line for each element. While a dialog is
 * open only the dialog is judged: nobody can reach what lies behind it, and a field half under the bar of buttons there is
 * no fault.
 */
export async function accessFaults(page: Page, part?: string): Promise<string[]> {
  // Where the last step scrolled to, something may be half under the header, and then too small for a finger.
  if (!part) await page.evaluate('scrollTo(0, 0)');
  await letBarsGo(page);
  // On a busy machine the colours of what has just changed may be a frame behind.
  await page.evaluate(
    'new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))',
  );
  // Loading axe takes as long as many a look: once for each document is enough.
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  const builder = new AxeBuilder({ page, ...(isThere && { axeSource: ';' }) })
    .options({ resultTypes: ['violations'] })
    .withTags(rules)
    // Otherwise it opens a window for the sum of all frames; our pages have none.
    .setLegacyMode();
  const isModal = (await page.locator(modal).count()) > 0;
  if (isModal) builder.include(modal);
  else if (part) builder.include(part);
  const { violations } = await builder.analyze();
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html, any }) =>
      [
        `${id}: ${help}: ${target.join(' ')} ${html.slice(0, 200)}`,
        ...any.map(({ message }) => message),
      ].join(' '),
    ),
  );
}

/** A form's bar of buttons stays at the window's foot, over half of whatever is there; one scrolls that from under it. */
async function letBarsGo(page: Page): Promise<void> {
  await page.evaluate(`for (const element of document.querySelectorAll('form *')) {
    const { position, bottom } = getComputedStyle(element);
    if (position === 'sticky' && bottom !== 'auto') element.style.position = 'static';
  }`);
}
