import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { StatusUpdate } from '@headrace/contract/live';
import { commandToastId } from '../api/live-events.ts';
import { session } from '../api/session.ts';
import { FakeSocket } from '../testing/fake-socket.ts';
import { rakaia, uid, waihao } from '../testing/fixtures.ts';
import { renderApp } from '../testing/render-app.tsx';
import { toast } from '../ui/toasts.ts';
// It comes later in the app; on a clock that stands a test can't wait for it.
import './suspended-banner.tsx';

const LOST = 'Lost connection to the server.';
const update = (over: Partial<StatusUpdate> = {}): StatusUpdate => ({
  type: 'tank_level',
  farmUID: rakaia._id,
  uid: uid(50),
  serialNumber: '0042',
  updatedAt: '2026-11-21T05:00:00.000Z',
  ...over,
});

const watchOf = ({ _id }: { _id: string }) => ({
  type: 'watch',
  data: { farmUID: _id, sprinklers: false },
});

/** The app at home with its live connection open, on a clock that the test moves. */
async function open() {
  const app = renderApp('/');
  await screen.findByRole('article', { name: 'Rākaia Downs' });
  await screen.findByRole('button', { name: /^Current farm/ });
  vi.useFakeTimers();
  return app;
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const push = async (frame: Parameters<FakeSocket['push']>[0]) => {
  await act(async () => FakeSocket.last.push(frame));
  await pass(1);
};

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => vi.restoreAllMocks());

describe('the live connection', () => {
  test('gives the token as sub-protocol and watches the current farm', async () => {
    await open();
    expect(FakeSocket.last.url).toMatch(/^ws:\/\/.+\/v1\/live$/);
    expect(FakeSocket.last.protocol).toBe('token-of-aroha');
    expect(FakeSocket.last.sent).toContainEqual(watchOf(rakaia));
  });

  test('says that it is lost while it is, and tries again after 5 seconds', async () => {
    await open();
    FakeSocket.opensItself = false;
    await act(async () => FakeSocket.last.drop());
    expect(screen.getByText(LOST)).toBeTruthy();
    await pass(4999);
    expect(FakeSocket.all).toHaveLength(1);
    await pass(1);
    expect(FakeSocket.all).toHaveLength(2);
    await act(async () => FakeSocket.last.open());
    expect(screen.queryByText(LOST)).toBeNull();
    expect(FakeSocket.last.sent).toContainEqual(watchOf(rakaia));
  });

  test('what was asked for before it opened is asked for again: a message in between was not heard', async () => {
    FakeSocket.opensItself = false;
    const { api } = await open();
    expect(api.calls('GET /farms-summary')).toHaveLength(1);
    await act(async () => FakeSocket.last.open());
    await pass(1999);
    expect(api.calls('GET /farms-summary')).toHaveLength(1);
    await pass(2);
    expect(api.calls('GET /farms-summary')).toHaveLength(2);
    expect(api.calls('GET /settings')).toHaveLength(1);
  });

  test('leaves it to the offline notice while there is no network', async () => {
    await open();
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    FakeSocket.opensItself = false;
    await act(async () => FakeSocket.last.drop());
    expect(screen.queryByText(LOST)).toBeNull();
    onLine.mockReturnValue(true);
    await act(async () => void dispatchEvent(new Event('online')));
    await act(async () => FakeSocket.last.drop());
    expect(screen.getByText(LOST)).toBeTruthy();
  });

  test('spreads its tries once several have failed', async () => {
    await open();
    FakeSocket.opensItself = false;
    for (const tries of [1, 2, 3, 4]) {
      await act(async () => FakeSocket.last.drop());
      await pass(5000);
      expect(FakeSocket.all).toHaveLength(tries < 4 ? tries + 1 : 4);
    }
    await pass(2500);
    expect(FakeSocket.all).toHaveLength(5);
  });

  test('makes good what was missed when it is back', async () => {
    const { api } = await open();
    const before = api.calls('GET /farms-summary').length;
    await act(async () => FakeSocket.last.drop());
    await pass(5000);
    await pass(10);
    expect(api.calls('GET /farms-summary')).toHaveLength(before + 1);
  });

  test('tries at once when the network comes back', async () => {
    await open();
    FakeSocket.opensItself = false;
    await act(async () => FakeSocket.last.drop());
    await act(async () => void dispatchEvent(new Event('online')));
    expect(FakeSocket.all).toHaveLength(2);
  });

  test('signs out when the token is refused, and for no other reason', async () => {
    await open();
    for (const code of [1000, 1001, 1006, 1011, 1013, 4400]) {
      await act(async () => FakeSocket.last.drop(code));
      expect(session().logged).toBe(true);
      await pass(15_000);
    }
    await act(async () => FakeSocket.last.drop(4401));
    expect(session().logged).toBe(false);
    const made = FakeSocket.all.length;
    await pass(20_000);
    expect(FakeSocket.all).toHaveLength(made);
  });

  test('ends with the session', async () => {
    await open();
    const socket = FakeSocket.last;
    await act(async () => {
      const { signOut } = await import('../api/session.ts');
      signOut('asked');
    });
    expect(socket.readyState).toBe(FakeSocket.CLOSED);
    expect(screen.queryByText(LOST)).toBeNull();
  });
});

