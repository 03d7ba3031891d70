import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { levels, presets } from '@headrace/contract/permissions';
import { Failure } from '../../testing/fake-api.ts';
import { permissionsOn, rakaia, uid, waihao } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { farmUID } from '../devices/device-fixtures.ts';
import { membersApi, north } from './group-fixtures.ts';

const name = () => screen.findByRole('textbox', { name: /^Name/ });

describe('a new group', () => {
  test("begins with the farm's water application, is sent and leads back to the farm's groups", async () => {
    const api = membersApi().on('POST /group', { id: uid(8999) });
    const { user, router } = renderApp(`/group/new/${farmUID}`, { api });
    await user.type(await name(), ' River flats ');
    await user.click(screen.getByRole('switch', { name: /^Lateral/ }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Group added.')).toBeTruthy();
    expect(api.calls('POST /group').map(({ body }) => body)).toEqual([
      { farmUID, name: 'River flats', description: '', isLateral: true, walConfig: rakaia.walConf },
    ]);
    await waitFor(() => expect(router.state.location.search).toEqual({ t: 'g', f: farmUID }));
  });

  test('needs a name', async () => {
    const { user, api } = renderApp(`/group/new/${farmUID}`, { api: membersApi() });
    await name();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Name is required.')).toBeTruthy();
    expect(api.calls('POST /group')).toEqual([]);
  });

  test('whose name is in use hears so at the name', async () => {
    const taken = 'The farm has a group named North already. Please choose another name.';
    const api = membersApi().on('POST /group', new Failure(409, taken, { field: 'name' }));
    const { user } = renderApp(`/group/new/${farmUID}`, { api });
    await user.type(await name(), 'North');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect((await screen.findAllByText(taken)).length).toBeGreaterThan(0);
    expect((await name()).getAttribute('aria-invalid')).toBe('true');
  });
});

describe("a group's form", () => {
  const serve = () => membersApi().on('GET /group', north);
  const path = `/group/${farmUID}/${north._id}`;

  test('saves what was changed with the version it was of', async () => {
    const api = serve().on('PUT /group', { id: north._id, group: { ...north, name: 'Upper', version: 2 } });
    const { user } = renderApp(path, { api });
    await user.clear(await name());
    await user.type(await name(), 'Upper');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Group saved.')).toBeTruthy();
    expect(api.calls('PUT /group').map(({ body }) => [body.id, body.version, body.name])).toEqual([
      [north._id, 1, 'Upper'],
    ]);
  });

  test('asks whose name is kept when somebody else was quicker', async () => {
    const theirs = { ...north, name: 'Theirs', version: 5 };
    let tries = 0;
    const api = serve().on('PUT /group', ({ body }) => {
      tries += 1;
      return tries === 1
        ? new Failure(409, 'Somebody else changed this meanwhile.', { current: theirs })
        : { id: north._id, group: { ...north, name: body.name, version: 6 } };
    });
    const { user } = renderApp(path, { api });
    await user.clear(await name());
    await user.type(await name(), 'Upper');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const dialog = await screen.findByRole('dialog', { name: 'Somebody else changed this meanwhile' });
    await user.click(within(dialog).getByRole('button', { name: /Save/ }));
    await waitFor(() => expect(api.calls('PUT /group').map(({ body }) => body.version)).toEqual([1, 5]));
  });

  test('of another farm than the address names is not there', async () => {
    renderApp(`/group/${waihao._id}/${north._id}`, { api: serve() });
    expect(await screen.findByText("Sorry, we couldn't find what you're looking for.")).toBeTruthy();
  });
});

describe('a page of groups', () => {
  const here = `${farmUID}/${north._id}`;
  const rights = { ...presets.none, farms: levels.Read, groups: levels.Read };
  test.each([
    ['/group/new', `/group/new/${farmUID}`, { groups: levels.All - levels.Create }],
    ['/group', `/group/${here}`, { groups: levels.All - levels.Edit }],
    ['/group/devices-map', `/group/devices-map/${here}`, { groups: levels.All }],
    ['/group/devices-list', `/group/devices-list/${here}`, { groups: levels.All }],
  ])('%s is closed to who has every other right to groups', async (_name, to, more) => {
    const may = { permissions: [permissionsOn(rakaia, { ...rights, ...more })] };
    const { api, router } = renderApp(to, {
      api: membersApi().on('GET /group', north).on('GET /permissions-list', may),
    });
    expect(
      await screen.findByText("Sorry, you don't have permissions to access this page for the current farm."),
    ).toBeTruthy();
    expect(router.state.location.pathname).toBe('/403');
    expect([...api.calls('GET /group'), ...api.calls('GET /group/devices')]).toEqual([]);
  });

  test.each([
    ['/group/new', `/group/new/${farmUID}`, { groups: levels.Create }],
    ['/group', `/group/${here}`, { groups: levels.Edit }],
    ['/group/devices-map', `/group/devices-map/${here}`, { manageGroupDevices: true }],
    ['/group/devices-list', `/group/devices-list/${here}`, { manageGroupDevices: true }],
  ])('%s needs that one right', async (_name, to, more) => {
    const may = { permissions: [permissionsOn(rakaia, { ...presets.none, ...more })] };
    const { router } = renderApp(to, {
      api: membersApi().on('GET /group', north).on('GET /permissions-list', may),
    });
    await waitFor(() => expect(router.state.status).toBe('idle'));
    expect(router.state.location.pathname).toBe(to);
  });

  test.each(['/group/new/rakaia', '/group/new', '/group/devices-map/1', `/group/${farmUID}/new`])(
    'is not at %s: a farm and a group have ids of 24 hex digits',
    async (path) => {
      renderApp(path, {
        api: membersApi().on('GET /group', new Failure(400, 'groupId must match pattern.')),
      });
      expect(await screen.findByText("Sorry, we couldn't find what you're looking for.")).toBeTruthy();
    },
  );
});
