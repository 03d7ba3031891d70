import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
  const opened = await until('the valve to be open', () => valveOf(owner).catch(() => null), 60_000);
  expect(opened).toMatchObject({ closedAt: null, why: '' });

  await headrace.killServer();
  await new Promise((go) => setTimeout(go, (LIMIT_MINUTES * 60 + 5) * 1000));
  await headrace.restartServer();

  const again = await signInByApi(headrace.url);
  const isClosed = (valve: Awaited<ReturnType<typeof valveOf>> | null) => (valve?.closedAt ? valve : null);
  const closed = await until(
    'the valve to be closed',
    async () => isClosed(await valveOf(again).catch(() => null)),
    90_000,
  );
  // Opened once, and closed when it had to be, also though nobody was there to hear it.
  expect(closed.openedAt).toBe(opened.openedAt);
  expect(closed.why).toBe(`Closed by its own limit of ${LIMIT_MINUTES} min.`);
  const openMs = Date.parse(closed.closedAt ?? '') - Date.parse(closed.openedAt);
  expect(Math.abs(openMs - LIMIT_MINUTES * 60_000)).toBeLessThan(10_000);
  const { units } = await again.get('GET /command', { farmUID: farm._id, commandId });
  expect(units).toMatchObject([{ state: 'done' }]);
  const { page } = await openPage(browser, headrace.url);
  await signIn(page);
  await page.goto(`/commands/${farm._id}?command=${commandId}`);
  const details = page.getByRole('dialog');
  await details.getByText(`own limit of ${LIMIT_MINUTES} min`).first().waitFor();
  expect(await details.getByRole('button', { name: 'Valve Off' }).count()).toBe(0);
}, 400_000);
