import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { Notification } from '@headrace/contract/notifications';
import { FakeApi, Failure } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { uid } from '../../testing/fixtures.ts';
import { buildIncident } from '../alerts/alert-fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { buildNote, buildNotifications } from './notification-fixtures.ts';

const bell = (name = 'Notifications') => screen.findByRole('button', { name });
const push = (frame: Parameters<FakeSocket['push']>[0]) => act(async () => FakeSocket.last.push(frame));

/** The app at home, told of these notifications by the live connection. */
async function start(list: Notification[], api = new FakeApi()) {
  const app = renderApp('/', { api });
  await bell();
  await waitFor(() => expect(FakeSocket.all).toHaveLength(1));
  await push({ type: 'notifications', data: buildNotifications(list) });
  return app;
}

async function open(list: Notification[], api?: FakeApi) {
  const app = await start(list, api);
  await app.user.click(await screen.findByRole('button', { name: /^Notifications/ }));
  const panel = within(await screen.findByRole('dialog', { name: /^Notifications/ }));
  await panel.findByRole('heading', { name: 'Notifications' });
  return { ...app, panel };
}

describe('the bell', () => {
  test('counts what is unread as the live connection says, without asking', async () => {
    const { api } = await start([buildNote(1), buildNote(2, { isRead: true })]);
    await bell('Notifications, 1 unread');
    await push({ type: 'new_notification', data: { ...buildNote(3), alert: false } });
    await bell('Notifications, 2 unread');
    // The same once more, by another way; then another.
    await push({ type: 'new_notification', data: { ...buildNote(3), alert: false } });
    await push({ type: 'new_notification', data: { ...buildNote(4), alert: false } });
    await bell('Notifications, 3 unread');
    await push({ type: 'notifications', data: buildNotifications([], { count: 120 }) });
    expect((await bell('Notifications, 120 unread')).textContent).toBe('99+');
    expect(api.calls('GET /notifications')).toHaveLength(0);
  });

  test('shows the newest with title, message and age, unread ones as such', async () => {
    const { panel } = await open([buildNote(1), buildNote(2, { isRead: true, message: 'Note 2' })]);
    const [first, second] = panel.getAllByRole('listitem');
    expect(first?.textContent).toContain('Note 1 (unread)What note 1 says.1 h ago');
    // A message that only says the title again is left out.
    expect(second?.textContent).toBe('Note 22 h ago');
    await push({ type: 'new_notification', data: { ...buildNote(3), alert: false } });
    await waitFor(() =>
      expect(panel.getAllByRole('heading', { level: 3 })[0]?.textContent).toBe('Note 3 (unread)'),
    );
  });

  test('an alert is shown at once as well', async () => {
    await start([]);
    await push({ type: 'new_notification', data: { ...buildNote(1), alert: true } });
    expect(screen.getByText('What note 1 says.')).toBeTruthy();
  });

  test('has what alerts told and is still so above all else, with its farm', async () => {
    const told = [1, 2, 3, 4].map((n) => buildIncident(n, uid(1), { title: `Farm ${n}: Tank low` }));
    const { panel, router, user } = await open(
      [],
      new FakeApi().on('GET /alerts/open', { open: told, cut: [], inBellAlone: [] }),
    );
    const list = within(await panel.findByRole('list', { name: 'Open alerts' }));
    expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      ...[1, 2, 3].map((n) => `Farm ${n}: Tank lowTrough 4 is at 12 %, below 20 % since 05:40.`),
      'and 1 more alert',
    ]);
    await user.click(list.getByRole('link', { name: 'Farm 2: Tank low' }));
    expect(router.state.location.search).toEqual({ farm: uid(1), incident: uid(2) });
  });

  test('leads from alerts of several farms to the farms, and says where there are more than were listed', async () => {
    const told = [1, 2, 3, 4, 5].map((n) => buildIncident(n, uid(n < 5 ? 1 : 2)));
    const api = new FakeApi().on('GET /alerts/open', { open: told, cut: [uid(1)], inBellAlone: [] });
    const { panel, router, user } = await open([], api);
    await user.click(await panel.findByRole('link', { name: 'and at least 2 more alerts on 2 farms' }));
    expect(router.state.location.pathname).toBe('/');
  });

  test('says that there is nothing', async () => {
    const { panel } = await open([]);
    expect(panel.getByText('No notifications')).toBeTruthy();
    expect(panel.queryByRole('button', { name: 'Mark all as read' })).toBeNull();
  });

  test('asks the server where the live connection told nothing, and says when that fails', async () => {
    const api = new FakeApi().on('GET /notifications', new Failure(500, 'Oops, something went wrong.'));
    const { user } = renderApp('/', { api });
    await user.click(await bell());
    expect(await screen.findByText("Your notifications couldn't be loaded")).toBeTruthy();
    api.on('GET /notifications', buildNotifications([buildNote(1)]));
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('What note 1 says.')).toBeTruthy();
  });
});

