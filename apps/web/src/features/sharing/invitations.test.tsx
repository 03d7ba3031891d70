import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { ownerPermissions } from '@headrace/contract/permissions';
import { Failure } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { permissionsOn, rakaia, uid, waihao } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { accepted, agent, buildEvent, buildInvite, suspended, withInvites } from './sharing-fixtures.ts';

const rows = async (name: string) => {
  const table = await screen.findByRole('table', { name });
  return within(table).getAllByRole('row').slice(1);
};
const cells = (row: HTMLElement) =>
  [...row.querySelectorAll('th, td')].slice(0, 5).map((cell) => cell.textContent);
const buttons = (row: HTMLElement) =>
  within(row)
    .queryAllByRole('button')
    .concat(within(row).queryAllByRole('link'))
    .map((button) => button.textContent);

const all = withInvites.bind(
  null,
  accepted(1, { template: 2, farmName: waihao.name, farmUID: waihao._id }),
  accepted(2, { agentName: 'Hana Pere', email: 'hana@headrace.test', isAccountShare: true, farmName: '' }),
  accepted(3, { agentName: 'Pita Rewi', email: 'pita@headrace.test', endsAt: '2026-01-31T10:59:59.000Z' }),
  buildInvite(4, { email: 'no@headrace.test', rejected: true }),
  buildInvite(5),
);

