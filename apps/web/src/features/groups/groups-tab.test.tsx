import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { levels, presets } from '@headrace/contract/permissions';
import { Failure } from '../../testing/fake-api.ts';
import { permissionsOn, rakaia, waihao } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { buildCommand } from '../commands/command-fixtures.ts';
import { deviceApi, farmUID } from '../devices/device-fixtures.ts';
import { asGuest, buildGroup } from './group-fixtures.ts';
import { cardName } from './group-name.ts';

const west = buildGroup(3, 'Sublateral 12', { amountOfIpc: 14, amountOfIpcInhibited: 2, isLateral: true });
const east = buildGroup(4, 'Eastern terrace', { amountOfIpc: 1 });
const none = buildGroup(5, 'A2');
const ten = buildGroup(6, 'A10');
const serve = () => deviceApi().on('GET /groups-card', { groups: [ten, west, none, east] });
const shown = () => screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'));
const card = (name: string) => screen.findByRole('article', { name });

describe("the groups' tab", () => {
  test('is opened from the farms, and by a link; the address says so', async () => {
    const { user, router } = renderApp('/', { api: serve() });
    await user.click(await screen.findByRole('link', { name: 'Groups' }));
    await card('A2');
    expect(router.state.location.search).toEqual({ t: 'g' });
    expect(screen.getByRole('link', { name: 'Groups' }).getAttribute('aria-current')).toBe('page');
    expect(screen.getByRole('link', { name: 'Farms' }).getAttribute('aria-current')).toBeNull();
    await user.click(screen.getByRole('link', { name: 'Farms' }));
    expect(await card('Waihao Flats')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Groups' }).getAttribute('aria-current')).toBeNull();
  });

  test('shows the farm that the address names', async () => {
    const { api } = renderApp(`/?t=g&f=${waihao._id}`, { api: serve() });
    await card('A2');
    expect(api.calls('GET /groups-card').map(({ query }) => query.fid)).toEqual([waihao._id]);
    expect(screen.getByRole('link', { name: 'Groups' }).getAttribute('aria-current')).toBe('page');
    expect(screen.getByRole('link', { name: 'Farms' }).getAttribute('aria-current')).toBeNull();
  });

  test('sorts names as people count, and turns them round', async () => {
    const { user, router } = renderApp('/?t=g', { api: serve() });
    await card('A2');
    expect(shown()).toEqual(['A2', 'A10', 'Eastern terrace', 'Sublateral 12']);
    const sort = screen.getByRole('combobox', { name: 'Sort by' });
    expect(
      within(sort)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Name A-Z', 'Name Z-A']);
    await user.selectOptions(sort, 'Name Z-A');
    expect(shown()).toEqual(['Sublateral 12', 'Eastern terrace', 'A10', 'A2']);
    expect(router.state.location.search).toEqual({ t: 'g', sort: 'za' });
  });

  test('finds by name, kept in the address, and shows all again', async () => {
    const { user, router } = renderApp('/?t=g&g=east', { api: serve() });
    await card('Eastern terrace');
    expect(shown()).toEqual(['Eastern terrace']);
    await user.type(screen.getByRole('searchbox', { name: 'Search groups' }), 'x');
    await screen.findByText('No group matches.');
    expect(router.state.location.search).toEqual({ t: 'g', g: 'eastx' });
    await user.click(screen.getByRole('button', { name: 'Show all groups' }));
    await waitFor(() => expect(shown()).toHaveLength(4));
  });

  test('says that the groups may not be seen', async () => {
    const groupless = { ...presets.farmManager, groups: 0 };
    const { api } = renderApp('/?t=g', {
      api: serve().on('GET /permissions-list', { permissions: [permissionsOn(rakaia, groupless)] }),
    });
    expect(await screen.findByText("You don't have permissions to see the groups.")).toBeTruthy();
    expect(api.calls('GET /groups-card')).toEqual([]);
  });

  test.each([
    [levels.Read | levels.Create, true],
    [levels.Read | levels.Edit | levels.Delete, false],
  ])('with rights %i a new one can be added: %s', async (groups, isOffered) => {
    const rights = { ...presets.farmManager, groups };
    renderApp('/?t=g', {
      api: serve().on('GET /permissions-list', { permissions: [permissionsOn(rakaia, rights)] }),
    });
    expect(await card('A2')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'New Group' }) !== null).toBe(isOffered);
  });

  test('that could not be loaded tries again', async () => {
    const api = serve().on('GET /groups-card', new Failure(403, 'Ask the owner.'));
    const { user } = renderApp('/?t=g', { api });
    expect(await screen.findByText("The groups couldn't be loaded")).toBeTruthy();
    api.on('GET /groups-card', { groups: [none] });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await card('A2')).toBeTruthy();
  });
});

