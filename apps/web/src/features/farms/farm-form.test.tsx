import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import L from 'leaflet';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ownerPermissions, presets } from '@headrace/contract/permissions';
import { defaultWaterApplication, type Farm } from '@headrace/contract/farms';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { Failure, FakeApi, UNREACHABLE } from '../../testing/fake-api.ts';
import {
  buildFarmRecord,
  buildLogin,
  farms,
  globalSettings,
  permissionsOn,
  rakaia,
  uid,
  waihao,
} from '../../testing/fixtures.ts';
import { SeesNothing } from '../../testing/in-sight.ts';
import { renderApp, type RenderOptions } from '../../testing/render-app.tsx';

beforeEach(() => {
  stubCanvas();
  // Saving leads home, where cards in sight would ask for their maps.
  vi.stubGlobal('IntersectionObserver', SeesNothing);
});
afterEach(() => vi.restoreAllMocks());

const record = buildFarmRecord(rakaia, {
  address: {
    fullAddress: 'Sharlands Road',
    street: 'Sharlands Road',
    suburb: '',
    city: '',
    zip: '',
    country: '',
  },
});
const newUid = uid(77);
/** A square of 0.01° at the equator of the map's own making; its size isn't asserted. */
const corners = '-43.74, 172.00\n-43.74, 172.01\n-43.75, 172.01\n-43.75, 172.00';

const server = (farm: Farm = record) =>
  new FakeApi()
    .on('GET /farm', farm)
    .on('GET /changes', { changes: [], more: false })
    .on('GET /geocode', { suggestions: [], source: 'GeoNames (CC BY 4.0)' })
    .on('PUT /farm', ({ body }) => ({ ...farm, name: body.name, version: farm.version + 1 }))
    .on('POST /farm', {
      farmUID: newUid,
      permissions: { farmUID: newUid, ...ownerPermissions },
    });

const field = (name: string | RegExp) => screen.findByRole<HTMLInputElement>('textbox', { name });
const open = async (path: string, options: RenderOptions = {}) => {
  const app = renderApp(path, { api: server(), ...options });
  await screen.findByRole('form', { name: 'Farm Information' });
  return { ...app, save: () => app.user.click(screen.getByRole('button', { name: 'Save' })) };
};
const retype = async (user: UserEvent, name: string | RegExp, text: string) => {
  const input = await field(name);
  await user.clear(input);
  if (text) await user.type(input, text);
};
const isHome = () => screen.findByRole('heading', { level: 1, name: /^Farms/ });

