import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { session } from '../../api/session.ts';
import { Failure, FakeApi, UNREACHABLE } from '../../testing/fake-api.ts';
import { globalSettings, rakaia } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';

type App = ReturnType<typeof renderApp>;

async function signIn({ user }: App, email = 'owner@headrace.test', password = 'headrace'): Promise<void> {
  await user.type(await screen.findByLabelText('E-mail'), email);
  await user.type(screen.getByLabelText('Password'), password);
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
}

describe('signing in', () => {
  test.each([
    ["User doesn't exist.", "You're not registered yet!"],
    ['Account is not approved.', "Your account wasn't approved yet!"],
    ['Invalid username/password.', 'Invalid username/password.'],
    ['', 'Invalid username/password.'],
  ])('the answer %j is told as %j', async (answer, told) => {
    const api = new FakeApi().on('POST /account/auth', new Failure(401, answer));
    await signIn(renderApp('/login', { api, as: null }));
    expect((await screen.findByRole('alert')).textContent).toBe(told);
    expect(screen.getByLabelText('E-mail')).toHaveProperty('value', 'owner@headrace.test');
  });

  test('a server that is away is not a wrong password', async () => {
    const api = new FakeApi().on('POST /account/auth', UNREACHABLE);
    await signIn(renderApp('/login', { api, as: null }));
    expect((await screen.findByRole('alert')).textContent).toBe(
      "Server couldn't be reached. Please try again.",
    );
  });

  test('keeps the session in local storage and goes home', async () => {
    const app = renderApp('/login', { as: null });
    await signIn(app);
    await screen.findByRole('heading', { name: /^Farms/ });
    expect(app.router.state.location.pathname).toBe('/');
    expect(JSON.parse(localStorage.getItem('headrace.session') ?? '')).toEqual({
      logged: true,
      token: 'token-of-aroha',
      name: 'Aroha Ngata',
      email: 'owner@headrace.test',
      type: 'SUBSCRIBER',
      hasMobile: true,
      subscriptionValidUntil: '2099-01-01T00:00:00.000Z',
      mustChangePassword: false,
      isStaff: false,
    });
  });

  test('goes on to where the person wanted to go', async () => {
    const app = renderApp('/login?redirect=%2Ftanks%3Fp%3D0042', { as: null });
    await signIn(app);
    await waitFor(() => expect(app.router.state.location.href).toBe(`/tanks?p=0042&farm=${rakaia._id}`));
  });

  test('goes home rather than to another site', async () => {
    const app = renderApp('/login?redirect=%2F%2Fevil.example', { as: null });
    await signIn(app);
    await waitFor(() => expect(app.router.state.location.href).toBe('/'));
  });

  test.each([
    ['', 'headrace', 'Enter your e-mail address.'],
    ['owner', 'headrace', 'This is not an e-mail address.'],
    ['owner@headrace.test', '', 'Enter your password.'],
    ['owner@headrace.test', '12345', 'A password has at least 6 characters.'],
  ])('%j with %j is not sent: %s', async (email, password, fault) => {
    const app = renderApp('/login', { as: null });
    await screen.findByLabelText('E-mail');
    if (email) await app.user.type(screen.getByLabelText('E-mail'), email);
    if (password) await app.user.type(screen.getByLabelText('Password'), password);
    await app.user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(screen.getByText(fault)).toBeTruthy();
    expect(app.api.calls('POST /account/auth')).toHaveLength(0);
  });
});

describe('the sign-in page', () => {
  test('is what people who are not signed in see at /', async () => {
    const { router } = renderApp('/', { as: null });
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeTruthy();
    expect(router.state.location.pathname).toBe('/');
  });

  test('signs in to the demo account by one press where the farms are simulated', async () => {
    const api = new FakeApi().on('GET /ims-settings', { ...globalSettings, demo: true });
    const { user } = renderApp('/', { api, as: null });
    await user.click(await screen.findByRole('button', { name: 'Use the demo farm' }));
    await screen.findByRole('heading', { name: /^Farms/ });
    expect(api.calls('POST /account/auth')[0]?.body).toEqual({
      email: 'owner@headrace.test',
      password: 'headrace',
    });
  });

  test('leads to a new password, to a new account, and to the terms', async () => {
    renderApp('/login?redirect=%2Ftanks', { as: null });
    const register = await screen.findByRole('link', { name: 'Create an account' });
    expect(register.getAttribute('href')).toBe('/register/account-type?redirect=%2Ftanks');
    expect(screen.queryByRole('button', { name: 'Use the demo farm' })).toBeNull();
    expect(screen.queryAllByRole('link').map((link) => link.textContent)).toEqual([
      'Skip to content',
      'Forgot your password?',
      'Create an account',
      'Terms of Use',
      'Privacy Policy',
    ]);
  });

  test('offers no new account where none are made', async () => {
    const api = new FakeApi().on('GET /ims-settings', { ...globalSettings, newAccountCreationGlobal: false });
    renderApp('/login', { api, as: null });
    await waitFor(() => expect(api.calls('GET /ims-settings')).toHaveLength(1));
    expect(await screen.findByRole('link', { name: 'Forgot your password?' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Create an account' })).toBeNull();
  });

  test('sends people who are signed in home', async () => {
    const { router } = renderApp('/login');
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  });
});

describe('signing out', () => {
  test('forgets the person, ends the token on the server and returns home', async () => {
    const { user, api, router, queryClient } = renderApp('/403');
    await user.click(await screen.findByRole('button', { name: 'Account of Aroha Ngata' }));
    await user.click(await screen.findByRole('button', { name: 'Sign Out' }));
    expect(await screen.findByLabelText('E-mail')).toBeTruthy();
    expect(router.state.location.href).toBe('/');
    expect(api.calls('POST /account/logout')[0]?.headers.get('authorization')).toBe('token-of-aroha');
    expect(localStorage.getItem('headrace.session')).toBeNull();
    expect(queryClient.getQueryData(['farms-card'])).toBeUndefined();
    expect(session().type).toBe('NONE');
  });

  test('a session that the server ended is taken up again where it was', async () => {
    const api = new FakeApi().on('GET /permissions-list', new Failure(401, 'Please sign in.'));
    const { router } = renderApp('/dashboard?tab=level', { api });
    expect(await screen.findByText('Your session has ended. Please sign in again.')).toBeTruthy();
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(router.state.location.search).toEqual({ redirect: '/dashboard?tab=level' });
  });
});