describe('Manage Access', () => {
  test('lists shares in the order they came in, each with what is known and can be done', async () => {
    renderApp('/invitations', { api: all() });
    const shown = await rows('Manage Access');
    expect(shown.map((row) => cells(row).slice(0, 4))).toEqual([
      ['Tama Reidtama@headrace.test', 'Waihao Flats', 'Farm Manager', 'Accepted'],
      ['Hana Perehana@headrace.test', 'Whole account', 'Guest', 'Accepted'],
      ['Pita Rewipita@headrace.test', 'Rākaia Downs', 'Guest', 'Ended'],
      ['no@headrace.test', 'Rākaia Downs', 'Guest', 'Rejected'],
      ['tama@headrace.test', 'Rākaia Downs', 'Guest', 'Awaiting response'],
    ]);
    expect(shown.map(buttons)).toEqual([
      ['Revoke Tama Reid', 'Edit permissions Tama Reid'],
      ['Revoke Hana Pere', 'Edit permissions Hana Pere'],
      ['Revoke Pita Rewi', 'Edit permissions Pita Rewi'],
      ['Revoke no@headrace.test'],
      ['Resend tama@headrace.test', 'Revoke tama@headrace.test', 'Edit permissions tama@headrace.test'],
    ]);
  });

  test('is resent only while nobody with an account has the address', async () => {
    const api = withInvites(buildInvite(1), buildInvite(2, { agentName: 'Tama Reid' }));
    api.on('POST /resend-invite', { success: true });
    const { user } = renderApp('/invitations', { api });
    const resend = await screen.findByRole('button', { name: /^Resend/ });
    await user.click(resend);
    expect(await screen.findByText('Invite resent successfully!')).toBeTruthy();
    expect(api.calls('POST /resend-invite').map(({ body }) => body.key)).toEqual([buildInvite(1).key]);
  });

  test('a resend that fails says so, and why', async () => {
    const api = withInvites(buildInvite(1));
    api.on('POST /resend-invite', new Failure(429, 'Too many requests. Please wait a minute.'));
    const { user } = renderApp('/invitations', { api });
    await user.click(await screen.findByRole('button', { name: /^Resend/ }));
    expect(await screen.findByText("Couldn't resend the invite!")).toBeTruthy();
    expect(screen.getByText('Rākaia Downs: Too many requests. Please wait a minute.')).toBeTruthy();
  });

  test('revoking asks once and takes the share off the list', async () => {
    const api = withInvites(accepted(1));
    api.on('POST /revoke-invite', { success: true });
    const { user } = renderApp('/invitations', { api });
    await user.click(await screen.findByRole('button', { name: /^Revoke/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Revoke this access?' }));
    expect(dialog.getByText('This action cannot be undone!')).toBeTruthy();
    api.on('GET /invites', { invites: [] });
    await user.click(dialog.getByRole('button', { name: 'Revoke' }));
    expect(await screen.findByText('Invite revoked successfully!')).toBeTruthy();
    expect(await screen.findByText('You share your farms with nobody yet.')).toBeTruthy();
    expect(api.calls('POST /revoke-invite')[0]?.body).toEqual({ key: accepted(1).key });
  });

  test('a revoke that fails says so', async () => {
    const api = withInvites(accepted(1)).on('POST /revoke-invite', new Failure(500, 'Oops.'));
    const { user } = renderApp('/invitations', { api });
    await user.click(await screen.findByRole('button', { name: /^Revoke/ }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' }));
    expect(await screen.findByText("Error, invite couldn't be revoked.")).toBeTruthy();
  });

  test('with hundreds of shares shows fifty and the rest on request; searching looks among all', async () => {
    const many = Array.from({ length: 300 }, (_, n) => accepted(n + 1, { agentName: `Person ${n + 1}` }));
    const { user } = renderApp('/invitations', { api: withInvites(...many) });
    expect(await rows('Manage Access')).toHaveLength(50);
    await user.type(screen.getByRole('searchbox'), 'Person 299');
    await waitFor(async () => expect(await rows('Manage Access')).toHaveLength(1));
    expect(screen.queryByRole('button', { name: /^Show all/ })).toBeNull();
    await user.clear(screen.getByRole('searchbox'));
    await user.click(await screen.findByRole('button', { name: 'Show all 300' }));
    await waitFor(async () => expect(await rows('Manage Access')).toHaveLength(300));
  });

  test('with many shares is searched by person and farm', async () => {
    const api = withInvites(
      ...[1, 2, 3, 4, 5].map((n) => accepted(n, { agentName: `Person ${n}` })),
      accepted(6, { agentName: 'Māia', farmName: waihao.name }),
    );
    const { user } = renderApp('/invitations', { api });
    await user.type(await screen.findByRole('searchbox'), 'maia');
    await waitFor(async () => expect(await rows('Manage Access')).toHaveLength(1));
    expect((await rows('Manage Access'))[0]?.textContent).toContain('Māia');
  });

  test('without a share says what sharing is and leads to it', async () => {
    renderApp('/invitations', { api: withInvites() });
    expect(await screen.findByText('You share your farms with nobody yet.')).toBeTruthy();
    const link = screen.getByRole('link', { name: 'Share a farm' });
    expect(link.getAttribute('href')).toBe('/invitations/share/select');
  });

  test('after the subscription sharing is off and says why', async () => {
    const { user } = renderApp('/invitations', { api: withInvites(buildInvite(1)), as: suspended });
    const share = await screen.findByRole<HTMLButtonElement>('button', { name: 'Share' });
    const resend = await screen.findByRole<HTMLButtonElement>('button', { name: /^Resend/ });
    expect([share.disabled, resend.disabled]).toEqual([true, true]);
    expect(
      screen.getByText('Account Suspended: sharing is off until the subscription is renewed.'),
    ).toBeTruthy();
    await user.click(share);
    expect(screen.queryByText(/^Step/)).toBeNull();
  });

  test('hears at once that somebody answered', async () => {
    const api = withInvites(buildInvite(1));
    renderApp('/invitations', { api });
    await screen.findByText('Awaiting response');
    api.on('GET /invites', { invites: [accepted(1)] });
    const data = {
      _id: uid(1),
      title: 'Accepted',
      message: 'Tama accepted.',
      isRead: false,
      at: '2026-11-21T02:00:00.000Z',
      link: '',
      alert: false,
    };
    await act(async () => FakeSocket.last.push({ type: 'new_notification', data }));
    expect(await screen.findByText('Accepted')).toBeTruthy();
  });

  test('on a phone is a list of cards', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.includes('max-width: 767.98px'),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));
    renderApp('/invitations', { api: all() });
    const list = await screen.findByRole('list', { name: 'Manage Access' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(5);
    expect(screen.queryByRole('table')).toBeNull();
  });

  test('is not there for people who are not signed in', async () => {
    renderApp('/invitations', { as: null });
    expect(await screen.findByText("Sorry, we couldn't find what you're looking for.")).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Sign in' })).toBeTruthy();
  });
});

describe('My Accesses', () => {
  test('lists what an agent was invited to, with no way to share', async () => {
    renderApp('/invitations', { api: all(), as: agent });
    const shown = await rows('My Accesses');
    expect(shown.map(buttons)).toEqual([
      ['Give up Waihao Flats'],
      ['Give up Whole account'],
      ['Remove Rākaia Downs'],
      ['Remove Rākaia Downs'],
      ['Accept Rākaia Downs', 'Reject Rākaia Downs'],
    ]);
    expect(cells(shown[0] as HTMLElement)[0]).toBe('Aroha Ngata');
    expect(screen.queryByRole('link', { name: 'Share' })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Access log' })).toBeNull();
  });

  test('accepting asks for farms and rights anew', async () => {
    const api = withInvites(buildInvite(1));
    api.on('POST /accept-invite', { farmUID: rakaia._id, permissions: {} });
    const { user } = renderApp('/invitations', { api, as: agent });
    await user.click(await screen.findByRole('button', { name: /^Accept/ }));
    expect(await screen.findByText('Invite accepted successfully!')).toBeTruthy();
    await waitFor(() => expect(api.calls('GET /permissions-list').length).toBeGreaterThan(1));
    await waitFor(() => expect(api.calls('GET /farms-card').length).toBeGreaterThan(1));
  });

  test.each([
    ['Accept', 'POST /accept-invite', "Error, invite couldn't be accepted."],
    ['Reject', 'POST /reject-invite', "Error, invite couldn't be rejected."],
  ] as const)('%s that fails says so, and why', async (name, key, text) => {
    const why = 'Please confirm your e-mail address first.';
    const api = withInvites(buildInvite(1)).on(key, new Failure(403, why));
    const { user } = renderApp('/invitations', { api, as: agent });
    await user.click(await screen.findByRole('button', { name: new RegExp(`^${name}`) }));
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByText(`Rākaia Downs: ${why}`)).toBeTruthy();
  });

  test('rejecting says so', async () => {
    const api = withInvites(buildInvite(1)).on('POST /reject-invite', { success: true });
    const { user } = renderApp('/invitations', { api, as: agent });
    await user.click(await screen.findByRole('button', { name: /^Reject/ }));
    expect(await screen.findByText('Invite rejected successfully!')).toBeTruthy();
  });

  test('without any says whom to ask', async () => {
    renderApp('/invitations', { api: withInvites(), as: agent });
    expect(await screen.findByText('Nobody shares a farm with you yet.')).toBeTruthy();
    expect(screen.getByText(/share it with tama@headrace.test/)).toBeTruthy();
  });

  test.each(['select', 'contacts', 'permissions'])('sharing (%s) is for owners alone', async (step) => {
    const { router } = renderApp(`/invitations/share/${step}`, { as: agent });
    await waitFor(() => expect(router.state.location.pathname).toBe('/403'));
  });
});

describe('the access log', () => {
  test('says who was given what, by whom, and what support did; older entries follow', async () => {
    const api = withInvites(accepted(1)).on('GET /access-log', ({ query }) =>
      query.before === undefined
        ? {
            events: [
              buildEvent(9, {
                what: 'support opened',
                by: 'Sam',
                whom: '',
                note: 'Owner asked for help, until 2027-03-31T10:59:59.000Z.',
              }),
              buildEvent(8, { what: 'accepted', farmName: '' }),
            ],
            isLast: false,
          }
        : { events: [buildEvent(7)], isLast: true },
    );
    const { user } = renderApp('/invitations?tab=log', { api });
    const list = await screen.findByRole('list', { name: 'Access log' });
    expect(within(list).getByText(/Support \(Sam\) opened a session with all rights\./)).toBeTruthy();
    expect(within(list).getByText(/^Owner asked for help, until \d\d\/\d\d\/2027 \d\d:\d\d\.$/)).toBeTruthy();
    expect(within(list).getByText('Whole account')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Show older entries' }));
    expect(await within(list).findByText(/Aroha Ngata invited Tama Reid\./)).toBeTruthy();
    expect(api.calls('GET /access-log').map(({ query }) => query.before)).toEqual([undefined, '8']);
    expect(screen.queryByRole('button', { name: 'Show older entries' })).toBeNull();
  });

  test('that fails says so', async () => {
    const api = withInvites().on('GET /access-log', new Failure(403, 'No.'));
    renderApp('/invitations?tab=log', { api });
    expect(await screen.findByText("The access log couldn't be loaded")).toBeTruthy();
  });
});

describe('rights that change while an agent works', () => {
  const two = () =>
    withInvites().on('GET /permissions-list', {
      permissions: [permissionsOn(rakaia), permissionsOn(waihao)],
    });

  test('a revoked farm goes, is told, and the current farm moves to the next', async () => {
    const api = two().on('GET /farms-card', [rakaia, waihao]);
    const { router } = renderApp(`/dashboard?farm=${rakaia._id}`, { api, as: agent });
    await screen.findByRole('button', { name: /^Current farm: Rākaia Downs/ });
    await waitFor(() => expect(FakeSocket.all).toHaveLength(1));
    api.on('GET /farms-card', [waihao]);
    const been: string[] = [];
    router.subscribe('onBeforeNavigate', ({ toLocation }) => been.push(toLocation.pathname));
    await act(async () => FakeSocket.last.push({ type: 'permissions', data: [permissionsOn(waihao)] }));
    expect(await screen.findByText('Rākaia Downs is no longer shared with you.')).toBeTruthy();
    expect(await screen.findByRole('button', { name: /^Current farm: Waihao Flats/ })).toBeTruthy();
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
    await waitFor(() => expect(router.state.isLoading).toBe(false));
    expect(been).not.toContain('/403');
  });

  test('a lowered right closes the form that needs it, whatever is typed there, and says so', async () => {
    const api = two().on('GET /changes', { changes: [], more: false });
    const { user, router } = renderApp(`/farm/${rakaia._id}`, { api, as: agent });
    await user.type(await screen.findByRole('textbox', { name: /^Name/ }), ' South');
    const lowered = permissionsOn(rakaia, { ...ownerPermissions, farms: 1 });
    await act(async () =>
      FakeSocket.last.push({ type: 'permissions', data: [lowered, permissionsOn(waihao)] }),
    );
    await waitFor(() => expect(router.state.location.pathname).toBe('/403'));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(await screen.findByText('Your rights on Rākaia Downs were lowered.')).toBeTruthy();
  });

  test('a lowered right closes the dialog that needs it', async () => {
    const api = two().on('GET /farm/contents', new Failure(503, 'Later.'));
    const { user } = renderApp('/', { api, as: agent });
    await user.click(await screen.findByRole('button', { name: 'Menu of Rākaia Downs' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete farm' }));
    await screen.findByRole('dialog', { name: 'Delete Rākaia Downs?' });
    const lowered = permissionsOn(rakaia, { ...ownerPermissions, farms: 1 });
    await act(async () =>
      FakeSocket.last.push({ type: 'permissions', data: [lowered, permissionsOn(waihao)] }),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await screen.findByText('Your rights on Rākaia Downs were lowered.')).toBeTruthy();
  });

  test('raised rights are not told', async () => {
    const api = withInvites().on('GET /permissions-list', {
      permissions: [permissionsOn(rakaia, { ...ownerPermissions, farms: 1 }), permissionsOn(waihao)],
    });
    renderApp('/', { api, as: agent });
    await screen.findByRole('article', { name: 'Rākaia Downs' });
    await act(async () =>
      FakeSocket.last.push({ type: 'permissions', data: [permissionsOn(rakaia), permissionsOn(waihao)] }),
    );
    expect(screen.queryByText(/were lowered/)).toBeNull();
  });
});

describe('two-step sign-in that an owner requires', () => {
  const tama = { name: 'Tama Reid', email: 'tama@headrace.test', hasSecondStep: false };
  const ana = { name: 'Ana Hira', email: 'ana@headrace.test', hasSecondStep: true };
  const state = { from: null, hasOwn: false, people: [tama, ana], askedBy: [], requiredBy: [] };
  const name = 'Require two-step sign-in';

  test('says whom it shuts out before it is required, who has it after, and ends with the password', async () => {
    const api = withInvites(accepted(1))
      .on('GET /sharing/second-step', state)
      .on('GET /account/second-step', {
        since: null,
        hasApp: false,
        passkeys: [],
        recoveryCodesLeft: 0,
        passkeySite: null,
      })
      .on('PUT /sharing/second-step', ({ body }) => ({
        ...state,
        from: body.required ? '2099-02-01T00:00:00.000Z' : null,
      }));
    const { user } = renderApp('/invitations', { api });
    const toggle = await screen.findByRole('switch', { name });
    expect(screen.getByText('1 of 2 people have set it up')).toBeTruthy();
    expect(screen.getByText('Not set up').closest('li')?.textContent).toContain('Tama Reid');
    await user.click(toggle);
    const dialog = await screen.findByRole('dialog', { name: 'Require two-step sign-in?' });
    expect(within(dialog).getByText(/^Not set up yet: Tama Reid\. They are told now/)).toBeTruthy();
    expect(api.calls('PUT /sharing/second-step')).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Require it' }));
    expect(
      await screen.findByText(/^Not set up yet: Tama Reid\. From .*2099 .* on they can't open your farms/),
    ).toBeTruthy();
    await user.click(screen.getByRole('switch', { name }));
    const ending = await screen.findByRole('dialog', { name: 'End two-step sign-in for others?' });
    expect(within(ending).getByText(/can then open your farms with the password alone/)).toBeTruthy();
    await user.type(within(ending).getByLabelText(/^Your password/), 'headrace');
    await user.click(within(ending).getByRole('button', { name: 'End it' }));
    expect(
      await screen.findByText(/After 7 days your farms are shut to people who haven't set it up/),
    ).toBeTruthy();
    expect(api.calls('PUT /sharing/second-step').map(({ body }) => body)).toEqual([
      { required: true },
      { required: false, password: 'headrace' },
    ]);
  });

  test('stands above the shares from the first, so that none of them moves from under a finger', async () => {
    let answer: (reply: typeof state) => void = () => {};
    const api = withInvites(accepted(1)).on(
      'GET /sharing/second-step',
      () => new Promise<typeof state>((resolve) => (answer = resolve)),
    );
    renderApp('/invitations', { api });
    await waitFor(() => expect(api.calls('GET /sharing/second-step')).toHaveLength(1));
    await waitFor(() => expect(api.calls('GET /invites')).toHaveLength(1));
    expect(screen.queryByRole('button', { name: /^Revoke/ })).toBeNull();
    await act(async () => answer(state));
    expect(await screen.findByRole('button', { name: /^Revoke/ })).toBeTruthy();
    expect(screen.getByRole('switch', { name })).toBeTruthy();
  });

  const hinds = { farmUID: waihao._id, farmName: 'Hinds' };
  const askedFrom = (from: string) => ({
    ...state,
    people: [],
    askedBy: [{ owner: 'Mere Tawhai', farms: [hinds], from }],
  });
  test.each([
    [
      '2099-02-01T00:00:00.000Z',
      /^Mere Tawhai requires two-step sign-in\. From .*2099 .* on you can't open without it: Hinds\./,
    ],
    [
      '2020-02-01T00:00:00.000Z',
      /^Hinds: shut until your account has two-step sign-in, as Mere Tawhai requires\. Alerts still come\./,
    ],
  ])('from %s on is told on every page to who has none', async (from, text) => {
    const api = withInvites(accepted(1)).on('GET /sharing/second-step', askedFrom(from));
    renderApp('/invitations', { api, as: agent });
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Set it up' }).getAttribute('href')).toBe('/security');
  });

  test('that begins while one works closes the farm, and says that it is shut', async () => {
    const shut = { farmUID: rakaia._id, farmName: rakaia.name };
    const asked = [{ owner: 'Mere Tawhai', farms: [shut], from: '2020-02-01T00:00:00.000Z' }];
    const api = withInvites().on('GET /permissions-list', {
      permissions: [permissionsOn(rakaia), permissionsOn(waihao)],
    });
    renderApp('/', { api, as: agent });
    await screen.findByRole('article', { name: 'Rākaia Downs' });
    api.on('GET /sharing/second-step', { ...state, people: [], askedBy: asked });
    await act(async () => FakeSocket.last.push({ type: 'permissions', data: [permissionsOn(waihao)] }));
    expect(
      await screen.findByText('Rākaia Downs is shut until your account has two-step sign-in.'),
    ).toBeTruthy();
    expect(screen.queryByText(/no longer shared/)).toBeNull();
  });

  test('explains why there are no farms to who has none other', async () => {
    const api = withInvites(accepted(1))
      .on('GET /sharing/second-step', askedFrom('2020-02-01T00:00:00.000Z'))
      .on('GET /farms-card', [])
      .on('GET /permissions-list', { permissions: [] });
    renderApp('/', { api, as: agent });
    expect(await screen.findByText('Your farms are shut.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Set up two-step sign-in' })).toBeTruthy();
  });
});