describe('the farm form', () => {
  test('says what is missing at its field and takes the focus there; nothing is sent', async () => {
    const { save, api } = await open('/farm/new');
    await save();
    for (const text of [
      'Name is required.',
      'Access road is required.',
      'Latitude is required.',
      'Longitude is required.',
      'Size is required: draw the boundary on the map.',
    ])
      expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toBe('5 fields need a change.');
    const name = await field('Name');
    expect(document.activeElement).toBe(name);
    expect(name.getAttribute('aria-invalid')).toBe('true');
    expect(api.calls('POST /farm')).toHaveLength(0);
  });

  test('offers five icons, the suppliers, and a map with the modes Pin and Drawable', async () => {
    await open('/farm/new');
    const icons = within(screen.getByRole('group', { name: 'Icon' })).getAllByRole('radio');
    expect(icons.map((icon) => icon.getAttribute('value'))).toEqual([
      'farm-blue',
      'farm-green',
      'farm-orange',
      'farm-purple',
      'farm-red',
    ]);
    const supplier = within(screen.getByRole('combobox', { name: 'Supplier' }));
    expect(supplier.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      'None',
      'Headrace DataSystems',
      'RX Plastics',
      'WaterForce',
      'Canterbury Water Services',
      'PGG Wrightson',
      'GV Electrical',
    ]);
    expect(await screen.findByRole('radio', { name: 'Pin' })).toBeTruthy();
    expect(screen.getByRole('radio', { name: 'Drawable' })).toBeTruthy();
  });

  test('says what is wrong when a field is left, not while it is typed in', async () => {
    const { user } = await open('/farm/new');
    await user.type(await field(/^Irrigation area/), 'ten');
    expect(screen.queryByText('Irrigation area must be a number.')).toBeNull();
    await user.tab();
    expect(screen.getByText('Irrigation area must be a number.')).toBeTruthy();
  });

  test.each([
    [/^Latitude/, '91', "Latitude can't be more than 90°."],
    [/^Longitude/, '-181', "Longitude can't be less than -180°."],
    [/^Irrigation area/, '-1', "Irrigation area can't be less than 0 ha."],
    ['Name', 'x'.repeat(61), 'Name can have at most 60 characters.'],
    [/^Depth/, '0', 'Depth is required.'],
    [/^Duration/, '0.5', "Duration can't be less than 1 min."],
    [/^Sprinkler flow/, '', 'Sprinkler flow is required.'],
  ])('refuses in %s what the rules refuse', async (name, text, fieldError) => {
    const { user } = await open('/farm/new');
    await retype(user, name, text);
    await user.tab();
    expect(screen.getByText(fieldError)).toBeTruthy();
  });

  test.each([
    ['-43.74, 172\n-43.75, 172.01', 'The boundary needs at least 3 points.'],
    [
      '-43.74, 172\n-43.75, 172.01\n-43.75, 172\n-43.74, 172.01',
      'The boundary crosses or touches itself: move its points apart.',
    ],
    ['-43.74, 172\nhere', "Line 2 isn't a point: enter latitude, longitude."],
  ])('refuses a boundary %#', async (text, fieldError) => {
    const { user, save } = await open('/farm/new');
    await user.click(await field('Points as text'));
    await user.paste(text);
    await save();
    expect((await screen.findAllByText(fieldError)).length).toBeGreaterThan(0);
  });

  test('makes a farm by the keyboard alone, which is then on the home page with its rights', async () => {
    const api = server();
    const { user } = await open('/farm/new', { api });
    const reach = async (name: string | RegExp) => {
      const input = await field(name);
      for (let n = 0; n < 80 && document.activeElement !== input; n++) await user.tab();
      expect(document.activeElement).toBe(input);
    };
    await reach('Name');
    await user.keyboard('Hinds Block');
    await reach(/^Latitude/);
    await user.keyboard('-43.745');
    await reach(/^Longitude/);
    await user.keyboard('172.005');
    await reach('Points as text');
    await user.keyboard(corners.replaceAll('\n', '{Enter}'));
    const road = screen.getByRole('combobox', { name: /^Access Road/ });
    for (let n = 0; n < 80 && document.activeElement !== road; n++) await user.tab({ shift: true });
    await user.keyboard('Tramway Rd');
    const made = { ...rakaia, _id: newUid, name: 'Hinds Block' };
    api.on('GET /farms-card', [...farms, made]);
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('article', { name: 'Hinds Block' })).toBeTruthy();
    const body = api.calls('POST /farm')[0]?.body;
    expect(body).toMatchObject({
      name: 'Hinds Block',
      address: { fullAddress: 'Tramway Rd', street: '' },
      lat: -43.745,
      lng: 172.005,
      icon: 'farm-blue',
      irrigationArea: 0,
      tankOnly: false,
      v3Site: false,
      walConfig: defaultWaterApplication,
    });
    expect(body?.boundary).toHaveLength(4);
    expect(body).not.toHaveProperty('accountId');
    expect(body).not.toHaveProperty('size');
    await user.click(await screen.findByRole('button', { name: 'Menu of Hinds Block' }));
    const edit = await screen.findByRole('menuitem', { name: 'Edit farm' });
    expect(edit.getAttribute('href')).toBe(`/farm/${newUid}`);
  });

  test('is kept from those whose subscription has ended, and where no farms are made', async () => {
    const as = buildLogin({ subscriptionValidUntil: '2026-10-01T00:00:00.000Z' });
    const { unmount } = renderApp('/farm/new', { api: server(), as });
    expect(await screen.findByText('New farms can be made again when it is renewed.')).toBeTruthy();
    unmount();
    const api = server().on('GET /ims-settings', { ...globalSettings, newFarmCreationGlobal: false });
    renderApp('/farm/new', { api, as: buildLogin({ token: 'b' }) });
    expect(await screen.findByText('New farms are not made at present.')).toBeTruthy();
  });

  test('is not for those who may not edit the farm', async () => {
    const api = server().on('GET /permissions-list', {
      permissions: [permissionsOn(rakaia, presets.guest)],
    });
    const { router } = renderApp(`/farm/${rakaia._id}`, { api });
    await screen.findByText(/you don't have permissions/);
    expect(router.state.location.pathname).toBe('/403');
  });

  test.each(['/farm/123', `/farm/${uid(999)}`])('at %s there is none', async (path) => {
    renderApp(path, { api: server() });
    expect(await screen.findByText("Sorry, we couldn't find what you're looking for.")).toBeTruthy();
  });
});

