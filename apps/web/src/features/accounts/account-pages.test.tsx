import { act, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import type { OwnAccount, SignedInDevice } from '@headrace/contract/account-details';
import { call } from '../../api/client.ts';
import { deviceUid, session, signOut } from '../../api/session.ts';
import { Failure, FakeApi, FakeFile, UNREACHABLE } from '../../testing/fake-api.ts';
import { buildLogin, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { exactTime } from '../../ui/format.ts';

const account = (over: Partial<OwnAccount> = {}): OwnAccount => ({
  name: 'Aroha Ngata',
  email: 'owner@headrace.test',
  newsletter: false,
  mobile: '0211234567',
  countryCode: 64,
  notes: '',
  emailConfirmed: true,
  pendingEmail: null,
  hasPassword: true,
  createdAt: '2026-01-05T02:00:00.000Z',
  closesAt: null,
  ...over,
});

const device = (id: string, over: Partial<SignedInDevice> = {}): SignedInDevice => ({
  id,
  device: `browser ${id}`,
  browser: 'Chrome on Android',
  address: '203.0.113.7',
  signedInAt: '2026-11-01T02:00:00.000Z',
  lastUsedAt: '2026-11-02T02:00:00.000Z',
  endsAt: '2027-01-30T02:00:00.000Z',
  hasPush: false,
  isThis: false,
  ...over,
});
const here = device('a', { browser: 'Firefox on Linux', isThis: true });

const server = (own = account()) =>
  new FakeApi()
    .on('GET /account/details', own)
    .on('POST /account/details', ({ body }) => ({ ...own, ...body }))
    .on('GET /account/usage', { resetsAt: '2026-11-21T00:00:00.000Z', files: { today: 0, limit: 100 } })
    .on('GET /account/sessions', { sessions: [here] })
    .on('GET /account/second-step', {
      since: null,
      hasApp: false,
      passkeys: [],
      recoveryCodesLeft: 0,
      passkeySite: null,
    });

const secondStepOn = {
  since: '2026-11-01T02:00:00.000Z',
  hasApp: true,
  passkeys: [],
  recoveryCodesLeft: 9,
  passkeySite: null,
};

const field = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name });
const password = (name: string) => screen.findByLabelText<HTMLInputElement>(new RegExp(`^${name}( \\*)?$`));
const press = async (user: UserEvent, name: string) =>
  user.click(await screen.findByRole('button', { name }));
async function retype(user: UserEvent, input: HTMLElement, text: string): Promise<void> {
  await user.clear(input);
  await user.click(input);
  await user.paste(text);
}