describe("a group's card", () => {
  test('has ten characters of the name, and SubLat for sublateral', async () => {
    renderApp('/?t=g', { api: serve() });
    expect(within(await card('Eastern terrace')).getByText('Eastern te…')).toBeTruthy();
    expect(within(await card('Sublateral 12')).getByText('SubLat 12')).toBeTruthy();
    expect(cardName('sublateral')).toBe('SubLat');
    expect(cardName('My sublateral')).toBe('My sublate…');
    expect(cardName('Ten lettrs')).toBe('Ten lettrs');
  });

  test('counts its sprinklers', async () => {
    renderApp('/?t=g', { api: serve() });
    const facts = async (name: string) =>
      within(await card(name))
        .getAllByRole('listitem')
        .map((fact) => fact.textContent);
    expect(await facts('Sublateral 12')).toEqual(['14 sprinklers', '2 inhibited', 'Lateral']);
    expect(await facts('Eastern terrace')).toEqual(['1 sprinkler']);
    expect(await facts('A2')).toEqual(['No sprinklers']);
  });

  test('has the bar of what is under way for it, and what is for the farm stands once over all of them', async () => {
    const many = { state: 'progress', total: 14, done: 0 } as const;
    const api = serve().on('GET /commands', {
      commands: [
        buildCommand(1, {
          ...many,
          command: 'SendScheduleSet',
          groupUID: west._id,
          name: west.name,
          done: 5,
          failed: 2,
        }),
        buildCommand(2, { ...many, command: 'PollGroup', name: 'Whole farm', total: 930, done: 412 }),
      ],
      more: false,
    });
    renderApp('/?t=g', { api });
    const bars = async (place: HTMLElement) =>
      (await within(place).findAllByRole('progressbar')).map((bar) => [
        bar.getAttribute('aria-valuenow'),
        bar.getAttribute('aria-valuemax'),
      ]);
    const west14 = await card('Sublateral 12');
    expect(await bars(west14)).toEqual([['5', '14']]);
    expect(within(west14).getByText('5 of 14 done, 2 failed')).toBeTruthy();
    expect(
      within(west14)
        .getByRole('link', { name: /^Send Schedules, Sublateral 12/ })
        .getAttribute('href'),
    ).toContain(buildCommand(1)._id);
    expect(within(await card('A2')).queryByRole('progressbar')).toBeNull();
    expect(await bars(screen.getByRole('main'))).toEqual([
      ['412', '930'],
      ['5', '14'],
    ]);
  });

  test('leads to everything of the group', async () => {
    const { user } = renderApp('/?t=g', { api: serve() });
    await user.click(within(await card('A2')).getByRole('button', { name: 'Menu of A2' }));
    const links = (await screen.findAllByRole('menuitem')).map((item) => [
      item.textContent,
      item.getAttribute('href'),
    ]);
    expect(links).toEqual([
      ['Edit group', `/group/${farmUID}/${none._id}`],
      ['Choose devices on the map', `/group/devices-map/${farmUID}/${none._id}`],
      ['Choose devices in a list', `/group/devices-list/${farmUID}/${none._id}`],
      ['Map of the group', `/group-status/A2?farm=${farmUID}`],
      ['Send schedules…', null],
      ['Poll group…', null],
      ['Inhibit group…', null],
      ['Uninhibit group…', null],
      ['Valves On…', null],
      ['Valves Off…', null],
      ['Reconfigure group…', null],
      ['Change comms mode…', null],
      ['Hold from watering…', null],
      ['Delete group', null],
    ]);
  });

  test('offers a guest only the map', async () => {
    const { user } = renderApp('/?t=g', { api: serve().on('GET /permissions-list', asGuest) });
    await user.click(within(await card('A2')).getByRole('button', { name: 'Menu of A2' }));
    const items = await screen.findAllByRole('menuitem');
    expect(items.map((item) => item.textContent)).toEqual(['Map of the group']);
    expect(screen.queryByRole('link', { name: 'New Group' })).toBeNull();
  });

  test('deleting needs the right to delete the farm, whatever the groups right says', async () => {
    const agent = { permissions: [permissionsOn(rakaia, presets.agent)] };
    const { user } = renderApp('/?t=g', { api: serve().on('GET /permissions-list', agent) });
    await user.click(within(await card('A2')).getByRole('button', { name: 'Menu of A2' }));
    await screen.findByRole('menuitem', { name: 'Edit group' });
    expect(screen.queryByRole('menuitem', { name: 'Delete group' })).toBeNull();
  });

  test('is deleted after asking, and the sentence says so', async () => {
    const api = serve().on('DELETE /group', { success: true });
    const { user } = renderApp('/?t=g', { api });
    await user.click(within(await card('Sublateral 12')).getByRole('button', { name: /Menu/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete group' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete Sublateral 12?' });
    expect(within(dialog).getByText('Its 14 sprinklers stay on the farm.')).toBeTruthy();
    expect(within(dialog).getByText(/It can be undone for 30 days/)).toBeTruthy();
    api.on('GET /groups-card', { groups: [none] });
    await user.click(within(dialog).getByRole('button', { name: 'Delete group' }));
    expect(await screen.findByText('Group deleted successfully!')).toBeTruthy();
    await waitFor(() => expect(shown()).toEqual(['A2']));
    expect(api.calls('DELETE /group').map(({ query }) => query.groupId)).toEqual([west._id]);
  });

  test('that could not be deleted stays, and the sentence says so', async () => {
    const api = serve().on('DELETE /group', new Failure(403, 'No.'));
    const { user } = renderApp('/?t=g', { api });
    await user.click(within(await card('A2')).getByRole('button', { name: /Menu/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete group' }));
    await user.click(await screen.findByRole('button', { name: 'Delete group' }));
    expect(await screen.findByText("Group couldn't be deleted!")).toBeTruthy();
  });
});
