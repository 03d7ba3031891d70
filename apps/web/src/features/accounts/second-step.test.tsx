import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { SecondStepState } from '@headrace/contract/second-step';
import { rememberedSecondStep, session, signOut } from '../../api/session.ts';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { buildLogin } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';

type App = ReturnType<typeof renderApp>;
const asked = { ticket: 'ticket-of-43-characters', hasApp: true, hasPasskey: false };
const off: SecondStepState = {
  since: null,
  hasApp: false,
  passkeys: [],
  recoveryCodesLeft: 0,
  passkeySite: null,
};
const on: SecondStepState = { ...off, since: '2026-11-01T02:00:00.000Z', hasApp: true, recoveryCodesLeft: 2 };
const codes = ['7KX2MD-AAAAAA-BBBBBB-CCCCCC', '8KX2MD-AAAAAA-BBBBBB-CCCCCC'];

async function signIn({ user }: App): Promise<void> {
  await user.type(await screen.findByLabelText('E-mail'), 'owner@headrace.test');
  await user.type(screen.getByLabelText('Password'), 'headrace');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
}
const login = (api: FakeApi) =>
  renderApp('/login', { api: api.on('POST /account/auth', { secondStep: asked }), as: null });
const codeField = (name: RegExp) => screen.findByRole('textbox', { name });

describe('the second step of signing in', () => {
  test('asks for the code of the app, says that one was wrong at its field, and goes on to the farms', async () => {
    const api = new FakeApi().on('POST /account/auth/second-step', { success: false, isOver: false });
    const app = login(api);
    await signIn(app);
    const field = await codeField(/^Code of your authenticator app/);
    expect(field.getAttribute('autocomplete')).toBe('one-time-code');
    await app.user.type(field, '111111');
    await app.user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect((await screen.findAllByText(/^This code is wrong or was used already\./)).length).toBeGreaterThan(
      0,
    );
    expect(session().logged).toBe(false);
    api.on('POST /account/auth/second-step', {
      success: true,
      data: buildLogin(),
      rememberKey: 'key-of-this-browser',
    });
    await app.user.clear(field);
    await app.user.type(field, '123 456');
    await app.user.click(
      screen.getByRole('checkbox', { name: "Don't ask for it in this browser for 30 days" }),
    );
    await app.user.click(screen.getByRole('button', { name: 'Sign in' }));
    await screen.findByRole('heading', { name: /^Farms/ });
    expect(api.calls('POST /account/auth/second-step').at(-1)?.body).toEqual({
      ticket: asked.ticket,
      code: '123 456',
      remember: true,
    });
    signOut('asked');
    expect(rememberedSecondStep()).toBe('key-of-this-browser');
    expect(Object.values(localStorage).join(' ')).not.toContain('owner@headrace.test');
    localStorage.clear();
  });

  test('takes a recovery code and says how many are left', async () => {
    const api = new FakeApi().on('POST /account/auth/second-step', {
      success: true,
      data: buildLogin(),
      codesLeft: 1,
    });
    const app = login(api);
    await signIn(app);
    await app.user.click(await screen.findByRole('button', { name: 'Use a recovery code' }));
    await app.user.type(await codeField(/^Recovery code/), codes[0] ?? '');
    await app.user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByText(/^You are signed in\. 1 recovery code is left/)).toBeTruthy();
  });

  test('goes back to the password where it is over, and says why', async () => {
    const app = login(new FakeApi().on('POST /account/auth/second-step', { success: false, isOver: true }));
    await signIn(app);
    await app.user.type(await codeField(/^Code of your/), '111111');
    await app.user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect((await screen.findByRole('alert')).textContent).toMatch(/^There were too many wrong codes/);
    expect(screen.getByLabelText('E-mail')).toBeTruthy();
  });

  test('is asked for after a mailed link as well', async () => {
    const api = new FakeApi()
      .on('POST /account/auth/passwordless', { success: true, secondStep: asked })
      .on('POST /account/auth/second-step', { success: true, data: buildLogin() })
      .on('GET /notifications', {
        list: [],
        count: 0,
        hash: '0',
        sendSms: false,
        sendPush: false,
        sendEmail: true,
        sendAction: false,
        deviceId: null,
      });
    const { user, router } = renderApp('/login/some-mailed-key', { api, as: null });
    await user.type(await codeField(/^Code of your/), '123456');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(session().logged).toBe(true));
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  });
});

