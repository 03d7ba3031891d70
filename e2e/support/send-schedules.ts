import type { Locator } from 'playwright-core';
import type { OpenPage } from './browser.ts';

/** Presses Send in a dialog that asks for it, until it shows how far it is. */
export async function sendSchedules({ page, faults }: OpenPage, dialog: Locator): Promise<Locator> {
  const button = dialog.getByRole('button', { name: 'Send Schedules to Devices', disabled: false });
  const progress = page.getByRole('region', { name: 'How far it is' });
  await button.click();
  // Where the machine is busy its gateway's answer to the ping comes too late: a person presses again then.
  const refused = dialog.getByRole('alert').getByText('Gateway currently unavailable.');
  await progress.or(refused).first().waitFor({ timeout: 60_000 });
  if (await refused.isVisible()) {
    // The browser logs the refusal, which the person was told.
    faults.splice(0);
    await button.click();
    await progress.waitFor({ timeout: 60_000 });
  }
  return progress;
}
