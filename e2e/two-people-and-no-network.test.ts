import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import { type Client, signInByApi } from './support/api.ts';
import { launchBrowser, openPage, PHONE } from './support/browser.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';
import { signIn } from './support/sign-in.ts';

let headrace: Headrace;
let browser: Browser;
let owner: Client;
let farmUID: string;
let unit: { readonly id: string; readonly name: string; readonly mac: string };

beforeAll(async () => {
  [headrace, browser] = await Promise.all([
    startHeadrace({ historyDays: 1, unitDelayMs: 80 }),
    launchBrowser(),
  ]);
  owner = await signInByApi(headrace.url);
  farmUID = (await owner.get('GET /farms-card')).find(({ name }) => name === 'Waihao Flats')?._id ?? '';
  const { ipcs } = await owner.get('GET /group/info', { farmUID, name: 'FARM' });
  const found = ipcs.find(
    ({ outOfService, isSpareUnit, isInhibited }) => !outOfService && !isSpareUnit && !isInhibited,
  );
  if (!found) throw new Error('The demo has no sprinkler in service');
  unit = { id: found.id, name: found.name, mac: found.mac };
});
afterAll(async () => {
  await browser?.close();
  await headrace?.stop();
});

const NO_INTERNET = 'No internet connection.';
const pollsOf = async () =>
  (await owner.get('GET /commands', { farmUID })).commands.filter(
    ({ type, name }) => type === commandTypes.Poll && name === unit.name,
  ).length;
const templatesNamed = async (wanted: string) =>
  (await owner.get('GET /schedule-templates', { farmUID })).schedules.filter(({ name }) => name === wanted)
    .length;

/** The next call of this kind reaches the server, and its answer gets lost; how many of them were made. */
async function loseAnswer(page: Page, path: string, type?: number): Promise<() => number> {
  let calls = 0;
  await page.route(`**/v1${path}`, async (route) => {
    const request = route.request();
    const isMeant =
      request.method() === 'POST' && (type === undefined || request.postDataJSON().type === type);
    if (!isMeant || (calls += 1) > 1) return route.continue();
    await route.fetch();
    return route.abort('connectionreset');
  });
  return () => calls;
}

describe('without a network', () => {
  it('a sprinkler’s dialog says so and sends nothing; with one again it sends a command once, also where the answer is lost', async () => {
    const { page } = await openPage(browser, headrace.url, { size: PHONE, touch: true });
    await signIn(page);
    await page.goto(`/group-status/FARM?farm=${farmUID}&ipc=${unit.id}`);
    const dialog = page.getByRole('dialog', { name: new RegExp(unit.name) });
    const poll = dialog.getByRole('button', { name: 'Poll', exact: true });
    await poll.and(page.locator(':not([aria-disabled])')).waitFor();

    await page.context().setOffline(true);
    await page.getByText(NO_INTERNET, { exact: true }).waitFor();
    await poll.and(page.locator('[aria-disabled]')).waitFor();
    const why = dialog
      .getByRole('status')
      .getByText("Poll: There is no connection now. Commands can't go, and none is kept to be sent later.");
    // It can be pressed, and says why it does nothing. On a machine that is busy a tap may last so long that it is a long press, and none.
    await expect
      .poll(async () => {
        await poll.tap({ force: true });
        return why.isVisible();
      })
      .toBe(true);

    await page.context().setOffline(false);
    await page.getByText(NO_INTERNET, { exact: true }).waitFor({ state: 'detached' });
    expect(await pollsOf()).toBe(0);
    await poll.and(page.locator(':not([aria-disabled])')).waitFor();
    const calls = await loseAnswer(page, '/commands/send', commandTypes.Poll);
    await poll.tap();
    // Asked once more under the same name, it is the same command.
    await expect.poll(calls, { timeout: 30_000 }).toBe(2);
    await dialog.getByText(/^Poll: accepted/).waitFor();
    expect(await pollsOf()).toBe(1);
    await page.context().close();
  });

  it('a schedule form keeps what was typed, and saves it once', async () => {
    const { page } = await openPage(browser, headrace.url);
    await signIn(page);
    await page.goto(`/scheduler/new/${farmUID}`);
    const name = page.getByRole('textbox', { name: /^Name/ });
    await name.fill('Kept without a network');
    await page.getByRole('button', { name: 'Choose all 12', exact: true }).click();
    const save = page.getByRole('button', { name: 'Save', exact: true });

    await page.context().setOffline(true);
    await page.getByText(NO_INTERNET, { exact: true }).waitFor();
    await save.click();
    await page.getByText(/What you entered is kept: save again when the connection is back\./).waitFor();
    expect(await name.inputValue()).toBe('Kept without a network');

    await page.context().setOffline(false);
    await page.getByText(NO_INTERNET, { exact: true }).waitFor({ state: 'detached' });
    await loseAnswer(page, '/schedule-template');
    await save.click();
    await page.getByText(/What you entered is kept: save again when the connection is back\./).waitFor();
    await save.click();
    await expect.poll(() => new URL(page.url()).pathname).not.toContain('/new/');
    expect(await templatesNamed('Kept without a network')).toBe(1);
    await page.context().close();
  });
});

