import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../testing/fake-api.ts';
import { rakaia, uid, waihao } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { farmUID } from '../devices/device-fixtures.ts';
import { asGuest, membersApi, north } from './group-fixtures.ts';

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

  test('is not for guests', async () => {
    renderApp(`/group/new/${farmUID}`, { api: membersApi().on('GET /permissions-list', asGuest) });
    expect(
      await screen.findByText("Sorry, you don't have permissions to access this page for the current farm."),
    ).toBeTruthy();
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
