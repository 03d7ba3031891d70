import { randomBytes } from 'node:crypto';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessFaults } from './support/axe.ts';
import { type Stand, startByHand } from './support/by-hand.ts';
import { launchBrowser, openPage, PHONE } from './support/browser.ts';
import { until } from './support/processes.ts';
import { signIn } from './support/sign-in.ts';

const MINUTE = 60_000;

let stand: Stand;
let browser: Browser;
beforeAll(async () => {
  [stand, browser] = await Promise.all([startByHand(), launchBrowser()]);
  const ways = { sendSms: false, sendPush: true, sendEmail: false, sendAction: true };
  await stand.call('PUT /notification/settings', ways);
  await stand.call('POST /notification/add-device', subscription());
});
afterAll(async () => {
  await browser?.close();
  await stand?.stop();
});

/** A phone with its service worker; `push` brings it a message as its push service does. */
async function openPhone() {
  const { page, faults } = await openPage(browser, stand.url, { size: PHONE, touch: true, workers: 'allow' });
  await page.context().grantPermissions(['notifications'], { origin: stand.url });
  const cdp = await page.context().newCDPSession(page);
  const registrations: string[] = [];
  cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: all }) =>
    registrations.push(...all.map(({ registrationId }) => registrationId)),
  );
  await cdp.send('ServiceWorker.enable');
  await signIn(page, stand.account);
  const state = () =>
    page.evaluate('navigator.serviceWorker.getRegistration().then((found) => found?.active?.state ?? null)');
  await expect.poll(state, { timeout: 60_000 }).toBe('activated');
  const registrationId = await until('the worker to be known', async () => registrations.at(-1));
  return { page, faults, push: (data: string) => push(cdp, registrationId, data) };
}

const push = (cdp: CDPSession, registrationId: string, data: string) =>
  cdp.send('ServiceWorker.deliverPushMessage', { origin: stand.url, registrationId, data });

const subscription = () => ({
  endpoint: `https://fcm.googleapis.com/fcm/send/${randomBytes(8).toString('hex')}`,
  p256dh: Buffer.concat([Buffer.from([4]), randomBytes(64)]).toString('base64url'),
  auth: randomBytes(16).toString('base64url'),
});

/** What stands on the phone's screen. */
const shown = (page: Page) =>
  page.evaluate(`navigator.serviceWorker.ready.then((found) => found.getNotifications()).then((all) =>
    all.map(({ title, body, actions }) => ({ title, body, actions: actions.map(({ title }) => title) })))`) as Promise<
    { title: string; body: string; actions: string[] }[]
  >;

/** Its button: nobody's finger reaches what the system shows, so the worker is told as the system does it, and waited for. */
async function press(page: Page, action: string): Promise<void> {
  const worker = await until('the worker', async () => page.context().serviceWorkers()[0]);
  await worker.evaluate(`self.registration.getNotifications().then(([notification]) => {
    const event = new NotificationEvent('notificationclick', { notification, action: '${action}' });
    // Of an event that isn't the system's nobody may wait.
    let work;
    Object.defineProperty(event, 'waitUntil', { value: (given) => { work = given; } });
    self.dispatchEvent(event);
    return work;
  })`);
}

it('a gateway that dies is an instant message, answered on the phone, seen on the desk, and told as over', async () => {
  const farm = await stand.farm('Totara Terrace');
  const gateway = await farm.gateway('Home shed');
  await farm.watch({ kind: 'OutOfContact', condition: 'longer than', value: null, watch: 'gateway' });
  const phone = await openPhone();
  const desk = await openPage(browser, stand.url);
  await signIn(desk.page, stand.account);
  await desk.page.goto(`/alerts?farm=${farm.uid}`);
  await desk.page.getByText('The alerts that are on have found nothing that needs a person.').waitFor();

  await gateway.goes();
  await stand.pass(16 * MINUTE);
  const [message = ''] = await stand.pushed();
  // On a busy machine Chromium may drop one that comes as the worker begins, without a word; a push service brings it again.
  const brought = async () => {
    const shows = await shown(phone.page);
    if (shows.length === 0) await phone.push(message);
    return shows;
  };
  await expect.poll(brought, { timeout: 30_000, interval: 2000 }).toMatchObject([
    {
      title: expect.stringContaining('Home shed'),
      body: expect.stringMatching(/^Gateway Home shed is offline since \d\d:\d\d\./),
      actions: ["I'm on it", 'Snooze 1 h'],
    },
  ]);
  const open = desk.page.getByRole('list', { name: 'What is so now' });
  await open.getByText(/^Gateway Home shed is offline since/).waitFor();
  const { answer: key } = JSON.parse(message) as { answer: string };
  const link = await openPage(browser, stand.url, { size: PHONE, touch: true });
  await link.page.goto(`/a/${key}`);
  await link.page.getByRole('button', { name: "I'm on it" }).waitFor();
  expect(await accessFaults(link.page)).toEqual([]);
  await link.page.close();
  await press(phone.page, 'answer');
  await open.getByText(/is on it/).waitFor();
  await expect.poll(async () => (await shown(phone.page))[0]?.body, { timeout: 20_000 }).toMatch(/on it/);

  await gateway.comes();
  await stand.pass(MINUTE, 7 * MINUTE);
  await desk.page.getByText('The alerts that are on have found nothing that needs a person.').waitFor();
  await desk.page.getByText('What is over (ended in the last 30 days: 1)').click();
  await desk.page.getByText(/Home shed: it ended at \d\d:\d\d after/).waitFor();
  expect(await stand.pushed()).toEqual([expect.stringContaining('Home shed – over')]);
  expect([...phone.faults, ...desk.faults]).toEqual([]);
}, 240_000);

it('a leak in the night is in the bell at once, and told when its person’s night is over', async () => {
  const farm = await stand.farm('Kōwhai Flats');
  await farm.watch({ kind: 'TankLeak', name: 'Tank leak', condition: 'any', value: null });
  // Nights are judged from 06:00 on; hers is over at 07:30.
  stand.at(farm.clock(6.5));
  await stand.call('PUT /notification/ways', {
    quiet: { from: '21:00', to: '07:30', zone: 'Pacific/Auckland' },
    ways: { urgent: ['push'], important: ['push'], info: [] },
  });
  await farm.leakingTank('House tank', { from: farm.clock(2), percentAnHour: 1 });
  await stand.pass(MINUTE);
  const pushedOfTank = async () => (await stand.pushed()).filter((message) => message.includes('House tank'));
  expect(await pushedOfTank()).toEqual([]);
  const { page, faults } = await openPage(browser, stand.url, { size: PHONE, touch: true });
  await signIn(page, stand.account);
  await page.goto(`/alerts?farm=${farm.uid}`);
  await page
    .getByRole('list', { name: 'What is so now' })
    .getByText(/House tank/)
    .waitFor();
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await page
    .getByRole('dialog')
    .getByText(/House tank/)
    .first()
    .waitFor();
  await page.goto('/?settings=alerts');
  await page.getByRole('dialog', { name: 'Alerts' }).getByLabel('From').waitFor();
  expect(await accessFaults(page)).toEqual([]);
  stand.at(farm.clock(7.5));
  await stand.pass(MINUTE);
  const [message = '{}'] = await pushedOfTank();
  expect(JSON.parse(message)).toMatchObject({
    message: expect.stringMatching(/^It is still so\. .*House tank/),
  });
  expect(faults).toEqual([]);
}, 180_000);
