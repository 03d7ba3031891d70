import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import { type Client, signInByApi } from './support/api.ts';
import { launchBrowser, openPage } from './support/browser.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';
import { signIn } from './support/sign-in.ts';

let headrace: Headrace;
let browser: Browser;
let owner: Client;
const farms: Record<string, string> = {};
beforeAll(async () => {
  [headrace, browser] = await Promise.all([startHeadrace({ historyDays: 1 }), launchBrowser()]);
  owner = await signInByApi(headrace.url);
  for (const { name, _id } of await owner.get('GET /farms-card')) farms[name] = _id;
});
afterAll(async () => {
  await browser?.close();
  await headrace?.stop();
});

/** Resolves when the page has been told that the account's next visit begins on this farm. */
const newsOf = (page: Page, farmUID: string) =>
  new Promise<void>((resolve) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        const text = payload.toString();
        if (text.includes('"type":"settings"') && text.includes(`"currFarm":"${farmUID}"`)) resolve();
      }),
    );
  });
const switched = async (farmUID: string) =>
  (await owner.get('GET /commands', { farmUID })).commands.filter(
    ({ type }) => type === commandTypes.ToggleIO,
  );

it('the wife opens another farm in the office: the husband’s page, his typing and his pump stay where they were', async () => {
  const [rakaia = '', waihao = ''] = [farms['Rakaia Downs'], farms['Waihao Flats']];
  const his = await openPage(browser, headrace.url);
  const hers = await openPage(browser, headrace.url);
  await signIn(his.page);
  await signIn(hers.page);
  const heard = newsOf(his.page, waihao);
  await his.page.goto(`/dashboard?farm=${rakaia}`);
  await his.page.getByRole('button', { name: 'Edit labels' }).click();
  const label = his.page.getByRole('textbox', { name: /^Input 6/ });
  await label.fill('Half typed');

  await hers.page.goto(`/dashboard?farm=${waihao}`);
  await hers.page.getByRole('button', { name: /^Current farm: Waihao Flats/ }).waitFor();
  await heard;

  expect(await label.inputValue()).toBe('Half typed');
  expect(new URL(his.page.url()).searchParams.get('farm')).toBe(rakaia);
  await his.page.getByRole('button', { name: 'Cancel' }).click();
  await his.page.getByRole('button', { name: 'Leave' }).click();
  await his.page.getByRole('dialog').waitFor({ state: 'detached' });
  await his.page.getByRole('button', { name: /^Current farm: Rakaia Downs/ }).waitFor();
  // Without its gateway it can't be pressed, and nothing waits for that.
  const relay = his.page
    .getByRole('region', { name: 'Gateway I/O' })
    .getByRole('switch', { disabled: false })
    .first();
  // No key: the dialog that has just gone gives the focus back a moment later, and that may be between focus and key.
  await relay.dispatchEvent('click');
  await expect.poll(() => switched(rakaia)).toHaveLength(1);
  expect(await switched(waihao)).toHaveLength(0);
  expect([...his.faults, ...hers.faults]).toEqual([]);
});
