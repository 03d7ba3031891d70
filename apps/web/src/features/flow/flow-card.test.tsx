import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { cardTypes } from '@headrace/contract/default-settings';
import type { FlowSummary } from '@headrace/contract/flow';
import { presets } from '@headrace/contract/permissions';
import { flowValue } from '@headrace/contract/rules/flow';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { HOUR, MINUTE, permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { ago } from '../../testing/tank-fixtures.ts';

const DAY = 24 * HOUR;
const known = { litres: 600, minutes: 60, peakLitrePerMinute: 70, generated: false };
const buildMeter = (n: number, over: Partial<FlowSummary> = {}): FlowSummary => ({
  _id: uid(3000 + n),
  name: `Meter ${n}`,
  serialNumber: `FM${3000 + n}`,
  statusTime: ago(6 * MINUTE),
  isOutOfContact: false,
  invalid: false,
  value: flowValue(0.5 * n),
  history: [3, 2, 1].map((days) => ({ time: ago(days * DAY), value: n })),
  ...over,
});

const onlyFlow = (filter?: object) => ({
  data: {
    farms: [
      {
        info: { id: rakaia._id },
        dashboard: { cards: cardTypes.map((type) => ({ type, visible: type === 'Flow' })) },
        ...(filter && { filters: [{ target: 'Flow', ...filter }] }),
      },
    ],
  },
  version: 6,
});

function open(
  meters: FlowSummary[],
  { filter, api = new FakeApi() }: { filter?: object; api?: FakeApi } = {},
) {
  api
    .on('GET /settings', onlyFlow(filter))
    .on('GET /flow/suminfo', { flows: meters })
    .on('GET /flow/histories', {
      meters: meters.map(({ _id }) => ({
        _id,
        history: [2, 1].map((n) => ({ time: ago(n * HOUR), avgLitrePerMinute: 60, ...known })),
      })),
    });
  return renderApp('/dashboard', { api });
}
/** The server tells that a meter said something. */
const report = ({ _id, serialNumber }: FlowSummary) =>
  act(() =>
    FakeSocket.last.push({
      type: 'status_update',
      data: {
        type: 'flow',
        farmUID: rakaia._id,
        uid: _id,
        serialNumber,
        updatedAt: '2026-11-21T07:00:00.000Z',
      },
    }),
  );
/** The card itself, not the loading sign that stands in its place first. */
const card = async () => {
  await screen.findByRole('radio', { name: 'L/s' });
  return within(screen.getByRole('region', { name: 'Flow Meters' }));
};
const now = async () =>
  within(await (await card()).findByRole('list', { name: 'Flow now' })).getAllByRole('listitem');
const table = async (user: ReturnType<typeof open>['user']) => {
  await user.click(await (await card()).findByRole('button', { name: 'Show as table' }));
  const rows = await (await card()).findAllByRole('row');
  return rows.map((row) => [...row.children].map((cell) => cell.textContent));
};

describe('the flow card', () => {
  test('says what flows through each meter now, and how long ago that was', async () => {
    open([buildMeter(1), buildMeter(2)]);
    expect((await now()).map((item) => item.textContent)).toEqual([
      'Meter 10.50L/s6 min ago',
      'Meter 21.00L/s6 min ago',
    ]);
  });

  test('says what is invalid, silent or was never there, and makes no number of it', async () => {
    const unknown = flowValue(null);
    open([
      buildMeter(1, { invalid: true, value: unknown }),
      buildMeter(2, { statusTime: ago(5 * HOUR), isOutOfContact: true }),
      buildMeter(3, { statusTime: null, isOutOfContact: true, value: unknown, history: [] }),
    ]);
    expect((await now()).map((item) => item.textContent.replaceAll(/\s+/g, ' ').trim())).toEqual([
      'Meter 1 Invalid sensor value6 min ago',
      "Meter 21.00L/s5 h ago This unit hasn't been in contact for 5 hours, 0 minutes.",
      "Meter 3No data Unit couldn't be reached.",
    ]);
  });

  test('renews what flows now with a report, and not the whole history', async () => {
    const { api, user } = open([buildMeter(1)]);
    await user.click(await (await card()).findByRole('radio', { name: 'Week' }));
    await waitFor(() => expect(api.calls('GET /flow/histories')).toHaveLength(1));
    const before = api.calls('GET /flow/suminfo').length;
    report(buildMeter(1));
    await waitFor(() => expect(api.calls('GET /flow/suminfo').length).toBeGreaterThan(before));
    expect(api.calls('GET /flow/histories')).toHaveLength(1);
  });

  test('shows 60 days of the summary until other days are chosen, which it keeps', async () => {
    const { user, api } = open([buildMeter(1), buildMeter(2)]);
    expect(
      (await (await card()).findByRole('radio', { name: 'Custom' })).getAttribute('checked'),
    ).not.toBeNull();
    expect(await (await card()).findByRole('img', { name: /Flow of the meters/ })).toBeTruthy();
    expect(api.calls('GET /flow/histories')).toEqual([]);
    await user.click((await card()).getByRole('radio', { name: 'Week' }));
    await waitFor(() =>
      expect(
        api.calls('GET /flow/histories').map(({ query }) => [query.farmUID, Number(query.days)]),
      ).toEqual([[rakaia._id, 7]]),
    );
    await waitFor(() => expect(api.calls('PUT /settings')).toHaveLength(1));
    expect(api.calls('PUT /settings')[0]?.body.data.farms?.[0]?.filters).toEqual([
      { target: 'Flow', timeScale: 'Week', range: null },
    ]);
  });

  test('takes up the days and the unit that were kept', async () => {
    const range = { from: '2026-11-01', to: '2026-11-03' };
    const { api, user } = open([buildMeter(1)], { filter: { timeScale: 'Custom', range, unit: 'm3pd' } });
    await waitFor(() =>
      expect(api.calls('GET /flow/histories')[0]?.query).toMatchObject({ stopAt: '03-11-2026' }),
    );
    // 0.5 L/s are 43.2 m³ a day; 60 L/min are 1 L/s, 86.4 m³ a day.
    expect((await now())[0]?.textContent).toContain('43.2m³/day');
    expect((await table(user)).map((row) => row.at(-1))).toEqual(['Meter 1, m³/day', '86.4', '86.4']);
  });

  test('draws each meter its own history, whatever the order of the answer', async () => {
    const api = new FakeApi();
    const { user } = open([buildMeter(1), buildMeter(2)], { filter: { timeScale: 'Day' }, api });
    const at = (litres: number) => [{ time: ago(HOUR), avgLitrePerMinute: litres, ...known }];
    // 60 L/min are 1 L/s; of a meter that the answer doesn't name nothing is known.
    api.on('GET /flow/histories', {
      meters: [3, 2, 1].map((n) => ({ _id: uid(3000 + n), history: at(60 * n) })),
    });
    expect((await table(user)).at(-1)?.slice(1)).toEqual(['1.00', '2.00']);
  });

  test('changes the unit of everything, and keeps it', async () => {
    const { user, api } = open([buildMeter(1)]);
    await now();
    await user.click((await card()).getByRole('radio', { name: 'L/h' }));
    expect((await now())[0]?.textContent).toContain('1,800L/h');
    // 1 L/s are 3600 L/h.
    expect((await table(user)).map((row) => row.at(-1))).toEqual(['Meter 1, L/h', '3,600', '3,600', '3,600']);
    await waitFor(() =>
      expect(api.calls('PUT /settings').at(-1)?.body.data.farms?.[0]?.filters).toEqual([
        { target: 'Flow', unit: 'lph' },
      ]),
    );
  });

  test('hides a meter by its button, also with the keyboard', async () => {
    const { user } = open([buildMeter(1), buildMeter(2)]);
    const button = await (await card()).findByRole('button', { name: 'Meter 1' });
    expect(button.getAttribute('aria-pressed')).toBe('true');
    button.focus();
    await user.keyboard('{Enter}');
    expect(button.getAttribute('aria-pressed')).toBe('false');
    expect((await table(user))[0]).toEqual(['Time', 'Meter 2, L/s']);
  });

  test('tells meters of one name apart', async () => {
    open([buildMeter(1, { name: 'House' }), buildMeter(2, { name: 'House' })]);
    expect((await now()).map((item) => item.querySelector('span')?.textContent)).toEqual([
      'House (FM3001)',
      'House (FM3002)',
    ]);
  });

  test('a history that failed says so and is tried again', async () => {
    const api = new FakeApi();
    const { user } = open([buildMeter(1)], { filter: { timeScale: 'Day' }, api });
    api.on('GET /flow/histories', new Failure(404, 'No such farm.'));
    expect((await screen.findByRole('alert')).textContent).toContain("The flow history couldn't be loaded");
    api.on('GET /flow/histories', { meters: [] });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await (await card()).findByText('No data')).toBeTruthy();
  });

  test('renews itself when a meter reports', async () => {
    const { api } = open([buildMeter(1)]);
    await now();
    api.on('GET /flow/suminfo', { flows: [buildMeter(1, { value: flowValue(0.75) })] });
    report(buildMeter(1));
    expect(await (await card()).findByText('0.75')).toBeTruthy();
  });

  test('without the right to read sensors there are the 60 days alone', async () => {
    const row = permissionsOn(rakaia, { ...presets.none, dashboard: true });
    const api = new FakeApi().on('GET /permissions-list', { permissions: [row] });
    open([buildMeter(1)], { filter: { timeScale: 'Day' }, api });
    await now();
    expect(screen.queryByRole('radio', { name: 'Day' })).toBeNull();
    expect(api.calls('GET /flow/histories')).toEqual([]);
  });
});
