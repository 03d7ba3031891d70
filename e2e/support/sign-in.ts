import type { Page } from 'playwright-core';
import { OWNER } from './api.ts';

/** Signs in as a person does, and waits for the farms. */
export async function signIn(page: Page, account = OWNER): Promise<void> {
  await page.goto('/');
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  // Passwords are slow to check on purpose, and slower on a busy machine.
  await page.getByRole('heading', { name: 'Farms', level: 1 }).waitFor({ timeout: 60_000 });
}
