import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { levels, presets } from '@headrace/contract/permissions';
import { FakeApi, Failure } from '../../testing/fake-api.ts';
import { mallee, permissionsOn, rakaia, uid, waihao } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { exactTime } from '../../ui/format.ts';
import { endShareDraft } from './share-draft.ts';
import { buildInvite, suspended, withInvites } from './sharing-fixtures.ts';

const contact = { name: 'Tama Reid', email: 'tama@headrace.test' };
const MORE_AT = '2026-11-21T00:00:00.000Z';
const serve = (left = 500) =>
  new FakeApi().on('GET /contacts', {
    contacts: [contact],
    invitations: { left, limit: 500, moreAt: left < 500 ? MORE_AT : null },
  });
const check = async (user: UserEvent, name: string | RegExp) =>
  user.click(await screen.findByRole('checkbox', { name }));
const press = async (user: UserEvent, name: string) =>
  user.click(await screen.findByRole('button', { name }));

beforeEach(() => endShareDraft());

/** The wizard at its last step, sharing Waihao Flats with Tama. */
async function atPermissions(api = serve()) {
  const app = renderApp('/invitations/share/select', { api });
  await check(app.user, /^Waihao Flats/);
  await press(app.user, 'Next');
  await check(app.user, /^Tama Reid/);
  await press(app.user, 'Next');
  await screen.findByRole('checkbox', { name: 'Read Sprinklers' });
  return app;
}

