import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { HealthHistory } from '@headrace/contract/health';
import { historyTypes } from '@headrace/contract/rules/health-figures';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { noComms, noHealth, noSprinklers, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { dayText } from '../../ui/format.ts';
// Much code for a test to wait for.
import './health-history-dialog.tsx';

type Day = HealthHistory['data'][number];
const two: Day[] = [
  {
    date: '2026-11-01',
    value: 3,
    inContact: 8,
    units: [
      { id: uid(1010), name: 'A10', serialNumber: 'SN-1' },
      { id: uid(1002), name: 'A2', serialNumber: 'SN-2' },
      { id: null, name: 'Z9', serialNumber: 'SN-3' },
    ],
  },
  { date: '2026-11-03', value: 0, inContact: 8, units: [] },
];

/** A farm whose history has these days, named where no more than 31 are asked for. */
function farmWith(days: readonly Day[]) {
  return new FakeApi()
    .on('GET /ipc/status', { ...noSprinklers, ok: 3, total: 4 })
    .on('GET /fmhealth/health', { ...noHealth, total: 4, inContact: 3, curClock: 66.6 })
    .on('GET /fmhealth/comms', { ...noComms, total: 4, regular: 3, outOfContact: 1 })
    .on('GET /fmhealth/historybytype', ({ query }) => {
      const { farmUID, start, stop } = query;
      const type = query.hstType;
      const isNamed = Date.parse(stop) - Date.parse(start) < 31 * 86_400_000;
      const data = days
        .filter(({ date }) => date >= start && date <= stop)
        .map((day) => ({ ...day, units: isNamed ? day.units : [] }));
      return { farmUID, description: historyTypes[type] ?? '', start, stop, type, data };
    });
}
const dialog = async () => within(await screen.findByRole('dialog', { name: 'Sprinkler health history' }));
const address = (search: string) => `/dashboard?farm=${rakaia._id}${search}`;
const november = '&period=Custom&from=2026-11-01&to=2026-11-04';

test.each([
  ['Health history', 'Clock', '4'],
  ['Health history', 'Battery', '3'],
  ['Health history', 'Schedule', '2'],
  ['Sprinklers by contact', '3 Regular', '8'],
  ['Sprinklers by contact', '0 Occasional', '1'],
  ['Sprinklers by contact', '1 Out of contact', '0'],
])('of %s, %s opens its history, and Back closes it', async (list, name, type) => {
  const api = farmWith(two);
  const { user, router } = renderApp(address(''), { api });
  const ways = await screen.findByLabelText(list);
  await user.click(within(ways).getByRole('link', { name }));
  const shown = await dialog();
  expect(router.state.location.search).toMatchObject({ health: type });
  await waitFor(() =>
    expect(api.calls('GET /fmhealth/historybytype').map(({ query }) => String(query.hstType))).toEqual([
      type,
    ]),
  );
  await user.click(shown.getByRole('radio', { name: 'Week' }));
  await waitFor(() => expect(router.state.location.search).toMatchObject({ period: 'Week' }));
  act(() => router.history.back());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.state.location.search).toEqual({ farm: rakaia._id });
});

test.each([
  [0, 'Clock error'],
  [1, 'Low battery'],
  [2, 'Schedule issues'],
])('a click on the columns of category %d opens the history of it: %s', async (category, counted) => {
  renderApp(address(''), { api: farmWith(two) });
  const chart = await screen.findByRole('img', { name: 'Sprinklers free of errors' });
  await waitFor(() => expect(chart.parentElement?.getAttribute('aria-busy')).toBe('false'));
  fireEvent.click(chart, { clientX: category });
  const chosen = (await dialog()).getByLabelText<HTMLSelectElement>('Count of sprinklers');
  expect(chosen.selectedOptions[0]?.text).toBe(counted);
});

test('days that are not known are said not to be, and are no zeros', async () => {
  const { user } = renderApp(address(`&health=3${november}`), { api: farmWith(two) });
  const shown = await dialog();
  expect(await shown.findByText(/Not known: 2 of 4 days\.$/)).toBeTruthy();
  await user.click(shown.getByRole('button', { name: 'Show as table' }));
  const rows = within(await shown.findByRole('table'))
    .getAllByRole('row')
    .slice(1);
  expect(rows.map((row) => row.textContent)).toEqual(
    ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'].map(
      (day, nth) => dayText(day) + ['3', 'Not known', '0', 'Not known'][nth],
    ),
  );
});