describe('an agent', () => {
  const as = buildLogin({ type: 'AGENT' });
  const owner = (n: number) => ({
    _id: uid(900 + n),
    id: uid(900 + n),
    name: `Owner ${n}`,
    email: `o${n}@headrace.test`,
  });

  test('chooses the owner of a new farm', async () => {
    const api = server().on('GET /agent/list-accounts', { accounts: [owner(1), owner(2)] });
    const { user, save } = await open('/farm/new', { api, as });
    await save();
    expect(await screen.findByText('Please choose the owner.')).toBeTruthy();
    await user.selectOptions(screen.getByRole('combobox', { name: /^Owner/ }), uid(902));
    await user.type(await field('Name'), 'Hinds Block');
    await user.type(screen.getByRole('combobox', { name: /^Access Road/ }), 'Rd');
    await user.type(await field(/^Latitude/), '-43.745');
    await user.type(await field(/^Longitude/), '172.005');
    await user.click(await field('Points as text'));
    await user.paste(corners);
    await save();
    await isHome();
    expect(api.calls('POST /farm')[0]?.body?.accountId).toBe(uid(902));
  });

  test('with one owner has it chosen', async () => {
    const api = server().on('GET /agent/list-accounts', { accounts: [owner(1)] });
    await open('/farm/new', { api, as });
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: /^Owner/ }).value).toBe(uid(901));
  });

  test('without an owner is told whom to ask', async () => {
    renderApp('/farm/new', { api: server().on('GET /agent/list-accounts', { accounts: [] }), as });
    expect(await screen.findByText('No owner shares a whole account with you.')).toBeTruthy();
  });
});

describe('the location', () => {
  const numbers = async () => [(await field(/^Latitude/)).value, (await field(/^Longitude/)).value];

  test.each([/^Latitude/, /^Longitude/])(
    'is pasted as a pair into %s, and the map shows it',
    async (name) => {
      const view = vi.spyOn(L.Map.prototype, 'setView');
      const { user } = await open('/farm/new');
      await user.click(await field(name));
      await user.paste('−43.5, 172.6');
      expect(await numbers()).toEqual(['-43.5', '172.6']);
      await user.tab();
      await waitFor(() => expect(view.mock.lastCall?.[0]).toEqual({ lat: -43.5, lng: 172.6 }));
    },
  );

  test('typed as a pair, or in degrees and minutes, becomes two numbers once its box is left', async () => {
    const { user } = await open('/farm/new');
    await user.type(await field(/^Longitude/), '-43.5, 172.6');
    await user.tab();
    expect(await numbers()).toEqual(['-43.5', '172.6']);
    await retype(user, /^Latitude/, '43°30\'36"S');
    await user.tab();
    expect(await numbers()).toEqual(['-43.51', '172.6']);
  });

  test('typed as a pair is saved with Enter as two numbers', async () => {
    const api = server()
      .on('PUT /farm', { ...record, lat: -43.5, lng: 172.6, version: 2 })
      .on('POST /farm-timezone', record.timezone);
    const { user } = await open(`/farm/${rakaia._id}`, { api });
    await retype(user, /^Latitude/, '-43.5, 172.6{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Save it' }));
    await isHome();
    expect(api.calls('PUT /farm')[0]?.body).toMatchObject({ lat: -43.5, lng: 172.6 });
  });
});