describe('two-step sign-in in Password & Security', () => {
  const server = (state: SecondStepState) =>
    new FakeApi()
      .on('GET /account/second-step', state)
      .on('GET /account/sessions', { sessions: [] })
      .on('GET /account/details', {
        name: 'Aroha Ngata',
        email: 'owner@headrace.test',
        newsletter: false,
        mobile: '',
        countryCode: null,
        notes: '',
        emailConfirmed: true,
        pendingEmail: null,
        hasPassword: true,
        createdAt: '2026-01-05T02:00:00.000Z',
        closesAt: null,
      });
  const typePassword = async ({ user }: App, button: string) => {
    const dialog = await screen.findByRole('dialog');
    await user.type(within(dialog).getByLabelText(/^Your password/), 'headrace');
    await user.click(within(dialog).getByRole('button', { name: button }));
  };

  test('sets up an app: the password, the key as picture and text, its first code, and the recovery codes once', async () => {
    const api = server(off)
      .on('POST /account/authenticator/begin', {
        secret: 'GEZDGNBVGY3TQOJQ',
        uri: 'otpauth://totp/Headrace:owner?secret=GEZDGNBVGY3TQOJQ',
        qr: '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
      })
      .on('POST /account/authenticator', { recoveryCodes: codes });
    const app = renderApp('/security', { api });
    expect(await screen.findByText(/^Off: whoever knows your password gets in\./)).toBeTruthy();
    await app.user.click(await screen.findByRole('button', { name: 'Set up an authenticator app…' }));
    await typePassword(app, 'Go on');
    expect(await screen.findByRole('img', { name: 'QR code of the key below' })).toBeTruthy();
    expect(screen.getByText('GEZD GNBV GY3T QOJQ')).toBeTruthy();
    await app.user.type(await codeField(/^Code that the app shows now/), '123456');
    api.on('GET /account/second-step', on);
    await app.user.click(screen.getByRole('button', { name: 'Turn on' }));
    const list = await screen.findByRole('list', { name: 'Recovery codes' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((one) => one.textContent),
    ).toEqual(codes);
    await app.user.click(screen.getByRole('button', { name: 'I have kept them' }));
    await waitFor(() => expect(screen.queryByText(codes[0] ?? '')).toBeNull());
    expect(await screen.findByText('2 are left, for when your phone is lost')).toBeTruthy();
  });

  test('says at the code that it was wrong', async () => {
    const api = server(off)
      .on('POST /account/authenticator/begin', { secret: 'GEZD', uri: 'otpauth://totp/x', qr: '<svg></svg>' })
      .on('POST /account/authenticator', new Failure(400, 'This is not the code.', { field: 'code' }));
    const app = renderApp('/security', { api });
    await app.user.click(await screen.findByRole('button', { name: 'Set up an authenticator app…' }));
    await typePassword(app, 'Go on');
    await app.user.type(await codeField(/^Code that the app shows now/), '111111');
    await app.user.click(screen.getByRole('button', { name: 'Turn on' }));
    expect(await screen.findByText('This is not the code.')).toBeTruthy();
  });

  test('removes what there is with the password and a code, and says what that means', async () => {
    const api = server(on).on('POST /account/authenticator/remove', { success: true });
    const app = renderApp('/security', { api });
    await app.user.click(await screen.findByRole('button', { name: 'Remove… the authenticator app' }));
    expect(
      await screen.findByText(/The password alone signs you in then, and your recovery codes end/),
    ).toBeTruthy();
    await typePassword(app, 'Remove');
    expect((await screen.findAllByText('Code is required.')).length).toBeGreaterThan(0);
    expect(api.calls('POST /account/authenticator/remove')).toEqual([]);
    api.on('GET /account/second-step', off);
    await app.user.type(await codeField(/^Code of your authenticator app, or a recovery code/), '123456');
    await app.user.click(screen.getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('The authenticator app is removed.')).toBeTruthy();
    expect(await screen.findByText(/^Off:/)).toBeTruthy();
    const [{ body } = { body: null }] = api.calls('POST /account/authenticator/remove');
    expect(body).toEqual({ password: 'headrace', code: '123456' });
  });

  test('before the last factor is removed it names the owners whose farms that shuts', async () => {
    const requiredBy = [
      { owner: 'Mere Tawhai', from: '2020-02-01T00:00:00.000Z' },
      { owner: 'Tama Reid', from: '2099-02-01T00:00:00.000Z' },
    ];
    const api = server({ ...on, passkeys: [] }).on('GET /sharing/second-step', {
      from: null,
      hasOwn: true,
      people: [],
      askedBy: [],
      requiredBy,
    });
    const app = renderApp('/security', { api });
    await app.user.click(await screen.findByRole('button', { name: 'Remove… the authenticator app' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(
      await dialog.findByText(
        /^Mere Tawhai requires two-step sign-in: without it their farms are shut to you\.$/,
      ),
    ).toBeTruthy();
    expect(dialog.getByText(/^Tama Reid requires .* shut to you from .*2099 .* on\.$/)).toBeTruthy();
  });

  test('a passkey has another name by the password and the second step', async () => {
    const passkey = {
      id: 'a1',
      name: 'Chrome on Android',
      createdAt: '2026-11-01T02:00:00.000Z',
      lastUsedAt: null,
      isSynced: false,
    };
    const api = server({ ...on, passkeys: [passkey] }).on('POST /account/passkey/rename', { success: true });
    const { user } = renderApp('/security', { api });
    await user.click(await screen.findByRole('button', { name: 'Rename… the passkey of Chrome on Android' }));
    const dialog = within(await screen.findByRole('dialog'));
    const name = dialog.getByLabelText(/^Name/);
    await user.clear(name);
    await user.click(dialog.getByRole('button', { name: 'Rename' }));
    expect(await dialog.findByText('Name is required.')).toBeTruthy();
    await user.type(name, 'Ute tablet');
    await user.type(dialog.getByLabelText(/^Your password/), 'headrace');
    await user.type(await codeField(/code/i), '123456');
    await user.click(dialog.getByRole('button', { name: 'Rename' }));
    expect(await screen.findByText('The passkey is renamed.')).toBeTruthy();
    const [{ body } = { body: null }] = api.calls('POST /account/passkey/rename');
    expect(body).toEqual({ id: 'a1', name: 'Ute tablet', password: 'headrace', code: '123456' });
  });

  test('where there can be no passkeys it says why', async () => {
    renderApp('/security', { api: server(off) });
    expect(await screen.findByText(/^Passkeys need an address with a name and https/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add a passkey…' })).toBeNull();
  });
});
