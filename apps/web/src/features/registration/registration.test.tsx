import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { Failure, FakeApi, UNREACHABLE } from '../../testing/fake-api.ts';
import { buildLogin, globalSettings, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { acceptTermsAs, forgetRegistration, keepRegistration, noContact } from './registration-state.ts';

beforeEach(() => {
  stubCanvas();
  forgetRegistration();
});
afterEach(() => vi.restoreAllMocks());

const TAKEN = 'Sorry, this email is already registered.';
const corners = '-43.74, 172.00\n-43.74, 172.01\n-43.75, 172.01\n-43.75, 172.00';

const server = () =>
  new FakeApi()
    .on('GET /account/is-registered', ({ query }) => ({ registered: query.email === 'taken@farm.nz' }))
    .on('GET /geocode', { suggestions: [], source: 'GeoNames (CC BY 4.0)' })
    .on('POST /account/register', { id: uid(5) })
    .on('POST /agent/register', { success: true })
    .on('POST /account/auth', buildLogin({ type: 'AGENT' }));

const field = (name: string | RegExp) => screen.findByRole<HTMLInputElement>('textbox', { name });
const password = (name: string) => screen.findByLabelText<HTMLInputElement>(new RegExp(`^${name}( \\*)?$`));
const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name });

async function paste(user: UserEvent, input: HTMLElement, text: string): Promise<void> {
  await user.click(input);
  await user.paste(text);
}

async function fillPerson(user: UserEvent, over: Partial<Record<string, string>> = {}): Promise<void> {
  const { name = 'Mere T', email = 'mere@farm.nz', mobile = '0211234567', again = 'six words' } = over;
  await paste(user, await field('Name'), name);
  await paste(user, await field('E-mail'), email);
  await user.selectOptions(await screen.findByLabelText(/^Country code/), '64');
  await paste(user, await field('Mobile'), mobile);
  await paste(user, await password('Password'), 'six words');
  await paste(user, await password('Confirm password'), again);
}

const newsletter = () => screen.getByRole<HTMLInputElement>('switch', { name: /^Newsletter/ });

const open = (path: string, api = server()) => renderApp(path, { api, as: null });

async function acceptTerms(user: UserEvent): Promise<void> {
  await user.click(await screen.findByRole('switch', { name: 'I accept the Terms of Use' }));
  await user.click(await button('Next'));
}

describe('the way through registration', () => {
  test('begins with the kind of account, and leads back to signing in', async () => {
    const { user, router } = open('/register/account-type?redirect=%2Finvite%3Fkey%3DK');
    const back = await screen.findByRole('link', { name: 'Go back to Login' });
    expect(back.getAttribute('href')).toBe('/login?redirect=%2Finvite%3Fkey%3DK');
    await user.click(await screen.findByRole('link', { name: /^Farm Owner/ }));
    await waitFor(() =>
      expect(router.state.location.href).toBe('/register/terms?type=owner&redirect=%2Finvite%3Fkey%3DK'),
    );
  });

  test('needs the terms accepted', async () => {
    const { user, router } = open('/register/terms?type=delegate');
    expect(await screen.findByText('Last updated 06 November 2019')).toBeTruthy();
    expect((await button('Next')).disabled).toBe(true);
    await acceptTerms(user);
    await waitFor(() => expect(router.state.location.pathname).toBe('/register/agent'));
  });

  test('is left for home by Cancel at the terms', async () => {
    const { user, router } = open('/register/terms?type=owner');
    await user.click(await button('Cancel'));
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  });

  test.each([
    ['/register/terms', '/register/account-type'],
    ['/register/contact', '/register/terms?type=owner'],
    ['/register/farm', '/register/terms?type=owner'],
    ['/register/agent', '/register/terms?type=delegate'],
    ['/register/agent?redirect=%2Finvite', '/register/terms?type=delegate&redirect=%2Finvite'],
  ])('%s without the steps before it leads to %s', async (path, first) => {
    const { router } = open(path);
    await waitFor(() => expect(router.state.location.href).toBe(first));
  });

  test('the farm without a contact leads to the contact; terms of the other kind do not count', async () => {
    keepRegistration({ acceptedBy: 'owner' });
    const { router, unmount } = open('/register/farm');
    await waitFor(() => expect(router.state.location.pathname).toBe('/register/contact'));
    unmount();
    const agent = open('/register/agent');
    await waitFor(() => expect(agent.router.state.location.href).toBe('/register/terms?type=delegate'));
  });

  test.each(['account-type', 'terms', 'contact', 'farm', 'agent'])(
    'people who are signed in are sent home from %s',
    async (step) => {
      const { router } = renderApp(`/register/${step}`, { api: server() });
      await waitFor(() => expect(router.state.location.pathname).toBe('/'));
    },
  );

  test('says so where no accounts are made', async () => {
    const api = server().on('GET /ims-settings', { ...globalSettings, newAccountCreationGlobal: false });
    open('/register/account-type', api);
    expect(await screen.findByText('New accounts are not made at present.')).toBeTruthy();
    expect(screen.queryByRole('link', { name: /^Farm Owner/ })).toBeNull();
  });
});