describe('the access road', () => {
  const hinds = {
    text: 'Hinds, Canterbury',
    address: {
      fullAddress: 'Hinds',
      street: '',
      suburb: '',
      city: 'Hinds',
      zip: '7747',
      country: 'New Zealand',
    },
    lat: -44.003,
    lng: 171.572,
  };

  test('is looked up from four characters on; choosing moves the pin and the map', async () => {
    const view = vi.spyOn(L.Map.prototype, 'setView');
    const api = server().on('GET /geocode', { suggestions: [hinds], source: 'GeoNames (CC BY 4.0)' });
    const { user } = await open('/farm/new', { api });
    const road = screen.getByRole('combobox', { name: /^Access Road/ });
    await user.type(road, 'Hin');
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(api.calls('GET /geocode')).toHaveLength(0);
    await user.type(road, 'd');
    await user.click(await screen.findByRole('option', { name: 'Hinds, Canterbury' }));
    expect((await field(/^Latitude/)).value).toBe('-44.003');
    expect((await field(/^Longitude/)).value).toBe('171.572');
    expect((await field('City')).value).toBe('Hinds');
    expect(view.mock.lastCall?.[0]).toEqual({ lat: -44.003, lng: 171.572 });
    // Longer than it waits before it looks up what was typed.
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(api.calls('GET /geocode').map(({ query }) => query.text)).toEqual(['Hind']);
    // The next taps are corners, not the pin four times over.
    expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'Drawable' })).checked).toBe(true);
  });

  test('can be anything, also when nothing answers', async () => {
    const api = server().on('GET /geocode', new Failure(503, 'Not ready.'));
    const { user } = await open('/farm/new', { api });
    const road = screen.getByRole<HTMLInputElement>('combobox', { name: /^Access Road/ });
    await user.type(road, 'Behind the old mill');
    expect(await screen.findByText(/Places can't be looked up now/)).toBeTruthy();
    expect(road.value).toBe('Behind the old mill');
  });
});

describe('water application', () => {
  // 4 L/s × 8.620428 × 7.2 / 1440 = 0.1724 mm/min: 60 min give 10.34 mm, 10 mm take 58.002 min.
  test.each([
    [/^Duration/, '60', { wal: '10', duration: '60' }],
    [/^Depth/, '10', { wal: '10', duration: '59' }],
  ])('%s moves the other', async (name, text, { wal, duration }) => {
    const { user } = await open('/farm/new');
    await retype(user, name, text);
    expect((await field(/^Depth/)).value).toBe(wal);
    expect((await field(/^Duration/)).value).toBe(duration);
  });

  test('by the sprinkler follows its spacing', async () => {
    const { user } = await open('/farm/new');
    await user.click(screen.getByRole('radio', { name: 'Sprinkler parameters' }));
    // 60 × 4 / (20 × 40) = 0.3 mm/min: 9 mm in 30 min.
    await retype(user, /^Sprinkler width/, '20');
    expect(screen.getByText('One sprinkler covers', { exact: false }).textContent).toContain('800');
    expect((await field(/^Depth/)).value).toBe('9');
    expect((await field(/^Duration/)).value).toBe('30');
  });
});

