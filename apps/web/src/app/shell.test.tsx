import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { buildLogin, waihao } from '../testing/fixtures.ts';
import { FakeApi, Failure, UNREACHABLE } from '../testing/fake-api.ts';
import { renderApp } from '../testing/render-app.tsx';
import { toast } from '../ui/toasts.ts';
import classes from '../ui/header-button.module.css';

const OFFLINE = 'You seem to have no internet connection.';

describe('the offline notice', () => {
  test('stays for as long as the browser is offline', async () => {
    renderApp('/');
    await screen.findByRole('article', { name: 'Rākaia Downs' });
    act(() => void dispatchEvent(new Event('offline')));
    expect(screen.getByText(OFFLINE)).toBeTruthy();
    act(() => void dispatchEvent(new Event('online')));
    expect(screen.queryByText(OFFLINE)).toBeNull();
  });
});

describe('page views', () => {
  test('carry the pattern of each page once, not its address', async () => {
    const { api, router } = renderApp('/?q=raka');
    await screen.findByRole('article', { name: 'Rākaia Downs' });
    await act(() => router.navigate({ to: '/', search: { q: 'wai' } }));
    await act(() => router.navigate({ to: '/403' }));
    await waitFor(() => expect(api.calls('POST /analytics/page-view')).toHaveLength(2));
    expect(api.calls('POST /analytics/page-view').map(({ body }) => body.key)).toEqual(['/', '/403']);
  });

  test('of a page that is not there keep its address to themselves', async () => {
    const { api } = renderApp('/my/secret');
    await waitFor(() => expect(api.calls('POST /analytics/page-view')[0]?.body.key).toBe('/404'));
  });

  test.each([
    ['Do Not Track', { doNotTrack: '1' }],
    ['Global Privacy Control', { globalPrivacyControl: true }],
  ])('are not sent under %s', async (_name, asked) => {
    const own = Object.assign(Object.create(navigator) as Navigator, {});
    for (const [name, value] of Object.entries(asked)) Object.defineProperty(own, name, { value });
    vi.stubGlobal('navigator', own);
    const { api } = renderApp('/');
    await screen.findByRole('article', { name: 'Rākaia Downs' });
    expect(api.calls('POST /analytics/page-view')).toHaveLength(0);
  });
});

describe('the header', () => {
  test('changes the farm, keeps it in the settings and leaves what was open of the old one', async () => {
    const { user, api, router } = renderApp('/403');
    await user.click(await screen.findByRole('button', { name: /^Current farm: Rākaia Downs/ }));
    await user.click(await screen.findByRole('option', { name: /Waihao Flats/ }));
    expect(await screen.findByRole('button', { name: /^Current farm: Waihao Flats/ })).toBeTruthy();
    await waitFor(() => expect(api.calls('PUT /settings')).toHaveLength(1));
    expect(api.calls('PUT /settings')[0]?.body).toMatchObject({ data: { currFarm: waihao._id }, version: 6 });
    expect(router.state.location.pathname).toBe('/403');
  });

  test('refreshes what is on the screen', async () => {
    const { user, api } = renderApp('/');
    await screen.findByRole('article', { name: 'Rākaia Downs' });
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(api.calls('GET /farms-card').length).toBeGreaterThan(1));
  });

  test('clears all messages', async () => {
    const { user } = renderApp('/');
    await screen.findByRole('article', { name: 'Rākaia Downs' });
    expect(screen.queryByRole('button', { name: 'Clear alerts' })).toBeNull();
    act(() => void [toast.error('One'), toast.notice('Two')]);
    await user.click(screen.getByRole('button', { name: 'Clear alerts' }));
    expect(screen.queryByText('One')).toBeNull();
    expect(screen.queryByText('Two')).toBeNull();
  });

  test('has the menu of the account in its order', async () => {
    const { user } = renderApp('/');
    await user.click(await screen.findByRole('button', { name: 'Account of Aroha Ngata' }));
    const menu = within(await screen.findByRole('dialog'));
    const entries = menu.getAllByText(
      /^(Account Details|Password & Security|Manage Access|Manage Alerts|MAC Address Lookup|Settings|Sign Out)$/,
    );
    expect(entries.map((entry) => entry.textContent)).toEqual([
      'Account Details',
      'Password & Security',
      'Manage Access',
      'Manage Alerts',
      'MAC Address Lookup',
      'Settings',
      'Sign Out',
    ]);
  });

  test('its buttons keep their look when what they open is there', async () => {
    const { user } = renderApp('/');
    const account = () => screen.getByRole('button', { name: 'Account of Aroha Ngata' });
    await user.click(await screen.findByRole('button', { name: 'Account of Aroha Ngata' }));
    await screen.findByRole('dialog');
    expect(account().classList).toContain(classes['icon']);
    expect(screen.getByRole('button', { name: /^Notifications/ }).classList).toContain(classes['icon']);
  });

  test('switches to dark and keeps it', async () => {
    const { user } = renderApp('/');
    await user.click(await screen.findByRole('button', { name: 'Account of Aroha Ngata' }));
    await user.click(await screen.findByRole('radio', { name: 'Dark' }));
    expect(document.documentElement.dataset.mantineColorScheme).toBe('dark');
    expect(localStorage.getItem('mantine-color-scheme-value')).toBe('dark');
  });

  test('has the accesses of a delegate in the menu', async () => {
    const { user } = renderApp('/', { as: buildLogin({ type: 'AGENT' }) });
    await user.click(await screen.findByRole('button', { name: 'Account of Aroha Ngata' }));
    const menu = within(await screen.findByRole('dialog'));
    expect(menu.getByRole('link', { name: 'My Accesses' }).getAttribute('href')).toBe('/invitations');
    expect(menu.queryByRole('link', { name: 'Manage Access' })).toBeNull();
  });

  test('leads to the top of a page that is scrolled down by more than a screen', async () => {
    const scrollTo = vi.fn<typeof globalThis.scrollTo>();
    vi.stubGlobal('scrollTo', scrollTo);
    const { user } = renderApp('/403');
    await screen.findByRole('button', { name: 'Account of Aroha Ngata' });
    const scrollBy = (screens: number) => {
      vi.stubGlobal('scrollY', innerHeight * screens);
      act(() => void dispatchEvent(new Event('scroll')));
    };
    scrollBy(1);
    expect(screen.queryByRole('button', { name: 'Scroll to top' })).toBeNull();
    scrollBy(1.5);
    await user.click(screen.getByRole('button', { name: 'Scroll to top' }));
    expect(scrollTo).toHaveBeenLastCalledWith({ top: 0, behavior: 'smooth' });
  });

  test('tells an owner whose subscription has ended, but not whose date was never set', async () => {
    const { unmount } = renderApp('/', {
      as: buildLogin({ subscriptionValidUntil: '2026-10-01T00:00:00.000Z' }),
    });
    expect(await screen.findByText('Account Suspended.')).toBeTruthy();
    unmount();
    renderApp('/', { as: buildLogin({ token: 'b', subscriptionValidUntil: '1970-01-01T00:00:00.000Z' }) });
    await screen.findByRole('article', { name: 'Rākaia Downs' });
    expect(screen.queryByText('Account Suspended.')).toBeNull();
  });

  test.each([
    ['SUBSCRIBER', 1],
    ['AGENT', 0],
  ] as const)('says so in the menu, too: %s %d times', async (type, times) => {
    const as = buildLogin({ type, subscriptionValidUntil: '2026-10-01T00:00:00.000Z' });
    const { user } = renderApp('/403', { as });
    await user.click(await screen.findByRole('button', { name: 'Account of Aroha Ngata' }));
    const menu = within(await screen.findByRole('dialog'));
    expect(menu.queryAllByText('Account Suspended')).toHaveLength(times);
    expect(screen.queryAllByText('Account Suspended.')).toHaveLength(times);
  });
});