test("a day's sprinklers are listed by name and open on the map, those of another kind by its own call", async () => {
  const api = farmWith(two);
  const { user, router } = renderApp(address(`&health=3${november}`), { api });
  const shown = await dialog();
  const day = await shown.findByRole('combobox', { name: 'Sprinklers of a day' });
  await user.selectOptions(day, '2026-11-01');
  const list = await shown.findByRole('list', { name: `Low battery on ${dayText('2026-11-01')}` });
  const links = within(list).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['A2', `/group-status/FARM?farm=${rakaia._id}&ipc=${uid(1002)}`],
    ['A10', `/group-status/FARM?farm=${rakaia._id}&ipc=${uid(1010)}`],
  ]);
  const rows = within(list).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual(['A2SN-2', 'A10SN-1', 'Z9SN-3deleted since']);
  await user.selectOptions(day, '2026-11-03');
  expect(await shown.findByText(`Low battery on ${dayText('2026-11-03')}: none.`)).toBeTruthy();
  await user.selectOptions(shown.getByRole('combobox', { name: 'Count of sprinklers' }), 'Clock error');
  await waitFor(() => expect(router.state.location.search).toMatchObject({ health: '4' }));
  expect(router.state.location.search).not.toHaveProperty('day');
  expect(api.calls('GET /fmhealth/historybytype').map(({ query }) => query.hstType)).toEqual([3, 4]);
});

test('of more days than are named, the day that is chosen is asked for alone', async () => {
  const api = farmWith(two);
  const range = '&period=Custom&from=2026-10-01&to=2026-11-30&day=2026-11-01';
  renderApp(address(`&health=3${range}`), { api });
  const shown = await dialog();
  const list = await shown.findByRole('list', { name: `Low battery on ${dayText('2026-11-01')}` });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((item) => item.firstChild?.textContent),
  ).toEqual(['A2', 'A10', 'Z9']);
  const asked = api.calls('GET /fmhealth/historybytype').map(({ query }) => [query.start, query.stop]);
  expect(asked).toEqual([
    ['2026-10-01', '2026-11-30'],
    ['2026-11-01', '2026-11-01'],
  ]);
});

test('the days that are chosen are kept for the farm as those of its sprinklers', async () => {
  const filters = [{ target: 'IPC', timeScale: 'Custom', range: { from: '2026-11-01', to: '2026-11-04' } }];
  const data = { farms: [{ info: { id: rakaia._id }, filters }] };
  const api = farmWith(two).on('GET /settings', { data, version: 6 });
  const { user } = renderApp(address('&health=3'), { api });
  const shown = await dialog();
  const asked = () =>
    api.calls('GET /fmhealth/historybytype').map(({ query }) => [query.start, query.stop] as const);
  await waitFor(() => expect(asked()).toEqual([['2026-11-01', '2026-11-04']]));
  await user.click(shown.getByRole('radio', { name: 'Week' }));
  await waitFor(() => expect(api.calls('PUT /settings')).toHaveLength(1));
  const farm = api.calls('PUT /settings')[0]?.body.data.farms?.[0];
  expect(farm?.info.id).toBe(rakaia._id);
  expect(farm?.filters).toEqual([{ target: 'IPC', timeScale: 'Week', range: null }]);
});

test('a farm of which no day is known says so', async () => {
  renderApp(address('&health=3'), { api: farmWith([]) });
  expect(await (await dialog()).findByText('Nothing is known of these days')).toBeTruthy();
});

test('a failure says so, with Retry', async () => {
  const api = farmWith(two).on('GET /fmhealth/historybytype', new Failure(500, 'Something went wrong.'));
  const { user } = renderApp(address('&health=3'), { api });
  const shown = await dialog();
  expect(await shown.findByText("The health history couldn't be loaded")).toBeTruthy();
  const calls = api.calls('GET /fmhealth/historybytype').length;
  await user.click(shown.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(api.calls('GET /fmhealth/historybytype').length).toBeGreaterThan(calls));
});
