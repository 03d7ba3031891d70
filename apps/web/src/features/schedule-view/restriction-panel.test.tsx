import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import './schedule-view-page.tsx';
import './supply-tab.tsx';
import { notConfirmedTexts } from './restriction-text.ts';

const farmUID = rakaia._id;
const groups = [
  { groupUID: uid(8001), name: 'North', sprinklers: 40, litresADay: 50_000, unknown: 0 },
  { groupUID: uid(8002), name: 'South', sprinklers: 30, litresADay: 30_000, unknown: 2 },
  { groupUID: uid(8003), name: 'Dry block', sprinklers: 3, litresADay: 0, unknown: 0 },
];
const shared = groups.map(({ groupUID, litresADay }) => ({ groupUIDs: [groupUID], litresADay }));
const supply = {
  farmUID,
  maxLps: null,
  windows: [],
  avoid: [],
  mains: [],
  notes: '',
  version: 0,
  updatedAt: null,
};
const serve = () =>
  new FakeApi()
    .on('GET /farm/supply', supply)
    .on('GET /schedules/takes', { groups, shared })
    .on('GET /paddock-holds', { holds: [] });
const open = (api: FakeApi) => renderApp(`/schedules/view/${farmUID}?tab=supply`, { api });

describe('a low-flow restriction', () => {
  test('shows who would stop and what is left, and nothing is sent', async () => {
    const api = serve();
    const { user } = open(api);
    expect(await screen.findByText('50.0 m³ of 80.0 m³ a day would be taken; 64.0 m³ may be.')).toBeTruthy();
    const list = screen.getByRole('list', { name: 'Groups that stop' });
    const boxes = within(list).getAllByRole<HTMLInputElement>('checkbox');
    expect(boxes.map(({ checked }) => checked)).toEqual([false, true]);
    expect(list.textContent).toContain('South: 30.0 m³ a day, 30 sprinklers, 2 with an unknown schedule');
    await user.click(within(list).getByLabelText(/^South/));
    expect(
      screen.getByText(
        '80.0 m³ of 80.0 m³ a day would be taken; 64.0 m³ may be. That is too much: choose more groups.',
      ),
    ).toBeTruthy();
    expect(screen.getByText(/stops nobody/)).toBeTruthy();
  });

  test('counts a sprinkler once that is in two groups, and leaves the group of all to go on', async () => {
    const all = { groupUID: uid(8000), name: 'All', sprinklers: 70, litresADay: 80_000, unknown: 0 };
    const both = shared.map((use) => ({ ...use, groupUIDs: [all.groupUID, ...use.groupUIDs] }));
    const { user } = open(serve().on('GET /schedules/takes', { groups: [all, ...groups], shared: both }));
    // 80 m³ in all, not 160: 64 are left, North has 50, and South's 30 don't fit.
    expect(await screen.findByText('50.0 m³ of 80.0 m³ a day would be taken; 64.0 m³ may be.')).toBeTruthy();
    const list = screen.getByRole('list', { name: 'Groups that stop' });
    const boxes = within(list).getAllByRole<HTMLInputElement>('checkbox');
    expect(boxes.map(({ checked }) => checked)).toEqual([false, false, true]);
    await user.click(within(list).getByLabelText(/^All/));
    expect(screen.getByText('0.0 m³ of 80.0 m³ a day would be taken; 64.0 m³ may be.')).toBeTruthy();
  });

  test('that could not be loaded is asked for again', async () => {
    const api = serve().on('GET /schedules/takes', new Failure(403, 'Ask the owner.'));
    open(api);
    expect(await screen.findByText("What the groups take couldn't be loaded")).toBeTruthy();
  });

  test('says of holds that go on how many have not confirmed', () => {
    const hold = { name: 'North', total: 40, stopped: 33, by: 'Olive Owner', endedAt: null };
    const texts = notConfirmedTexts([
      hold,
      { ...hold, stopped: 40 },
      { ...hold, endedAt: '2026-01-01T00:00:00Z' },
    ] as never);
    expect(texts).toEqual([
      'North: 7 of 40 not confirmed: walk or close the pump. Held by Olive Owner.',
      'North: all 40 stopped. Held by Olive Owner.',
    ]);
  });
});