describe('the contact step', () => {
  beforeEach(() => keepRegistration({ acceptedBy: 'owner' }));

  test('asks for the newsletter only if told to', async () => {
    const { user } = open('/register/contact');
    await field('Name');
    expect(newsletter().checked).toBe(false);
    await user.click(newsletter());
    expect(newsletter().checked).toBe(true);
  });

  test('says what is missing, each at its field, and goes to the first', async () => {
    const { user } = open('/register/contact');
    await user.click(await button('Next'));
    for (const text of [
      'Name is required.',
      'E-mail is required.',
      'Country code is required.',
      'Mobile is required.',
      'Password is required.',
      'Please enter the password again.',
      '6 fields need a change.',
    ])
      expect(await screen.findByText(text)).toBeTruthy();
    expect(document.activeElement).toBe(await field('Name'));
  });

  test.each([
    [{ name: 'Al' }, 'Name must have at least 3 characters.'],
    [{ email: 'mere' }, 'E-mail must be an e-mail address.'],
    [{ mobile: '12345' }, 'Invalid mobile number.'],
    [{ mobile: '+64211234' }, 'Invalid mobile number.'],
    [{ again: 'seven words' }, 'Password confirmation must be the same as the password.'],
  ])('with %j says: %s', async (over, text) => {
    const { user } = open('/register/contact');
    await fillPerson(user, over);
    await user.click(await button('Next'));
    expect(await screen.findByText(text)).toBeTruthy();
    expect(await screen.findByText('1 field needs a change.')).toBeTruthy();
  });

  test('takes a number with blanks and dashes, and keeps its digits', async () => {
    const { user } = open('/register/contact');
    await fillPerson(user, { mobile: '021 123-4567' });
    expect((await field('Mobile')).value).toBe('0211234567');
  });

  test('says while it is typed that an address has an account', async () => {
    const { user, api } = open('/register/contact');
    await user.type(await field('E-mail'), 'taken@farm.nz');
    expect(await screen.findByText(TAKEN)).toBeTruthy();
    await user.type(await field('E-mail'), 'z');
    await waitFor(() => expect(screen.queryByText(TAKEN)).toBeNull());
    // Once for each pause in typing, not for each key.
    expect(api.calls('GET /account/is-registered').length).toBeLessThan(4);
  });

  test('asks once more before it goes on; a check that cannot be made holds nobody up', async () => {
    const { user, router, api } = open('/register/contact');
    await fillPerson(user, { email: 'taken@farm.nz' });
    await user.click(await button('Next'));
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(TAKEN));
    expect(router.state.location.pathname).toBe('/register/contact');
    api.on('GET /account/is-registered', UNREACHABLE);
    await paste(user, await field('E-mail'), 'x');
    await user.click(await button('Next'));
    await waitFor(() => expect(router.state.location.pathname).toBe('/register/farm'));
  });

  test('offers the countries that are enabled', async () => {
    open(
      '/register/contact',
      server().on('GET /ims-settings', { ...globalSettings, enabledCountryCodes: ['au'] }),
    );
    const select = await screen.findByLabelText(/^Country code/);
    const labels = within(select)
      .getAllByRole('option')
      .map(({ textContent }) => textContent);
    expect(labels).toEqual(['Choose…', 'Australia (+61)']);
  });

  test('tells browsers what each field is', async () => {
    open('/register/contact');
    expect((await field('Name')).autocomplete).toBe('name');
    expect((await field('E-mail')).autocomplete).toBe('email');
    expect((await field('Mobile')).autocomplete).toBe('tel-national');
    expect((await password('Password')).autocomplete).toBe('new-password');
  });

  test.each([
    ['short', 'Short: 14 characters or more are far harder to guess.'],
    ['eleven char', 'Fair. A word more makes it strong.'],
    ['river stones and wool', 'Long.'],
  ])('of the password %j it advises: %s', async (typed, text) => {
    const { user } = open('/register/contact');
    await user.type(await password('Password'), typed);
    expect(screen.getByText(text)).toBeTruthy();
  });

  test('shows the password when asked to', async () => {
    const { user } = open('/register/contact');
    const input = await password('Password');
    expect(input.type).toBe('password');
    await user.click(await button('Show or hide: Password'));
    expect(input.type).toBe('text');
  });

  test('keeps what was typed nowhere but in memory', async () => {
    const { user, router } = open('/register/contact');
    await fillPerson(user);
    expect(JSON.stringify([Object.values(localStorage), Object.values(sessionStorage)])).not.toContain(
      'six words',
    );
    await router.navigate({ to: '/terms-of-use' });
    await screen.findByRole('heading', { name: 'Terms of Use' });
    await router.navigate({ to: '/register/contact' });
    expect((await field('Name')).value).toBe('Mere T');
  });

  test('is left for signing in by Cancel', async () => {
    const { user, router } = open('/register/contact?redirect=%2Ftanks');
    await user.click(await button('Cancel'));
    await waitFor(() => expect(router.state.location.href).toBe('/login?redirect=%2Ftanks'));
  });
});

