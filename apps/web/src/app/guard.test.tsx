import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import { FakeApi } from '../testing/fake-api.ts';
import { FakeSocket } from '../testing/fake-socket.ts';
import { nothingOn, permissionsOn, rakaia, uid, waihao } from '../testing/fixtures.ts';
import { renderApp } from '../testing/render-app.tsx';

const NOT_FOUND = "Sorry, we couldn't find what you're looking for.";
const FORBIDDEN = "Sorry, you don't have permissions to access this page for the current farm.";

const withRights = (...rows: ReturnType<typeof permissionsOn>[]) =>
  new FakeApi().on('GET /permissions-list', { permissions: rows });

describe('people who are not signed in', () => {
  test('see that a private page is not there, and may sign in to reach it', async () => {
    const { user, router } = renderApp('/tanks?p=0042', { as: null });
    expect(await screen.findByText(NOT_FOUND)).toBeTruthy();
    await user.click(screen.getByRole('link', { name: 'Sign in' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(router.state.location.search).toEqual({ redirect: '/tanks?p=0042' });
  });

  test('are offered the way home alone where there is no such page for anyone', async () => {
    renderApp('/nowhere', { as: null });
    expect(await screen.findByText(NOT_FOUND)).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Sign in' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Go to the home page' }).getAttribute('href')).toBe('/');
  });

  test('ask the server for nothing of theirs', async () => {
    const { api } = renderApp('/tanks', { as: null });
    await screen.findByText(NOT_FOUND);
    expect(api.calls('GET /permissions-list')).toHaveLength(0);
    expect(FakeSocket.all).toHaveLength(0);
  });
});

describe('permissions of the current farm', () => {
  test.each(['/dashboard', '/tanks'])('without the right %s leads to the page that says so', async (path) => {
    const { router } = renderApp(path, { api: withRights(nothingOn(rakaia), permissionsOn(waihao)) });
    expect(await screen.findByText(FORBIDDEN)).toBeTruthy();
    expect(router.state.location.pathname).toBe('/403');
    expect(screen.getByRole('link', { name: 'Go to the home page' }).getAttribute('href')).toBe('/');
  });

  test('a farm without a row gives no right', async () => {
    renderApp('/dashboard', { api: withRights(permissionsOn(waihao)) });
    expect(await screen.findByText(FORBIDDEN)).toBeTruthy();
  });

  test('a right that is taken away closes the page that needs it', async () => {
    const { router } = renderApp('/dashboard');
    await waitFor(() => expect(FakeSocket.all).toHaveLength(1));
    await waitFor(() => expect(router.state.status).toBe('idle'));
    expect(router.state.location.pathname).toBe('/dashboard');
    FakeSocket.last.push({ type: 'permissions', data: [nothingOn(rakaia)] });
    expect(await screen.findByText(FORBIDDEN)).toBeTruthy();
  });

  test('a farm named in the address becomes the current one', async () => {
    const { api, router } = renderApp(`/dashboard?farm=${waihao._id}`, {
      api: withRights(nothingOn(rakaia), permissionsOn(waihao, presets.guest)),
    });
    expect(await screen.findByRole('button', { name: /^Current farm: Waihao Flats/ })).toBeTruthy();
    await waitFor(() => expect(api.calls('PUT /settings')[0]?.body.data.currFarm).toBe(waihao._id));
    expect(router.state.location.pathname).toBe('/dashboard');
  });

  test('a farm that is not theirs is as if it did not exist', async () => {
    renderApp(`/dashboard?farm=${uid(77)}`);
    expect(await screen.findByText(NOT_FOUND)).toBeTruthy();
  });

  test('pointing at a farm does not make it the current one', async () => {
    const { user, api } = renderApp('/');
    const card = await screen.findByRole('article', { name: 'Waihao Flats' });
    const link = card.querySelector('a[href^="/tanks"]');
    if (!link) throw new Error('The card has no link to its tanks');
    await user.hover(link);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(screen.getByRole('button', { name: /^Current farm: Rākaia Downs/ })).toBeTruthy();
    expect(api.calls('PUT /settings')).toHaveLength(0);
  });
});
