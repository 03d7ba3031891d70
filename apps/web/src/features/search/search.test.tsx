import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { SearchResult } from '@headrace/contract/irrigation-devices';
import { presets } from '@headrace/contract/permissions';
import { Failure } from '../../testing/fake-api.ts';
import { nothingOn, permissionsOn, rakaia, uid, waihao } from '../../testing/fixtures.ts';
// The forms are much code: it is there before a test waits for it.
import '../../app/device-form-page.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { buildGateway, deviceApi } from '../devices/device-fixtures.ts';

const hit = (n: number, over: Partial<SearchResult> = {}): SearchResult => ({
  id: uid(1000 + n),
  serial: `IPC${n}`,
  name: `A${n}`,
  farm: rakaia.name,
  farmUID: rakaia._id,
  groups: [],
  outOfService: false,
  outOfComm: false,
  inhibited: false,
  error: false,
  isActive: false,
  kind: 'sprinkler',
  ...over,
});
const ofWaihao = { farm: waihao.name, farmUID: waihao._id };
const results = [
  hit(1, { groups: ['North'] }),
  hit(2, { ...ofWaihao, outOfComm: true }),
  hit(3, { inhibited: true }),
  hit(4, { ...ofWaihao, kind: 'gateway', serial: 'INC4' }),
];
const serve = () =>
  deviceApi({ gateways: [buildGateway(4, { _id: uid(1004), farmUID: waihao._id, name: 'A4' })] }).on(
    'GET /ipc/search',
    { results },
  );
const openSearch = async (api = serve()) => {
  const app = renderApp('/', { api });
  const box = await screen.findByRole('combobox', { name: 'Search devices' });
  await screen.findByRole('article', { name: 'Waihao Flats' });
  return { ...app, box };
};
const active = (box: HTMLElement) =>
  document.getElementById(box.getAttribute('aria-activedescendant') ?? '')?.textContent ?? null;

describe("the header's search", () => {
  test('is reached with "/", but not while something is typed elsewhere', async () => {
    const { user, box } = await openSearch();
    await user.keyboard('/');
    expect(document.activeElement).toBe(box);
    await user.type(box, 'a/1');
    expect((box as HTMLInputElement).value).toBe('a/1');
  });

  test('asks from two characters on, once for quick typing', async () => {
    const { user, box, api } = await openSearch();
    await user.type(box, 'a');
    expect(await screen.findByText('Type one more letter or digit.')).toBeTruthy();
    await user.type(box, '12');
    await screen.findByRole('listbox');
    expect(api.calls('GET /ipc/search').map(({ query }) => query.value)).toEqual(['a12']);
  });

  test('shows what was found by farm, with how each is', async () => {
    const { user, box } = await openSearch();
    await user.type(box, 'a1');
    const list = await screen.findByRole('listbox', { name: 'Devices found' });
    const farms = within(list)
      .getAllByRole('group')
      .map((group) =>
        within(group)
          .getAllByRole('option')
          .map((option) => option.textContent),
      );
    expect(farms).toEqual([
      ['A1sprinkler · IPC1 · NorthOK', 'A3sprinkler · IPC3Inhibited'],
      ['A2sprinkler · IPC2Out of contact', 'A4gateway · INC4OK'],
    ]);
    expect(within(list).getByRole('group', { name: 'Waihao Flats' })).toBeTruthy();
  });

  test('moves with the arrows and opens with Enter: the farm changes, the unit is open on its map', async () => {
    const { user, box, router, api } = await openSearch();
    await user.type(box, 'a1');
    await screen.findByRole('listbox');
    expect(active(box)).toContain('A1');
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(active(box)).toContain('A2');
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(active(box)).toContain('A1');
    await user.keyboard('{ArrowUp}{ArrowUp}{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/group-status/FARM'));
    expect(router.state.location.search).toEqual({ farm: waihao._id, ipc: uid(1002) });
    await waitFor(() => expect(api.calls('PUT /settings').at(-1)?.body.data.currFarm).toBe(waihao._id));
    expect(screen.queryByRole('listbox')).toBeNull();
  });

  test('opens other devices in their forms', async () => {
    const { user, box, router } = await openSearch();
    await user.type(box, 'a1');
    await user.click(await screen.findByRole('option', { name: /A4/ }));
    await waitFor(() =>
      expect(router.state.location.pathname).toBe(`/gateway-device/${waihao._id}/${uid(1004)}`),
    );
  });

  test('opens the list where one may not edit', async () => {
    const guest = [permissionsOn(rakaia), permissionsOn(waihao, presets.guest), nothingOn(rakaia)];
    const api = serve().on('GET /permissions-list', { permissions: guest });
    const { user, box, router } = await openSearch(api);
    await user.type(box, 'a1');
    await user.click(await screen.findByRole('option', { name: /A4/ }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`/gateway-devices/${waihao._id}`));
    expect(router.state.location.search).toEqual({ q: 'A4' });
  });

  test('closes with Escape, and empties with the next', async () => {
    const { user, box } = await openSearch();
    await user.type(box, 'a1');
    await screen.findByRole('listbox');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect((box as HTMLInputElement).value).toBe('a1');
    await user.keyboard('{Escape}');
    expect((box as HTMLInputElement).value).toBe('');
  });

  test('says when nothing is found', async () => {
    const { user, box } = await openSearch(serve().on('GET /ipc/search', { results: [] }));
    await user.type(box, 'zz');
    expect(await screen.findByText('Nothing found for “zz”.')).toBeTruthy();
  });

  test('says when it failed, and tries again', async () => {
    const api = serve().on('GET /ipc/search', new Failure(403, 'Ask the owner.'));
    const { user, box } = await openSearch(api);
    await user.type(box, 'a1');
    expect(await screen.findByText('The search failed: Ask the owner.')).toBeTruthy();
    api.on('GET /ipc/search', { results });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('listbox')).toBeTruthy();
  });
});

describe('on a phone the search is a sheet', () => {
  beforeEach(() => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.includes('max-width'),
      media: query,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
      addListener: () => undefined,
      removeListener: () => undefined,
    }));
  });

  test('from which what was found opens', async () => {
    const { user, router } = renderApp('/', { api: serve() });
    await user.click(await screen.findByRole('button', { name: 'Search devices' }));
    const box = await screen.findByRole('combobox', { name: 'Search devices' });
    await user.type(box, 'a1');
    await user.click(await screen.findByRole('option', { name: /A1/ }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/group-status/FARM'));
  });

  test('which Back does not leave over the page before', async () => {
    const { user, router } = renderApp('/', { api: serve() });
    await screen.findByRole('button', { name: 'Search devices' });
    await act(() => router.navigate({ to: '/403' }));
    await user.click(await screen.findByRole('button', { name: 'Search devices' }));
    await screen.findByRole('dialog', { name: 'Search devices' });
    act(() => router.history.back());
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Search devices' })).toBeNull());
  });
});