describe('the farm step', () => {
  const contact = {
    ...noContact,
    name: ' Mere T ',
    email: 'mere@farm.nz',
    countryCode: '64',
    mobile: '0211234567',
    password: 'six words',
    passwordConfirmation: 'six words',
    notes: 'By the river',
  };
  beforeEach(() => keepRegistration({ acceptedBy: 'owner', contact }));

  const current = () =>
    screen.getAllByRole('listitem').find((item) => item.getAttribute('aria-current') === 'step')?.textContent;

  async function fillFarm(user: UserEvent): Promise<void> {
    await paste(user, await field('Farm name'), 'Home block');
    await paste(user, await screen.findByRole('combobox', { name: /^Access Road/ }), 'Sharlands Road');
    await paste(user, await field('Latitude'), '-43.745');
    await paste(user, await field('Longitude'), '172.005');
    await paste(user, await field('Points as text'), corners);
  }

  test('is guided: each step comes when the one before it is done', async () => {
    const { user } = open('/register/farm');
    await screen.findByRole('form', { name: 'Farm Details' });
    expect(current()).toBe('1Name and address');
    await paste(user, await field('Farm name'), 'Home block');
    expect(current()).toBe('1Name and address');
    await paste(user, await screen.findByRole('combobox', { name: /^Access Road/ }), 'Sharlands Road');
    expect(current()).toBe('2Pin');
    await paste(user, await field('Latitude'), '-43.745');
    expect(current()).toBe('2Pin');
    await paste(user, await field('Longitude'), '172.005');
    expect(current()).toBe('3Boundary');
    expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'Drawable' })).checked).toBe(true);
    await paste(user, await field('Points as text'), corners);
    expect(current()).toBe('4Create');
  });

  test('makes account and farm in one call, says so, and goes home signed in', async () => {
    const { user, api, router } = open('/register/farm');
    await fillFarm(user);
    await user.selectOptions(screen.getByLabelText('Supplier (optional)'), 'WaterForce');
    await user.click(await button('Create Account'));
    const dialog = await screen.findByRole('dialog', { name: 'Account created' });
    expect(dialog.textContent).toContain('mere@farm.nz');
    const body = api.calls('POST /account/register')[0]?.body;
    expect(body).toMatchObject({
      name: 'Mere T',
      email: 'mere@farm.nz',
      password: 'six words',
      passwordConfirmation: 'six words',
      countryCode: 64,
      mobile: '0211234567',
      notes: 'By the river',
      newsletter: false,
      acceptedTerms: '06 November 2019',
    });
    expect(body?.farms).toHaveLength(1);
    expect(body?.farms[0]).toMatchObject({
      name: 'Home block',
      lat: -43.745,
      lng: 172.005,
      address: { fullAddress: 'Sharlands Road' },
      supplier: 'WaterForce',
    });
    expect(body?.farms[0]?.boundary).toHaveLength(4);
    await user.click(within(dialog).getByRole('button', { name: 'Continue' }));
    expect(await screen.findByRole('heading', { level: 1, name: /^Farms/ })).toBeTruthy();
    expect(router.state.location.pathname).toBe('/');
    expect(api.calls('POST /account/auth')[0]?.body).toEqual({
      email: 'mere@farm.nz',
      password: 'six words',
    });
  });

  test('an account that has to be approved first is told so, and goes home', async () => {
    const api = server().on('POST /account/auth', new Failure(401, 'Account is not approved.'));
    const { user, router } = open('/register/farm', api);
    await fillFarm(user);
    await user.click(await button('Create Account'));
    const dialog = await screen.findByRole('dialog', { name: 'Account created' });
    expect(within(dialog).getByText("Your account wasn't approved yet!")).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Go to the home page' }));
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeTruthy();
    expect(router.state.location.pathname).toBe('/');
  });

  test('says what the server refuses, and loses nothing', async () => {
    const api = server().on('POST /account/register', new Failure(409, TAKEN, { field: 'email' }));
    const { user, router } = open('/register/farm', api);
    await fillFarm(user);
    await user.click(await button('Create Account'));
    await waitFor(() => expect(screen.getByText(TAKEN)).toBeTruthy());
    await user.click(await button('Go Back'));
    await waitFor(() => expect(router.state.location.pathname).toBe('/register/contact'));
    await router.navigate({ to: '/register/farm' });
    expect((await field('Farm name')).value).toBe('Home block');
  });

  test('shows what the server refuses of the farm at its field', async () => {
    const refused = new Failure(400, 'Name is taken.', { field: 'farms.0.name' });
    const { user } = open('/register/farm', server().on('POST /account/register', refused));
    await fillFarm(user);
    await user.click(await button('Create Account'));
    await waitFor(() => expect(screen.getAllByText('Name is taken.')).toHaveLength(2));
    expect((await field('Farm name')).getAttribute('aria-invalid')).toBe('true');
  });

  test('says what is missing', async () => {
    const { user, api } = open('/register/farm');
    await user.click(await button('Create Account'));
    for (const text of [
      'Name is required.',
      'Access road is required.',
      'Latitude is required.',
      'Longitude is required.',
      'Size is required: draw the boundary on the map.',
    ])
      expect(await screen.findByText(text)).toBeTruthy();
    expect(api.calls('POST /account/register')).toHaveLength(0);
  });
});

