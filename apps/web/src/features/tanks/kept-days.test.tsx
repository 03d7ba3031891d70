import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { FakeApi } from '../../testing/fake-api.ts';
import { rakaia } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { buildInfo, buildTank } from '../../testing/tank-fixtures.ts';
// Its code is there when the first test begins to wait.
import '../dashboard/dashboard-page.tsx';
import './tank-dialog.tsx';

const tank = buildTank(1);
type History = 'GET /lvl/history' | 'GET /lvl/waterflow' | 'GET /tank/battery';

function open(search: string, filters: object[] = []) {
  const api = new FakeApi()
    .on('GET /settings', { data: { farms: [{ info: { id: rakaia._id }, filters }] }, version: 6 })
    .on('GET /lvl/suminfo', { tanks: [tank] })
    .on('GET /level/full-info', buildInfo(tank))
    .on('GET /lvl/history', { history: [] })
    .on('GET /lvl/waterflow', { history: [] })
    .on('GET /tank/battery', { history: [] });
  return { ...renderApp(`/dashboard?tank=${tank._id}${search}`, { api }), api };
}
const asked = (api: FakeApi, key: History) =>
  api.calls(key).map(({ query }) => [Number(query.days), query.stopAt]);
const range = { from: '2026-11-01', to: '2026-11-09' };

test.each<[tab: string, target: string, key: History]>([
  ['usage', 'LevelUsage', 'GET /lvl/waterflow'],
  ['level', 'Level', 'GET /lvl/history'],
  ['battery', 'LevelBattery', 'GET /tank/battery'],
])("the days chosen on a tank's %s tab are kept for the farm as %s", async (tab, target, key) => {
  const { user, api, router } = open(`&tab=${tab}`, [{ target, timeScale: 'Custom', range }]);
  await waitFor(() => expect(asked(api, key)).toEqual([[9, '09-11-2026']]));
  await user.click(screen.getByRole('radio', { name: 'Month' }));
  await waitFor(() => expect(asked(api, key)).toContainEqual([30, undefined]));
  expect(router.state.location.search).toMatchObject({ period: 'Month' });
  await waitFor(() => expect(api.calls('PUT /settings')).toHaveLength(1));
  const farm = api.calls('PUT /settings')[0]?.body.data.farms?.[0];
  expect(farm?.info.id).toBe(rakaia._id);
  expect(farm?.filters).toEqual([{ target, timeScale: 'Month', range: null }]);
});

test('days that the address asks for go before those that were kept', async () => {
  const { api } = open('&tab=level&period=Year', [{ target: 'Level', timeScale: 'Week' }]);
  await waitFor(() => expect(asked(api, 'GET /lvl/history')).toEqual([[365, undefined]]));
});
