import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { FakeApi } from '../../testing/fake-api.ts';
import { HOUR } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { ago, buildTank, pump } from '../../testing/tank-fixtures.ts';
// Its code is there when the first test begins to wait.
import '../dashboard/dashboard-page.tsx';
import './tank-levels.tsx';

afterEach(() => vi.unstubAllGlobals());

const asPhone = () =>
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.startsWith('(max-width'),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
const level = (value: number) => ({ value, valueInLitres: value * 250, invalid: false });
const tanks = [
  buildTank(1, { name: 'Airstrip', level: level(80) }),
  buildTank(2, { name: 'Dairy', level: level(40), pumpControl: pump() }),
  buildTank(3, { name: 'Riverbank', statusTime: ago(5 * HOUR) }),
  buildTank(4, { name: 'Willows', level: level(17) }),
  buildTank(5, { name: 'Yards', level: level(90), leakDetected: true }),
];
const api = () => new FakeApi().on('GET /lvl/suminfo', { tanks });
// The card's place is another one once its sign has given way to it.
const list = () =>
  waitFor(() => {
    const region = screen.getByRole('region', { name: 'Tank Levels' });
    const links = within(region).getAllByRole('link', { name: /^(Airstrip|Dairy|Riverbank|Willows|Yards)$/ });
    return links.map(({ textContent }) => textContent);
  });

test('on a phone tanks are lines, the worst first, each leading to its tank', async () => {
  asPhone();
  const { user, router } = renderApp('/dashboard', { api: api() });
  expect(await list()).toEqual(['Yards', 'Willows', 'Riverbank', 'Dairy', 'Airstrip']);
  const region = within(screen.getByRole('region', { name: 'Tank Levels' }));
  const line = region.getByRole('link', { name: 'Dairy' }).closest('li');
  expect(line?.textContent).toBe('DairyOKPump running6 min ago40%');
  expect(region.queryByRole('article')).toBeNull();
  await user.click(region.getByRole('link', { name: 'Willows' }));
  await waitFor(() => expect(router.state.location.search).toMatchObject({ tank: tanks[3]?._id }));
});

test('a person’s own look and order are kept with their settings', async () => {
  asPhone();
  const server = api();
  const { user } = renderApp('/dashboard', { api: server });
  await list();
  await user.click(screen.getByRole('radio', { name: 'By name' }));
  await waitFor(async () =>
    expect(await list()).toEqual(['Airstrip', 'Dairy', 'Riverbank', 'Willows', 'Yards']),
  );
  await user.click(screen.getByRole('radio', { name: 'Cards' }));
  expect(await screen.findByRole('article', { name: 'Airstrip' })).toBeTruthy();
  await waitFor(() =>
    expect(server.calls('PUT /settings').at(-1)?.body.data).toMatchObject({
      tankLook: 'cards',
      tankOrder: 'name',
    }),
  );
});

test('what was kept holds on every screen', async () => {
  const kept = api().on('GET /settings', { data: { tankLook: 'cards', tankOrder: 'worst' }, version: 6 });
  renderApp('/dashboard', { api: kept });
  await screen.findByRole('article', { name: 'Yards' });
  // Cards are drawn a few at a time.
  await waitFor(async () =>
    expect(await list()).toEqual(['Yards', 'Willows', 'Riverbank', 'Dairy', 'Airstrip']),
  );
});

test('on a phone the cards below are one tap away', async () => {
  asPhone();
  const flows = [
    {
      _id: tanks[0]?._id ?? '',
      name: 'Main',
      serialNumber: 'F1',
      statusTime: ago(0),
      isOutOfContact: false,
      invalid: false,
      value: { litresPerSecond: 1, litresPerHour: 3600, cubicMetresDay: 86.4 },
      history: [],
    },
  ];
  renderApp('/dashboard', { api: api().on('GET /flow/suminfo', { flows }) });
  const jumps = within(await screen.findByRole('navigation', { name: 'On this page' }));
  await waitFor(() =>
    expect(jumps.getAllByRole('link').map((link) => link.getAttribute('href')?.split('#')[1])).toEqual([
      'card-tank',
      'card-flow',
      'card-ipcstatus',
    ]),
  );
});
