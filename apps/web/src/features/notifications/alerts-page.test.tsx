import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { PushDevice } from '@headrace/contract/notifications';
import { FakeApi, Failure } from '../../testing/fake-api.ts';
import { buildLogin, globalSettings, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { buildNotifications, preferences } from './notification-fixtures.ts';

const VAPID = 'BFAo';
const device = (n: number, over: Partial<PushDevice> = {}): PushDevice => ({
  id: uid(n),
  browser: 'Chrome on Android',
  ip: '203.0.113.7',
  createdAt: '2026-11-20T21:00:00.000Z',
  isThis: false,
  ...over,
});

function serve(devices: PushDevice[] = []): FakeApi {
  let there = devices;
  return new FakeApi()
    .on('GET /notifications', buildNotifications([]))
    .on('GET /ims-settings', { ...globalSettings, vapidPublicKey: VAPID })
    .on('GET /notification/list-devices', () => ({ subscriptions: there }))
    .on('PUT /notification/settings', ({ body }) => body)
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
    expect(api.calls('PUT /notification/settings')[0]?.body).toEqual({ ...preferences, sendEmail: true });
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
    expect(api.calls('PUT /notification/settings')[0]?.body).toEqual({ ...preferences, sendPush: true });
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

test('whoever signs out leaves no subscription behind', async () => {
  const { made } = buildBrowser({ key: VAPID });
  const { user } = renderApp('/', { api: serve() });
  await user.click(await screen.findByRole('button', { name: 'Account of Aroha Ngata' }));
  await user.click(await screen.findByRole('button', { name: 'Sign Out' }));
  await waitFor(() => expect(made).toEqual([]));
  expect(within(document.body).queryByRole('button', { name: /^Account of/ })).toBeNull();
});
