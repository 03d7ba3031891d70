import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeShown } from '../apps/server/src/features/accounts/testing/authenticator.ts';
import { freePort } from '../apps/server/src/testing/free-port.ts';
import { accessFaults } from './support/axe.ts';
import { launchBrowser, openPage, PHONE } from './support/browser.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';

const owner = { email: 'owner@headrace.test', password: 'headrace' };
/** An authenticator app shows the next code after so long; a code counts once, and one that is a step ahead is taken. */
const STEP_MS = 30_000;

let headrace: Headrace;
let browser: Browser;
let page: Page;
let faults: string[];
/** Passkeys are made for a name, which 127.0.0.1 is none. */
let url: string;
let secret: string;
let recoveryCodes: string[];

beforeAll(async () => {
  // They are made for the port that is in its settings, too.
  const env = { PORT: String(await freePort()) };
  [headrace, browser] = await Promise.all([startHeadrace({ env }), launchBrowser()]);
  url = headrace.url.replace('127.0.0.1', 'localhost');
  ({ page, faults } = await openPage(browser, url, { size: PHONE, touch: true }));
});

afterAll(async () => {
  await browser?.close();
  await headrace?.stop();
});

const button = (name: string | RegExp, exact = true) => page.getByRole('button', { name, exact });
const field = (name: string) => page.getByLabel(new RegExp(`^${name}( \\*)?$`));
const account = () => button(/^Account of /, false);
/** The header comes first; until the settings are there, too, a slow page may load once more, in the midst of the next one's coming. */
const isIn = () => page.getByRole('heading', { name: 'Farms', level: 1 }).waitFor();
const isNoWider = async () =>
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
/** Nor does axe find anything. */
const isAccessible = async () => expect(await accessFaults(page)).toEqual([]);

async function givePassword(): Promise<void> {
  await page.goto('/login');
  await field('E-mail').fill(owner.email);
  await field('Password').fill(owner.password);
  await button('Sign in').click();
}
async function signOut(): Promise<void> {
  await account().click();
  await button('Sign Out').click();
  await button('Sign in').waitFor();
}
async function proveIn(dialog: string, go: string): Promise<void> {
  const shown = page.getByRole('dialog', { name: dialog });
  await shown.getByLabel(/^Your password/).fill(owner.password);
  await shown.getByRole('button', { name: go, exact: true }).click();
}

describe('on a phone', () => {
  it('an authenticator app is set up by its key, and the recovery codes are shown', async () => {
    await givePassword();
    await isIn();
    await page.goto('/security');
    await button('Set up an authenticator app…').click();
    await proveIn('Set up an authenticator app', 'Go on');
    await page.getByRole('img', { name: 'QR code of the key below' }).waitFor();
    await isNoWider();
    secret = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
    await field('Code that the app shows now').fill(codeShown(secret, Date.now()));
    await button('Turn on').click();
    const list = page.getByRole('list', { name: 'Recovery codes' });
    await list.waitFor();
    recoveryCodes = await list.getByRole('listitem').allTextContents();
    expect(recoveryCodes).toHaveLength(10);
    await isNoWider();
    await isAccessible();
    await button('I have kept them').click();
    await page.getByText('10 are left, for when your phone is lost').waitFor();
    await signOut();
  });

  it('signing in asks for the code after the password', async () => {
    await givePassword();
    await field('Code of your authenticator app').fill(codeShown(secret, Date.now() + STEP_MS));
    await isNoWider();
    await isAccessible();
    const box = await button('Use a recovery code').boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    await button('Sign in').click();
    await isIn();
    await signOut();
  });

  it('a recovery code lets in who has lost the app, once', async () => {
    await givePassword();
    await button('Use a recovery code').click();
    await field('Recovery code').fill(recoveryCodes[0] ?? '');
    await button('Sign in').click();
    await page.getByText('You are signed in. 9 recovery codes are left.').waitFor();
    await signOut();
    await givePassword();
    await button('Use a recovery code').click();
    await field('Recovery code').fill(recoveryCodes[0] ?? '');
    await button('Sign in').click();
    await page.getByText('This is none of your recovery codes, or it was used already.').first().waitFor();
    await field('Recovery code').fill(recoveryCodes[1]?.toLowerCase() ?? '');
    await button('Sign in').click();
    await isIn();
  });

  it('a passkey is added, and signs in without the password', async () => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto('/security');
    await button('Add a passkey…').click();
    const code = page.getByLabel(/^Code of your authenticator app, or a recovery code/);
    await code.fill(recoveryCodes[2] ?? '');
    await isNoWider();
    await isAccessible();
    await proveIn('Add a passkey', 'Go on');
    await page.getByText(/^Passkey of Chrome/).waitFor();
    await signOut();
    await button('Use a passkey').click();
    await isIn();
  });

  it('the app is removed with the password and the passkey, which is left', async () => {
    await page.goto('/security');
    await button('Remove… the authenticator app').click();
    await button('Use a passkey instead').click();
    await isNoWider();
    await proveIn('Remove the authenticator app?', 'Remove');
    await page.getByText('The authenticator app is removed.').waitFor();
    await page.getByText(/^Passkey of Chrome/).waitFor();
    expect(faults).toEqual([]);
  });
});
