import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { TankInsight } from '@headrace/contract/insights';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { buildInfo, buildTank } from '../../testing/tank-fixtures.ts';
// Its code is there when the first test begins to wait.
import '../dashboard/dashboard-page.tsx';
import '../tanks/tank-dialog.tsx';

const tank = buildTank(1);
const insight: TankInsight = {
  _id: tank._id,
  name: tank.name,
  untilEmpty: {
    days: 6,
    earliest: 5,
    latest: 8,
    litresPerDay: 1200,
    confidence: 'medium',
    basis: 'Half of the last 10 days took more than 1,200 L, half less; it holds about 15,500 L.',
  },
  noForecast: '',
  leak: null,
  pump: null,
};
const apiWith = (over: Partial<TankInsight> = {}) =>
  new FakeApi()
    .on('GET /lvl/suminfo', { tanks: [tank] })
    .on('GET /level/full-info', buildInfo(tank))
    .on('GET /insights', {
      at: '2026-11-21T05:00:00.000Z',
      tanks: [{ ...insight, ...over }],
      meters: [],
      sites: [],
    });

test('a tank card says when it may be empty, and at a tap what that rests on', async () => {
  const { user } = renderApp('/dashboard', { api: apiWith() });
  const text = await screen.findByText('May be empty in about 6 days (5 to 8); medium confidence');
  const card = within(screen.getByRole('article', { name: 'Tank 1' }));
  const finding = card.getByText(/^Half of the last 10 days/).closest('details');
  expect(finding?.open).toBe(false);
  await user.click(text);
  expect(finding?.open).toBe(true);
});

test('its dialog says why there is no forecast', async () => {
  const api = apiWith({ untilEmpty: null, noForecast: 'A pump keeps it filled.' });
  renderApp(`/dashboard?tank=${tank._id}`, { api });
  expect(await screen.findByText('No date when it is empty: A pump keeps it filled.')).toBeTruthy();
});

test('when they fail the card stands without them, and the dialog says so', async () => {
  const api = apiWith().on('GET /insights', new Failure(403, 'Not for you.'));
  renderApp(`/dashboard?tank=${tank._id}`, { api });
  expect(await screen.findByText(/What the readings point to couldn't be loaded/)).toBeTruthy();
});
