import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../apps/server/src/testing/free-port.ts';
import { signInByApi } from './support/api.ts';
import { launchBrowser, openPage, PHONE } from './support/browser.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';
import { type Mailbox, startMailbox } from './support/mailbox.ts';

const owner = { email: 'mere@example.com', password: 'wide river stones' };
const THIEF = 'thief@example.com';
const NEW_PASSWORD = 'another dry summer';

let mailbox: Mailbox;
let headrace: Headrace;
let browser: Browser;
let page: Page;
const faults: string[][] = [];

beforeAll(async () => {
  const port = String(await freePort());
  mailbox = await startMailbox();
  const env = {
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Headrace <water@example.com>',
  };
  [headrace, browser] = await Promise.all([startHeadrace({ isDemo: false, env }), launchBrowser()]);
  const opened = await openPage(browser, headrace.url, { size: PHONE });
  page = opened.page;
  faults.push(opened.faults);
});

afterAll(async () => {
  await browser?.close();
  await headrace?.stop();
  await mailbox?.stop();
});

const post = async (path: string, body: object, token = '') => {
  const response = await fetch(`${headrace.url}/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: token },
    body: JSON.stringify(body),
  });
  return { status: response.status, reply: (await response.json()) as Record<string, unknown> };
};
const linkIn = (text: string | undefined, path: string) =>
  new RegExp(`http://[^\\s"]+${path}\\?key=([\\w-]{43})`).exec(text ?? '') ?? [];
const field = (name: string) => page.getByLabel(new RegExp(`^${name}( \\*)?$`));
const person = { name: 'Mere Tawhai', mobile: '0211234567', countryCode: 64 };

describe('whoever has the session and the password', () => {
  it('moves the account to another address', async () => {
    const registered = await post('/agent/register', {
      ...person,
      ...owner,
      passwordConfirmation: owner.password,
      acceptedTerms: '06 November 2019',
    });
    expect(registered).toEqual({ status: 200, reply: { success: true } });
    const first = await mailbox.take(owner.email, 'Please confirm your e-mail address');
    await post('/account/confirm-email', { key: linkIn(first.text, '/confirm-email')[1] });
    const { reply } = await post('/account/auth', owner);
    const token = String(reply['token']);
    const details = { ...person, newsletter: false, notes: '', email: THIEF };
    expect((await post('/account/details', details, token)).status).toBe(400);
    expect((await post('/account/details', { ...details, password: owner.password }, token)).status).toBe(
      200,
    );
    const link = await mailbox.take(THIEF, 'Please confirm your new e-mail address');
    const confirmed = await post('/account/confirm-email', { key: linkIn(link.text, '/confirm-email')[1] });
    expect(confirmed.reply).toEqual({ success: true });
    await expect(signInByApi(headrace.url, owner)).rejects.toThrow();
  });
});

describe('its owner, on a phone', () => {
  it('brings the address back by the link of the mail to it', async () => {
    const mail = await mailbox.take(owner.email, 'The e-mail address of your account was changed');
    await page.goto('about:blank');
    await page.setContent(mail.html ?? '');
    await page.getByRole('link', { name: 'Bring this address back', exact: true }).click();
    const button = page.getByRole('button', { name: 'It was not me', exact: true });
    await button.waitFor();
    const box = await button.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await button.click();
    await page.getByText(`${owner.email} is the address of your account.`).waitFor();
  });

  it('sets a new password and signs in with it; the thief is out', async () => {
    await field('New password').fill(NEW_PASSWORD);
    await field('Confirm password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Set password', exact: true }).click();
    await page.getByText('Your password is changed. Please sign in with it.').waitFor();
    await field('E-mail').fill(owner.email);
    await field('Password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: `Account of ${person.name}` }).waitFor();
    const { get } = await signInByApi(headrace.url, { email: owner.email, password: NEW_PASSWORD });
    expect(await get('GET /account/details')).toMatchObject({ email: owner.email, pendingEmail: null });
    expect(faults.flat()).toEqual([]);
  });
});
