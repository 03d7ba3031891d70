import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../apps/server/src/testing/free-port.ts';
import { type Client, signInByApi } from './support/api.ts';
import { DESKTOP, launchBrowser, openPage, PHONE } from './support/browser.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';
import { type Mailbox, startMailbox } from './support/mailbox.ts';

type Mail = Awaited<ReturnType<Mailbox['take']>>;

const owner = { name: 'Ngaire O’Neill', email: 'ngaire@example.com', password: 'wide river stones' };
const agent = { name: 'Sam Tau', email: 'sam@example.com', password: 'quiet winter paddock' };
const NEW_PASSWORD = 'another dry summer';
/** Markup, quotes, an emoji of several code points, and right to left; as long as a name may be. */
const FARM = `<b>Ngā "Wai"</b> & O'Neill 👩🏽‍🌾 משק מים <img src=x> %0D x`;

let mailbox: Mailbox;
let headrace: Headrace;
let browser: Browser;
let ownerPage: Page;
let agentPage: Page;
/** Of the farm, as parts of the map's width and height, and what is said then. */
const corners = [
  [0.3, 0.3, '1 point'],
  [0.6, 0.3, '2 points'],
  [0.6, 0.7, '3 points'],
  [0.3, 0.7, '4 points'],
] as const;
const faults: string[][] = [];
let farm: string;

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
  ownerPage = await open(DESKTOP);
  agentPage = await open(PHONE);
});

afterAll(async () => {
  await browser?.close();
  await headrace?.stop();
  await mailbox?.stop();
});

// What follows a step that failed would only wait in vain.
let isBroken = false;
beforeEach(({ skip }) => skip(isBroken));
afterEach(({ task }) => {
  isBroken ||= task.result?.state === 'fail';
});

