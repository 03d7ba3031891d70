import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { rakaia, uid } from '../../testing/fixtures.ts';
import { scheduleFarm, scheduleGroup } from '../schedules/schedule-fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import './schedule-view-page.tsx';
import './supply-tab.tsx';
import { restrictedDesign } from './restricted-design.ts';
import './make-template.tsx';
import { beginText, notConfirmedTexts } from './restriction-text.ts';
import { trimmedText } from './trimmed-text.ts';

const nz = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };
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
const setUID = uid(8100);
const serve = () =>
  new FakeApi()
    .on('GET /farm/supply', supply)
    .on('GET /schedules/takes', { groups, shared })
    .on('GET /schedule-template/farm-details', scheduleFarm())
    .on('GET /schedules/list', [{ id: setUID, name: 'Summer', default: true, selected: true }])
    .on('GET /paddock-holds', { holds: [] });
const setOf = (
  ofGroups: readonly { uid: string; name: string }[],
  { cycleLen, duration } = { cycleLen: 1440, duration: 28 },
) => ({
  _id: setUID,
  name: 'Summer',
  isCurrent: true,
  settings: { cycleLen },
  figures: null,
  template: null,
  isByHand: false,
  createdBy: null,
  createdAt: '2026-01-14T02:00:00.000Z',
  replacedBy: null,
  findings: [],
  standing: null,
  differences: null,
  inUse: null,
  schedules: [],
  groups: [...ofGroups],
  design: { groups: [...ofGroups], settings: { duration } },
});
/** A set of North's 60 sprinklers, which take so much by what they hold. */
function serveSet({ litresADay, ...times }: { cycleLen: number; duration: number; litresADay: number }) {
  const north = scheduleGroup(1, 'North', 60);
  const take = { groupUID: north.uid, name: 'North', sprinklers: 60, litresADay, unknown: 0 };
  return serve()
    .on('GET /schedules/takes', { groups: [take], shared: [{ groupUIDs: [north.uid], litresADay }] })
    .on('GET /schedule-template/farm-details', scheduleFarm(north))
    .on('GET /schedules/set', setOf([north], times))
    .on('POST /schedule-template', new Failure(409, 'Taken.'));
}
const open = (api: FakeApi) => renderApp(`/schedules/view/${farmUID}?tab=supply`, { api });

