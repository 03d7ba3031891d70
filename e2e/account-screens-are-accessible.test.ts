import { describe, it } from 'vitest';
import { FORBIDDEN_TEXT, NOT_FOUND_TEXT } from '@headrace/contract/texts';
import { demoStage, looks, screensIn } from './support/accessible-screens.ts';
import { AGENT, type Client } from './support/api.ts';
import type { Headrace } from './support/headrace.ts';

/** Of the form that keys have, and nobody's. */
const UNKNOWN_KEY = 'k'.repeat(43);

/** A mailed key, and a share that was accepted. */
let mailedKey: string;
let shareKey: string;

const open = demoStage({}, async (owner, headrace) => {
  const { invites } = await owner.get('GET /invites');
  shareKey = invites.find(({ accepted }) => accepted)?.key ?? '';
  mailedKey = await inviteKey(owner, headrace);
});

/** What `/invite` opens: the key of an invitation's mail. Without a mail server mails wait where the operator reads them. */
async function inviteKey(owner: Client, { url, operatorToken }: Headrace): Promise<string> {
  const contacts = [{ email: 'new.person@example.com', name: 'New Person' }];
  const { invites } = await owner.send('POST /permissions', {
    contacts,
    farms: [],
    isAccountShare: true,
    template: 4,
    permissions: { farms: 1 },
  });
  if (invites.length !== 1) throw new Error('The invitation was not made');
  const headers = { Accept: 'application/json', Authorization: `Bearer ${operatorToken}` };
  const outbox = await fetch(`${url}/operator/outbox`, { headers });
  const [, key] = /\/invite\?key=([\w-]+)/.exec(await outbox.text()) ?? [];
  if (!key) throw new Error('No mail has the key of an invitation');
  return key;
}

describe.each(looks)('in $scheme at $width px axe finds nothing on what everybody sees:', (shape) => {
  const look = screensIn(open, shape, null);
  const faultsOf = (name: string) => look.page.locator(`[name="${name}"][aria-invalid=true]`).waitFor();

  it('the sign-in page, as it is and with its faults shown', async () => {
    await look.button('Sign in').waitFor();
    await look.expectNoFaults();
    await look.button('Sign in').click();
    await look.page.locator('[aria-invalid=true]').first().waitFor();
    await look.expectNoFaults();
  });

  it('the pages of a forgotten password and of mailed links that no longer work', async () => {
    await look.follow('/forgot-password');
    await look.heading('Forgot your password?');
    await look.expectNoFaults();
    await look.follow(`/reset-password?key=${UNKNOWN_KEY}`);
    await look.button('Set password').click();
    await faultsOf('password');
    await look.expectNoFaults();
    await look.follow(`/confirm-email?key=${UNKNOWN_KEY}`);
    await look.page.getByText("This link doesn't work").waitFor();
    await look.expectNoFaults();
  });

  const accept = async (type: 'owner' | 'delegate') => {
    await look.follow(`/register/terms?type=${type}`);
    await look.page.getByRole('switch', { name: 'I accept the Terms of Use' }).check({ force: true });
  };

  it('registration as a farm owner, with its faults shown, and as a delegate', async () => {
    await look.follow('/register/account-type');
    await look.page.getByRole('link', { name: /^Farm Owner/ }).waitFor();
    await look.expectNoFaults();
    await accept('owner');
    await look.expectNoFaults();
    await look.button('Next').click();
    await look.page.getByRole('form', { name: 'Contact' }).waitFor();
    await look.button('Next').click();
    await faultsOf('name');
    await look.expectNoFaults();
    await look.page.getByRole('textbox', { name: 'Name' }).fill('Aroha Reid');
    await look.page.getByRole('textbox', { name: 'E-mail' }).fill('aroha@example.com');
    await look.page.getByLabel('Country code').selectOption('64');
    await look.page.getByLabel('Mobile').fill('211234567');
    await look.page.locator('[name=password]').fill('tractor shed wind');
    await look.page.locator('[name=passwordConfirmation]').fill('tractor shed wind');
    await look.button('Next').click();
    await look.page.getByRole('form', { name: 'Farm Details' }).waitFor();
    await look.map();
    await look.expectNoFaults();
    await accept('delegate');
    await look.button('Next').click();
    await look.page.getByRole('form', { name: 'Farm Delegate' }).waitFor();
    await look.expectNoFaults();
  });

  it('the terms, the privacy policy, an invitation, adding a tank unit, and pages that are not there', async () => {
    const looked: [string, string | RegExp][] = [
      ['/terms-of-use', 'Terms of Use'],
      ['/privacy-policy', 'Privacy Policy'],
      [`/invite?key=${mailedKey}`, /shares all farms with you/],
      [`/invite?key=${UNKNOWN_KEY}`, 'Oops! Something went wrong.'],
      ['/tlm/add', 'Add tank telemetry'],
      ['/nowhere', NOT_FOUND_TEXT],
    ];
    for (const [path, title] of looked) {
      await look.follow(path);
      await look.heading(title);
      await look.expectNoFaults();
    }
  });
});