describe('saving', () => {
  test('sends the version that was read, and goes home', async () => {
    const { user, save, api } = await open(`/farm/${rakaia._id}`);
    await retype(user, 'Name', 'Rākaia Flats');
    await save();
    await isHome();
    expect(api.calls('PUT /farm')[0]?.body).toMatchObject({
      id: rakaia._id,
      version: 1,
      name: 'Rākaia Flats',
      irrigationArea: 0,
    });
    expect(api.calls('POST /farm-timezone')).toHaveLength(0);
  });

  test("puts the server's fieldError at its field until it is changed", async () => {
    const fieldError = 'Name is taken on this account.';
    const api = server().on('PUT /farm', new Failure(400, fieldError, { field: 'name' }));
    const { user, save } = await open(`/farm/${rakaia._id}`, { api });
    await save();
    const name = await field('Name');
    await waitFor(() => expect(name.getAttribute('aria-invalid')).toBe('true'));
    expect(document.activeElement).toBe(name);
    expect(screen.getByRole('alert').textContent).toBe(fieldError);
    await user.type(name, ' 2');
    expect(screen.queryByText(fieldError)).toBeNull();
  });

  test('shows that it is under way and sends once', async () => {
    let answer = (_farm: Farm) => {};
    const slow = new Promise<Farm>((resolve) => (answer = resolve));
    const api = server().on('PUT /farm', () => slow);
    const { user, save } = await open(`/farm/${rakaia._id}`, { api });
    await save();
    const button = await screen.findByRole('button', { name: 'Saving…' });
    await user.click(button);
    await user.type(await field('Name'), 'x');
    expect(api.calls('PUT /farm')).toHaveLength(1);
    answer(record);
    await isHome();
  });
});

describe('what was typed and not saved', () => {
  test('survives a lost connection, and a reload offers it with its age', async () => {
    const api = server().on('PUT /farm', UNREACHABLE);
    const first = await open(`/farm/${rakaia._id}`, { api });
    await retype(first.user, 'Name', 'Rākaia Flats');
    await first.save();
    expect(
      await screen.findByText(
        "Server couldn't be reached. What you entered is kept: save again when the connection is back.",
      ),
    ).toBeTruthy();
    expect((await field('Name')).value).toBe('Rākaia Flats');
    first.unmount();
    const { user } = await open(`/farm/${rakaia._id}`, { api });
    expect((await field('Name')).value).toBe('Rākaia Downs');
    const offer = screen.getByText(/^What you typed here/);
    expect(offer.textContent).toMatch(
      /^What you typed here \d\d\/\d\d\/\d{4} \d\d:\d\d(:\d\d)?.* \(just now\) wasn't saved\.$/,
    );
    await user.click(screen.getByRole('button', { name: 'Bring it back' }));
    expect((await field('Name')).value).toBe('Rākaia Flats');
    expect(screen.queryByText(/^What you typed here/)).toBeNull();
  });

  test('is gone when it is discarded', async () => {
    const first = await open(`/farm/${rakaia._id}`);
    await retype(first.user, 'Name', 'Rākaia Flats');
    first.unmount();
    const second = await open(`/farm/${rakaia._id}`);
    await second.user.click(screen.getByRole('button', { name: 'Discard' }));
    second.unmount();
    await open(`/farm/${rakaia._id}`);
    expect(screen.queryByText(/^What you typed here/)).toBeNull();
  });

  test('is not offered on another farm, nor to another person', async () => {
    const first = await open('/farm/new');
    await first.user.type(await field('Name'), 'Hinds');
    first.unmount();
    const other = await open(`/farm/${rakaia._id}`);
    expect(screen.queryByText(/^What you typed here/)).toBeNull();
    other.unmount();
    await open('/farm/new', { as: buildLogin({ token: 'b', email: 'other@headrace.test' }) });
    expect(screen.queryByText(/^What you typed here/)).toBeNull();
  });

  test('is asked about before another page opens', async () => {
    const { user, router } = await open(`/farm/${rakaia._id}`);
    await retype(user, 'Name', 'Rākaia Flats');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' });
    expect(
      within(dialog)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['Name']);
    await user.click(within(dialog).getByRole('button', { name: 'Stay' }));
    expect(router.state.location.pathname).toBe(`/farm/${rakaia._id}`);
    expect((await field('Name')).value).toBe('Rākaia Flats');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await user.click(await screen.findByRole('button', { name: 'Leave' }));
    await isHome();
    expect(Object.keys(sessionStorage).filter((name) => name.includes('draft'))).toEqual([]);
  });

  test('is nothing when nothing was changed', async () => {
    const { user } = await open(`/farm/${rakaia._id}`);
    await user.type(await field('Name'), 'x{Backspace}');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await isHome();
  });
});

