import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import { type Client, signInByApi } from './support/api.ts';
import { launchBrowser, openPage } from './support/browser.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';
import { until } from './support/processes.ts';
import { signIn } from './support/sign-in.ts';

const LIMIT_MINUTES = 1;

let headrace: Headrace;
let browser: Browser;
beforeAll(async () => {
  [headrace, browser] = await Promise.all([startHeadrace({ historyDays: 1 }), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await headrace?.stop();
});

/**
 * A unit that the farm's plan doesn't water now or soon: one that it does stays open beyond the limit. Block 1 is watered
 * from 18:00 to 19:50 and Block 12 from 3:10 to 5:00.
 */
function restingUnit(): string {
  const time = { timeZone: 'Pacific/Auckland', hour: 'numeric', hourCycle: 'h23' } as const;
  const hour = Number(new Intl.DateTimeFormat('en-NZ', time).format(new Date()));
  return hour < 12 ? 'IPC20002' : 'IPC20300';
}

async function openValve(owner: Client, farmUID: string): Promise<string> {
  const body = {
    farmUID,
    type: commandTypes.ValveOn,
    serialNumber: restingUnit(),
    payload: { maxOpenMinutes: LIMIT_MINUTES },
  };
  const { commandId } = await until(
    'the opening to be taken',
    () => owner.send('POST /commands/send', body).catch(() => null),
    60_000,
  );
  return commandId;
}

it('a valve opened just before the server is killed closes by its own limit, and the page says why', async () => {
  const owner = await signInByApi(headrace.url);
  const farm = (await owner.get('GET /farms-card')).find(({ name }) => name === 'Waihao Flats');
  if (!farm) throw new Error('The demo has no such farm');
  const commandId = await openValve(owner, farm._id);
  const valveOf = async (of: Client) =>
    (await of.get('GET /command', { farmUID: farm._id, commandId })).units[0]?.valve ?? undefined;
  await until('the valve to be open', () => valveOf(owner).catch(() => null), 60_000);

  await headrace.killServer();
  await new Promise((go) => setTimeout(go, (LIMIT_MINUTES * 60 + 5) * 1000));
  await headrace.restartServer();

  const again = await signInByApi(headrace.url);
  await until(
    'the valve to be closed',
    async () => (await valveOf(again).catch(() => null))?.closedAt,
    90_000,
  );
  const { page } = await openPage(browser, headrace.url);
  await signIn(page);
  await page.goto(`/commands/${farm._id}?command=${commandId}`);
  await page.getByText(`own limit of ${LIMIT_MINUTES} min`).first().waitFor();
  await page.getByText('Valve On').first().waitFor();
}, 400_000);