describe('a low-flow restriction', () => {
  test('shows who would stop and what is left, and nothing is sent', async () => {
    const api = serve();
    const { user } = open(api);
    expect(
      await screen.findByText(
        'With the groups held 50.0 m³ of 80.0 m³ a day would be taken; 64.0 m³ may be.',
      ),
    ).toBeTruthy();
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
    await screen.findByText('With the groups held 50.0 m³ of 80.0 m³ a day would be taken; 64.0 m³ may be.');
    const list = screen.getByRole('list', { name: 'Groups that stop' });
    const boxes = within(list).getAllByRole<HTMLInputElement>('checkbox');
    expect(boxes.map(({ checked }) => checked)).toEqual([false, false, true]);
    await user.click(within(list).getByLabelText(/^All/));
    expect(
      screen.getByText('With the groups held 0.0 m³ of 80.0 m³ a day would be taken; 64.0 m³ may be.'),
    ).toBeTruthy();
  });

  test('becomes a template of the current set without the groups that stop', async () => {
    const set = setOf(groups.map(({ groupUID, name }) => ({ uid: groupUID, name })));
    const api = serve()
      .on('GET /schedules/set', set)
      .on('POST /schedule-template', new Failure(409, 'Taken.'));
    const { user } = open(api);
    await user.click(await screen.findByRole('button', { name: 'Template without these groups…' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('Summer (restricted)');
    await user.click(dialog.getByRole('button', { name: 'Add template' }));
    await dialog.findByText('Taken.');
    const [{ body } = { body: null }] = api.calls('POST /schedule-template');
    expect(body).toMatchObject({
      name: 'Summer (restricted)',
      groups: [{ uid: groups[0]?.groupUID }, { uid: groups[2]?.groupUID }],
    });
  });

  test('keeps a cycle of two days when all water for less, and says what the template takes', async () => {
    const api = serveSet({ cycleLen: 2880, duration: 30, litresADay: 216_000 });
    const { user } = open(api);
    await user.click(await screen.findByRole('button', { name: 'Template with all 20 % shorter…' }));
    const dialog = within(await screen.findByRole('dialog'));
    // 60 × 24 min × 4 L/s every second day; in a cycle of a day it would be twice that, more than before.
    await dialog.findByText('By this template 172.8 m³ a day would be taken; 172.8 m³ may be.');
    await user.click(dialog.getByRole('button', { name: 'Add template' }));
    await dialog.findByText('Taken.');
    const [{ body } = { body: null }] = api.calls('POST /schedule-template');
    expect(body).toMatchObject({ name: 'Summer (−20 %)', settings: { duration: 24, cycleLen: 2880 } });
  });

  test('says where the template takes more than may be, as sprinklers hold less than the set', async () => {
    const { user } = open(serveSet({ cycleLen: 1440, duration: 20, litresADay: 100_000 }));
    await user.click(await screen.findByRole('button', { name: 'Template with all 20 % shorter…' }));
    const dialog = within(await screen.findByRole('dialog'));
    // 60 × 16 min × 4 L/s
    expect((await dialog.findByText(/By this template/)).textContent).toBe(
      'By this template 230.4 m³ a day would be taken; 80.0 m³ may be. That is too much: stop groups, or shorten it more in its form.',
    );
    expect(dialog.getByRole('alert').textContent).toContain('too much');
  });

  test('says of the template which sprinklers of a group that stops water on for another', async () => {
    const [north, south] = [scheduleGroup(1, 'North', 3), scheduleGroup(2, 'South', 2)];
    const both = { ...south, ipcs: [...south.ipcs, ...north.ipcs.slice(0, 1)] };
    const by = { kind: 'without', groups: new Set([south.uid]) } as const;
    const design = {
      farmUID,
      name: 'Summer',
      groups: [{ uid: north.uid }, { uid: south.uid }],
      settings: { duration: 28 },
    };
    // 3 × 28 min × 4 L/s
    expect(trimmedText(scheduleFarm(north, both), design, by, 20_160)).toEqual({
      text: 'By this template 20.2 m³ a day would be taken; 20.2 m³ may be. 1 sprinkler of the groups that stop is in another too and waters on by it; a hold stops it.',
      isEnough: true,
    });
    const all = { kind: 'without', groups: new Set([north.uid, south.uid]) } as const;
    expect(trimmedText(scheduleFarm(north, both), design, all, 0)).toMatchObject({ isEnough: false });
  });

  test('names the day by which a set has to be sent, and what to do when that is over', () => {
    const at = Date.parse('2026-11-27T17:00:00Z');
    const text = (hours: number) => beginText(at, at - hours * 3_600_000, nz);
    expect(text(48)).toMatch(/^Send the trimmed set by .*27.*2026 06:00/);
    expect(text(20)).toMatch(/^Less than a day is left until .*28.*2026 06:00/);
    expect(text(-1)).toMatch(/^It began .*28.*2026 06:00/);
  });

  test('of all together rounds the minutes down: 20 % of 28 are 22', () => {
    const design = {
      farmUID,
      name: 'Summer',
      groups: [{ uid: 'a' }, { uid: 'b', duration: 40 }],
      settings: { duration: 28 },
    };
    expect(restrictedDesign(design, { kind: 'shorter', percent: 20 })).toMatchObject({
      settings: { duration: 22 },
      groups: [{ uid: 'a' }, { uid: 'b', duration: 32 }],
    });
    expect(() => restrictedDesign(design, { kind: 'without', groups: new Set(['a', 'b']) })).toThrow(/Hold/);
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