describe('two people at one farm', () => {
  const theirs = { ...record, description: 'Sold', supplier: 'WaterForce', name: 'Downs', version: 4 };
  const stale = 'Somebody else changed this meanwhile. Please compare and save again.';
  const clash = (current: Farm = theirs) =>
    server().on('PUT /farm', ({ body }) =>
      body.version === current.version
        ? { ...current, name: body.name }
        : new Failure(409, stale, { field: 'version', current }),
    );
  const conflict = async (api = clash()) => {
    const { user, save } = await open(`/farm/${rakaia._id}`, { api });
    await retype(user, 'Name', 'Rākaia Flats');
    await save();
    const dialog = await screen.findByRole('dialog', { name: 'Somebody else changed this meanwhile' });
    const saved = async () => {
      await user.click(within(dialog).getByRole('button', { name: 'Save' }));
      await isHome();
      return api.calls('PUT /farm').at(-1)?.body;
    };
    return { user, dialog: within(dialog), saved };
  };

  test('sees only what differs, both versions in words; theirs stands where only they changed', async () => {
    const { dialog, saved } = await conflict();
    expect(dialog.getAllByRole('group').map((group) => group.textContent)).toEqual([
      'NameMineRākaia FlatsTheirsDowns',
      'DescriptionMineDairy, 420 ha by the riverTheirsSold',
      'SupplierMineNothingTheirsWaterForce',
    ]);
    expect(await saved()).toMatchObject({
      version: 4,
      name: 'Rākaia Flats',
      description: 'Sold',
      supplier: 'WaterForce',
    });
  });

  test('is told who saved the other version, and when', async () => {
    const change = {
      _id: '9',
      at: '2026-11-21T04:12:00.000Z',
      by: 'Ann Agent',
      kind: 'farm',
      uid: rakaia._id,
    };
    const changes = [{ ...change, name: 'Downs', what: 'changed', fields: [] }];
    const api = clash().on('GET /changes', { changes, more: false });
    const { dialog, saved } = await conflict(api);
    expect(
      await dialog.findByText(/^Ann Agent saved this .*:12\. Nothing of yours is saved yet/),
    ).toBeTruthy();
    expect(dialog.getAllByRole('group')[0]?.textContent).toBe('NameMineRākaia FlatsAnn AgentDowns');
    expect(dialog.getByRole('button', { name: 'All of Ann Agent' })).toBeTruthy();
    const asked = api.calls('GET /changes').map(({ query }) => query);
    expect(asked).toContainEqual(expect.objectContaining({ uid: rakaia._id, limit: expect.anything() }));
    await saved();
  });

  test('takes all of one side', async () => {
    const { user, dialog, saved } = await conflict();
    await user.click(dialog.getByRole('button', { name: 'All theirs' }));
    expect(await saved()).toMatchObject({ version: 4, name: 'Downs', description: 'Sold' });
  });

  test('takes all of the other side, but for one field', async () => {
    const { user, dialog, saved } = await conflict();
    await user.click(dialog.getByRole('button', { name: 'All mine' }));
    const supplier = within(dialog.getByRole('group', { name: 'Supplier' }));
    await user.click(supplier.getByRole('radio', { name: /^Theirs/ }));
    expect(await saved()).toMatchObject({
      version: 4,
      name: 'Rākaia Flats',
      description: 'Dairy, 420 ha by the river',
      supplier: 'WaterForce',
    });
  });

  test('can go back to the form with what was typed', async () => {
    const { user, dialog } = await conflict();
    await user.click(dialog.getByRole('button', { name: 'Back to the form' }));
    expect((await field('Name')).value).toBe('Rākaia Flats');
  });

  test('is not asked when the other left every field as it was', async () => {
    const api = clash({ ...record, version: 4 });
    const { user, save } = await open(`/farm/${rakaia._id}`, { api });
    await retype(user, 'Name', 'Rākaia Flats');
    await save();
    await isHome();
    expect(api.calls('PUT /farm').map(({ body }) => body?.version)).toEqual([1, 4]);
  });
});

