import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import { FakeApi, Failure, UNREACHABLE } from '../../testing/fake-api.ts';
import { farms, permissionsOn, rakaia } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { agent, buildInfo, INVITE_KEY } from './sharing-fixtures.ts';

const path = `/invite?key=${INVITE_KEY}`;
const serve = (over: Parameters<typeof buildInfo>[0] = {}) =>
  new FakeApi().on('GET /invite', buildInfo(over)).on('GET /invites', { invites: [] });
const yes = () => screen.findByRole('button', { name: 'Yes' });
const no = () => screen.findByRole('button', { name: 'No' });

describe('an invitation', () => {
  test('says whose farm it is and what one may do there', async () => {
    const { api } = renderApp(path, { api: serve(), as: agent });
    expect(
      await screen.findByRole('heading', { name: 'Aroha Ngata shares Rākaia Downs with you' }),
    ).toBeTruthy();
    expect(screen.getByText('Dairy, 420 ha by the river')).toBeTruthy();
    expect(screen.getByText('Open the dashboard, see the maps and get notifications.')).toBeTruthy();
    expect(api.calls('GET /invite')[0]?.query).toEqual({ key: INVITE_KEY });
  });

  test('of a whole account says so', async () => {
    renderApp(path, { api: serve({ isAccountShare: true, name: '', farmUID: null, icon: null }), as: agent });
    expect(
      await screen.findByRole('heading', { name: 'Aroha Ngata shares all farms with you' }),
    ).toBeTruthy();
    expect(screen.getByText(/also those that are added later/)).toBeTruthy();
  });

  test('that is accepted leads to the farm, which is the current one then', async () => {
    const api = serve().on('POST /accept-invite', { farmUID: rakaia._id, permissions: presets.guest });
    api.on('GET /farms-card', []).on('GET /permissions-list', { permissions: [] });
    const { user, router } = renderApp(path, { api, as: agent });
    await yes();
    api
      .on('GET /farms-card', farms)
      .on('GET /permissions-list', { permissions: [permissionsOn(rakaia, presets.guest)] });
    await user.click(await yes());
    expect(await screen.findByText('Invite accepted successfully!')).toBeTruthy();
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(router.state.location.search).toEqual({ farm: rakaia._id });
    expect(api.calls('POST /accept-invite')[0]?.body).toEqual({ key: INVITE_KEY });
  });

  test('of a whole account leads home', async () => {
    const api = serve({ isAccountShare: true, farmUID: null }).on('POST /accept-invite', {
      farmUID: null,
      permissions: {},
    });
    const { user, router } = renderApp(path, { api, as: agent });
    await user.click(await yes());
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  });

  test('that is rejected says so and leads home', async () => {
    const api = serve().on('POST /reject-invite', { success: true });
    const { user, router } = renderApp(path, { api, as: agent });
    await user.click(await no());
    expect(await screen.findByText('Invite rejected successfully!')).toBeTruthy();
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  });

  test('that cannot be rejected now says so and stays', async () => {
    const api = serve().on('POST /reject-invite', new Failure(500, 'Oops, something went wrong.'));
    const { user } = renderApp(path, { api, as: agent });
    await user.click(await no());
    expect(await screen.findByText("Error, invite couldn't be rejected.")).toBeTruthy();
    expect(await yes()).toBeTruthy();
  });
});

describe('an invitation that comes to nothing', () => {
  const failures = [
    ['INVALID_KEY', 'Sorry, but this access key is invalid.'],
    [
      'IS_SUBSCRIBER',
      "Sorry, but your account type doesn't support accepting account/farm sharing. Please, create an agent/contractor account to accept it.",
    ],
    ['ALREADY_USED', 'Sorry, but this access key has already been used.'],
    ['ALREADY_SUBSCRIBED', 'Sorry, but you already subscribed to this farm/account.'],
  ] as const;

  test.each(failures)('%s', async (reason, text) => {
    const api = serve({ success: false, reason, permissions: null });
    renderApp(path, { api, as: agent });
    expect(await screen.findByRole('heading', { name: 'Oops! Something went wrong.' })).toBeTruthy();
    expect(screen.getByText(text)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Go to the home page' }).getAttribute('href')).toBe('/');
    expect(screen.queryByRole('button', { name: 'Yes' })).toBeNull();
  });

  test.each(failures)('%s, found out on accepting', async (code, text) => {
    const api = serve().on('POST /accept-invite', new Failure(409, 'Refused.', { code }));
    const { user } = renderApp(path, { api, as: agent });
    await user.click(await yes());
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByText("Error, invite couldn't be accepted.")).toBeTruthy();
  });

  test('has no key in its address', async () => {
    const { api } = renderApp('/invite', { as: agent });
    expect(await screen.findByText('Sorry, but this access key is invalid.')).toBeTruthy();
    expect(api.calls('GET /invite')).toHaveLength(0);
  });

  test('does not come from a server that cannot be reached', async () => {
    renderApp(path, { api: new FakeApi().on('GET /invite', UNREACHABLE), as: null });
    expect(await screen.findByText("The invitation couldn't be loaded")).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy();
  });
});

describe('somebody who is not signed in', () => {
  test('signs in first and comes back', async () => {
    const { user, router } = renderApp(path, { api: serve(), as: null });
    await user.click(await yes());
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(router.state.location.search).toEqual({ redirect: path });
  });

  test('may make an agent account, and comes back', async () => {
    renderApp(path, { api: serve(), as: null });
    const link = await screen.findByRole('link', { name: 'Create an agent account' });
    expect(link.getAttribute('href')).toBe(`/register/account-type?redirect=${encodeURIComponent(path)}`);
  });

  test('may say no without an account: nothing is sent', async () => {
    const { api, user } = renderApp(path, { api: serve(), as: null });
    await user.click(await no());
    expect(await screen.findByText(/the invitation stays unanswered/)).toBeTruthy();
    expect(api.calls('POST /reject-invite')).toHaveLength(0);
  });
});