describe.each(looks)('in $scheme at $width px axe finds nothing on what one sees of oneself:', (shape) => {
  const look = screensIn(open, shape);

  it("one's details, what closing the account asks, and the security page", async () => {
    await look.follow('/account-details');
    await look.page.getByRole('form').waitFor();
    await look.expectNoFaults();
    await look.button(/^Close account/).click();
    await look.page.getByRole('dialog').getByRole('textbox', { name: 'Your password' }).waitFor();
    await look.expectNoFaults();
    await look.follow('/security');
    await look.button('Sign out everywhere but here').waitFor();
    await look.button('Set up an authenticator app…').waitFor();
    await look.expectNoFaults();
    await look.button('Set up an authenticator app…').click();
    await look.page
      .getByRole('dialog')
      .getByLabel(/^Your password/)
      .fill('headrace');
    await look.button('Go on').click();
    await look.page.getByRole('img', { name: 'QR code of the key below' }).waitFor();
    await look.expectNoFaults();
  });

  it('the shares of an owner, their log, and what revoking one asks', async () => {
    await look.follow('/invitations?tab=log');
    await look.page.getByRole('list', { name: 'Access log' }).waitFor();
    await look.expectNoFaults();
    await look.follow('/invitations');
    await look
      .button(/^Revoke/)
      .first()
      .click();
    await look.page.getByRole('dialog', { name: 'Revoke this access?' }).waitFor();
    await look.expectNoFaults();
    await look.page.keyboard.press('Escape');
    await look.page.getByRole('dialog').waitFor({ state: 'hidden' });
    await look.page.getByText(/^\d of \d (people have|person has) set it up$/).click();
    await look.expectNoFaults();
    await look.page.getByRole('switch', { name: 'Require two-step sign-in' }).click();
    await look.page.getByRole('dialog', { name: 'Require two-step sign-in?' }).waitFor();
    await look.expectNoFaults();
    await look.button('Cancel').click();
  });

  it('the steps of sharing, and the permissions of a share', async () => {
    await look.follow('/invitations/share/select');
    await look.page.getByRole('checkbox').nth(1).check();
    await look.expectNoFaults();
    await look.button('Next').click();
    // The farms of the step before have boxes, too.
    await look.button('New contact').waitFor();
    await look.page.getByRole('checkbox').first().check();
    await look.button('New contact').click();
    await look.page.getByRole('dialog', { name: 'New contact' }).getByLabel('Name').waitFor();
    await look.expectNoFaults();
    await look.page.keyboard.press('Escape');
    await look.page.getByRole('dialog').waitFor({ state: 'hidden' });
    await look.expectNoFaults();
    await look.button('Next').click();
    await look.page.getByRole('checkbox', { name: 'Read Farm' }).waitFor();
    await look.expectNoFaults();
    await look.follow(`/invitations/permissions/${shareKey}`);
    await look.page.getByRole('checkbox', { name: 'Delete Farm' }).check();
    await look.expectNoFaults();
  });

  it.each([
    ['list', 'Settings'],
    ['general', 'General'],
    ['farm-cards', 'Home/Farm Cards'],
    ['stress-bands', 'Soil Moisture Stress Bands'],
    ['dashboard', 'Dashboard Card Order & Visibility'],
    ['alerts', 'Alerts'],
  ])('the settings, %s', async (name, title) => {
    await look.follow(`/?settings=${name}`);
    const dialog = look.page.getByRole('dialog', { name: title });
    await dialog.getByRole('button').nth(1).waitFor();
    await look.settled(dialog);
    await look.expectNoFaults();
  });

  it('the page of a right that one does not have', async () => {
    await look.follow('/403');
    await look.heading(FORBIDDEN_TEXT);
    await look.expectNoFaults();
  });
});

describe.each(looks)('in $scheme at $width px axe finds nothing on what an agent sees:', (shape) => {
  const look = screensIn(open, shape, AGENT);

  it('what they have been given', async () => {
    await look.follow('/invitations');
    await look
      .button(/^Give up/)
      .first()
      .waitFor();
    await look.expectNoFaults();
  });
});
