import type { Locator, Page } from 'playwright-core';

/** Presses Tab until the element has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, target: Locator, most = 80): Promise<void> {
  // A kit may hide the real control behind a drawn one: it is there, and takes the focus.
  await target.first().waitFor({ state: 'attached' });
  for (let presses = 0; presses < most; presses += 1) {
    const isThere = await target
      .first()
      .evaluate((element) => element === element.ownerDocument.activeElement);
    if (isThere) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Not reached with ${most} presses of Tab: ${String(target)}`);
}