describe('live messages', () => {
  test('fifty updates at once make one refetch', async () => {
    const { api } = await open();
    const before = api.calls('GET /farms-summary').length;
    await act(async () => {
      for (let n = 0; n < 50; n += 1)
        FakeSocket.last.push({ type: 'status_update', data: update({ uid: uid(n) }) });
    });
    await pass(300);
    expect(api.calls('GET /farms-summary')).toHaveLength(before + 1);
  });

  test('a stream that never stops does not put the refetch off', async () => {
    const { api } = await open();
    const before = api.calls('GET /farms-summary').length;
    for (let n = 0; n < 10; n += 1) {
      await push({ type: 'status_update', data: update() });
      await pass(100);
    }
    expect(api.calls('GET /farms-summary').length).toBeGreaterThanOrEqual(before + 3);
  });

  test('settings changed on another device hold here', async () => {
    renderApp('/?settings=general');
    const tips = await screen.findByRole('switch', { name: /^Display Tooltips/ });
    expect(tips).toHaveProperty('checked', true);
    const data = { displayTooltips: false };
    await act(async () => FakeSocket.last.push({ type: 'settings', data: { data, version: 6 } }));
    await waitFor(() => expect(tips).toHaveProperty('checked', false));
  });

  test('a farm that was left is asked for anew on the way back: meanwhile nothing was told of it', async () => {
    const { api, router } = renderApp('/dashboard');
    const asked = () => api.calls('GET /lvl/suminfo').map(({ query }) => query.farmUID);
    const choose = ({ _id: farm }: { _id: string }) =>
      act(() => router.navigate({ to: '/dashboard', search: { farm } }));
    await waitFor(() => expect(asked()).toEqual([rakaia._id]));
    await choose(waihao);
    await waitFor(() => expect(asked()).toEqual([rakaia._id, waihao._id]));
    await choose(rakaia);
    await waitFor(() => expect(asked()).toEqual([rakaia._id, waihao._id, rakaia._id]));
  });

  test('a tank that reports while its farm is out of sight is asked for anew on the way back', async () => {
    const { api, router } = renderApp('/dashboard');
    const asked = () => api.calls('GET /lvl/suminfo').length;
    await waitFor(() => expect(asked()).toBe(1));
    await act(() => router.navigate({ to: '/' }));
    await screen.findByRole('article', { name: 'Rākaia Downs' });
    const before = api.calls('GET /farms-summary').length;
    await act(async () => FakeSocket.last.push({ type: 'status_update', data: update() }));
    await waitFor(() => expect(api.calls('GET /farms-summary').length).toBeGreaterThan(before));
    expect(asked()).toBe(1);
    await act(() => router.navigate({ to: '/dashboard' }));
    await waitFor(() => expect(asked()).toBe(2));
  });

  test('the result of a command is told, and its next result takes its place', async () => {
    await open();
    const data = { farmUID: rakaia._id, commandId: 'c1' };
    await push({ type: 'new_action_result', data: { ...data, type: 'ack', message: 'At the gateway.' } });
    expect(screen.getByText('At the gateway.')).toBeTruthy();
    await push({ type: 'new_action_result', data: { ...data, type: 'success', message: 'Pump started.' } });
    expect(screen.queryByText('At the gateway.')).toBeNull();
    expect(screen.getByText('Pump started.')).toBeTruthy();
    await pass(6000);
    expect(screen.queryByText('Pump started.')).toBeNull();
  });

  test('an acknowledgement goes by itself, after the time of a success', async () => {
    await open();
    const data = { farmUID: rakaia._id, commandId: 'c1', type: 'ack', message: 'At the gateway.' };
    await push({ type: 'new_action_result', data });
    await pass(5900);
    expect(screen.getByText('At the gateway.')).toBeTruthy();
    await pass(200);
    expect(screen.queryByText('At the gateway.')).toBeNull();
  });

  test('a subscription that ends, and one that is paid again, hold at once', async () => {
    const { api } = await open();
    const before = api.calls('GET /farms-card').length;
    const until = (subscriptionValidUntil: string) =>
      push({ type: 'subscription_valid_until', data: { accountId: uid(1), subscriptionValidUntil } });
    await until('2020-01-01T00:00:00.000Z');
    expect(screen.getByText('Account Suspended.')).toBeTruthy();
    await pass(10);
    expect(api.calls('GET /farms-card')).toHaveLength(before + 1);
    await until('2099-01-01T00:00:00.000Z');
    expect(screen.queryByText('Account Suspended.')).toBeNull();
  });

  test('whoever wants no action notifications sees the end of what is under way here alone', async () => {
    await open();
    const off = { sendSms: false, sendPush: false, sendEmail: false, sendAction: false };
    await push({ type: 'notifications', data: { list: [], count: 0, hash: '', deviceId: null, ...off } });
    const data = { farmUID: rakaia._id, type: 'success', message: 'Pump started.' };
    await push({ type: 'new_action_result', data: { ...data, commandId: 'elsewhere' } });
    expect(screen.queryByText('Pump started.')).toBeNull();
    act(() => void toast.loading('Sending', { id: commandToastId('here') }));
    await push({ type: 'new_action_result', data: { ...data, commandId: 'here' } });
    expect(screen.getByText('Pump started.')).toBeTruthy();
  });

  test.each([
    [true, 'status', 'IPC2 took the place of IPC1.'],
    [false, 'alert', 'IPC2 does not answer.'],
  ])(
    'a swap of units (success %s) is told, and what names units is asked for again',
    async (success, role, message) => {
      const { api } = await open();
      const before = api.calls('GET /farms-summary').length;
      const unit = (n: number) => ({ id: uid(n), serial: `IPC${n}`, mac: `00000000000${n}` });
      const data = { farmUID: rakaia._id, success, from: unit(1), to: unit(2), message };
      await push({ type: 'ipc_swap_result', data });
      expect(within(screen.getByRole(role)).getByText(message)).toBeTruthy();
      await pass(10);
      expect(api.calls('GET /farms-summary')).toHaveLength(before + 1);
    },
  );

  test('nonsense is passed over', async () => {
    await open();
    await act(async () => {
      for (const data of ['', 'x', 'null', '{}', '[]', '{"type":"unheard_of","data":{}}']) {
        FakeSocket.last.dispatchEvent(new MessageEvent('message', { data }));
      }
    });
    expect(screen.getByRole('article', { name: 'Rākaia Downs' })).toBeTruthy();
  });
});

describe('a server of another version', () => {
  test('is met by a dialog that only a refresh ends, until a new connection says otherwise', async () => {
    await open();
    await push({ type: 'app_version', data: { version: '1.6.0' } });
    expect(screen.queryByText('New Version Available')).toBeNull();
    await push({ type: 'app_version', data: { version: '1.7.0' } });
    vi.useRealTimers();
    expect(await screen.findByRole('dialog', { name: 'New Version Available' })).toBeTruthy();
    const dialog = within(screen.getByRole('dialog'));
    expect(dialog.getAllByRole('button').map((button) => button.textContent)).toEqual(['Refresh']);
    await userEvent.keyboard('{Escape}');
    const overlay = document.querySelector('.mantine-Modal-overlay');
    if (!overlay) throw new Error('Nothing lies over the page');
    await userEvent.click(overlay);
    expect(screen.getByText('New Version Available')).toBeTruthy();
    await act(async () => FakeSocket.last.open());
    await waitFor(() => expect(screen.queryByText('New Version Available')).toBeNull());
  });
});
