import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { type NotificationTimes, usualWays } from '@headrace/contract/notification-ways';
import type { MessageProgress, PushDevice } from '@headrace/contract/notifications';
import { FakeApi, Failure } from '../../testing/fake-api.ts';
import { buildLogin, globalSettings, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { buildNotifications, preferences } from './notification-fixtures.ts';

const VAPID = 'BFAo';
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const device = (n: number, over: Partial<PushDevice> = {}): PushDevice => ({
  id: uid(n),
  browser: 'Chrome on Android',
  ip: '203.0.113.7',
  createdAt: '2026-11-20T21:00:00.000Z',
  isThis: false,
  endpointHash: 'elsewhere',
  ...over,
});

function serve(devices: PushDevice[] = []): FakeApi {
  let there = devices;
  let times: NotificationTimes = { quiet: null, ways: usualWays };
  return new FakeApi()
    .on('GET /notifications', buildNotifications([]))
    .on('GET /ims-settings', { ...globalSettings, vapidPublicKey: VAPID })
    .on('GET /notification/list-devices', () => ({ subscriptions: there }))
    .on('PUT /notification/settings', ({ body }) => body)
    .on('GET /notification/ways', () => times)
    .on('GET /notification/held-back', { heldBack: [], more: false })
    .on('PUT /notification/ways', ({ body }) => {
      times = body;
      return body;
    })
    .on('POST /notification/add-device', () => {
      there = [...there.filter(({ isThis }) => !isThis), device(9, { isThis: true })];
      return { id: uid(9) };
    })
    .on('DELETE /notification/remove-device', ({ query }) => {
      there = there.filter(({ id }) => id !== query.id);
      return { success: true };
    });
}

/** A browser whose push service answers as a test wants; `made` are the subscriptions that hold. */
function buildBrowser(options: { refuses?: DOMException; key?: string; userAgent?: string } = {}) {
  const made: { endpoint: string; key: string }[] = [];
  const subscriptionOf = (one: (typeof made)[number]) => ({
    options: { applicationServerKey: Uint8Array.from(atob(one.key), (c) => c.charCodeAt(0)).buffer },
    toJSON: () => ({
      endpoint: one.endpoint,
      expirationTime: null,
      keys: { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) },
    }),
    unsubscribe: async () => made.splice(made.indexOf(one), 1).length === 1,
  });
  const pushManager = {
    getSubscription: async () => (made[0] ? subscriptionOf(made[0]) : null),
    subscribe: async ({ applicationServerKey: key }: { applicationServerKey: string }) => {
      if (options.refuses) throw options.refuses;
      const one = { endpoint: `https://push.example/${made.length}`, key };
      made.push(one);
      return subscriptionOf(one);
    },
  };
  const registration = { pushManager };
  const serviceWorker = Object.assign(new EventTarget(), {
    register: vi.fn(async () => registration),
    getRegistration: async () => registration,
    ready: Promise.resolve(registration),
  });
  if (options.key) made.push({ endpoint: 'https://push.example/before', key: options.key });
  const { userAgent = 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0' } = options;
  const own = Object.create(navigator) as Navigator;
  Object.defineProperty(own, 'serviceWorker', { value: serviceWorker });
  Object.defineProperty(own, 'userAgent', { value: userAgent });
  vi.stubGlobal('navigator', own);
  vi.stubGlobal('PushManager', vi.fn());
  vi.stubGlobal('Notification', vi.fn());
  return { made, serviceWorker };
}

const open = (api = serve(), as = buildLogin()) => renderApp('/?settings=alerts', { api, as });
const toggle = (name: string) => screen.findByRole<HTMLInputElement>('switch', { name });
const subscribeButton = () => screen.findByRole('button', { name: 'Subscribe to Instant Messages' });

describe('the ways to hear', () => {
  test('are four, and each is stored when it changes', async () => {
    const { user, api } = open();
    await toggle('SMS');
    expect(screen.getAllByRole('switch').map((one) => one.getAttribute('aria-label'))).toEqual([
      'SMS',
      'Instant Messages',
      'Email',
      'Action Notifications',
    ]);
    expect((await toggle('Action Notifications')).checked).toBe(true);
    await user.click(await toggle('Email'));
    await waitFor(() => expect(api.calls('PUT /notification/settings')).toHaveLength(1));
    expect(api.calls('PUT /notification/settings')[0]?.body).toEqual({
      ...preferences,
      sendEmail: true,
      zone,
    });
    expect((await toggle('Email')).checked).toBe(true);
  });

  test('that could not be stored are as before, and said so', async () => {
    const api = serve().on('PUT /notification/settings', new Failure(500, 'Oops, something went wrong.'));
    const { user } = open(api);
    await user.click(await toggle('Email'));
    expect(await screen.findByText('Oops, something went wrong.')).toBeTruthy();
    await waitFor(async () => expect((await toggle('Email')).checked).toBe(false));
  });

  test('SMS needs a mobile number on the account', async () => {
    open(serve(), buildLogin({ hasMobile: false }));
    expect((await toggle('SMS')).disabled).toBe(true);
    expect(screen.getByText('Your account has no mobile number. Add one in Account Details.')).toBeTruthy();
  });

  test.each([
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15',
  ])('instant messages are not for Apple devices: %s', async (userAgent) => {
    buildBrowser({ userAgent });
    open();
    expect((await toggle('Instant Messages')).disabled).toBe(true);
    expect(screen.getByText("Instant messages aren't available on Apple devices.")).toBeTruthy();
    await screen.findByText('No browser takes instant messages for your account yet.');
    expect(screen.queryByRole('button', { name: 'Subscribe to Instant Messages' })).toBeNull();
  });
});

describe('subscribing', () => {
  test('adds this browser and switches instant messages on', async () => {
    const { made, serviceWorker } = buildBrowser();
    const { user, api, queryClient } = open();
    await user.click(await subscribeButton());
    expect(await screen.findByText('Subscribed successfully.')).toBeTruthy();
    expect(made).toEqual([{ endpoint: 'https://push.example/0', key: VAPID }]);
    expect(serviceWorker.register).toHaveBeenCalledWith('/sw.js');
    expect(api.calls('POST /notification/add-device')[0]?.body).toEqual({
      endpoint: 'https://push.example/0',
      expirationTime: null,
      p256dh: 'B'.repeat(87),
      auth: 'a'.repeat(22),
    });
    expect(await screen.findByText('Chrome on Android (this browser)')).toBeTruthy();
    expect(screen.getByText(/203\.0\.113\.7/)).toBeTruthy();
    expect(queryClient.getQueryData(['notifications'])).toMatchObject({ deviceId: uid(9) });
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Subscribe to Instant Messages' })).toBeNull(),
    );
    expect(api.calls('PUT /notification/settings')[0]?.body).toEqual({
      ...preferences,
      sendPush: true,
      zone,
    });
  });

  test('is not there for a browser without push messages', async () => {
    const { user, api } = open();
    await user.click(await subscribeButton());
    expect(await screen.findByText('Sorry, this platform is not supported.')).toBeTruthy();
    expect(api.calls('POST /notification/add-device')).toHaveLength(0);
  });

  test.each([
    [new DOMException('no', 'NotAllowedError'), /doesn't let Headrace show notifications/],
    [new DOMException('no', 'AbortError'), /push service didn't answer/],
  ])('that the browser refuses says why: %s', async (refuses, why) => {
    buildBrowser({ refuses });
    const { user } = open();
    await user.click(await subscribeButton());
    expect(await screen.findByText("Couldn't subscribe to Push Notifications.")).toBeTruthy();
    expect(screen.getByText(why)).toBeTruthy();
  });

  test('that the server refuses is undone in the browser, with its reason', async () => {
    const { made } = buildBrowser();
    const { user } = open(serve().on('POST /notification/add-device', new Failure(400, 'Not this service.')));
    await user.click(await subscribeButton());
    expect(await screen.findByText("Couldn't subscribe to Push Notifications.")).toBeTruthy();
    expect(screen.getByText('Not this service.')).toBeTruthy();
    expect(made).toEqual([]);
  });

  test('takes what the browser has, unless that is for another key of the server', async () => {
    const { made } = buildBrowser({ key: 'AAAA' });
    const { user } = open(serve([device(5, { isThis: false })]));
    await user.click(await subscribeButton());
    await screen.findByText('Subscribed successfully.');
    expect(made).toEqual([{ endpoint: 'https://push.example/0', key: VAPID }]);
  });

  test('keeps a subscription that another account left in this browser', async () => {
    const { made } = buildBrowser({ key: VAPID });
    const { user, api } = open();
    await user.click(await subscribeButton());
    await screen.findByText('Subscribed successfully.');
    expect(made).toHaveLength(1);
    expect(api.calls('POST /notification/add-device')[0]?.body.endpoint).toBe('https://push.example/before');
  });

  test('is offered again where the browser has lost what the server lists', async () => {
    buildBrowser();
    open(serve([device(5, { isThis: true })]));
    expect(await screen.findByText('Chrome on Android (this browser)')).toBeTruthy();
    expect(await subscribeButton()).toBeTruthy();
  });
});

describe('removing', () => {
  test('another browser leaves this one as it is', async () => {
    const { made } = buildBrowser({ key: VAPID });
    const { user, api } = open(
      serve([device(5, { isThis: true }), device(6, { browser: 'Firefox on Linux', ip: '203.0.113.8' })]),
    );
    await user.click(await screen.findByRole('button', { name: 'Remove Firefox on Linux, 203.0.113.8' }));
    expect(await screen.findByText('Unsubscribed successfully.')).toBeTruthy();
    expect(api.calls('DELETE /notification/remove-device')[0]?.query).toEqual({ id: uid(6) });
    await waitFor(() => expect(screen.queryByText('Firefox on Linux')).toBeNull());
    expect(made).toHaveLength(1);
  });

  test('this browser ends its subscription and forgets its id', async () => {
    const { made } = buildBrowser({ key: VAPID });
    const api = serve([device(5, { isThis: true })]).on(
      'GET /notifications',
      buildNotifications([], { deviceId: uid(5) }),
    );
    const { user, queryClient } = open(api);
    await user.click(await screen.findByRole('button', { name: /^Remove Chrome/ }));
    expect(await screen.findByText('Unsubscribed successfully.')).toBeTruthy();
    expect(made).toEqual([]);
    expect(queryClient.getQueryData(['notifications'])).toMatchObject({ deviceId: null });
    expect(await subscribeButton()).toBeTruthy();
  });

  test('that fails says so, and the browser stays', async () => {
    const api = serve([device(5)]).on('DELETE /notification/remove-device', new Failure(500, 'Oops.'));
    const { user } = open(api);
    await user.click(await screen.findByRole('button', { name: /^Remove Chrome/ }));
    expect(await screen.findByText("Sorry, couldn't unsubscribe.")).toBeTruthy();
    expect(screen.getByText('Chrome on Android')).toBeTruthy();
  });
});

describe('at the start of the app', () => {
  const listed = (endpointHash: string) =>
    serve([device(5, { isThis: true, endpointHash })]).on(
      'GET /notifications',
      buildNotifications([], { deviceId: uid(5) }),
    );

  test('a subscription that the browser lost is made anew, where messages are still allowed', async () => {
    const { made } = buildBrowser();
    vi.stubGlobal('Notification', { permission: 'granted' });
    const { api } = open(listed('of what it was'));
    await waitFor(() => expect(api.calls('POST /notification/add-device')).toHaveLength(1));
    expect(made).toEqual([{ endpoint: 'https://push.example/0', key: VAPID }]);
  });

  // sha256 of https://push.example/before
  const hash = '6665363f44d8f9b3ff13e42d20747b333de157abdec7339b3eba1d51f79038ed';

  test('one that was made for a former key of the server is made anew', async () => {
    const { made } = buildBrowser({ key: 'AAAA' });
    vi.stubGlobal('Notification', { permission: 'granted' });
    const { api } = open(listed(hash));
    await waitFor(() => expect(api.calls('POST /notification/add-device')).toHaveLength(1));
    expect(made).toEqual([{ endpoint: 'https://push.example/0', key: VAPID }]);
  });

  test('one that is as the server has it stays', async () => {
    const { made } = buildBrowser({ key: VAPID });
    const { api } = open(listed(hash));
    await screen.findByText('Chrome on Android (this browser)');
    expect(made).toHaveLength(1);
    expect(api.calls('POST /notification/add-device')).toHaveLength(0);
  });
});

describe('a test', () => {
  const on = (over: object) => serve().on('GET /notifications', buildNotifications([], over));
  const message = (over: Partial<MessageProgress>): MessageProgress => ({
    way: 'email',
    to: 'aroha@example.com',
    state: 'queued',
    at: new Date().toISOString(),
    nextTryAt: null,
    sentAt: null,
    deliveredAt: null,
    reason: '',
    ...over,
  });

  test('is offered by each way that is on, and says how far it got', async () => {
    const queued = message({});
    const sent = message({ state: 'sent', sentAt: new Date().toISOString() });
    let looks = 0;
    const api = on({ sendEmail: true })
      .on('POST /notification/test', { id: uid(3) })
      .on('GET /notification/test', () => ({ messages: [(looks += 1) > 1 ? sent : queued] }));
    const { user } = open(api);
    await user.click(await screen.findByRole('button', { name: 'Send me a test e-mail' }));
    expect(await screen.findByText(/Waits to be sent/)).toBeTruthy();
    expect(await screen.findByText(/Sent: the mail server has it/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Send me a test SMS' })).toBeNull();
    expect(api.calls('POST /notification/test')[0]?.body).toEqual({ way: 'email' });
  });

  test('by SMS is looked at until its provider says that it arrived, and then says who says so', async () => {
    const sent = message({ way: 'sms', to: '+6421', state: 'sent', sentAt: new Date().toISOString() });
    const arrived = message({ ...sent, state: 'delivered', deliveredAt: new Date().toISOString() });
    let looks = 0;
    const api = on({ sendSms: true })
      .on('POST /notification/test', { id: uid(3) })
      .on('GET /notification/test', () => ({ messages: [(looks += 1) > 1 ? arrived : sent] }));
    const { user } = open(api);
    await user.click(await screen.findByRole('button', { name: 'Send me a test SMS' }));
    expect(await screen.findByText(/Sent: the SMS provider has it/)).toBeTruthy();
    expect(await screen.findByText(/Arrived: the phone has it, says the SMS provider/)).toBeTruthy();
  });

  test('that can not be sent says why', async () => {
    const api = on({ sendSms: true }).on('POST /notification/test', new Failure(400, 'No SMS provider.'));
    const { user } = open(api);
    await user.click(await screen.findByRole('button', { name: 'Send me a test SMS' }));
    expect(await screen.findByText('No SMS provider.')).toBeTruthy();
  });
});

test('whoever signs out leaves no subscription behind', async () => {
  const { made } = buildBrowser({ key: VAPID });
  const { user } = renderApp('/', { api: serve() });
  await user.click(await screen.findByRole('button', { name: 'Account of Aroha Ngata' }));
  await user.click(await screen.findByRole('button', { name: 'Sign Out' }));
  await waitFor(() => expect(made).toEqual([]));
  expect(within(document.body).queryByRole('button', { name: /^Account of/ })).toBeNull();
});

describe('quiet hours', () => {
  test('are offered as a night, and kept by the clock of who set them', async () => {
    const api = serve();
    const { user } = open(api);
    await user.click(await screen.findByRole('switch', { name: 'Quiet hours' }));
    const to = await screen.findByRole('textbox', { name: 'To' });
    await user.clear(to);
    await user.type(to, '0530');
    await user.tab();
    await waitFor(() => expect(api.calls('PUT /notification/ways')).toHaveLength(2));
    const [first, second] = api.calls('PUT /notification/ways').map(({ body }) => body.quiet);
    expect(first).toMatchObject({ from: '21:00', to: '06:00' });
    expect(second).toMatchObject({ from: '21:00', to: '05:30', zone: first?.zone });
  });
});

test('what is only for information goes by a way once that is ticked for it', async () => {
  const api = serve();
  const { user } = open(api);
  const group = await screen.findByRole('group', { name: 'For information' });
  await user.click(within(group).getByRole('checkbox', { name: 'Email' }));
  await waitFor(() => expect(api.calls('PUT /notification/ways')).toHaveLength(1));
  expect(api.calls('PUT /notification/ways')[0]?.body.ways).toEqual({ ...usualWays, info: ['email'] });
});

test('escalations are refused, and nothing else with them', async () => {
  const api = serve();
  const { user } = open(api);
  await user.click(await screen.findByRole('switch', { name: 'Escalations' }));
  await waitFor(() => expect(api.calls('PUT /notification/ways')).toHaveLength(1));
  expect(api.calls('PUT /notification/ways')[0]?.body).toEqual({
    quiet: null,
    ways: usualWays,
    digest: true,
    escalations: false,
  });
});

test('the digest is switched off, and nothing else with it', async () => {
  const api = serve();
  const { user } = open(api);
  await user.click(await screen.findByRole('switch', { name: 'Digest' }));
  await waitFor(() => expect(api.calls('PUT /notification/ways')).toHaveLength(1));
  expect(api.calls('PUT /notification/ways')[0]?.body).toEqual({
    quiet: null,
    ways: usualWays,
    digest: false,
    escalations: true,
  });
});

test('what was held back is listed with its farm and why, and when it goes if it is still so', async () => {
  const at = new Date(Date.now() - 3_600_000).toISOString();
  const of = { at, farmUID: uid(3), farmName: 'Home Block', incidentUID: uid(5) };
  const until = new Date(Date.now() + 2 * 3_600_000 + 5000).toISOString();
  const api = serve().on('GET /notification/held-back', {
    heldBack: [
      { ...of, text: 'Trough 4 is at 18 %.', why: 'quiet hours', until },
      { ...of, incidentUID: uid(6), text: 'A12 is open.', why: 'the limit of SMS a day', until: null },
    ],
    more: true,
  });
  const { user } = open(api);
  await user.click(await screen.findByText('2 and more in the last 30 days, in the bell alone'));
  const [first, second] = within(screen.getByRole('region', { name: 'What was held back' }))
    .getAllByRole('listitem')
    .map((one) => one.textContent);
  expect(first).toMatch(
    /^Trough 4 is at 18 %\.Home Block · your quiet hours · 1 h ago · told in 2 hours, if it is still so$/,
  );
  expect(second).toMatch(/^A12 is open\.Home Block · your limit of SMS a day · 1 h ago$/);
  expect(screen.getByRole('link', { name: 'A12 is open.' }).getAttribute('href')).toBe(
    `/alerts?farm=${uid(3)}&incident=${uid(6)}`,
  );
});

test('that nothing was held back is said', async () => {
  open(serve());
  expect(await screen.findByText('Nothing in the last 30 days.')).toBeTruthy();
});
