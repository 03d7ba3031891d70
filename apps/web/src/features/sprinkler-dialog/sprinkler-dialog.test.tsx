import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { IpcStatus } from '@headrace/contract/groups';
import { conditions } from '@headrace/contract/rules/condition';
import { spareStatuses } from '@headrace/contract/rules/spare-readiness';
import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { FakeApi } from '../../testing/fake-api.ts';
import { HOUR, MINUTE, rakaia, uid } from '../../testing/fixtures.ts';
// The map is much code: it is there before a test waits for it.
import '../../map/farm-map-view.tsx';
import '../group-map/group-map-page.tsx';
import './sprinkler-dialog.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { buildGroup, buildOther, buildUnit } from '../group-map/group-fixtures.ts';
import { buildIncident } from '../alerts/alert-fixtures.ts';
import { buildSprinklerInfo } from './sprinkler-info-fixtures.ts';

beforeEach(stubCanvas);
afterEach(() => vi.restoreAllMocks());

const DAY = 24 * HOUR;
const low = { condition: conditions.error, hasError: true, hasBatteryError: true, charge: 41 };
const three = [buildUnit(1, { groups: ['Willows'] }), buildUnit(2, low), buildUnit(3)];

function open(id: string | undefined, units: IpcStatus[] = three, search = '', info?: SprinklerInfo) {
  const api = new FakeApi()
    .on('GET /group/units', buildGroup(units, { gateways: [buildOther(1, 'Dairy shed')] }))
    .on('GET /flow/pipes', { lps: 4, until: new Date().toISOString(), pipes: [] })
    .on('GET /ipc/runs', { runs: [], next: null })
    .on('GET /ipc/batterylife', { charge: [], span: 'reading', changes: [], threshold: 50 });
  if (info) api.on('GET /ipc/fullinfo', info);
  const view = renderApp(`/group-status/FARM?${id ? `ipc=${id}` : ''}${search}`, { api });
  return { ...view, api };
}
const dialog = async (name: RegExp | string = /./) => within(await screen.findByRole('dialog', { name }));
const openUnit = async (over: Partial<IpcStatus>, search = '') => {
  open(buildUnit(9).id, [buildUnit(9, over)], search);
  return dialog(/A9/);
};
const step = (name: 'Previous' | 'Next') => screen.getByRole('button', { name: `${name} sprinkler` });
type View = Pick<ReturnType<typeof open>, 'router'>;
const ipc = ({ router }: View) => (router.state.location.search as { ipc?: string }).ipc;
/** The address follows the dialog. */
const addressIs = (view: View, index: number) => waitFor(() => expect(ipc(view)).toBe(three[index]?.id));

