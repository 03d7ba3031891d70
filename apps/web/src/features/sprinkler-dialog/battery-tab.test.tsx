import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BatteryLife } from '@headrace/contract/battery-life';
import type { IpcStatus } from '@headrace/contract/groups';
import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { HOUR } from '../../testing/fixtures.ts';
// The map is much code: it is there before a test waits for it.
import '../../map/farm-map-view.tsx';
import '../group-map/group-map-page.tsx';
import './battery-tab.tsx';
import './sprinkler-dialog.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { buildGroup, buildUnit } from '../group-map/group-fixtures.ts';
import { buildSprinklerInfo } from './sprinkler-info-fixtures.ts';

beforeEach(stubCanvas);
afterEach(() => vi.restoreAllMocks());

const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();
const life: BatteryLife = {
  charge: [96, 72, 48, 24].map((hours, nth) => ({
    time: ago(hours),
    value: [41, 40, 92, 91][nth] ?? null,
    lowest: null,
    highest: null,
  })),
  span: 'reading',
  changes: [{ at: ago(60), how: 'battery', by: 'Ann Moana' }],
  threshold: 50,
};

interface Given {
  status?: Partial<IpcStatus>;
  info?: Partial<SprinklerInfo>;
  tab?: string;
  prepare?: (api: FakeApi) => void;
}

async function open({ status = {}, info = {}, tab, prepare }: Given = {}) {
  const unit = buildUnit(9, status);
  const api = new FakeApi()
    .on('GET /group/units', buildGroup([unit]))
    .on('GET /ipc/fullinfo', buildSprinklerInfo(unit, info))
    .on('GET /ipc/batterylife', life);
  prepare?.(api);
  const view = renderApp(`/group-status/FARM?ipc=${unit.id}${tab ? `&tab=${tab}` : ''}`, { api });
  const dialog = within(await screen.findByRole('dialog', { name: /A9/ }));
  await dialog.findByRole('tablist');
  return { ...view, api, dialog, unit };
}
const asked = (api: FakeApi) =>
  api.calls('GET /ipc/batterylife').map(({ query }) => [Number(query.period), query.stopAt]);
const chosen = () => screen.getByRole('tab', { selected: true }).textContent;

describe('a battery', () => {
  test('is drawn over 60 days unless others are chosen, in words too, with its replacements', async () => {
    const { dialog, api, unit } = await open({ tab: 'battery' });
    expect(await dialog.findByRole('figure', { name: 'Battery of A9' })).toBeTruthy();
    expect(dialog.getByText('At last 91 %, 40 % at its lowest; low below 50 %.')).toBeTruthy();
    const replacements = within(dialog.getByRole('list', { name: 'Replacements' }));
    expect(replacements.getByRole('listitem').textContent).toMatch(/New batteryAnn Moana$/);
    expect(asked(api)).toEqual([[60, undefined]]);
    expect(api.calls('GET /ipc/batterylife')[0]?.query.deviceId).toBe(unit.id);
  });

  test.each([
    [5, 0],
    [6, 1],
    [25, 1],
    [26, 2],
    [50, 2],
    [51, 3],
    [75, 3],
    [76, 4],
    [100, 4],
  ])('of %i %% is drawn with %i bars', async (charge, bars) => {
    const { dialog } = await open({ tab: 'battery', status: { charge } });
    const now = within(await dialog.findByRole('region', { name: 'Battery now' }));
    const text = await now.findByText(String(charge));
    expect(text.closest('p')?.querySelector('[data-bars]')?.getAttribute('data-bars')).toBe(String(bars));
  });

  test('can be looked at over other days, which then stand in the address', async () => {
    const { dialog, api, user, router } = await open({ tab: 'battery' });
    await user.click(await dialog.findByRole('radio', { name: 'Year' }));
    await waitFor(() =>
      expect(asked(api)).toEqual([
        [60, undefined],
        [365, undefined],
      ]),
    );
    expect(router.state.location.search).toMatchObject({ tab: 'battery', period: 'Year' });
  });

  test('stands above it as it is now, with how long it lasts', async () => {
    const { dialog } = await open({
      tab: 'battery',
      info: {
        battery: {
          charge: 70,
          at: Date.now() - 2 * HOUR,
          replacedAt: null,
          threshold: 50,
          forecast: { perDay: -0.6, days: 34, earliest: 28, latest: 41, confidence: 'good' },
        },
      },
    });
    const now = within(await dialog.findByRole('region', { name: 'Battery now' }));
    expect(await now.findByText(/^Below 50 % in about 34 days \(28 to 41\)/)).toBeTruthy();
    expect(now.getByText('2 h ago')).toBeTruthy();
  });

  test('is recorded as new after a question', async () => {
    const { dialog, api, user } = await open({
      tab: 'battery',
      prepare: (full) => full.on('POST /ipc/replace-battery', { success: true }),
    });
    const now = within(await dialog.findByRole('region', { name: 'Battery now' }));
    await user.click(now.getByRole('button', { name: 'Record Battery Replacement' }));
    await user.click(await screen.findByRole('button', { name: 'Record replacement' }));
    await waitFor(() => expect(api.calls('POST /ipc/replace-battery')).toHaveLength(1));
    await waitFor(() => expect(asked(api)).toHaveLength(2));
  });

  test('of which nothing was said on these days says so', async () => {
    const { dialog } = await open({
      tab: 'battery',
      prepare: (empty) => empty.on('GET /ipc/batterylife', { ...life, charge: [], changes: [] }),
    });
    expect(
      await dialog.findByText('It said no charge on these days. Choose other days to look further back.'),
    ).toBeTruthy();
    expect(dialog.queryByRole('figure')).toBeNull();
  });

  test('whose history could not be loaded says so, with a Retry', async () => {
    const { dialog, api } = await open({
      tab: 'battery',
      prepare: (failing) => failing.on('GET /ipc/batterylife', new Failure(500, 'The database is away.')),
    });
    const retry = await dialog.findByRole('button', { name: 'Retry' });
    expect(dialog.getByText("Its battery's history couldn't be loaded")).toBeTruthy();
    api.on('GET /ipc/batterylife', life);
    fireEvent.click(retry);
    expect(await dialog.findByRole('figure', { name: 'Battery of A9' })).toBeTruthy();
  });
});

describe('the battery opens by itself', () => {
  const charge = (percent: number) => ({
    battery: { charge: percent, at: Date.now(), replacedAt: null, threshold: 50, forecast: null },
  });

  test('when it is low, at once', async () => {
    const { dialog } = await open({ status: { hasBatteryError: true, hasError: true, charge: 41 } });
    expect(chosen()).toBe('Battery');
    expect(await dialog.findByRole('figure', { name: 'Battery of A9' })).toBeTruthy();
  });

  test('when it is exactly at the threshold', async () => {
    await open({ status: { charge: 50 }, info: charge(50) });
    await waitFor(() => expect(chosen()).toBe('Battery'));
  });

  test('not above it', async () => {
    const { dialog } = await open({ status: { charge: 51 }, info: charge(51) });
    await dialog.findByText('Next waterings');
    expect(chosen()).toBe('Schedule');
  });

  test('not where the address names another, nor again once another was chosen', async () => {
    const { dialog, user, router } = await open({
      status: { hasBatteryError: true, hasError: true, charge: 41 },
      tab: 'details',
    });
    expect(chosen()).toBe('Details');
    await user.click(dialog.getByRole('tab', { name: 'Schedule' }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ tab: 'schedule' }));
    expect(chosen()).toBe('Schedule');
  });
});
