import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { SprinklerCounts } from '@headrace/contract/groups';
import { presets } from '@headrace/contract/permissions';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { noSprinklers, permissionsOn, rakaia } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { ago, buildTank } from '../../testing/tank-fixtures.ts';

const withCounts = (counts: Partial<SprinklerCounts>) =>
  new FakeApi().on('GET /ipc/status', { ...noSprinklers, ...counts });
const counted = { ok: 280, attention: 9, failed: 8, inhibited: 3, active: 12, total: 300 };
const list = () => screen.findByRole('list', { name: 'Sprinklers by status' });

test('each count leads to exactly the sprinklers that it counts', async () => {
  renderApp('/dashboard', { api: withCounts(counted) });
  const links = within(await list()).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual(
    [
      ['280Healthy', 'ok'],
      ['9Attention', 'error'],
      ['8Offline', 'outcomm'],
      ['3Inhibited', 'inhibited'],
      ['12Active', 'active'],
      ['300Total', 'all'],
    ].map(([text, filter]) => [text, `/group-status/FARM?farm=${rakaia._id}&filter=${filter}`]),
  );
});

test('whoever may not see the sprinklers reads the counts, without ways that lead nowhere', async () => {
  const row = permissionsOn(rakaia, { ...presets.none, dashboard: true });
  const api = withCounts(counted).on('GET /permissions-list', { permissions: [row] });
  renderApp('/dashboard', { api });
  expect((await list()).textContent).toBe('280Healthy9Attention8Offline3Inhibited12Active300Total');
  expect(within(await list()).queryAllByRole('link')).toEqual([]);
});

const soon = Date.parse(ago(-3_600_000));
test.each([
  [
    { said: 9, planned: 2, overdue: 1 },
    /^12 watering now: 9 said so, 2 should by schedule, not confirmed, 1 should be closed by now\. $/,
  ],
  [{ said: 9, planned: 0, overdue: 0 }, /^9 watering now: 9 said so\. $/],
  [{ said: 0, planned: 0, overdue: 0 }, /^None is watering now, as far as is known\. $/],
])('what waters is told by what that rests on: %j', async (watering, words) => {
  renderApp('/dashboard', { api: withCounts({ ...counted, watering }) });
  expect(await screen.findByText(words, { normalizer: (text) => text })).toBeTruthy();
});

test('the next start is told with how many begin, and of which line', async () => {
  const next = { startAt: soon, units: 14, group: 'Line 3' };
  renderApp('/dashboard', { api: withCounts({ ...counted, next }) });
  expect(await screen.findByText(/Next: 14 at \d\d:\d\d \(Line 3\)\.$/)).toBeTruthy();
});

test('a farm without sprinklers says so beside its other cards, and leads to a first one', async () => {
  const api = withCounts({}).on('GET /lvl/suminfo', { tanks: [buildTank(1)] });
  renderApp('/dashboard', { api });
  expect(await screen.findByText('No sprinkler data to display.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Add a sprinkler' }).getAttribute('href')).toBe(
    `/irrigation-device/new/${rakaia._id}`,
  );
});

test('a failure says so, and Retry shows the counts', async () => {
  const api = new FakeApi().on('GET /ipc/status', new Failure(500, 'Something went wrong.'));
  const { user } = renderApp('/dashboard', { api });
  await screen.findByText("The sprinklers couldn't be loaded");
  const failed = within(screen.getByRole('region', { name: 'Sprinkler Status' }));
  api.on('GET /ipc/status', { ...noSprinklers, ...counted });
  await user.click(failed.getByRole('button', { name: 'Retry' }));
  await waitFor(async () => expect((await list()).textContent).toContain('280Healthy'));
});

test('valves that should be closed by now come before all else that needs a person', async () => {
  const watering = { said: 3, planned: 0, overdue: 2 };
  renderApp('/dashboard', { api: withCounts({ ...counted, watering }) });
  const line = within(await screen.findByRole('list', { name: 'Needs attention' }));
  const first = line.getAllByRole('listitem')[0];
  expect(first?.textContent).toBe('Open, should be closed by now2 sprinklers');
  expect(
    within(first as HTMLElement)
      .getByRole('link')
      .getAttribute('href'),
  ).toBe(`/group-status/FARM?farm=${rakaia._id}&filter=all`);
});
