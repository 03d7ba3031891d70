import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { levels, presets } from '@headrace/contract/permissions';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { buildLogin, globalSettings, mallee, permissionsOn, rakaia, waihao } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';

const contents = {
  sprinklers: 42,
  gateways: 1,
  repeaters: 0,
  sensors: 7,
  pois: 1,
  groups: 0,
  schedules: 3,
  people: 2,
};
const menu = async (name: string, api = new FakeApi()) => {
  const app = renderApp('/', { api });
  await app.user.click(await screen.findByRole('button', { name: `Menu of ${name}` }));
  await screen.findByRole('menuitem', { name: 'Copy site UID' });
  const items = screen.getAllByRole('menuitem').map((item) => item.textContent);
  const choose = async (item: string) => app.user.click(screen.getByRole('menuitem', { name: item }));
  return { ...app, items, choose };
};

describe("the farm card's menu", () => {
  test('offers an owner everything', async () => {
    const { items } = await menu('Rākaia Downs');
    expect(items).toEqual([
      'Edit farm',
      'Copy site UID',
      'Dashboard',
      'Tank map',
      'Commands',
      'Sprinkler map',
      'Sprinklers',
      'Sensors',
      'Repeaters',
      'Gateways',
      'Points of interest',
      'Walk list',
      'Schedule sets',
      'Schedules management',
      'Schedule templates',
      'Irrigation advice',
      'Irrigation diary',
      'Water takes',
      'Device messages',
      'Import',
      'Export',
      'Backup & Restore',
      'Reset sprinkler locations',
      'Reset all device locations',
      'Delete farm',
    ]);
    const hrefs = screen.getAllByRole('menuitem').map((item) => item.getAttribute('href'));
    expect(hrefs.filter(Boolean)).toEqual([
      `/farm/${rakaia._id}`,
      `/dashboard?farm=${rakaia._id}`,
      `/tanks?farm=${rakaia._id}`,
      `/commands/${rakaia._id}`,
      `/group-status/FARM?farm=${rakaia._id}`,
      `/irrigation-devices/${rakaia._id}`,
      `/sensor-devices/${rakaia._id}`,
      `/repeater-devices/${rakaia._id}`,
      `/gateway-devices/${rakaia._id}`,
      `/pois/${rakaia._id}`,
      `/walk-list/${rakaia._id}`,
      `/schedules/${rakaia._id}`,
      `/schedules/view/${rakaia._id}`,
      `/scheduler/${rakaia._id}`,
      `/irrigation-advice/${rakaia._id}`,
      `/irr-diary-logs/view/${rakaia._id}`,
      `/water-takes/${rakaia._id}`,
      `/device-messages/${rakaia._id}`,
    ]);
  });

  test.each([
    [{ irrigationDevices: levels.Read }, 'Commands', 'Sprinklers', 'Walk list'],
    [{ sensors: levels.Read }, 'Sensors', 'Water takes', 'Device messages'],
    [{ repeaters: levels.Read }, 'Repeaters'],
    [{ gateways: levels.Read }, 'Gateways', 'Device messages'],
    [{ pois: levels.Read }, 'Points of interest'],
    [
      { schedules: levels.Read },
      'Schedule sets',
      'Schedules management',
      'Schedule templates',
      'Irrigation advice',
    ],
    [{ farms: levels.Read | levels.Edit }, 'Edit farm'],
    [{ dashboard: true }, 'Dashboard', 'Commands', 'Irrigation diary', 'Backup & Restore'],
    [{ export: true }, 'Export'],
    [{ import: true }, 'Import'],
  ])('with %j alone has %s and no other list', async (rights, ...entries) => {
    const only = { ...presets.none, farms: levels.Read, ...rights };
    const { items } = await menu(
      'Rākaia Downs',
      new FakeApi().on('GET /permissions-list', { permissions: [permissionsOn(rakaia, only)] }),
    );
    const isEdit = entries[0] === 'Edit farm';
    expect(items).toEqual(isEdit ? [...entries, 'Copy site UID'] : ['Copy site UID', ...entries]);
  });

  test('offers a guest nothing that changes the farm', async () => {
    const { items } = await menu(
      'Rākaia Downs',
      new FakeApi().on('GET /permissions-list', { permissions: [permissionsOn(rakaia, presets.guest)] }),
    );
    for (const item of ['Edit farm', 'Import', 'Export', 'Delete farm', 'Reset all device locations'])
      expect(items).not.toContain(item);
  });

  test('offers each right its own entry', async () => {
    const rights = { ...presets.guest, farms: levels.Read | levels.Delete, irrigationDevices: levels.Edit };
    const { items } = await menu(
      'Rākaia Downs',
      new FakeApi().on('GET /permissions-list', { permissions: [permissionsOn(rakaia, rights)] }),
    );
    expect(items).toContain('Delete farm');
    expect(items).toContain('Reset all device locations');
    expect(items).not.toContain('Edit farm');
  });

  test('says nothing of sprinklers on a farm of tanks', async () => {
    const { items } = await menu(mallee.name);
    for (const item of ['Reset sprinkler locations', 'Sprinkler map', 'Sprinklers', 'Repeaters', 'Import'])
      expect(items).not.toContain(item);
    for (const item of ['Schedule sets', 'Schedules management', 'Schedule templates'])
      expect(items).not.toContain(item);
    // What was watered before it had tanks only is still there.
    for (const item of ['Reset all device locations', 'Sensors', 'Gateways', 'Irrigation diary'])
      expect(items).toContain(item);
  });
});