describe('a forgotten password', () => {
  test('is answered the same whether the address has an account or not', async () => {
    const api = new FakeApi().on('POST /account/forgot-password', { success: true });
    const { user } = renderApp('/forgot-password', { api, as: null });
    await user.type(await field('E-mail'), ' nobody@farm.nz ');
    await press(user, 'Send the link');
    expect((await screen.findByRole('status')).textContent).toBe(
      'If nobody@farm.nz has an account, a link to set a new password is on its way. It works once, for one hour.',
    );
    expect(api.calls('POST /account/forgot-password')[0]?.body).toEqual({ email: 'nobody@farm.nz' });
  });

  test('needs an address, and says when it could not be asked for', async () => {
    const api = new FakeApi().on('POST /account/forgot-password', UNREACHABLE);
    const { user } = renderApp('/forgot-password', { api, as: null });
    await press(user, 'Send the link');
    expect(await screen.findByText('Enter your e-mail address.')).toBeTruthy();
    await user.type(await field('E-mail'), 'a@farm.nz');
    await press(user, 'Send the link');
    await waitFor(() =>
      expect(screen.getByRole('alert').textContent).toContain("Server couldn't be reached"),
    );
  });

  test('is set anew by the mailed link', async () => {
    const api = new FakeApi().on('POST /account/reset-password', { success: true });
    const { user, router } = renderApp('/reset-password?key=K43', { api, as: null });
    await user.type(await password('New password'), 'five');
    await press(user, 'Set password');
    expect(await screen.findByText('Password must have at least 6 characters.')).toBeTruthy();
    await retype(user, await password('New password'), 'stone river');
    await retype(user, await password('Confirm password'), 'stone river');
    await press(user, 'Set password');
    expect(await screen.findByText('Your password is changed. Please sign in with it.')).toBeTruthy();
    expect(router.state.location.pathname).toBe('/login');
    expect(api.calls('POST /account/reset-password')[0]?.body).toEqual({
      key: 'K43',
      password: 'stone river',
      passwordConfirmation: 'stone river',
    });
  });

  test.each(['/reset-password?key=old', '/reset-password'])(
    'of %s it says that it does not work',
    async (path) => {
      const api = new FakeApi().on(
        'POST /account/reset-password',
        new Failure(400, 'Used.', { field: 'key' }),
      );
      const { user } = renderApp(path, { api, as: null });
      if (path.includes('key')) {
        await user.type(await password('New password'), 'stone river');
        await user.type(await password('Confirm password'), 'stone river');
        await press(user, 'Set password');
      }
      expect(await screen.findByText(/^This link doesn't work/)).toBeTruthy();
      const again = screen.getByRole('link', { name: 'Send me a new link' });
      expect(again.getAttribute('href')).toBe('/forgot-password');
    },
  );

  test.each(['/forgot-password', '/reset-password?key=K'])(
    '%s sends people who are signed in home',
    async (path) => {
      const { router } = renderApp(path);
      await waitFor(() => expect(router.state.location.pathname).toBe('/'));
    },
  );
});

describe('the link that confirms an address', () => {
  test('says that it worked', async () => {
    const api = new FakeApi().on('POST /account/confirm-email', { success: true });
    renderApp('/confirm-email?key=K43', { api, as: null });
    expect(await screen.findByText('Thank you: your e-mail address is confirmed.')).toBeTruthy();
    expect(api.calls('POST /account/confirm-email').map(({ body }) => body)).toEqual([{ key: 'K43' }]);
  });

  test('says that it did not, and where to get another', async () => {
    renderApp('/confirm-email?key=K', {
      api: new FakeApi().on('POST /account/confirm-email', { success: false }),
    });
    expect(await screen.findByText(/^This link doesn't work/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Send me a new link' }).getAttribute('href')).toBe(
      '/account-details',
    );
  });

  test('can be tried again when the server was away', async () => {
    const api = new FakeApi().on('POST /account/confirm-email', UNREACHABLE);
    const { user } = renderApp('/confirm-email?key=K', { api, as: null });
    expect(await screen.findByText("The address couldn't be confirmed")).toBeTruthy();
    api.on('POST /account/confirm-email', { success: true });
    await press(user, 'Retry');
    expect(await screen.findByText(/^Thank you/)).toBeTruthy();
  });
});

describe('the link that keeps the former address', () => {
  test('asks first, signs out here too, and leads to a new password', async () => {
    const api = new FakeApi().on('POST /account/undo-email', {
      success: true,
      email: 'owner@headrace.test',
      resetKey: 'R43',
    });
    const { user, router } = renderApp('/undo-email?key=K43', { api });
    expect(await screen.findByRole('heading', { name: 'Keep your account' })).toBeTruthy();
    expect(api.calls('POST /account/undo-email')).toEqual([]);
    await press(user, 'It was not me');
    await waitFor(() => expect(router.state.location.href).toBe('/reset-password?key=R43'));
    expect(api.calls('POST /account/undo-email')[0]?.body).toEqual({ key: 'K43' });
    expect(session().logged).toBe(false);
    expect(await screen.findByText('owner@headrace.test is the address of your account.')).toBeTruthy();
  });

  test.each(['/undo-email?key=old', '/undo-email'])('of %s it says that it does not work', async (path) => {
    const api = new FakeApi().on('POST /account/undo-email', { success: false });
    const { user } = renderApp(path, { api, as: null });
    if (path.includes('key')) await press(user, 'It was not me');
    expect(await screen.findByText(/^This link doesn't work/)).toBeTruthy();
  });

  test('can be tried again when the server was away', async () => {
    const api = new FakeApi().on('POST /account/undo-email', UNREACHABLE);
    const { user } = renderApp('/undo-email?key=K', { api, as: null });
    await press(user, 'It was not me');
    expect((await screen.findByRole('alert')).textContent).toContain("Server couldn't be reached");
    expect(screen.getByRole('button', { name: 'It was not me' })).toBeTruthy();
  });
});

describe('the link that ends notifications by e-mail', () => {
  test('asks first, and says that they have ended', async () => {
    const api = new FakeApi().on('POST /notification/unsubscribe', { success: true });
    const { user } = renderApp('/unsubscribe?key=u1.k', { api, as: null });
    expect(await screen.findByRole('heading', { name: 'Notifications by e-mail' })).toBeTruthy();
    expect(api.calls('POST /notification/unsubscribe')).toEqual([]);
    await press(user, 'End them');
    expect(await screen.findByText(/^You get no more notifications by e-mail/)).toBeTruthy();
    expect(api.calls('POST /notification/unsubscribe')[0]?.body).toEqual({ key: 'u1.k' });
  });

  test.each(['/unsubscribe?key=old', '/unsubscribe'])('of %s it says that it does not work', async (path) => {
    const api = new FakeApi().on('POST /notification/unsubscribe', { success: false });
    const { user } = renderApp(path, { api, as: null });
    if (path.includes('key')) await press(user, 'End them');
    expect(await screen.findByText(/^This link doesn't work/)).toBeTruthy();
  });
});

describe('signing in by a mailed link', () => {
  const agent = buildLogin({
    token: 'token-of-hemi',
    name: 'Hemi Ward',
    email: 'hemi@farm.nz',
    hasMobile: false,
  });
  const notifications = {
    list: [],
    count: 0,
    hash: '0',
    sendSms: false,
    sendPush: false,
    sendEmail: true,
    sendAction: false,
    deviceId: null,
  };
  const linked = () =>
    new FakeApi()
      .on('POST /account/auth/passwordless', { success: true, data: agent })
      .on('GET /notifications', notifications);

  test('signs out who was there, signs in, asks how the person hears, and goes home', async () => {
    const api = linked();
    const { router, queryClient } = renderApp('/login/K43?redirect=%2Ftanks', { api });
    expect(await screen.findByRole('button', { name: 'Account of Hemi Ward' })).toBeTruthy();
    expect(router.state.location.href).toBe('/');
    const tries = api.calls('POST /account/auth/passwordless');
    expect(tries.map(({ body }) => body)).toEqual([{ key: 'K43' }]);
    // By it the server ends the session that was here.
    expect(tries[0]?.headers.get('authorization')).toBe('token-of-aroha');
    await waitFor(() => expect(queryClient.getQueryData(['notifications'])).toEqual(notifications));
  });

  test('prompts for the details that are missing', async () => {
    renderApp('/login/K43', { api: linked(), as: null });
    const link = await screen.findByRole('link', { name: 'click here' });
    expect(link.parentElement?.textContent).toBe(
      'Your account is missing some details. Please, click here to update it.',
    );
    expect(link.getAttribute('href')).toBe('/account-details');
  });

  test.each([
    [{ success: false }, /^This link doesn't work/],
    [UNREACHABLE, "Server couldn't be reached"],
  ])('goes home too when it fails: %j', async (answer, told) => {
    const api = new FakeApi().on('POST /account/auth/passwordless', answer);
    const { router } = renderApp('/login/K43', { api, as: null });
    expect(await screen.findByText(told)).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeTruthy();
    expect(router.state.location.href).toBe('/');
    expect(session().logged).toBe(false);
  });

  test.each([
    [{ success: false }, /^This link doesn't work/],
    [UNREACHABLE, "Server couldn't be reached"],
  ])('leaves whoever is signed in here signed in when it fails: %j', async (answer, told) => {
    const api = new FakeApi().on('POST /account/auth/passwordless', answer);
    const { router } = renderApp('/login/K43', { api });
    expect(await screen.findByText(told)).toBeTruthy();
    expect(await screen.findByRole('article', { name: 'Rākaia Downs' })).toBeTruthy();
    expect(router.state.location.href).toBe('/');
    expect(session().token).toBe('token-of-aroha');
    expect(api.calls('POST /account/logout')).toEqual([]);
  });
});

describe('account details', () => {
  test('are shown, changed and kept', async () => {
    const { user, api } = renderApp('/account-details', {
      api: server(),
      as: buildLogin({ hasMobile: false }),
    });
    expect(await screen.findByRole('link', { name: 'click here' })).toBeTruthy();
    await retype(user, await field('Name'), ' Aroha Tamati ');
    await press(user, 'Save');
    expect(await screen.findByText('Your account details are saved.')).toBeTruthy();
    expect(api.calls('POST /account/details')[0]?.body).toEqual({
      name: 'Aroha Tamati',
      email: 'owner@headrace.test',
      newsletter: false,
      mobile: '0211234567',
      countryCode: 64,
      notes: '',
    });
    expect(await screen.findByRole('button', { name: 'Account of Aroha Tamati' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'click here' })).toBeNull();
  });

  test('ask for the second step too with another address, and say at its field that a code is wrong', async () => {
    const wrong = 'This code is wrong or was used already.';
    const api = server()
      .on('GET /account/second-step', secondStepOn)
      .on('POST /account/details', new Failure(400, wrong, { field: 'code' }));
    const { user } = renderApp('/account-details', { api });
    await retype(user, await field('E-mail'), 'new@farm.nz');
    await user.type(await password('Your password'), 'headrace');
    const code = await screen.findByRole('textbox', { name: /^Code of your authenticator app/ });
    await press(user, 'Save');
    expect(await screen.findByText('Code is required.')).toBeTruthy();
    expect(api.calls('POST /account/details')).toHaveLength(0);
    await user.type(code, '111111');
    await press(user, 'Save');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(wrong));
    expect(code.getAttribute('aria-invalid')).toBe('true');
    api.on('POST /account/details', account({ pendingEmail: 'new@farm.nz' }));
    await retype(user, code, '123456');
    await press(user, 'Save');
    expect(await screen.findByText(/^new@farm.nz isn't confirmed yet/)).toBeTruthy();
    expect(api.calls('POST /account/details').at(-1)?.body).toMatchObject({
      password: 'headrace',
      code: '123456',
    });
  });

  test('say what is wrong by the rules of registration, and what the server refuses', async () => {
    const taken = 'Sorry, this email is already registered.';
    const api = server().on('POST /account/details', new Failure(409, taken, { field: 'email' }));
    const { user } = renderApp('/account-details', { api });
    await retype(user, await field('Mobile'), '12');
    await press(user, 'Save');
    expect(await screen.findByText('Invalid mobile number.')).toBeTruthy();
    await retype(user, await field('Mobile'), '0211234567');
    await retype(user, await field('E-mail'), 'taken@farm.nz');
    await press(user, 'Save');
    expect(await screen.findByText('Password is required.')).toBeTruthy();
    await user.type(await password('Your password'), 'headrace');
    await press(user, 'Save');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(taken));
    expect((await field('E-mail')).getAttribute('aria-invalid')).toBe('true');
  });

  test('ask for the password with another address, which then waits to be confirmed or is dropped', async () => {
    const waiting = account({ pendingEmail: 'new@farm.nz' });
    const api = server()
      .on('POST /account/details', waiting)
      .on('POST /account/resend-confirmation', { success: true })
      .on('DELETE /account/new-email', account());
    const { user } = renderApp('/account-details', { api });
    expect(await field('E-mail')).toBeTruthy();
    expect(screen.queryByLabelText(/^Your password/)).toBeNull();
    await retype(user, await field('E-mail'), 'New@farm.nz');
    await user.type(await password('Your password'), 'headrace');
    await press(user, 'Save');
    expect(await screen.findByText(/^new@farm.nz isn't confirmed yet.*owner@headrace.test\.$/)).toBeTruthy();
    expect(api.calls('POST /account/details')[0]?.body).toMatchObject({
      email: 'New@farm.nz',
      password: 'headrace',
    });
    for (let n = 0; n < localStorage.length; n += 1)
      expect(localStorage.getItem(localStorage.key(n) ?? '')).not.toContain('"headrace"');
    expect((await field('E-mail')).value).toBe('owner@headrace.test');
    await press(user, 'Send the link again');
    expect(await screen.findByText('The link is on its way to new@farm.nz.')).toBeTruthy();
    await press(user, 'Keep owner@headrace.test');
    expect(await screen.findByText('Your e-mail address is confirmed.')).toBeTruthy();
  });

  test('say whether the address is confirmed, and send the link again', async () => {
    const api = server(account({ emailConfirmed: false })).on('POST /account/resend-confirmation', {
      success: true,
    });
    const { user } = renderApp('/account-details', { api });
    await press(user, 'Send the link again');
    expect(await screen.findByText('The link is on its way to owner@headrace.test.')).toBeTruthy();
  });

  test('can be downloaded', async () => {
    const made: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${made.push(blob as Blob)}`);
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    const { user } = renderApp('/account-details', {
      api: server().on('GET /account/data', new FakeFile('headrace-account.json', '{"name": "Aroha"}')),
    });
    await press(user, 'Download my data');
    await waitFor(() => expect(names).toEqual(['headrace-account.json']));
    expect(await made[0]?.text()).toBe('{"name": "Aroha"}');
    vi.restoreAllMocks();
  });

  test('that cannot be loaded are said so, and tried again', async () => {
    const api = server().on('GET /account/details', new Failure(403, 'Not now.'));
    const { user } = renderApp('/account-details', { api });
    expect(await screen.findByText("Your account couldn't be loaded")).toBeTruthy();
    api.on('GET /account/details', account());
    await press(user, 'Retry');
    expect(await field('Name')).toBeTruthy();
  });

  test('that were asked for too often say when they may be again, and come by themselves then', async () => {
    const text = 'Too many requests. Please try again in 1 seconds.';
    const api = server().on('GET /account/details', new Failure(429, text, { retryAfterS: 1 }));
    renderApp('/account-details', { api });
    expect((await screen.findByRole('alert')).textContent).toContain(text);
    expect(api.calls('GET /account/details')).toHaveLength(1);
    api.on('GET /account/details', account());
    expect(await screen.findByRole('textbox', { name: /^Name/ })).toBeTruthy();
  });

  test('that a day has no more of say so until then, and are not asked for again', async () => {
    const text =
      'An account can have 100 files made a day (UTC), and these are all made. Please try again in 3 hours.';
    const api = server().on('GET /account/data', new Failure(429, text, { retryAfterS: 10_800 }));
    const { user } = renderApp('/account-details', { api });
    await press(user, 'Download my data');
    expect(await screen.findByText(text)).toBeTruthy();
    expect(api.calls('GET /account/data')).toHaveLength(1);
  });

  test.each([
    [79, null],
    [80, '20 of the 100 files that an account may have made a day are left.'],
    [100, '0 of the 100 files that an account may have made a day are left.'],
  ])('say before they are refused how many of a day are left, with %i made', async (today, sentence) => {
    const resetsAt = '2026-11-21T00:00:00.000Z';
    const api = server().on('GET /account/usage', { resetsAt, files: { today, limit: 100 } });
    renderApp('/account-details', { api });
    await screen.findByRole('button', { name: 'Download my data' });
    await waitFor(() => expect(api.calls('GET /account/usage')).toHaveLength(1));
    const said = () => screen.queryByText(/files that an account may have made/)?.textContent ?? null;
    await waitFor(() =>
      expect(said()).toBe(
        sentence && `${sentence} There are more again at ${exactTime(Date.parse(resetsAt))}.`,
      ),
    );
  });

  test('do not exist for people who are not signed in; they may sign in', async () => {
    renderApp('/account-details', { as: null });
    const link = await screen.findByRole('link', { name: 'Sign in' });
    expect(link.getAttribute('href')).toBe('/login?redirect=%2Faccount-details');
  });
});

describe('closing the account', () => {
  const invite = (n: number, email: string, accepted: boolean) => ({
    key: uid(n),
    farmName: 'Rākaia Downs',
    farmerName: 'Aroha Ngata',
    agentName: 'Hemi Ward',
    email,
    isAccountShare: false,
    accepted,
    rejected: false,
    farmUID: uid(1),
    template: 2,
    sentAt: '2026-11-01T02:00:00.000Z',
    answeredAt: null,
    endsAt: null,
    lastUsedAt: null,
  });
  const closesAt = '2026-12-21T02:00:00.000Z';
  const closing = () =>
    server()
      .on('GET /invites', {
        invites: [invite(1, 'a@b.nz', true), invite(2, 'a@b.nz', true), invite(3, 'c@d.nz', false)],
      })
      .on('POST /account/close', ({ body }) =>
        body.password === 'headrace'
          ? account({ closesAt })
          : new Failure(400, 'This is not your password.', { field: 'password' }),
      );

  test('says first what goes with it, and needs the password', async () => {
    const { user, api } = renderApp('/account-details', { api: closing() });
    await press(user, 'Close account…');
    const dialog = await screen.findByRole('dialog', { name: 'Close your account?' });
    const farms = await within(dialog).findAllByRole('listitem');
    expect(farms.map(({ textContent }) => textContent)).toEqual([
      'Rākaia Downs',
      'Waihao Flats',
      'Mallee Run',
    ]);
    expect(within(dialog).getByText('1 person they are shared with loses access then.')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Close account' }));
    expect(api.calls('POST /account/close')).toHaveLength(0);
    await user.type(await password('Your password'), 'wrong1');
    await user.click(within(dialog).getByRole('button', { name: 'Close account' }));
    expect(await within(dialog).findByText('This is not your password.')).toBeTruthy();
  });

  test('needs the second step too, where there is one', async () => {
    const wrong = 'This code is wrong or was used already.';
    const api = closing()
      .on('GET /account/second-step', secondStepOn)
      .on('POST /account/close', ({ body }) =>
        body.code === '123456' ? account({ closesAt }) : new Failure(400, wrong, { field: 'code' }),
      );
    const { user } = renderApp('/account-details', { api });
    await press(user, 'Close account…');
    await user.type(await password('Your password'), 'headrace');
    const code = await screen.findByRole('textbox', { name: /^Code of your authenticator app/ });
    await press(user, 'Close account');
    expect(await screen.findByText('Code is required.')).toBeTruthy();
    await user.type(code, '111111');
    await press(user, 'Close account');
    expect(await screen.findByText(wrong)).toBeTruthy();
    expect(code.getAttribute('aria-invalid')).toBe('true');
    await retype(user, code, '123456');
    await press(user, 'Close account');
    expect(await screen.findByText(/^This account will be closed on .*2026/)).toBeTruthy();
  });

  test('says until when it can be kept, and keeps it', async () => {
    const api = closing().on('DELETE /account/close', account());
    const { user } = renderApp('/account-details', { api });
    await press(user, 'Close account…');
    await user.type(await password('Your password'), 'headrace');
    await press(user, 'Close account');
    expect(await screen.findByText(/^This account will be closed on .*2026/)).toBeTruthy();
    await press(user, 'Keep my account');
    expect(await screen.findByRole('button', { name: 'Close account…' })).toBeTruthy();
  });

  test('tells a delegate that the farms stay; without a password it needs one first', async () => {
    const api = server(account({ hasPassword: false }));
    const { user } = renderApp('/account-details', { api, as: buildLogin({ type: 'AGENT' }) });
    await press(user, 'Close account…');
    expect(await screen.findByText(/The farms stay with their owners\./)).toBeTruthy();
    expect(screen.getByText(/^Your account has no password yet\./)).toBeTruthy();
    expect(screen.queryByLabelText(/^Your password/)).toBeNull();
    expect(screen.getByRole('button', { name: 'Close account' }).getAttribute('aria-disabled')).toBe('true');
  });
});

async function changePassword(user: UserEvent): Promise<void> {
  await user.type(await password('Current password'), 'headrace');
  await user.type(await password('New password'), 'stone river');
  await user.type(await password('Confirm password'), 'stone river');
  await press(user, 'Change password');
}

describe('password and security', () => {
  const renewed = () => server().on('POST /account/change-password', { success: true, token: 'token-2' });

  test('changes the password and goes on with the new token', async () => {
    const { user, api } = renderApp('/security', { api: renewed() });
    await changePassword(user);
    expect(
      await screen.findByText('Your password is changed. All other browsers are signed out.'),
    ).toBeTruthy();
    expect(api.calls('POST /account/change-password')[0]?.body).toEqual({
      currPwd: 'headrace',
      newPwd: 'stone river',
    });
    expect(session()).toMatchObject({ logged: true, token: 'token-2' });
    expect((await password('Current password')).value).toBe('');
  });

  test('goes on also where the end of the old token was heard of first', async () => {
    const api = renewed().on('POST /account/change-password', async () => {
      await call('GET /farms-summary').catch(() => undefined);
      return { success: true, token: 'token-2' };
    });
    const { user } = renderApp('/security', { api });
    await password('Current password');
    api.on('GET /farms-summary', new Failure(401, 'Please sign in.'));
    await changePassword(user);
    await waitFor(() => expect(session()).toMatchObject({ logged: true, token: 'token-2' }));
    expect(screen.queryByText('Your session has ended. Please sign in again.')).toBeNull();
  });

  test('says that the current password is wrong at its field', async () => {
    const wrong = new Failure(400, 'This is not your password.', { field: 'currPwd' });
    const { user } = renderApp('/security', { api: server().on('POST /account/change-password', wrong) });
    await changePassword(user);
    await waitFor(() => expect(document.activeElement).toHaveProperty('name', 'currPwd'));
    expect((await screen.findAllByText('This is not your password.')).length).toBe(2);
  });

  test('mails who has none a link to set one, and signs out so that it can be followed here', async () => {
    const api = server(account({ hasPassword: false }))
      .on('POST /account/forgot-password', { success: true })
      .on('POST /account/logout', { success: true });
    const { user } = renderApp('/security', { api });
    await press(user, 'Mail me a link and sign out');
    expect(await screen.findByText('The link is on its way to owner@headrace.test.')).toBeTruthy();
    expect(api.calls('POST /account/forgot-password')[0]?.body).toEqual({ email: 'owner@headrace.test' });
    expect(session().logged).toBe(false);
  });

  test('lists where one is signed in, and signs out there', async () => {
    const other = device('b');
    const api = server()
      .on('GET /account/sessions', { sessions: [here, other, device('c', { browser: 'Safari on iPhone' })] })
      .on('DELETE /account/device', { success: true })
      .on('DELETE /account/sessions', { success: true });
    const { user } = renderApp('/security', { api });
    const rows = await screen.findAllByRole('listitem');
    expect(rows.map((row) => within(row).queryAllByRole('button').length)).toEqual([0, 1, 1]);
    expect(within(rows[0] as HTMLElement).getByText('This browser')).toBeTruthy();
    api.on('GET /account/sessions', { sessions: [here, other] });
    await press(user, 'Sign out Safari on iPhone');
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(2));
    expect(api.calls('DELETE /account/device')[0]?.query).toEqual({ id: 'browser c' });
    api.on('GET /account/sessions', { sessions: [here] });
    await press(user, 'Sign out everywhere but here');
    expect(await screen.findByText('You are signed in nowhere else.')).toBeTruthy();
  });

  test('shows a browser once however often it is signed in, and ends one sign-in of it', async () => {
    const twice = ['b', 'c'].map((id) => device(id, { device: 'phone', hasPush: true }));
    const api = server()
      .on('GET /account/sessions', { sessions: [...twice, here] })
      .on('DELETE /account/session', { success: true });
    const { user } = renderApp('/security', { api });
    const names = (await screen.findAllByText(/ on /, { selector: '[class*=browser]' })).map(
      (one) => one.textContent,
    );
    expect(names).toEqual(['Firefox on Linux', 'Chrome on Android']);
    expect(screen.getByText('Gets alerts; they end when it is signed out')).toBeTruthy();
    await user.click(screen.getByText('2 sign-ins of this browser'));
    const [end] = await screen.findAllByRole('button', { name: 'End the sign-in of Chrome on Android' });
    await user.click(end as HTMLElement);
    await waitFor(() => expect(api.calls('DELETE /account/session')[0]?.query).toEqual({ id: 'b' }));
  });

  test('stays signed in by the password, with the token that comes back', async () => {
    const api = server().on('POST /account/session/renew', {
      token: 'token-3',
      endsAt: '2027-02-20T02:00:00.000Z',
    });
    const { user } = renderApp('/security', { api });
    await press(user, 'Stay signed in…');
    const dialog = await screen.findByRole('dialog', { name: 'Stay signed in' });
    await user.type(within(dialog).getByLabelText(/^Your password/), 'correct horse');
    await user.click(within(dialog).getByRole('button', { name: 'Stay signed in' }));
    expect(await screen.findByText('This browser stays signed in for 90 days.')).toBeTruthy();
    expect(session().token).toBe('token-3');
    expect(api.calls('POST /account/session/renew')[0]?.body).toEqual({ password: 'correct horse' });
  });
});

test('where there is a second step, staying signed in takes that too', async () => {
  const api = server()
    .on('GET /account/second-step', secondStepOn)
    .on('POST /account/session/renew', { token: 'token-4', endsAt: '2027-02-20T02:00:00.000Z' });
  const { user } = renderApp('/security', { api });
  await press(user, 'Stay signed in…');
  const dialog = await screen.findByRole('dialog', { name: 'Stay signed in' });
  await user.type(within(dialog).getByLabelText(/^Your password/), 'correct horse');
  await user.type(within(dialog).getByRole('textbox', { name: /^Code of your authenticator app/ }), '123456');
  await user.click(within(dialog).getByRole('button', { name: 'Stay signed in' }));
  expect(await screen.findByText('This browser stays signed in for 90 days.')).toBeTruthy();
  expect(api.calls('POST /account/session/renew')[0]?.body).toEqual({
    password: 'correct horse',
    code: '123456',
  });
});

describe('a password that somebody else gave', () => {
  const given = buildLogin({ mustChangePassword: true });
  const SENTENCE = 'Please choose a password of your own first.';

  test('has to be changed before anything else; then the person gets to where they wanted to go', async () => {
    const api = server().on('POST /account/change-password', { success: true, token: 'token-2' });
    const { user, router } = renderApp('/tanks?p=0042', { api, as: given });
    expect(await screen.findByText(SENTENCE)).toBeTruthy();
    expect(router.state.location.pathname).toBe('/security');
    expect(api.calls('GET /permissions-list')).toHaveLength(0);
    expect(api.calls('GET /farms-card')).toHaveLength(0);
    await act(() => router.navigate({ to: '/account-details' }));
    expect(router.state.location.pathname).toBe('/security');
    await act(() => router.navigate({ to: '/security', search: { redirect: '/403' } }));
    await changePassword(user);
    await waitFor(() => expect(router.state.location.pathname).toBe('/403'));
    expect(session().mustChangePassword).toBe(false);
  });

  test('is asked for right after signing in, and signing out is possible', async () => {
    const api = server().on('POST /account/auth', given);
    const { user, router } = renderApp('/login', { api, as: null });
    await user.type(await screen.findByLabelText('E-mail'), 'owner@headrace.test');
    await user.type(screen.getByLabelText('Password'), 'headrace');
    await press(user, 'Sign in');
    expect(await screen.findByText(SENTENCE)).toBeTruthy();
    await press(user, 'Sign Out');
    expect(await screen.findByLabelText('E-mail')).toBeTruthy();
    expect(router.state.location.pathname).toBe('/');
  });
});

describe('signing out', () => {
  test('leaves nothing in the browser but which browser it is', async () => {
    renderApp('/403');
    await screen.findByRole('button', { name: 'Account of Aroha Ngata' });
    localStorage.setItem('mantine-color-scheme-value', 'dark');
    sessionStorage.setItem('headrace.draft.owner@headrace.test.account', '{}');
    const uidBefore = deviceUid();
    act(() => signOut('asked'));
    expect(Object.entries(localStorage)).toEqual([['headrace.device', uidBefore]]);
    expect(Object.keys(sessionStorage).filter((name) => name.includes('draft'))).toEqual([]);
  });

  test('a token that another tab renewed is taken up instead of signing out', () => {
    renderApp('/terms-of-use');
    localStorage.setItem('headrace.session', JSON.stringify({ ...session(), token: 'newer' }));
    act(() => signOut('ended'));
    expect(session()).toMatchObject({ logged: true, token: 'newer' });
  });
});

describe('the header menu', () => {
  test('has its entries in the order of the specification', async () => {
    const order = [
      'Account Details',
      'Password & Security',
      'Manage Access',
      'My Accesses',
      'Manage Alerts',
      'MAC Address Lookup',
      'Settings',
      'Sign Out',
    ];
    const { user } = renderApp('/403');
    await press(user, 'Account of Aroha Ngata');
    await screen.findByRole('button', { name: 'Sign Out' });
    const labels = [
      ...document.querySelectorAll('[aria-label="Account"] a, [aria-label="Account"] button'),
    ].map(({ textContent }) => textContent ?? '');
    const known = labels.filter((label) => order.includes(label));
    expect(known).toEqual(order.filter((label) => known.includes(label)));
    expect(known).toEqual(
      expect.arrayContaining(['Account Details', 'Password & Security', 'MAC Address Lookup']),
    );
  });
});
