import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const modal = '[role="dialog"][aria-modal="true"]';

/**
 * What axe finds on the page as it stands, one line for each element. While a dialog is open only the dialog is
 * judged: nobody can reach what lies behind it, and a field half under the bar of buttons there is no fault.
 */
export async function accessFaults(page: Page): Promise<string[]> {
  const builder = new AxeBuilder({ page }).withTags(rules);
  if ((await page.locator(modal).count()) > 0) builder.include(modal);
  const { violations } = await builder.analyze();
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')} ${node.html.slice(0, 200)}`),
  );
}