describe('marking as read', () => {
  test('one', async () => {
    const api = new FakeApi().on('PUT /notification', { success: true });
    const { user, panel } = await open([buildNote(1), buildNote(2)], api);
    await user.click(panel.getByRole('button', { name: 'Mark as read: Note 2' }));
    expect(panel.queryByRole('button', { name: 'Mark as read: Note 2' })).toBeNull();
    await waitFor(() => expect(api.calls('PUT /notification')[0]?.query).toEqual({ id: uid(2) }));
    await bell('Notifications, 1 unread');
  });

  test('all', async () => {
    const api = new FakeApi().on('PUT /notification/all-read', { success: true });
    const { user, panel } = await open([buildNote(1), buildNote(2)], api);
    await user.click(panel.getByRole('button', { name: 'Mark all as read' }));
    await waitFor(() => expect(api.calls('PUT /notification/all-read')).toHaveLength(1));
    expect(panel.queryAllByText(/unread/)).toHaveLength(0);
    expect((await bell()).textContent).toBe('');
  });

  test('that fails leaves them unread and says so', async () => {
    const api = new FakeApi()
      .on('PUT /notification', new Failure(500, 'Oops, something went wrong.'))
      .on('GET /notifications', buildNotifications([buildNote(1)]));
    const { user, panel } = await open([buildNote(1)], api);
    await user.click(panel.getByRole('button', { name: 'Mark as read: Note 1' }));
    expect(await screen.findByText('Oops, something went wrong.')).toBeTruthy();
    await panel.findByRole('button', { name: 'Mark as read: Note 1' });
  });
});

describe('the link of a notification', () => {
  test('leads to its page, closes the list and is read by that', async () => {
    const api = new FakeApi()
      .on('PUT /notification', { success: true })
      .on('GET /ipc/search', { results: [] });
    const { user, panel, router } = await open([buildNote(1, { link: '/mac/lookup' })], api);
    await user.click(panel.getByRole('link', { name: 'Note 1' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/mac/lookup'));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /^Notifications/ })).toBeNull());
    expect(api.calls('PUT /notification')[0]?.query).toEqual({ id: uid(1) });
  });

  test.each(['', 'https://example.com/', '//example.com/', 'javascript:alert(1)'])(
    'that is no page of the app is none: %j',
    async (link) => {
      const { panel } = await open([buildNote(1, { link })]);
      expect(panel.queryByRole('link')).toBeNull();
    },
  );

  test('of a push message is followed when the service worker says so, within the app alone', async () => {
    const container = new EventTarget();
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { serviceWorker: container }));
    const { router } = renderApp('/');
    await screen.findByRole('article', { name: 'Rākaia Downs' });
    const tell = (data: unknown) =>
      act(async () => container.dispatchEvent(new MessageEvent('message', { data })));
    for (const data of [null, 'open', { type: 'open' }, { type: 'open', link: '//example.com/403' }])
      await tell(data);
    expect(router.state.location.pathname).toBe('/');
    await tell({ type: 'open', link: '/403' });
    await waitFor(() => expect(router.state.location.pathname).toBe('/403'));
  });
});

test('how one hears of them is one step away', async () => {
  const api = new FakeApi().on('GET /notification/list-devices', { subscriptions: [] });
  const { user, panel } = await open([], api);
  await user.click(panel.getByRole('button', { name: 'How you hear of them' }));
  expect(await screen.findByRole('dialog', { name: 'Alerts' })).toBeTruthy();
});