describe('a farm delegate', () => {
  beforeEach(() => acceptTermsAs('delegate'));

  test('can register once all is right, and asks for the newsletter unless told otherwise', async () => {
    const { user } = open('/register/agent');
    await field('Name');
    expect((await button('Register')).disabled).toBe(true);
    expect(newsletter().checked).toBe(true);
    expect(screen.queryByRole('textbox', { name: 'Notes' })).toBeNull();
    await fillPerson(user, { email: 'taken@farm.nz' });
    await screen.findByText(TAKEN);
    expect((await button('Register')).disabled).toBe(true);
    await paste(user, await field('E-mail'), 'z');
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Register' }).disabled).toBe(false),
    );
  });

  test('who began as an owner keeps what was typed, and the newsletter is as for delegates', async () => {
    forgetRegistration();
    const { user, router } = open('/register/terms?type=owner');
    await acceptTerms(user);
    await fillPerson(user);
    await router.navigate({ to: '/register/terms', search: { type: 'delegate' } });
    await acceptTerms(user);
    await waitFor(() => expect(router.state.location.pathname).toBe('/register/agent'));
    expect((await field('Name')).value).toBe('Mere T');
    expect(newsletter().checked).toBe(true);
  });

  test('leaves for signing in by Cancel', async () => {
    const { user, router } = open('/register/agent?redirect=%2Ftanks');
    await user.click(await button('Cancel'));
    await waitFor(() => expect(router.state.location.href).toBe('/login?redirect=%2Ftanks'));
  });

  test('who was invited lands on the invitation, signed in', async () => {
    const { user, api, router } = open('/register/agent?redirect=%2Fdashboard%3Ftab%3Dlevel');
    await fillPerson(user);
    await user.click(await button('Register'));
    const dialog = await screen.findByRole('dialog', { name: 'Account created' });
    expect(api.calls('POST /agent/register')[0]?.body).toEqual({
      name: 'Mere T',
      email: 'mere@farm.nz',
      password: 'six words',
      passwordConfirmation: 'six words',
      countryCode: 64,
      mobile: '0211234567',
      newsletter: true,
      acceptedTerms: '06 November 2019',
    });
    await user.click(within(dialog).getByRole('button', { name: 'Continue' }));
    // An address names its farm: it is written in on entering.
    await waitFor(() => expect(router.state.location.href).toMatch(/^\/dashboard\?tab=level&farm=\w{24}$/));
  });
});