async function open(size: typeof DESKTOP): Promise<Page> {
  const opened = await openPage(browser, headrace.url, { size });
  faults.push(opened.faults);
  return opened.page;
}

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page | Locator, name: string) => page.getByLabel(new RegExp(`^${name}( \\*)?$`));
const flip = (page: Page, name: string) => page.getByRole('switch', { name }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

/** Follows a mail's button as it stands in the mail. */
async function follow(page: Page, mail: Mail, link: string): Promise<void> {
  await page.goto('about:blank');
  await page.setContent(mail.html ?? '');
  await page.getByRole('link', { name: link, exact: true }).click();
}

async function acceptTerms(page: Page): Promise<void> {
  await flip(page, 'I accept the Terms of Use');
  await button(page, 'Next').click();
}

async function fillPerson(page: Page, person: typeof owner): Promise<void> {
  await field(page, 'Name').fill(person.name);
  await field(page, 'E-mail').fill(person.email);
  await field(page, 'Country code').selectOption('64');
  await field(page, 'Mobile').fill('021 555 0123');
  await field(page, 'Password').fill(person.password);
  await field(page, 'Confirm password').fill(person.password);
}

describe('an owner', () => {
  const step = () => ownerPage.getByRole('list', { name: 'Steps' }).locator('[aria-current=step]');
  const map = () => ownerPage.getByRole('application').and(ownerPage.locator('[aria-busy=false]'));

  it('accepts the terms and says who they are', async () => {
    await ownerPage.goto('/register/account-type');
    await ownerPage.getByRole('link', { name: /^Farm Owner/ }).click();
    await acceptTerms(ownerPage);
    await fillPerson(ownerPage, owner);
    await button(ownerPage, 'Next').click();
    await heading(ownerPage, 'Farm Details').waitFor();
  });

  it('is led to the farm’s name and road, its pin and its boundary', async () => {
    await step().getByText('Name and address').waitFor();
    await field(ownerPage, 'Farm name').pressSequentially(FARM);
    expect(await field(ownerPage, 'Farm name').inputValue()).toBe(FARM);
    await ownerPage
      .getByRole('combobox', { name: 'Access Road' })
      .pressSequentially('12 Race Road, Ashburton');
    await ownerPage
      .getByRole('option', { name: /^12 Race Road, Ashburton/ })
      .first()
      .click();
    await step().getByText('Boundary').waitFor();
    await drawFarm();
    await step().getByText('Create').waitFor();
  });

  async function drawFarm(): Promise<void> {
    await ownerPage.getByText('Tap the corners of the farm, one after the other.', { exact: true }).waitFor();
    const { width, height } = (await map().boundingBox()) ?? { width: 0, height: 0 };
    const tap = (x: number, y: number) => map().click({ position: { x: width * x, y: height * y } });
    const modes = ownerPage.getByRole('radiogroup', { name: 'What the map changes' });
    const latitude = await field(ownerPage, 'Latitude').inputValue();
    await modes.getByText('Pin').click();
    await tap(0.45, 0.6);
    await expect
      .poll(() => field(ownerPage, 'Latitude').inputValue(), { timeout: 20_000 })
      .not.toBe(latitude);
    await modes.getByText('Drawable').click();
    for (const [x, y, points] of corners) {
      await tap(x, y);
      await ownerPage.getByText(new RegExp(`^[^·]*· ${points}$`)).waitFor();
    }
    await button(ownerPage, 'Finish').click();
  }

  it('is signed in with the new account, and sees the farm under the name as it was typed', async () => {
    await button(ownerPage, 'Create Account').click();
    await button(ownerPage.getByRole('dialog', { name: 'Account created' }), 'Continue').click();
    await ownerPage.getByRole('article', { name: FARM, exact: true }).waitFor();
    const { get } = await signInByApi(headrace.url, owner);
    const farms = await get('GET /farms-card');
    expect(farms.map(({ name }) => name)).toEqual([FARM]);
    farm = farms[0]?._id ?? '';
  });

  it('confirms the address by the mailed link', async () => {
    const mail = await mailbox.take(owner.email, 'Please confirm your e-mail address');
    await follow(ownerPage, mail, 'Confirm my address');
    await ownerPage.getByText('Thank you: your e-mail address is confirmed.').waitFor();
  });

  it('shares the farm with somebody new, as a guest with one right more', async () => {
    await ownerPage.goto('/invitations');
    await ownerPage.getByRole('link', { name: 'Share a farm' }).click();
    await ownerPage.getByRole('checkbox', { name: FARM }).check();
    await button(ownerPage, 'Next').click();
    await button(ownerPage, 'New contact').click();
    const contact = ownerPage.getByRole('dialog', { name: 'New contact' });
    await field(contact, 'Name').fill(agent.name);
    await field(contact, 'E-mail').fill(agent.email);
    await button(contact, 'Add').click();
    await button(ownerPage, 'Next').click();
    await ownerPage.getByRole('radio', { name: 'Guest' }).check();
    await flip(ownerPage, 'Choose who is in a group');
    await button(ownerPage, 'Send').click();
    await heading(ownerPage, 'Invitation sent').waitFor();
  });
});

describe('the invited agent', () => {
  it('gets a mail that names the farm as it was typed', async () => {
    const mail = await mailbox.take(agent.email, 'invites you');
    expect(mail.subject).toBe(`${owner.name} invites you to the farm ${FARM}`);
    expect(mail.text).toContain(`invites you to the farm ${FARM} on Headrace`);
    await agentPage.setContent(mail.html ?? '');
    expect(await agentPage.locator('body').innerText()).toContain(
      `invites you to the farm ${FARM} on Headrace`,
    );
    expect(await agentPage.locator('img').count()).toBe(0);
    await follow(agentPage, mail, 'See the invitation');
    await heading(agentPage, `${owner.name} shares ${FARM} with you`).waitFor();
  });

  it('registers as a delegate and is back at the invitation', async () => {
    await agentPage.getByRole('link', { name: 'Create an agent account' }).click();
    await agentPage.getByRole('link', { name: /^Farm Delegate/ }).click();
    await acceptTerms(agentPage);
    await fillPerson(agentPage, agent);
    await button(agentPage, 'Register').click();
    await button(agentPage.getByRole('dialog', { name: 'Account created' }), 'Continue').click();
    await agentPage.getByText(`Do you want access to ${FARM}?`).waitFor();
  });

  it('accepts, and is on the dashboard of the farm', async () => {
    await button(agentPage, 'Yes').click();
    await heading(agentPage, FARM).waitFor();
    await agentPage.waitForURL(({ pathname }) => pathname === '/dashboard');
  });

  it('may look, and isn’t offered what only the owner may do', async () => {
    await agentPage.goto('/');
    const card = agentPage.getByRole('article', { name: FARM, exact: true });
    await button(card, `Menu of ${FARM}`).click();
    await card.getByRole('menuitem', { name: 'Dashboard' }).waitFor();
    const entries = await card.getByRole('menuitem').allTextContents();
    expect(entries.filter((entry) => /Edit farm|Delete|Reset/.test(entry))).toEqual([]);
    await agentPage.goto(`/farm/${farm}`);
    await agentPage.waitForURL('/403');
  });
});

describe('while the agent’s page is open', () => {
  let byApi: Client;
  beforeAll(async () => {
    byApi = await signInByApi(headrace.url, agent);
    const { send } = await signInByApi(headrace.url, owner);
    await send('POST /group', { farmUID: farm, name: 'River side' });
  });

  const share = () => ownerPage.getByRole('row').filter({ hasText: agent.email });
  const editRights = async (name: string, seen: () => Promise<unknown>) => {
    await ownerPage.goto('/invitations');
    await share().getByText('Accepted').waitFor();
    await share().getByRole('link', { name: 'Edit permissions' }).click();
    await flip(ownerPage, name);
    // What is told at once may be gone a few seconds later.
    await Promise.all([
      seen(),
      ownerPage.getByText('Permissions saved. They hold from now on.').waitFor(),
      button(ownerPage, 'Save').click(),
    ]);
  };
  /** Gone after a reload. */
  const mark = () => agentPage.evaluate(() => void Reflect.set(globalThis, 'wasHere', true));
  const isMarked = () => agentPage.evaluate(() => Reflect.has(globalThis, 'wasHere'));

  it('what the owner takes away goes from a menu that is open', async () => {
    await agentPage.goto('/?t=g');
    await button(agentPage, 'Menu of River side').click();
    const choose = agentPage.getByRole('menuitem', { name: 'Choose devices in a list' });
    await choose.waitFor();
    await mark();
    await editRights('Choose who is in a group', () =>
      agentPage.getByText(`Your rights on ${FARM} were lowered.`).waitFor(),
    );
    await choose.waitFor({ state: 'detached' });
    expect(await isMarked()).toBe(true);
  });

  it('a page that the owner takes away says that it isn’t allowed', async () => {
    await agentPage.goto('/dashboard');
    await heading(agentPage, FARM).waitFor();
    await mark();
    await editRights('Open the dashboard', () => agentPage.waitForURL('/403'));
    expect(await isMarked()).toBe(true);
  });

  it('a farm that is taken back goes, and every further call for it finds nothing', async () => {
    await agentPage.goto('/');
    const card = agentPage.getByRole('article', { name: FARM, exact: true });
    await card.waitFor();
    await mark();
    expect((await byApi.get('GET /farm', { uid: farm })).name).toBe(FARM);
    await button(share(), `Revoke ${agent.name}`).click();
    await Promise.all([
      agentPage.getByText(`${FARM} is no longer shared with you.`).waitFor(),
      ownerPage.getByText('Invite revoked successfully!').waitFor(),
      button(ownerPage.getByRole('dialog'), 'Revoke').click(),
    ]);
    await expect(byApi.get('GET /farm', { uid: farm })).rejects.toThrow('GET /farm: 204');
    await card.waitFor({ state: 'detached' });
    expect(await isMarked()).toBe(true);
  });

  it('the agent is told by mail of what was changed and ended', async () => {
    expect((await mailbox.take(agent.email, 'was changed')).subject).toContain(FARM);
    expect((await mailbox.take(agent.email, 'has ended')).subject).toContain(FARM);
  });
});

describe('an agent who forgot the password', () => {
  it('sets a new one by the mailed link, and is signed out where it was signed in', async () => {
    const other = await open(PHONE);
    await other.goto('/login');
    await other.getByRole('link', { name: 'Forgot your password?' }).click();
    await heading(other, 'Forgot your password?').waitFor();
    await field(other, 'E-mail').fill(agent.email);
    await button(other, 'Send the link').click();
    await other.getByText('is on its way').waitFor();
    await follow(other, await mailbox.take(agent.email, 'Set a new password'), 'Set a new password');
    await field(other, 'New password').fill(NEW_PASSWORD);
    await field(other, 'Confirm password').fill(NEW_PASSWORD);
    await button(other, 'Set password').click();
    await other.getByText('Your password is changed. Please sign in with it.').waitFor();
    await agentPage.getByRole('heading', { name: 'Sign in' }).waitFor();
    await field(other, 'E-mail').fill(agent.email);
    await field(other, 'Password').fill(NEW_PASSWORD);
    await button(other, 'Sign in').click();
    await heading(other, 'Farms').waitFor();
    await expect(signInByApi(headrace.url, agent)).rejects.toThrow('POST /account/auth: 401');
  });

  it('broke nothing on the way', () => {
    expect(faults.flat()).toEqual([]);
  });
});