describe('the sprinkler dialog', () => {
  test('says which unit it is, how it is, and when it was heard and polled', async () => {
    const now = Date.now();
    open(three[1]?.id, [three[0] as IpcStatus, buildUnit(2, { ...low, lastpoll: now - 3 * HOUR })]);
    const unit = await dialog(/A2/);
    expect(unit.getByRole('img', { name: 'Low battery' })).toBeTruthy();
    expect(unit.getByText('40002')).toBeTruthy();
    expect(unit.getByText('Last contact').nextSibling?.textContent).toMatch(/\d\d:\d\d.* 2 min ago$/);
    expect(unit.getByText('Last poll').nextSibling?.textContent).toMatch(/\d\d:\d\d.* 3 h ago$/);
  });

  test.each([
    ["Unit couldn't be reached.", null],
    ["This unit hasn't been in contact for 31 days, 2 hours, 1 minute.", 31 * DAY + 2 * HOUR + MINUTE],
    ['This unit has no contact.', 366 * DAY],
  ])('"%s"', async (text, silentMs) => {
    const statustime = silentMs === null ? 0 : Date.now() - silentMs;
    const over = { statustime, isOutOfContact: true, ...(silentMs === null && { lastpoll: 0 }) };
    const unit = await openUnit({ condition: conditions.outOfContact, ...over });
    expect(unit.getByText(text)).toBeTruthy();
  });

  test('of a unit without serial number says so in place of facts', async () => {
    const unit = await openUnit({ serial: '', mac: '' });
    expect(
      unit.getByText(
        'This sprinkler has no information available, please use manage irrigation devices to set it up.',
      ),
    ).toBeTruthy();
    expect(unit.queryByRole('region', { name: 'Now' })).toBeNull();
  });

  test('of a unit that is not there says that there is nothing, and closes', async () => {
    const view = open(buildUnit(40).id);
    const none = await dialog('Sprinkler');
    expect(none.getByText('No sprinkler data to display.')).toBeTruthy();
    await view.user.click(none.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(ipc(view)).toBeUndefined();
  });
});

test('the focus begins on its name, from where Tab goes on to what can be pressed', async () => {
  const { user } = open(three[0]?.id);
  const unit = await dialog(/A1/);
  await waitFor(() => expect(document.activeElement).toBe(unit.getByRole('heading', { name: /A1/ })));
  await user.tab();
  expect(document.activeElement).toBe(step('Previous'));
});

test('what is wrong says since when, as far as that is known', async () => {
  const unit = buildUnit(9, { hasClockError: true, hasScheduleError: true, hasError: true });
  const { api } = open(unit.id, [unit]);
  api.on(
    'GET /ipc/fullinfo',
    buildSprinklerInfo(unit, {
      alerts: [
        { kind: 'clock', since: null, remedy: null },
        { kind: 'schedule', since: Date.parse('2026-11-20T21:00:00Z'), remedy: null },
      ],
    }),
  );
  const alerts = within((await dialog(/A9/)).getByRole('list', { name: 'What needs attention' }));
  // 10:00 on 21 November in New Zealand's summer time.
  expect((await alerts.findByText(/^Since /)).textContent).toMatch(/^Since .*21.* 10:00/);
  expect(alerts.getByText(/^The ipc has a clock error!/).textContent).not.toContain('Since');
});

test.each([
  [null, 0],
  ['Mere', 1],
])(
  'what an alert told of it in the same words stands once, unless somebody (%s) is on it',
  async (who, times) => {
    const unit = buildUnit(2, low);
    const { api } = open(unit.id, [unit]);
    const sentence = 'A2: The battery charge is very low!';
    const device = { uid: unit.id, name: 'A2', sentence, since: new Date().toISOString(), endedAt: null };
    const incident = (n: number, over: object) =>
      buildIncident(n, rakaia._id, { devices: [{ ...device, ...over }] });
    const told = { ...incident(71, {}), answeredBy: who };
    const other = incident(72, { sentence: 'A2 was silent for long.' });
    api.on('GET /alerts/open', { open: [told, other], cut: [], inBellAlone: [] });
    const view = await dialog(/A2/);
    // There once the alerts are.
    await view.findByText('A2 was silent for long.');
    expect(view.queryAllByText(sentence)).toHaveLength(times);
    expect(view.getByText(/^The battery charge is very low!/)).toBeTruthy();
    // The Battery tab, which is open, has the way to a new one no second time.
    expect(view.getAllByRole('button', { name: 'Record Battery Replacement' })).toHaveLength(1);
  },
);

test('a unit to which a new schedule is on its way is called that, and has no schedule error', async () => {
  const unit = buildUnit(9, { hasScheduleError: true, isScheduleComing: true });
  open(unit.id, [unit]);
  const view = await dialog(/A9/);
  expect(view.getByText('New schedule on its way')).toBeTruthy();
  expect(screen.queryByText(/schedule error/)).toBeNull();
});

describe('going on to the next unit', () => {
  test('by buttons ends at the ends of the list, which say so and do nothing', async () => {
    const view = open(three[0]?.id);
    await dialog(/A1/);
    expect(screen.getByText('1 of 3')).toBeTruthy();
    expect(step('Previous').getAttribute('aria-disabled')).toBe('true');
    await view.user.click(step('Previous'));
    expect(ipc(view)).toBe(three[0]?.id);
    await view.user.click(step('Next'));
    await dialog(/A2/);
    await view.user.click(step('Next'));
    await dialog(/A3/);
    expect(screen.getByText('3 of 3')).toBeTruthy();
    expect(step('Next').getAttribute('aria-disabled')).toBe('true');
    await view.user.click(step('Next'));
    await addressIs(view, 2);
    expect(screen.getByRole('dialog', { name: /A3/ })).toBeTruthy();
  });

  test('shows it at once, however fast one goes on, and the address follows', async () => {
    const view = open(three[0]?.id);
    await dialog(/A1/);
    const now = () => screen.getByRole('dialog').querySelector('h2')?.textContent;
    fireEvent.click(step('Next'));
    expect(now()).toBe('A2');
    fireEvent.click(step('Next'));
    expect(now()).toBe('A3');
    await addressIs(view, 2);
    expect(now()).toBe('A3');
    fireEvent.click(step('Previous'));
    expect(now()).toBe('A2');
    await addressIs(view, 1);
    // What the address says in the end counts, as where Back is pressed.
    await act(() => view.router.navigate({ to: '.', search: { ipc: three[0]?.id } as never }));
    await dialog(/A1/);
  });

  test('keeps to the list as it is filtered and sorted', async () => {
    const units = [...three, buildUnit(4, low)];
    open(units[3]?.id, units, '&show=battery&sort=oldest');
    await dialog(/A4/);
    expect(screen.getByText('1 of 2')).toBeTruthy();
  });

  test('by the arrow keys, not where a field or a tab needs them, nor under a question', async () => {
    const view = open(three[0]?.id);
    await dialog(/A1/);
    await view.user.keyboard('{ArrowRight}');
    await dialog(/A2/);
    await view.user.keyboard('{ArrowLeft}');
    await dialog(/A1/);
    await addressIs(view, 0);
    await view.user.click(await screen.findByRole('tab', { name: 'Details' }));
    await view.user.keyboard('{ArrowRight}');
    expect(ipc(view)).toBe(three[0]?.id);
    await view.user.click(await screen.findByRole('button', { name: 'Valve On…' }));
    const question = await dialog('Open the valve of A1?');
    question.getByRole('button', { name: 'Cancel' }).focus();
    await view.user.keyboard('{ArrowRight}');
    expect(ipc(view)).toBe(three[0]?.id);
  });

  test('by a swipe to a side, not by one up or down', async () => {
    const view = open(three[0]?.id);
    await dialog(/A1/);
    const swipe = (dx: number, dy: number) => {
      const body = screen.getByRole('group', { name: 'About this sprinkler' });
      fireEvent.touchStart(body, { touches: [{ clientX: 200, clientY: 300 }] });
      fireEvent.touchEnd(body, { changedTouches: [{ clientX: 200 + dx, clientY: 300 + dy }] });
    };
    swipe(-90, 80);
    swipe(-30, 0);
    expect(ipc(view)).toBe(three[0]?.id);
    swipe(-90, 10);
    await dialog(/A2/);
    swipe(90, 10);
    await dialog(/A1/);
  });

  test('by a swipe over a table that has room, and not over one that is swiped itself', async () => {
    const view = open(three[0]?.id);
    await dialog(/A1/);
    const list = await screen.findByRole('tablist', { name: 'About this sprinkler' });
    const swipe = () => {
      fireEvent.touchStart(list, { touches: [{ clientX: 200, clientY: 300 }] });
      fireEvent.touchEnd(list, { changedTouches: [{ clientX: 80, clientY: 300 }] });
    };
    Object.defineProperty(list, 'scrollWidth', { value: 500, configurable: true });
    swipe();
    expect(ipc(view)).toBe(three[0]?.id);
    Object.defineProperty(list, 'scrollWidth', { value: 0 });
    swipe();
    await dialog(/A2/);
  });

  test('where what scrolls itself is at its beginning, the browser has no swipe to the right for its Back', async () => {
    open(three[0]?.id);
    await dialog(/A1/);
    const list = await screen.findByRole('tablist', { name: 'About this sprinkler' });
    expect(list.dataset['ownSwipe']).toBe('beginning');
    fireEvent.scroll(list, { target: { scrollLeft: 40 } });
    expect(list.dataset['ownSwipe']).toBe('further');
    fireEvent.scroll(list, { target: { scrollLeft: 0 } });
    expect(list.dataset['ownSwipe']).toBe('beginning');
  });

  test('a unit that leaves the list stays open and says so, between those that it was between', async () => {
    const units = [buildUnit(1, low), buildUnit(2, low), buildUnit(3, low)];
    const view = open(units[1]?.id, units, '&show=battery');
    await dialog(/A2/);
    expect(screen.getByText('2 of 3')).toBeTruthy();
    view.api.on('GET /group/units', buildGroup([buildUnit(1, low), buildUnit(2), buildUnit(3, low)]));
    await act(() => view.queryClient.invalidateQueries({ queryKey: ['group-info'] }));
    expect(await screen.findByText("A2 isn't in the list as it is filtered now.")).toBeTruthy();
    await view.user.click(step('Next'));
    await dialog(/A3/);
    expect(screen.getByText('2 of 2')).toBeTruthy();
  });
});

describe('leaving it', () => {
  const fromRow = async () => {
    const view = open(undefined);
    const row = await screen.findByRole('link', { name: /A2/ });
    row.focus();
    await view.user.keyboard('{Enter}');
    await dialog(/A2/);
    return { ...view, row };
  };

  test('by Escape gives the focus back to the row it was opened from', async () => {
    const { user, row } = await fromRow();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(row));
  });

  test('by Back is the map, also after going on to others', async () => {
    const { user, router } = await fromRow();
    await user.click(step('Next'));
    await dialog(/A3/);
    await addressIs({ router }, 2);
    act(() => router.history.back());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(router.state.location.pathname).toBe('/group-status/FARM');
    expect(router.state.location.search).not.toHaveProperty('ipc');
  });

  test('by its cross, where it was opened by a link, is the same page without it', async () => {
    const { user, router } = open(three[0]?.id, three, '&show=battery');
    await user.click((await dialog(/A1/)).getByRole('button', { name: 'Close dialog' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(router.state.location.search).toMatchObject({ show: 'battery' });
  });
});

test('closed in the frame of a step it stays closed', async () => {
  const view = open(three[0]?.id);
  const unit = await dialog(/A1/);
  await waitFor(() => expect(view.router.state.status).toBe('idle'));
  const frames: FrameRequestCallback[] = [];
  const ofFrames = vi
    .spyOn(globalThis, 'requestAnimationFrame')
    .mockImplementation((frame) => frames.push(frame));
  const noFrames = vi.spyOn(globalThis, 'cancelAnimationFrame').mockImplementation((number) => {
    frames.splice(number - 1, 1, () => undefined);
  });
  fireEvent.click(step('Next'));
  fireEvent.click(unit.getByRole('button', { name: 'Close dialog' }));
  ofFrames.mockRestore();
  noFrames.mockRestore();
  for (const frame of frames) frame(performance.now());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // What the frame would have begun comes after it.
  await act(() => new Promise((done) => setTimeout(done)));
  await waitFor(() => expect(view.router.state.status).toBe('idle'));
  expect(ipc(view)).toBeUndefined();
  expect(screen.queryByRole('dialog')).toBeNull();
});

describe('Now', () => {
  const overdue = {
    condition: conditions.active,
    active: true,
    valveOpen: true,
    valveAt: Date.now() - 3 * HOUR,
    belief: {
      state: 'openOverdue',
      since: Date.now() - 3 * HOUR,
      until: Date.now() - 2 * HOUR,
      basis: 'said',
      cause: 'schedule',
    },
    activeAt: [{ startAt: Date.now() + HOUR, endAt: Date.now() + 2 * HOUR, cycle: 1, activeNow: false }],
  } satisfies Partial<IpcStatus>;

  test('is one sentence; Why? opens what was said and what is planned, each with its time', async () => {
    const shown = buildUnit(9, overdue);
    open(shown.id, [shown], '', buildSprinklerInfo(shown));
    const unit = await dialog(/A9/);
    const now = within(unit.getByRole('region', { name: 'Now' }));
    expect(
      now.getByText(
        /^It should have closed at .+\. It said open last at .+, and has not said that it closed\.$/,
      ),
    ).toBeTruthy();
    const why = now.getByRole('button', { name: 'Why?' });
    expect(why.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(why);
    expect(now.getByText('It said').nextSibling?.textContent).toMatch(/^Valve open 3 h ago$/);
    expect(now.getByText('It was heard').nextSibling?.textContent).toBe('9 min ago');
    await waitFor(() =>
      expect(now.getByText('It holds').nextSibling?.textContent).toBe(
        'What it was last sent (1A:2B) 9 min ago',
      ),
    );
    expect(now.getByText('Its schedule').nextSibling?.textContent).toMatch(/^Waters next at /);
  });

  test('says a stop that is wanted and was not said yet, and no longer once it was said', async () => {
    const stopWanted = Date.parse('2026-11-20T21:00:00Z');
    const [asked, said] = [
      buildUnit(8),
      buildUnit(9, { isInhibited: true, condition: conditions.inhibited }),
    ];
    const { api, user } = open(asked.id, [asked, said]);
    api.on('GET /ipc/fullinfo', ({ query }) =>
      buildSprinklerInfo(query['deviceId'] === said.id ? said : asked, { stopWanted }),
    );
    const now = within((await dialog(/A8/)).getByRole('region', { name: 'Now' }));
    // 10:00 on 21 November in New Zealand's summer time.
    expect((await now.findByText(/^Stop wanted since /)).textContent).toMatch(
      /10:00.*It has not said yet that it is inhibited\./,
    );
    await user.click(step('Next'));
    const next = await dialog(/A9/);
    await next.findByText('Next waterings');
    expect(next.queryByText(/^Stop wanted since /)).toBeNull();
  });

  test.each([
    ['was inhibited by nobody', {}, true],
    ['was inhibited here', { stopWanted: Date.parse('2026-11-20T21:00:00Z') }, false],
    ['is to water by nothing', { wanted: null }, false],
    ['is a spare', { isSpareUnit: true }, false],
  ])(
    'that is inhibited and %s: what cleared it is said only where nobody asked',
    async (_what, over, isSaid) => {
      const unit = buildUnit(8, { isInhibited: true, condition: conditions.inhibited });
      const { api } = open(unit.id, [unit]);
      api.on('GET /ipc/fullinfo', buildSprinklerInfo(unit, over));
      const shown = await dialog(/A8/);
      await shown.findByText('This IPC is inhibited.');
      await shown.findByText('Next waterings');
      expect(shown.queryByText(/^Nobody inhibited it in Headrace: /) !== null).toBe(isSaid);
    },
  );

  test('of a closed valve offers no Valve Off beside it', async () => {
    const unit = await openUnit({});
    const now = within(unit.getByRole('region', { name: 'Now' }));
    expect(now.getByText(/^Closed, as it said at /)).toBeTruthy();
    expect(now.queryByRole('button', { name: 'Valve Off' })).toBeNull();
  });
});

describe('its facts', () => {
  const fact = async (name: string, over: Partial<IpcStatus>, all: Partial<SprinklerInfo> = {}) => {
    const unit = buildUnit(9, over);
    open(unit.id, [unit], '&tab=details', buildSprinklerInfo(unit, all));
    const shown = await dialog(/A9/);
    // By then all of it is asked for, and known.
    await shown.findByText('Its checksum', { selector: 'dt' });
    return shown.getByText(name, { selector: 'dt' }).nextSibling?.textContent;
  };
  const { reportedAt } = buildSprinklerInfo(buildUnit(9));

  test('have the age of the report that said them, not of the newest of any kind', async () => {
    const at = Date.now() - 3 * HOUR;
    const over = { statustime: Date.now() - 2 * MINUTE };
    expect(await fact('Battery', over, { reportedAt: { ...reportedAt, charge: at } })).toBe('88 % 3 h ago');
  });

  test('have it in front of them when they are old, though the unit was heard, and are not left out', async () => {
    const at = Date.now() - 8 * DAY;
    const over = { statustime: Date.now() - 2 * MINUTE, charge: 62 };
    expect(await fact('Battery', over, { reportedAt: { ...reportedAt, charge: at } })).toBe(
      '8 days ago: 62 %',
    );
  });

  test('of a clock are old after a day, and say how far it is off', async () => {
    const at = Date.now() - 25 * HOUR;
    const all = { reportedAt: { ...reportedAt, clock: at } };
    expect(await fact('Clock', { clock: -95 }, all)).toBe('1 day ago: 95 s slow');
  });

  test.each([
    [20, 'What it was last sent (1A:2B) 2 days ago'],
    [25, '2 days ago: What it was last sent (1A:2B)'],
  ])('of what it holds are old a day after something else was sent, %i h later', async (hours, text) => {
    const at = Date.now() - 60 * HOUR;
    const { wanted } = buildSprinklerInfo(buildUnit(9));
    const all = {
      reportedAt: { ...reportedAt, checksum: at },
      wanted: wanted && { ...wanted, since: Date.now() - hours * HOUR },
    };
    expect(await fact('Holds', {}, all)).toBe(text);
  });

  test('of a spare are as old as the oldest that its readiness rests on, and old after a day', async () => {
    const all = { isSpareUnit: true, spareStatus: spareStatuses.Ready };
    const hours = (charge: number) => ({ ...reportedAt, charge: Date.now() - charge * HOUR });
    expect(await fact('As a spare', {}, { ...all, reportedAt: hours(3) })).toBe('Ready 3 h ago');
    cleanup();
    expect(await fact('As a spare', {}, { ...all, reportedAt: hours(30) })).toBe('1 day ago: Ready');
  });

  test.each([
    [spareStatuses.NotReady, 'Not Ready', 'issue'],
    [spareStatuses.WithErrors, 'Not Ready', 'caution'],
    [spareStatuses.Ready, 'Ready', 'ok'],
    [spareStatuses.Unknown, 'Unknown', 'spare'],
  ])('of a spare have the colour of its status %i', async (spareStatus, text, colour) => {
    expect(await fact('As a spare', {}, { isSpareUnit: true, spareStatus, reportedAt })).toMatch(text);
    const sign = (await dialog(/A9/)).getByText('As a spare').nextElementSibling?.querySelector('svg path');
    expect(sign?.getAttribute('fill')).toBe(`var(--hr-${colour})`);
  });

  test('have no age while that of the report is not known: the page heard of it since', async () => {
    const over = { statustime: Date.now() };
    const all = { statustime: Date.now() - HOUR };
    expect(await fact('Battery', over, all)).toBe('88 % ');
  });

  test('that it never said are said to be unknown', async () => {
    expect(await fact('Battery', { charge: null })).toBe('It has not said');
  });

  test.each<[string, Partial<SprinklerInfo>, string]>([
    ['Entries it holds', { schedulenum: 1 }, '1, as wanted 9 min ago'],
    ['Entries it holds', { schedulenum: 3 }, '3; 1 is wanted 9 min ago'],
    ['Checksum wanted', {}, '1A:2B 9 min ago'],
    ['Gateway', {}, 'Shed gateway heard 9 min ago'],
    ['Repeater', {}, 'None is known'],
    ['Repeater', { repeater: { uid: uid(3), name: 'R3', at: Date.now() - 2 * HOUR } }, 'R3 2 h ago'],
    ['Last swap', {}, 'Never'],
  ])('%s, of %j: %s', async (name, all, text) => {
    expect(await fact(name, {}, all)).toBe(text);
  });
});