describe('the time zone', () => {
  const zone = record.timezone;

  test('is looked up anew when a changed location is saved', async () => {
    const api = server()
      .on('PUT /farm', { ...record, lat: -43.8, version: 2 })
      .on('POST /farm-timezone', zone);
    const { user, save } = await open(`/farm/${rakaia._id}`, { api });
    const update = screen.getByRole('button', { name: 'Update' });
    expect(update.hasAttribute('disabled')).toBe(false);
    await retype(user, /^Latitude/, '-43.8');
    expect(update.hasAttribute('disabled')).toBe(true);
    expect(screen.getByText('Location changed. Time zone updates on save.')).toBeTruthy();
    await save();
    // The boundary is still where the farm was.
    expect(
      await screen.findByText(/^The boundary is .* km from the farm's pin\. Save it so\?$/),
    ).toBeTruthy();
    expect(api.calls('PUT /farm')).toHaveLength(0);
    await user.click(screen.getByRole('button', { name: 'Save it' }));
    expect(await screen.findByText('Timezone refreshed')).toBeTruthy();
    expect(api.calls('POST /farm-timezone').map(({ body }) => body)).toEqual([{ farmUID: rakaia._id }]);
  });

  test('can be looked up by hand', async () => {
    const api = server().on('POST /farm-timezone', new Failure(503, 'Not ready.'));
    const { user } = await open(`/farm/${rakaia._id}`, { api });
    await user.click(screen.getByRole('button', { name: 'Update' }));
    expect(await screen.findByText('Failed to refresh timezone')).toBeTruthy();
    api.on('POST /farm-timezone', zone);
    await user.click(screen.getByRole('button', { name: 'Update' }));
    expect(await screen.findByText('Timezone refreshed')).toBeTruthy();
  });

  test('keeps daylight saving or not, at once', async () => {
    const api = server().on('PUT /farm-timezone', ({ body }) => ({ ...zone, dstEnabled: body.dstEnabled }));
    const { user } = await open(`/farm/${rakaia._id}`, { api });
    api.on('GET /farm', { ...record, timezone: { ...zone, dstEnabled: false }, version: 2 });
    await user.click(screen.getByRole('switch', { name: /^Daylight saving/ }));
    expect(await screen.findByText(/^UTC\+12:00/)).toBeTruthy();
    expect(api.calls('PUT /farm-timezone')[0]?.body).toEqual({ farmUID: rakaia._id, dstEnabled: false });
    api.on('PUT /farm-timezone', new Failure(503, 'Not ready.'));
    await user.click(screen.getByRole('switch', { name: /^Daylight saving/ }));
    expect(await screen.findByText('Failed to update DST setting')).toBeTruthy();
    expect(screen.getByText(/^UTC\+12:00/)).toBeTruthy();
  });

  test('that is not known says so', async () => {
    const unknown = { timeZoneId: '', rawOffset: 0, dstOffset: 0, dstEnabled: false };
    await open(`/farm/${waihao._id}`, { api: server(buildFarmRecord(waihao, { timezone: unknown })) });
    expect(screen.getByText('No timezone data')).toBeTruthy();
  });
});

test('the farm UID is copied', async () => {
  const { user } = await open(`/farm/${rakaia._id}`);
  await user.click(screen.getByRole('button', { name: 'Copy UID' }));
  expect(await screen.findByText('Site UID Copied!')).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe(rakaia._id);
});