describe('the title of a page', () => {
  test('has a way back to the page before, and home where there is none', async () => {
    const { user, router } = renderApp('/terms-of-use');
    await screen.findByRole('heading', { name: 'Terms of Use' });
    await act(() => router.navigate({ to: '/invitations' }));
    await user.click(await screen.findByRole('link', { name: 'Back' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/terms-of-use'));
    const alone = renderApp('/invitations');
    const links = await screen.findAllByRole('link', { name: 'Back' });
    await alone.user.click(links.at(-1) as HTMLElement);
    await waitFor(() => expect(alone.router.state.location.pathname).toBe('/'));
  });
});

describe('settings and permissions that cannot be loaded', () => {
  test.each([UNREACHABLE, new Failure(500, 'Oops, something went wrong.')])(
    'are said so, and tried again',
    async (failure) => {
      const api = new FakeApi().on('GET /settings', failure);
      const { user } = renderApp('/', { api });
      expect(await screen.findByText("Your settings and permissions couldn't be loaded")).toBeTruthy();
      api.on('GET /settings', { data: null, version: 6 });
      await user.click(screen.getByRole('button', { name: 'Retry' }));
      expect(await screen.findByRole('article', { name: 'Rākaia Downs' })).toBeTruthy();
    },
  );

  test('reload the page after a second, once per tab', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
    sessionStorage.removeItem('headrace.reloaded');
    const late = () => new FakeApi().on('GET /settings', () => new Promise(() => undefined));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
    const { unmount } = renderApp('/', { api: late() });
    await pass(999);
    expect(screen.getByRole('progressbar', { name: 'Loading' }).getAttribute('aria-busy')).toBe('true');
    expect(reload).not.toHaveBeenCalled();
    await pass(1);
    expect(reload).toHaveBeenCalledTimes(1);
    unmount();
    renderApp('/', { api: late() });
    await pass(3000);
    expect(reload).toHaveBeenCalledTimes(1);
    reload.mockRestore();
  });
});

describe('on paper', () => {
  test('a dark page is light, and dark again after it', async () => {
    localStorage.setItem('mantine-color-scheme-value', 'dark');
    renderApp('/');
    await screen.findByRole('article', { name: 'Rākaia Downs' });
    const scheme = () => document.documentElement.getAttribute('data-mantine-color-scheme');
    expect(scheme()).toBe('dark');
    dispatchEvent(new Event('beforeprint'));
    expect(scheme()).toBe('light');
    act(() => void dispatchEvent(new Event('afterprint')));
    expect(scheme()).toBe('dark');
  });
});