describe('two people', () => {
  it('on one sprinkler: the second to save sees both versions, and what the other sends is seen at once', async () => {
    const his = await openPage(browser, headrace.url);
    const hers = await openPage(browser, headrace.url);
    const form = `/irrigation-device/${farmUID}/${unit.id}`;
    for (const { page } of [his, hers]) {
      await signIn(page);
      await page.goto(form);
      await page.getByRole('textbox', { name: /^Description/ }).waitFor();
    }
    await his.page.getByRole('textbox', { name: /^Description/ }).fill('His');
    await hers.page.getByRole('textbox', { name: /^Description/ }).fill('Hers');
    await hers.page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => new URL(hers.page.url()).pathname).not.toBe(form);
    await his.page.getByRole('button', { name: 'Save', exact: true }).click();
    const conflict = his.page.getByRole('dialog', { name: 'Somebody else changed this meanwhile' });
    const field = conflict.getByRole('group', { name: 'Description' });
    await field.getByText('Hers').waitFor();
    await field.getByRole('radio', { name: /^Mine/ }).check();
    await conflict.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => new URL(his.page.url()).pathname).not.toBe(form);

    await his.page.goto(`/group-status/FARM?farm=${farmUID}&ipc=${unit.id}`);
    const dialog = his.page.getByRole('dialog', { name: new RegExp(unit.name) });
    await dialog.getByRole('region', { name: 'Now' }).waitFor();
    await owner.send('POST /commands/send', {
      farmUID,
      type: commandTypes.Inhibit,
      name: unit.name,
      mac: unit.mac,
    });
    await dialog
      .getByText(/^Stop wanted since|inhibited/i)
      .first()
      .waitFor({ timeout: 30_000 });
    await Promise.all([his.page.context().close(), hers.page.context().close()]);
  });

  it('on one schedule: the second to save sees both versions and chooses', async () => {
    const template = (await owner.get('GET /schedule-templates', { farmUID })).schedules.find(
      ({ name }) => name === 'Summer',
    );
    const his = await openPage(browser, headrace.url);
    const hers = await openPage(browser, headrace.url);
    const form = `/scheduler/${farmUID}/${template?._id}`;
    const duration = (page: Page) => page.getByRole('textbox', { name: /^Duration/ });
    for (const { page } of [his, hers]) {
      await signIn(page);
      await page.goto(form);
      await duration(page).waitFor();
    }
    await duration(his.page).fill('25');
    await duration(hers.page).fill('26');
    await hers.page.getByRole('button', { name: 'Save', exact: true }).click();
    const durationNow = async () =>
      (await owner.get('GET /schedule-template', { templateUID: template?._id ?? '' })).settings.duration;
    await expect.poll(durationNow).toBe(26);
    await his.page.getByRole('button', { name: 'Save', exact: true }).click();
    const conflict = his.page.getByRole('dialog', { name: 'Somebody else changed this meanwhile' });
    await conflict.getByText('26').first().waitFor();
    await conflict.getByText('25').first().waitFor();
    expect(await durationNow()).toBe(26);
    await conflict.getByRole('radio', { name: /^Mine/ }).check();
    await conflict.getByRole('button', { name: 'Save' }).click();
    await expect.poll(durationNow).toBe(25);
  });
});
