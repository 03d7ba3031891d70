import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import {
  buildFarm,
  buildLogin,
  buildSummary,
  globalSettings,
  HOUR,
  permissionsOn,
  rakaia,
  waihao,
} from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';

const card = (name: string) => screen.findByRole('article', { name });
const facts = (element: HTMLElement) =>
  within(element)
    .getAllByRole('listitem')
    .map((item) => item.textContent);

describe('a farm card', () => {
  test('says what needs a person, worst first', async () => {
    const api = new FakeApi().on('GET /farms-summary', {
      farms: [
        buildSummary(rakaia, {
          tanksLowBattery: 1,
          tanksLow: 2,
          tanksLeaking: 1,
          tanksOutOfContact: 1,
          gatewaysOffline: 1,
        }),
        buildSummary(waihao),
      ],
    });
    renderApp('/', { api });
    const rakaiaCard = await card('Rākaia Downs');
    await waitFor(() =>
      expect(facts(rakaiaCard)).toEqual([
        '1 gateway offline',
        '1 tank out of contact',
        '1 possible leak',
        '2 tanks low',
        '1 tank with a low battery',
      ]),
    );
    expect(facts(await card('Waihao Flats'))).toEqual(['Everything in contact']);
    expect(screen.getByText('1 of 3 farms needs attention.')).toBeTruthy();
  });

  test('shows how old its last contact is', async () => {
    const at = new Date(Date.now() - 26 * HOUR).toISOString();
    const api = new FakeApi().on('GET /farms-summary', {
      farms: [buildSummary(rakaia, { lastContact: at })],
    });
    renderApp('/', { api });
    const age = await within(await card('Rākaia Downs')).findByText(/1 day ago/);
    expect(age.textContent).toBe('Last contact 1 day ago');
    expect(age.getAttribute('datetime')).toBe(at);
    expect(age.dataset.stale).toBeDefined();
  });

  test('leads to the tanks and the dashboard of its own farm', async () => {
    renderApp('/');
    const links = within(await card('Waihao Flats'));
    expect(links.getByRole('link', { name: 'Tanks' }).getAttribute('href')).toBe(`/tanks?farm=${waihao._id}`);
    expect(links.getByRole('link', { name: 'Dashboard' }).getAttribute('href')).toBe(
      `/dashboard?farm=${waihao._id}`,
    );
    const fact = await links.findByRole('link', { name: '1 tank out of contact' });
    expect(fact.getAttribute('href')).toBe(`/tanks?farm=${waihao._id}&filter=OutOfContact`);
  });

  test('shows only the ways that the person has', async () => {
    const api = new FakeApi().on('GET /permissions-list', {
      permissions: [
        permissionsOn(rakaia, { ...presets.none, farms: 1 }),
        permissionsOn(waihao, { ...presets.none, farms: 1, sprinklersStatus: true }),
      ],
    });
    renderApp('/', { api });
    expect(within(await card('Rākaia Downs')).queryAllByRole('link')).toHaveLength(0);
    const ways = within(await card('Waihao Flats')).getAllByRole('link');
    expect(ways.map((link) => link.textContent)).toContain('Tanks');
    expect(ways.map((link) => link.textContent)).not.toContain('Dashboard');
    expect(screen.queryByRole('article', { name: 'Mallee Run' })).toBeNull();
  });

  test('has no Tanks button when the person has switched tank maps off', async () => {
    const api = new FakeApi().on('GET /settings', { data: { displayTankMap: false }, version: 6 });
    renderApp('/', { api });
    const links = within(await card('Rākaia Downs'));
    expect(links.queryByRole('link', { name: 'Tanks' })).toBeNull();
    expect(links.getByRole('link', { name: 'Dashboard' })).toBeTruthy();
  });

  test('tells a delegate that the owner has stopped paying, and an owner nothing of the kind', async () => {
    const ended = { ...rakaia, subscriptionValidUntil: '2026-10-01T00:00:00.000Z' };
    const api = new FakeApi().on('GET /farms-card', [ended, waihao]);
    const { unmount } = renderApp('/', { api, as: buildLogin({ type: 'AGENT' }) });
    expect(within(await card('Rākaia Downs')).getByText('Account Suspended')).toBeTruthy();
    expect(within(await card('Waihao Flats')).queryByText('Account Suspended')).toBeNull();
    unmount();
    renderApp('/', { api, as: buildLogin({ token: 'b' }) });
    expect(within(await card('Rākaia Downs')).queryByText('Account Suspended')).toBeNull();
  });

  test('copies its UID', async () => {
    const { user } = renderApp('/');
    await card('Waihao Flats');
    await user.click(await screen.findByRole('button', { name: 'Menu of Waihao Flats' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Copy site UID' }));
    expect(await screen.findByText('Site UID Copied!')).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe(waihao._id);
  });
});

describe('the home page', () => {
  test('says that the farms are simulated where they are', async () => {
    const api = new FakeApi().on('GET /ims-settings', { ...globalSettings, demo: true });
    renderApp('/', { api });
    expect(await screen.findByText('Demo · simulated farms')).toBeTruthy();
  });

  test('without a farm says so', async () => {
    const api = new FakeApi().on('GET /farms-card', []).on('GET /farms-summary', { farms: [] });
    renderApp('/', { api });
    expect(await screen.findByText('No farms yet.')).toBeTruthy();
  });

  test('that could not be loaded says what failed and tries again', async () => {
    const api = new FakeApi().on('GET /farms-card', new Failure(403, 'Ask your administrator.'));
    const { user } = renderApp('/', { api });
    expect(await screen.findByText("Your farms couldn't be loaded")).toBeTruthy();
    expect(screen.getByText('Ask your administrator.')).toBeTruthy();
    api.on('GET /farms-card', [rakaia]);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await card('Rākaia Downs')).toBeTruthy();
  });

  test('does not call a farm fine whose state is not known', async () => {
    const api = new FakeApi().on('GET /farms-summary', new Failure(403, 'No.'));
    renderApp('/', { api });
    expect(await within(await card('Rākaia Downs')).findByText("Its state isn't known.")).toBeTruthy();
    expect(screen.getByText("What needs attention couldn't be loaded.")).toBeTruthy();
    expect(screen.queryByText(/fine/)).toBeNull();
  });
});

describe('many farms', () => {
  const farms = Array.from({ length: 9 }, (_, n) =>
    buildFarm(n + 10, { name: n === 4 ? 'Wānaka Flats' : `Block ${n}` }),
  );
  const serve = () =>
    new FakeApi()
      .on('GET /farms-card', farms)
      .on('GET /permissions-list', { permissions: farms.map((farm) => permissionsOn(farm)) })
      .on('GET /farms-summary', {
        farms: farms.map((farm, n) => buildSummary(farm, { tanksLow: n === 2 ? 1 : 0 })),
      });
  const shown = () => screen.getAllByRole('article').map((article) => article.getAttribute('aria-label'));

  test('can be searched, and the address keeps the search', async () => {
    const { user, router } = renderApp('/', { api: serve() });
    await user.type(await screen.findByRole('searchbox', { name: 'Search farms' }), 'wānaka');
    await waitFor(() => expect(shown()).toEqual(['Wānaka Flats']));
    expect(router.state.location.search).toEqual({ q: 'wānaka' });
  });

  test('that need attention can be picked out, also by a link', async () => {
    renderApp('/?show=attention', { api: serve() });
    expect(await card('Block 2')).toBeTruthy();
    expect(shown()).toEqual(['Block 2']);
  });

  test('of which none matches show the way back to all', async () => {
    const { user } = renderApp('/?q=nowhere', { api: serve() });
    await user.click(await screen.findByRole('button', { name: 'Show all farms' }));
    await waitFor(() => expect(shown()).toHaveLength(9));
  });

  test('up to eight need no search', async () => {
    renderApp('/');
    await card('Rākaia Downs');
    expect(screen.queryByRole('searchbox')).toBeNull();
  });
});