describe('deleting a farm', () => {
  test('says first what goes with it, asks once, and takes it off the page', async () => {
    const api = new FakeApi().on('GET /farm/contents', contents).on('DELETE /farm', { success: true });
    const { user, choose } = await menu('Waihao Flats', api);
    await choose('Delete farm');
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete Waihao Flats?' }));
    await dialog.findByText('42 sprinklers');
    expect(dialog.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      '42 sprinklers',
      '1 gateway',
      '7 sensors',
      '1 point of interest',
      '3 schedules',
      '2 people it is shared with',
    ]);
    expect(dialog.getByText(/It can be undone for 30 days/)).toBeTruthy();
    api.on('GET /farms-card', [rakaia, mallee]);
    // 51 devices: not by a slip.
    await user.click(dialog.getByRole('button', { name: 'Delete farm' }));
    expect(api.calls('DELETE /farm')).toHaveLength(0);
    await user.type(dialog.getByRole('textbox', { name: 'To confirm, type Waihao Flats' }), 'waihao flats');
    await user.click(dialog.getByRole('button', { name: 'Delete farm' }));
    expect(await screen.findByText('Farm deleted successfully!')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('article', { name: 'Waihao Flats' })).toBeNull());
    expect(api.calls('DELETE /farm').map(({ query }) => query)).toEqual([
      { farmId: waihao._id, accountId: waihao.accountId },
    ]);
  });

  test('is undone where it was done, and for 30 days on the home page', async () => {
    const gone = {
      farmUID: waihao._id,
      name: 'Waihao Flats',
      deletedAt: '2026-11-20T21:00:00.000Z',
      deletedBy: 'Olive Owner',
      until: '2026-12-20T21:00:00.000Z',
      devices: 51,
    };
    const api = new FakeApi()
      .on('GET /farm/contents', { ...contents, sprinklers: 0, sensors: 1 })
      .on('DELETE /farm', { success: true })
      .on('POST /farm/restore', { away: [] });
    const { user, choose } = await menu('Waihao Flats', api);
    await choose('Delete farm');
    api.on('GET /farms-card', [rakaia, mallee]).on('GET /farms/deleted', { farms: [gone] });
    const remove = await screen.findByRole('button', { name: 'Delete farm' });
    await waitFor(() => expect(remove.getAttribute('aria-disabled')).toBe('false'));
    await user.click(remove);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Waihao Flats is back, with all its devices.')).toBeTruthy();
    expect(api.calls('POST /farm/restore').map(({ body }) => body)).toEqual([{ farmUID: waihao._id }]);
    const deleted = within(await screen.findByRole('region', { name: 'Deleted farms' }));
    expect(deleted.getByText(/by Olive Owner, with 51 devices\. It can be restored until/)).toBeTruthy();
    const away = { kind: 'gateway', name: 'Shed', why: 'Its MAC address is in use by another device.' };
    api
      .on('POST /farm/restore', { away: [away] })
      .on('GET /farms-card', [rakaia, waihao, mallee])
      .on('GET /farms/deleted', { farms: [] });
    await user.click(deleted.getByRole('button', { name: 'Restore Waihao Flats' }));
    expect(
      await screen.findByText(
        'Waihao Flats is back. Not with it: Shed, whose MAC address is in use by another device.',
      ),
    ).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Deleted farms' })).toBeNull());
    expect(await screen.findByRole('article', { name: 'Waihao Flats' })).toBeTruthy();
  });

  test('waits until what goes with it is known', async () => {
    const api = new FakeApi().on('GET /farm/contents', new Failure(403, 'No.'));
    const { user, choose } = await menu('Waihao Flats', api);
    await choose('Delete farm');
    expect(await screen.findByText("What goes with it couldn't be loaded")).toBeTruthy();
    const button = screen.getByRole('button', { name: 'Delete farm' });
    await user.click(button);
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(api.calls('DELETE /farm')).toHaveLength(0);
  });

  test('pressed before the name is typed says so, at the field', async () => {
    const api = new FakeApi().on('GET /farm/contents', contents);
    const { user, choose } = await menu('Waihao Flats', api);
    await choose('Delete farm');
    await screen.findByText('42 sprinklers');
    await user.click(screen.getByRole('button', { name: 'Delete farm' }));
    expect(await screen.findByText('Type Waihao Flats first.')).toBeTruthy();
    const field = screen.getByRole('textbox', { name: /To confirm/ });
    expect(document.activeElement).toBe(field);
    await user.type(field, 'waihao flats');
    expect(screen.queryByText('Type Waihao Flats first.')).toBeNull();
    expect(api.calls('DELETE /farm')).toHaveLength(0);
  });

  test('that fails says so and leaves the farm', async () => {
    const api = new FakeApi()
      .on('GET /farm/contents', contents)
      .on('DELETE /farm', new Failure(500, 'Oops, something went wrong.'));
    const { user, choose } = await menu('Waihao Flats', api);
    await choose('Delete farm');
    await screen.findByText('42 sprinklers');
    await user.type(screen.getByRole('textbox', { name: /To confirm/ }), 'Waihao Flats');
    await user.click(screen.getByRole('button', { name: 'Delete farm' }));
    expect(await screen.findByText("Farm couldn't be deleted!")).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.getByRole('article', { name: 'Waihao Flats', hidden: true })).toBeTruthy();
  });
});