describe('sharing', () => {
  test('chosen farms with somebody as a guest sends exactly that and lists what was sent', async () => {
    const invite = buildInvite(1, { farmName: waihao.name, farmUID: waihao._id });
    const { api, user, router } = await atPermissions(serve().on('POST /permissions', { invites: [invite] }));
    await press(user, 'Send');
    expect(await screen.findByRole('heading', { name: 'Invitation sent' })).toBeTruthy();
    expect(api.calls('POST /permissions').map(({ body }) => body)).toEqual([
      {
        contacts: [contact],
        farms: [waihao._id],
        isAccountShare: false,
        template: 4,
        permissions: presets.guest,
        endsAt: null,
      },
    ]);
    const sent = within(screen.getByRole('list', { name: 'Sent' }));
    expect(sent.getByText('tama@headrace.test')).toBeTruthy();
    expect(sent.getByText('Awaiting response')).toBeTruthy();
    await user.click(screen.getByRole('link', { name: 'Share with someone else' }));
    await screen.findByText('Step 1 of 3: Farms');
    expect(router.state.location.pathname).toBe('/invitations/share/select');
    expect(await screen.findByText('0 of 3 chosen')).toBeTruthy();
  });

  test('says how many invitations are left before they are used up, and asks for no more than there are', async () => {
    const { api, user } = renderApp('/invitations/share/select', { api: serve(1) });
    await check(user, /^Waihao Flats/);
    await check(user, /^Mallee Run/);
    await press(user, 'Next');
    await check(user, /^Tama Reid/);
    expect(screen.getByText('99 % used')).toBeTruthy();
    expect(
      screen.getByText(
        `1 of the 500 invitations that an account may send in 24 hours are left. There are more again at ${exactTime(Date.parse(MORE_AT))}.`,
      ),
    ).toBeTruthy();
    await press(user, 'Next');
    expect(
      await screen.findByText(
        /^These are 2 invitations, and 1 may still be sent now\. .* There are more again at /,
      ),
    ).toBeTruthy();
    expect(api.calls('POST /permissions')).toEqual([]);
  });

  test('the whole account names no farm and says what it means', async () => {
    const { api, user } = renderApp('/invitations/share/select', {
      api: serve().on('POST /permissions', { invites: [buildInvite(1, { isAccountShare: true })] }),
    });
    await user.click(await screen.findByRole('radio', { name: 'The whole account' }));
    expect(screen.getByText(/also those that you add later/)).toBeTruthy();
    expect(screen.queryByRole('checkbox')).toBeNull();
    await press(user, 'Next');
    await check(user, /^Tama Reid/);
    await press(user, 'Next');
    await press(user, 'Send');
    await screen.findByRole('heading', { name: 'Invitation sent' });
    expect(api.calls('POST /permissions')[0]?.body).toMatchObject({ farms: [], isAccountShare: true });
  });

  test('all farms at once', async () => {
    const { user } = renderApp('/invitations/share/select', { api: serve() });
    await check(user, 'All farms');
    expect(screen.getByText('3 of 3 chosen')).toBeTruthy();
  });

  test('offers only farms of one’s own', async () => {
    const api = serve().on('GET /permissions-list', {
      permissions: [permissionsOn(rakaia), permissionsOn(mallee, presets.farmManager)],
    });
    renderApp('/invitations/share/select', { api });
    expect(await screen.findByRole('checkbox', { name: /^Rākaia Downs/ })).toBeTruthy();
    expect(screen.queryByRole('checkbox', { name: /^Mallee Run/ })).toBeNull();
  });

  test('does not go on without a farm, nor without a person', async () => {
    const { user, router } = renderApp('/invitations/share/select', { api: serve() });
    await press(user, 'Next');
    expect(await screen.findByText('Choose at least one farm, or the whole account.')).toBeTruthy();
    await check(user, /^Waihao Flats/);
    await press(user, 'Next');
    await screen.findByRole('checkbox', { name: /^Tama Reid/ });
    await press(user, 'Next');
    expect(await screen.findByText('Choose at least one person, or add a new contact.')).toBeTruthy();
    expect(router.state.location.pathname).toBe('/invitations/share/contacts');
  });

  test.each(['contacts', 'permissions'])('a later step (%s) begins at the first missing', async (step) => {
    const { router } = renderApp(`/invitations/share/${step}`, { api: serve() });
    await waitFor(() => expect(router.state.location.pathname).toBe('/invitations/share/select'));
  });

  test('a new contact is held to the rules and sent with the password only where an account is made', async () => {
    const invite = buildInvite(1, { email: 'hana@headrace.test' });
    const api = serve().on('POST /permissions', { invites: [invite] });
    const { user } = renderApp('/invitations/share/select', { api });
    await check(user, /^Waihao Flats/);
    await press(user, 'Next');
    await press(user, 'New contact');
    const dialog = within(await screen.findByRole('dialog', { name: 'New contact' }));
    await user.click(dialog.getByRole('button', { name: 'Add' }));
    expect(await dialog.findByText('Name is required.')).toBeTruthy();
    await user.type(dialog.getByRole('textbox', { name: /^Name/ }), 'Hana Pere');
    await user.type(dialog.getByRole('textbox', { name: /^E-mail/ }), 'tama@headrace.test');
    expect(await dialog.findByText('This person is on the list already.')).toBeTruthy();
    await user.clear(dialog.getByRole('textbox', { name: /^E-mail/ }));
    await user.type(dialog.getByRole('textbox', { name: /^E-mail/ }), 'hana@headrace.test');
    await user.click(dialog.getByRole('switch', { name: /^Make an account/ }));
    await user.selectOptions(dialog.getByRole('combobox', { name: /^Country code/ }), '64');
    await user.type(dialog.getByRole('textbox', { name: /^Mobile/ }), '211234567');
    await user.type(dialog.getByLabelText(/^Password/), 'three blind mice');
    await user.type(dialog.getByLabelText(/^Confirm password/), 'three blind mice');
    await user.click(dialog.getByRole('switch', { name: /^Newsletter/ }));
    await user.click(dialog.getByRole('button', { name: 'Add' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByText('An account is made with the password you chose.')).toBeTruthy();
    expect(JSON.stringify([sessionStorage, localStorage])).not.toContain('blind');
    await press(user, 'Next');
    await press(user, 'Send');
    await screen.findByRole('heading', { name: 'Invitation sent' });
    expect(api.calls('POST /permissions')[0]?.body.contacts).toEqual([
      {
        name: 'Hana Pere',
        email: 'hana@headrace.test',
        mobile: '211234567',
        countryCode: 64,
        password: 'three blind mice',
        passwordConfirmation: 'three blind mice',
        newsletter: true,
        active: true,
      },
    ]);
  });

  test('editing a template makes it Custom and warns of what is of no use', async () => {
    const { api, user } = await atPermissions(serve().on('POST /permissions', { invites: [buildInvite(1)] }));
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Guest' }).checked).toBe(true);
    await check(user, 'Edit Sensors');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Custom' }).checked).toBe(true);
    await check(user, 'Read Sensors');
    expect(screen.getByText('Sensors: Edit without Read. The list of them stays closed.')).toBeTruthy();
    await user.click(screen.getByRole('switch', { name: /^Switch outputs/ }));
    await press(user, 'Send');
    await screen.findByRole('heading', { name: 'Invitation sent' });
    expect(api.calls('POST /permissions')[0]?.body).toMatchObject({
      template: 1,
      permissions: { ...presets.guest, sensors: levels.Edit, sendRelayValues: true },
    });
  });

  test('has 36 check boxes and 16 switches', async () => {
    await atPermissions();
    expect(screen.getAllByRole('checkbox')).toHaveLength(36);
    expect(screen.getAllByRole('switch')).toHaveLength(16);
  });

  test('ends with a day that lies ahead', async () => {
    const { api, user } = await atPermissions();
    const day = screen.getByLabelText('Last day');
    await user.type(day, '2020-01-31');
    await press(user, 'Send');
    expect((await screen.findAllByText('Last day must be today or later.')).length).toBeGreaterThan(0);
    api.on('POST /permissions', { invites: [buildInvite(1)] });
    await user.clear(day);
    await user.type(day, '2099-01-31');
    await press(user, 'Send');
    await screen.findByRole('heading', { name: 'Invitation sent' });
    const end = new Date(2099, 0, 31, 23, 59, 59).toISOString();
    expect(api.calls('POST /permissions').map(({ body }) => body.endsAt)).toEqual([end]);
  });

  test('that is refused says why and keeps everything', async () => {
    const why = 'Waihao Flats is shared with tama@headrace.test already.';
    const { user } = await atPermissions(serve().on('POST /permissions', new Failure(409, why)));
    await press(user, 'Send');
    expect(await screen.findByText(why)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Send' })).toBeTruthy();
  });

  test('is off after the subscription', async () => {
    renderApp('/invitations/share/select', { api: serve(), as: suspended });
    expect(
      await screen.findByText('Account Suspended: sharing is off until the subscription is renewed.'),
    ).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Next' })).toBeNull();
  });
});

describe('the permissions of a share', () => {
  const key = uid(7001);
  const saved = {
    key,
    template: 4,
    farmUID: rakaia._id,
    isAccountShare: false,
    permissions: presets.guest,
    endsAt: '2027-03-31T10:59:59.000Z',
    name: 'Tama Reid',
    email: 'tama@headrace.test',
    farmName: rakaia.name,
  };
  const path = `/invitations/permissions/${key}`;

  test('are edited with a summary of what changes; the end stays to the second', async () => {
    const api = withInvites()
      .on('GET /permissions', saved)
      .on('PUT /permissions', ({ body }) => ({ ...saved, ...body, endsAt: body.endsAt ?? null }));
    const { user, router } = renderApp(path, { api });
    expect(await screen.findByText('Tama Reid, Rākaia Downs')).toBeTruthy();
    const changes = within(await screen.findByRole('region', { name: 'What changes' }));
    expect(changes.getByText('Nothing yet.')).toBeTruthy();
    await check(user, 'Edit Sensors');
    await user.click(screen.getByRole('switch', { name: /^Get notifications/ }));
    expect(changes.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Custom instead of Guest.',
      'Sensors: now Edit.',
      'May no longer get notifications.',
    ]);
    await press(user, 'Save');
    expect(await screen.findByText('Permissions saved. They hold from now on.')).toBeTruthy();
    expect(api.calls('GET /permissions')[0]?.query).toEqual({ key });
    expect(api.calls('PUT /permissions').map(({ body }) => body)).toEqual([
      {
        key,
        template: 1,
        permissions: { ...presets.guest, sensors: levels.Read | levels.Edit, notifications: false },
        endsAt: '2027-03-31T10:59:59.000Z',
      },
    ]);
    await waitFor(() => expect(router.state.location.pathname).toBe('/invitations'));
  });

  test('can lose their end', async () => {
    const api = withInvites()
      .on('GET /permissions', saved)
      .on('PUT /permissions', { ...saved, endsAt: null });
    const { user } = renderApp(path, { api });
    await user.clear(await screen.findByLabelText('Last day'));
    expect(screen.getByText('No longer ends by itself.')).toBeTruthy();
    await press(user, 'Save');
    await screen.findByText('Permissions saved. They hold from now on.');
    expect(api.calls('PUT /permissions')[0]?.body.endsAt).toBeNull();
  });

  test('that are gone say so', async () => {
    const api = new FakeApi().on('GET /permissions', new Failure(404, 'Gone.'));
    renderApp(path, { api });
    expect(await screen.findByText("Sorry, we couldn't find what you're looking for.")).toBeTruthy();
  });

  test('of no key are not there', async () => {
    renderApp('/invitations/permissions/nonsense');
    expect(await screen.findByText("Sorry, we couldn't find what you're looking for.")).toBeTruthy();
  });
});