describe('resetting locations', () => {
  test.each([
    [
      'Reset sprinkler locations',
      'DELETE /irrigation/reset-location',
      'Every sprinkler of Rākaia Downs loses its place on the map. 42 sprinklers lose their places.',
      '42 sprinklers have no location any more.',
      "Couldn't reset all irrigation devices location!",
    ],
    [
      'Reset all device locations',
      'DELETE /irrigation/reset-all-location',
      "Every sprinkler, gateway, repeater and sensor of Rākaia Downs loses its place on the map. Points of interest and the farm's own pin stay. 42 sprinklers, 1 gateway and 7 sensors lose their places.",
      '42 devices have no location any more.',
      "Couldn't reset all devices location!",
    ],
  ] as const)('%s: asks once, and says what became of it', async (item, key, goes, done, failed) => {
    const api = new FakeApi()
      .on(key, new Failure(500, 'Oops, something went wrong.'))
      .on('GET /irrigation/placed', { sprinklers: 42, gateways: 1, repeaters: 0, sensors: 7 });
    const { user, choose } = await menu('Rākaia Downs', api);
    await choose(item);
    await screen.findByText(goes);
    await user.click(screen.getByRole('button', { name: 'Reset' }));
    expect(api.calls(key)).toHaveLength(0);
    await user.type(screen.getByRole('textbox', { name: 'To confirm, type Rākaia Downs' }), 'Rākaia Downs');
    await user.click(screen.getByRole('button', { name: 'Reset' }));
    expect(await screen.findByText(failed)).toBeTruthy();
    api.on(key, { success: true, reset: 42, batchId: 'b'.repeat(24) });
    await user.click(screen.getByRole('button', { name: 'Reset' }));
    expect(await screen.findByText(done)).toBeTruthy();
    api.on('POST /undo', { undone: 42, kept: 0, batchId: null });
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Undone.')).toBeTruthy();
    expect(api.calls('POST /undo').map(({ body }) => body)).toEqual([
      { farmUID: rakaia._id, batchId: 'b'.repeat(24), act: 'reset locations' },
    ]);
    expect(api.calls(key).map(({ query }) => query)).toEqual([
      { farmUID: rakaia._id },
      { farmUID: rakaia._id },
    ]);
  });
});

describe("the 'New Farm' card", () => {
  const link = () => screen.findByRole('link', { name: 'New Farm' });

  test('leads to the form', async () => {
    renderApp('/');
    expect((await link()).getAttribute('href')).toBe('/farm/new');
  });

  test('also stands where there is no farm yet', async () => {
    renderApp('/', { api: new FakeApi().on('GET /farms-card', []).on('GET /farms-summary', { farms: [] }) });
    await screen.findByText('No farms yet.');
    expect(await link()).toBeTruthy();
  });

  test('is absent when the subscription has ended', async () => {
    renderApp('/', { as: buildLogin({ subscriptionValidUntil: '2026-10-01T00:00:00.000Z' }) });
    await screen.findByRole('article', { name: 'Rākaia Downs' });
    expect(screen.queryByRole('link', { name: 'New Farm' })).toBeNull();
  });

  test('is absent where no farms are made', async () => {
    const api = new FakeApi().on('GET /ims-settings', { ...globalSettings, newFarmCreationGlobal: false });
    renderApp('/', { api });
    await screen.findByRole('article', { name: 'Rākaia Downs' });
    await waitFor(() => expect(api.calls('GET /ims-settings').length).toBeGreaterThan(0));
    expect(screen.queryByRole('link', { name: 'New Farm' })).toBeNull();
  });
});
