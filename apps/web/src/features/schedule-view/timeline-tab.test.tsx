import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import { toUnitRow } from '@headrace/contract/rules/unit-rows';
import type { Timeline } from '@headrace/contract/timeline';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { emptyGroup, nothingInTheWay, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { buildOther, buildUnit } from '../group-map/group-fixtures.ts';
import { north } from '../groups/group-fixtures.ts';
import { buildTemplate, scheduleFarm, scheduleGroup } from '../schedules/schedule-fixtures.ts';
// Loaded before, so that no test waits for it.
import './schedule-view-page.tsx';
import './agenda.tsx';
import './timeline-tab.tsx';
import { at, buildLine, buildLineUnit, buildTimeline, buildTurn } from './timeline-fixtures.ts';

const PATH = `/schedules/view/${rakaia._id}`;
const noSupply = {
  farmUID: rakaia._id,
  maxLps: null,
  windows: [],
  avoid: [],
  mains: [],
  notes: '',
  version: 0,
  updatedAt: null,
};
const inhibited = buildTurn('12:28', '12:56', { sign: 'wont', reasons: [{ code: 'inhibited', at: null }] });
const units = [
  buildLineUnit(1, { turns: [buildTurn('12:00', '12:28')] }),
  buildLineUnit(2, { isInhibited: true, turns: [inhibited] }),
];

function serve(timeline: Timeline = buildTimeline()): FakeApi {
  return new FakeApi()
    .on('GET /schedules/timeline', ({ query }) => (query.group ? { ...timeline, units } : timeline))
    .on('GET /schedules/list', [{ id: uid(9), name: 'Summer', default: true, selected: true }])
    .on('GET /farm/supply', noSupply);
}
const asked = (api: FakeApi) => api.calls('GET /schedules/timeline').map(({ query }) => query);
const onPhone = () =>
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('767'),
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
  }));

beforeEach(() => vi.setSystemTime(at('10:00')));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the timeline', () => {
  test('has a line’s busy times, and its sprinklers once it is opened, with why not', async () => {
    const { user, api } = renderApp(PATH, { api: serve() });
    expect(
      await screen.findByRole('button', { name: 'North, 12:00 to 12:56, 2 waterings, will run' }),
    ).toBeTruthy();
    expect(asked(api)[0]).toMatchObject({
      from: new Date(at('00:00')).toISOString(),
      to: new Date(at('00:00') + 86_400_000).toISOString(),
    });
    await user.click(screen.getByRole('button', { name: /^North 2/ }));
    expect(await screen.findByRole('button', { name: 'A1, 12:00 to 12:28, will run' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'A2, 12:28 to 12:56, won’t run: inhibited' }).textContent).toBe(
      '✕ inhibited',
    );
    expect(asked(api).some(({ group }) => group === 'North')).toBe(true);
  });

  test('shows the sprinklers of each open line as soon as they are there, and asks for all of them again in one call', async () => {
    let answer = () => {};
    const south = [buildLineUnit(3, { line: 'South', turns: [buildTurn('13:00', '13:28')] })];
    const lines = buildTimeline({ lines: [buildLine('North'), buildLine('South')] });
    const api = serve().on('GET /schedules/timeline', async ({ query: { group } }) => {
      if (group === 'South') await new Promise<void>((resolve) => (answer = resolve));
      const asked = [group ?? []].flat();
      return { ...lines, units: [...units, ...south].filter(({ line }) => asked.includes(line)) };
    });
    const { user } = renderApp(PATH, { api });
    await user.click(await screen.findByRole('button', { name: /^South 2/ }));
    await user.click(screen.getByRole('button', { name: /^North 2/ }));
    expect(await screen.findByRole('button', { name: /^A1, / })).toBeTruthy();
    expect(screen.getByText('Loading its sprinklers…')).toBeTruthy();
    answer();
    expect(await screen.findByRole('button', { name: /^A3, / })).toBeTruthy();
    const before = asked(api).length;
    vi.setSystemTime(at('10:01'));
    act(() =>
      FakeSocket.last.push({ type: 'records_update', data: { farmUID: rakaia._id, kinds: ['sprinkler'] } }),
    );
    await waitFor(() => expect(asked(api).length).toBeGreaterThan(before));
    await waitFor(() =>
      expect(
        asked(api)
          .slice(before)
          .flatMap(({ group }) => (group ? [group] : [])),
      ).toEqual([['South', 'North']]),
    );
  });

  test('says what its bars and bands mean', async () => {
    renderApp(PATH, { api: serve() });
    const legend = await screen.findByRole('list', { name: 'What the bars mean' });
    const words = within(legend)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(words.slice(-5)).toEqual(['Valve On', 'Night', 'Paddock hold', 'Time for water', 'Avoid']);
  });

  test('offers a set that somebody else has just made', async () => {
    const api = serve();
    renderApp(PATH, { api });
    const choice = await screen.findByLabelText<HTMLSelectElement>('By which plan');
    const names = () => [...choice.options].map(({ textContent }) => textContent);
    await waitFor(() => expect(names()).toContain('As if all held Summer'));
    const sets = ['Summer', 'Autumn'].map((name, n) => ({
      id: uid(9 + n),
      name,
      default: n === 0,
      selected: n === 0,
    }));
    api.on('GET /schedules/list', sets);
    act(() =>
      FakeSocket.last.push({
        type: 'records_update',
        data: { farmUID: rakaia._id, kinds: ['schedule set'] },
      }),
    );
    await waitFor(() => expect(names().some((name) => name?.includes('Autumn'))).toBe(true));
  });

  test('opens a watering: its mm and why, and acts on its sprinkler from there', async () => {
    const a2 = buildUnit(2, { id: units[1]?.uid ?? '', name: 'A2', isInhibited: true });
    const gateway = buildOther(9, 'Pump shed');
    const api = serve()
      .on('GET /group/units', { ...emptyGroup, units: [toUnitRow(a2)], total: 1, gateways: [gateway] })
      .on('POST /commands/plan', nothingInTheWay)
      .on('GET /command', new Failure(404, 'Not here.'))
      .on('POST /commands/send', { commandId: uid(77), status: 'queued' });
    const { user } = renderApp(PATH, { api });
    await user.click(await screen.findByRole('button', { name: /^North 2/ }));
    await user.click(await screen.findByRole('button', { name: /^A2, / }));
    const card = await screen.findByRole('dialog', { name: 'A2, 12:28 to 12:56' });
    expect(within(card).getByText('Won’t run: inhibited.')).toBeTruthy();
    // 28 min at 0.172 mm/min.
    expect(within(card).getByText('28 min, about 4.8 mm at 4.0 L/s')).toBeTruthy();
    await user.click(await within(card).findByRole('button', { name: 'Uninhibit' }));
    await waitFor(() =>
      expect(api.calls('POST /commands/send').map(({ body }) => body)).toContainEqual(
        expect.objectContaining({ type: commandTypes.Uninhibit, name: 'A2' }),
      ),
    );
    expect(within(card).getByRole('link', { name: 'Open A2' }).getAttribute('href')).toContain(
      `ipc=${units[1]?.uid}`,
    );
  });

  test('a line’s card has what comes next, and stops or holds its group', async () => {
    const next = {
      uid: uid(4),
      name: 'A10',
      startAt: at('12:00'),
      startMin: 720,
      endAt: at('12:28'),
      sign: 'will',
    } as const;
    const hold = { from: at('08:00'), until: at('18:00'), units: 2, reason: 'Cows in' };
    const lines = [buildLine('North/2', { next, holds: [hold] })];
    const api = serve(buildTimeline({ lines }))
      .on('GET /groups', { groups: [north] })
      .on('GET /paddock-holds', { holds: [] });
    const { user } = renderApp(PATH, { api });
    expect((await screen.findAllByText('Held until 18:00: Cows in')).length).toBe(1);
    await user.click(screen.getByRole('button', { name: 'More of North/2' }));
    const card = await screen.findByRole('dialog', { name: 'North/2' });
    expect(within(card).getByText('A10, Sat 21 Nov 12:00 to 12:28')).toBeTruthy();
    expect(within(card).getByText('Held until 18:00: Cows in (2 sprinklers)')).toBeTruthy();
    const acts = await within(card).findByRole('group', { name: 'For North' });
    expect(
      within(acts)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Valves Off…',
      'Inhibit group…',
      'Uninhibit group…',
      'Send schedules…',
      'Hold from watering…',
    ]);
    await user.click(within(acts).getByRole('button', { name: 'Hold from watering…' }));
    expect(await screen.findByRole('dialog', { name: 'Hold North from watering' })).toBeTruthy();
  });

  test('is walked by the arrow keys and opened by Enter', async () => {
    const { user } = renderApp(PATH, { api: serve() });
    const line = await screen.findByRole('button', { name: /^North 2/ });
    line.focus();
    await user.keyboard('{Enter}');
    await screen.findByRole('button', { name: /^A1, / });
    const focus = () =>
      document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;
    await user.keyboard('{ArrowRight}');
    expect(focus()).toBe('North, 12:00 to 12:56, 2 waterings, will run');
    await user.keyboard('{ArrowDown}');
    expect(focus()).toBe('A1, 12:00 to 12:28, will run');
    await user.keyboard('{ArrowDown}{Enter}');
    expect(await screen.findByRole('dialog', { name: 'A2, 12:28 to 12:56' })).toBeTruthy();
  });

  test('keeps day, length and plan in the address', async () => {
    const { user, api, router } = renderApp(PATH, { api: serve() });
    await user.click(await screen.findByRole('radio', { name: '7 days' }));
    await user.click(screen.getByRole('button', { name: 'Later' }));
    await user.selectOptions(
      screen.getByRole('combobox', { name: 'By which plan' }),
      'As if all held Summer',
    );
    await waitFor(() =>
      expect(router.state.location.search).toMatchObject({ hours: '168', date: '2026-11-28', set: uid(9) }),
    );
    await waitFor(() => expect(asked(api).at(-1)).toMatchObject({ setUID: uid(9) }));
  });

  test('tells the flow against the pump, and whose flow is not in it', async () => {
    const timeline = buildTimeline();
    const flow = {
      ...timeline.flow,
      maxLps: 6,
      notIn: 3,
      meters: [{ uid: uid(1), name: 'Bore', lps: [5, null] }],
    };
    renderApp(PATH, { api: serve({ ...timeline, flow }) });
    const strip = await screen.findByRole('region', { name: 'Flow' });
    expect(within(strip).getByText('planned up to 8.0 L/s')).toBeTruthy();
    expect(within(strip).getByText('pump 6.0 L/s')).toBeTruthy();
    expect(within(strip).getByText('! over the pump for 1.0 h')).toBeTruthy();
    expect(within(strip).getByText('3 sprinklers whose schedules aren’t known, not in it')).toBeTruthy();
    expect(within(strip).getByText('Bore measured')).toBeTruthy();
  });

  test('tells a clock change ahead, and the times of the water supply', async () => {
    const seams = [{ at: at('10:00') + 5 * 86_400_000, fromMin: 120, toMin: 180, peakLps: 12, clocks: null }];
    const api = serve(buildTimeline({ seams })).on('GET /farm/supply', {
      ...noSupply,
      windows: [{ fromMin: 1260, toMin: 420, why: 'night tariff' }],
    });
    renderApp(PATH, { api });
    expect((await screen.findByRole('note')).textContent).toContain(
      'The clock goes 02:00 → 03:00 on Thu 26 Nov.',
    );
    expect(screen.getByRole('note').textContent).toContain('Up to 12.0 L/s are planned in the two hours');
    expect(await screen.findAllByText('Time for water: night tariff 21:00–07:00')).toHaveLength(2);
  });

  test('says after a clock change who took the new time, until all have', async () => {
    const clocks = { total: 930, set: 412, off: 18, unheard: 500 };
    const seam = { at: at('10:00') - 86_400_000, fromMin: 120, toMin: 180, peakLps: 12, clocks };
    const api = serve(buildTimeline({ seams: [seam] }));
    const { unmount } = renderApp(PATH, { api });
    expect((await screen.findByRole('note')).textContent).toBe(
      'The clock went 02:00 → 03:00 on Fri 20 Nov. 412 of 930 clocks set, 18 go by another time, 500 not heard of since. Sprinklers tell their clocks a few times a day.',
    );
    unmount();
    const all = { ...seam, clocks: { total: 930, set: 930, off: 0, unheard: 0 } };
    renderApp(PATH, { api: serve(buildTimeline({ seams: [all] })) });
    await screen.findByRole('region', { name: 'Flow' });
    expect(screen.queryByRole('note')).toBeNull();
  });

  test('says that the farm’s clock was changed after schedules were sent', async () => {
    const clockSet = { at: at('09:00'), from: 'Pacific/Auckland', to: 'Australia/Sydney', units: 912 };
    renderApp(PATH, { api: serve(buildTimeline({ clockSet })) });
    expect((await screen.findByRole('note')).textContent).toBe(
      "The farm's clock was changed on Sat 21 Nov (Pacific/Auckland → Australia/Sydney), after 912 sprinklers were sent their schedules. Waterings stay at their times of day, by the new clock: other hours than those that were planned. Send the schedules again once they are right.",
    );
  });

  test('names lines with two schedules, first those whose sprinklers would water at once', async () => {
    const atOnce = { at: at('12:10'), newer: 'A12', older: 'A7' };
    const lines = [
      buildLine('East', { mixed: { newer: 3, older: 1, atOnce: null } }),
      buildLine('North', { mixed: { newer: 12, older: 5, atOnce } }),
      buildLine('South'),
    ];
    renderApp(PATH, { api: serve(buildTimeline({ lines })) });
    const note = await screen.findByRole('note', { name: 'Two schedules on a line' });
    expect([...note.children].map(({ textContent }) => textContent)).toEqual([
      'North: two schedules: 5 of 17 sprinklers still go by an older one; A7 and A12 water at once from 12:10. Send the schedule to the rest.',
      'East: two schedules: 1 of 4 sprinklers still goes by an older one; no two of them are to water at once in the time shown. Send the schedule to the rest.',
    ]);
  });

  test('draws the flow of each main against what it gives, the worst first', async () => {
    const mainFlow = (name: string, lps: number) => ({
      name,
      maxLps: 5,
      planned: Array.from({ length: 96 }, (_, step) => (step < 4 ? lps : 0)),
    });
    const timeline = buildTimeline();
    const mains = [mainFlow('Hill', 4), mainFlow('River', 8), mainFlow('Flat', 1)];
    const { user } = renderApp(PATH, { api: serve({ ...timeline, flow: { ...timeline.flow, mains } }) });
    const strip = await screen.findByRole('region', { name: 'Flow of River' });
    expect(within(strip).getByText('main 5.0 L/s')).toBeTruthy();
    expect(within(strip).getByText('! over the main for 1.0 h')).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Flow of Flat' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'All 3 mains' }));
    expect(screen.getByRole('region', { name: 'Flow of Flat' })).toBeTruthy();
  });

  test('is empty without sprinklers, and is asked for again where it failed', async () => {
    const api = serve().on('GET /schedules/timeline', new Failure(403, 'Ask the owner.'));
    const { user } = renderApp(PATH, { api });
    expect(await screen.findByText("The timeline couldn't be loaded")).toBeTruthy();
    api.on('GET /schedules/timeline', buildTimeline({ lines: [] }));
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('No sprinklers to water yet')).toBeTruthy();
  });
});

test('the table of a farm without schedule sets leads to its templates', async () => {
  renderApp(`${PATH}?tab=table`, { api: serve().on('GET /schedules/list', []) });
  expect(await screen.findByText('No schedule set yet')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'To the templates' }).getAttribute('href')).toBe(
    `/scheduler/${rakaia._id}`,
  );
});

describe('on a phone', () => {
  test('it says without a tap what waters now, what next, and then the day', async () => {
    onPhone();
    const open = [
      { uid: uid(1), name: 'A7', state: 'open', basis: 'said', since: at('09:40'), until: at('10:08') },
      {
        uid: uid(2),
        name: 'A8',
        state: 'mayBeOpen',
        basis: 'planned',
        since: at('09:50'),
        until: at('10:18'),
      },
      {
        uid: uid(3),
        name: 'A9',
        state: 'openOverdue',
        basis: 'said',
        since: at('08:00'),
        until: at('08:28'),
      },
    ] as const;
    const next = {
      uid: uid(4),
      name: 'A10',
      startAt: at('12:00'),
      startMin: 720,
      endAt: at('12:28'),
      sign: 'will',
    } as const;
    const hold = { from: at('08:00'), until: at('18:00'), units: 1, reason: 'Cows in' };
    const { user, api } = renderApp(PATH, {
      api: serve(
        buildTimeline({
          lines: [buildLine('North', { open: [...open], next, newsLate: 1, holds: [hold] })],
          flow: { ...buildTimeline().flow, notIn: 2 },
        }),
      ),
    });
    const now = await screen.findByRole('region', { name: 'Now' });
    expect(
      within(now)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual([
      'A9 Northoverdue by 1 h 32 minShould have closed at 08:28; said open at 08:00',
      'A7 North8 min leftSaid open since 09:40',
      'A8 North18 min leftShould be watering since 09:50, not confirmed',
    ]);
    const unknown = screen.getByText(
      /^Of 2 sprinklers it is not known what schedules they hold, so not when they water\./,
    );
    expect(within(unknown).getByRole('link').getAttribute('href')).toBe(`/schedules/${rakaia._id}`);
    // From there its valve is closed.
    expect(within(now).getByRole('link', { name: 'A9' }).getAttribute('href')).toContain(`ipc=${uid(3)}`);
    expect(screen.getByRole('region', { name: 'Next' }).textContent).toContain(
      'North A1012:00 to 12:28in 2 h 0 min, gateway of 1 away: news comes late',
    );
    expect(screen.getByRole('region', { name: 'Held' }).textContent).toContain(
      'North1 of 2Held until 18:00: Cows in',
    );
    expect(
      screen.getByRole('listitem', { name: 'North, 12:00 to 12:56, 2 waterings, will run' }),
    ).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'The day after' }));
    await waitFor(() =>
      expect(asked(api).at(-1)?.from).toBe(new Date(at('00:00') + 86_400_000).toISOString()),
    );
    expect(screen.queryByRole('region', { name: 'Now' })).toBeNull();
  });

  test('where many lines water side by side it says both in a sentence before their lists', async () => {
    onPhone();
    const lines = Array.from({ length: 6 }, (_, nth) =>
      buildLine(`North/${nth + 1}`, {
        open: [
          {
            uid: uid(nth),
            name: `A${nth}`,
            state: 'open',
            basis: 'said',
            since: at('09:40'),
            until: at('10:08'),
          },
        ],
        next: {
          uid: uid(40 + nth),
          name: `B${nth}`,
          startAt: at(nth < 4 ? '10:08' : '11:00'),
          startMin: 608,
          endAt: at('12:28'),
          sign: 'will',
        },
      }),
    );
    renderApp(PATH, { api: serve(buildTimeline({ lines })) });
    expect(
      await screen.findByText(
        '6 sprinklers water now, as far as is known. Next at 10:08, in 8 min: North/1 B0 and 3 other lines.',
      ),
    ).toBeTruthy();
  });

  test('it says that nothing waters, as far as is known', async () => {
    onPhone();
    renderApp(PATH, { api: serve() });
    expect(await screen.findByText('Nothing waters now, as far as is known.')).toBeTruthy();
  });
});

describe('what if', () => {
  const figures = (peakLps: number, litres: number, mm: number, share: number | null) => ({
    peakLps,
    hours: [{ fromMin: 1260, toMin: 420, why: 'night tariff', share }],
    litres,
    endAt: at('12:56'),
    mm: [{ line: 'North', days: [mm] }],
  });

  test('is told beside what is, and stores nothing', async () => {
    const api = serve().on('POST /schedules/preview', {
      farmUID: rakaia._id,
      from: at('00:00'),
      to: at('00:00') + 86_400_000,
      lines: [{ id: 'North', busy: [{ startAt: at('13:00'), endAt: at('14:00'), turns: 2 }] }],
      before: figures(8, 13_440, 4.8, 0.996),
      after: figures(8, 27_840, 10, 0.5),
    });
    const { user } = renderApp(PATH, { api });
    await user.click(await screen.findByRole('button', { name: 'What if…' }));
    const bar = await screen.findByRole('region', { name: 'What if' });
    expect(within(bar).getByText(/^Nothing is stored or sent\./)).toBeTruthy();
    expect(api.calls('POST /schedules/preview')).toEqual([]);
    const longer = within(bar).getByLabelText('Minutes longer or shorter');
    await user.clear(longer);
    await user.type(longer, '30');
    const told = await within(bar).findByRole('list', { name: 'What it comes to' });
    expect(
      within(told)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual([
      'Most at once 8.0 L/s → 8.0 L/s',
      'Last end 12:56 → 12:56',
      'Water 13 m³ → 28 m³',
      'In night tariff (21:00–07:00) 99 % → 50 %',
      'North 4.8 mm → 10.0 mm',
    ]);
    expect(api.calls('POST /schedules/preview').at(-1)?.body).toMatchObject({
      farmUID: rakaia._id,
      days: 1,
      changes: { durationBy: 30, startBy: 0, skipToday: false },
    });
    await user.click(within(bar).getByRole('button', { name: 'End what if' }));
    expect(screen.queryByRole('region', { name: 'What if' })).toBeNull();
  });

  test('holds a line until a time that one chooses', async () => {
    const api = serve().on('POST /schedules/preview', {
      farmUID: rakaia._id,
      from: at('00:00'),
      to: at('00:00') + 86_400_000,
      lines: [],
      before: figures(8, 13_440, 4.8, null),
      after: figures(8, 6720, 2.4, null),
    });
    const { user } = renderApp(PATH, { api });
    await user.click(await screen.findByRole('button', { name: 'What if…' }));
    const bar = await screen.findByRole('region', { name: 'What if' });
    const hold = () => api.calls('POST /schedules/preview').at(-1)?.body.changes.hold;
    expect(within(bar).queryByLabelText('Held until')).toBeNull();
    await user.selectOptions(within(bar).getByLabelText('Hold a line'), 'North');
    await waitFor(() =>
      expect(hold()).toEqual({ line: 'North', until: new Date(at('00:00') + 86_400_000).toISOString() }),
    );
    await user.selectOptions(within(bar).getByLabelText('Held until'), String(at('18:00')));
    await waitFor(() =>
      expect(hold()).toEqual({ line: 'North', until: new Date(at('18:00')).toISOString() }),
    );
  });

  test('can be made a template of, that one goes on with', async () => {
    const design = {
      groups: [
        { uid: uid(8101), name: 'North', duration: 20 },
        { uid: uid(8102), name: 'Gone' },
      ],
      settings: { duration: 28 },
      windy: true,
      leveling: false,
      startMin: 1260,
      limits: null,
    };
    const set = {
      _id: uid(9),
      name: 'Summer',
      isCurrent: true,
      groups: [{ uid: uid(8101), name: 'North' }],
      settings: { cycleLen: 1440 },
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
    };
    const made = buildTemplate({ _id: uid(40), name: 'Summer (tried out)' });
    const api = serve()
      .on('POST /schedules/preview', {
        farmUID: rakaia._id,
        from: at('00:00'),
        to: at('00:00') + 86_400_000,
        lines: [],
        before: figures(8, 13_440, 4.8, null),
        after: figures(12, 20_000, 10, null),
      })
      .on('GET /schedules/set', { ...set, design, schedules: [] })
      .on('POST /schedule-template', made)
      .on('GET /schedule-template', made)
      .on('GET /schedule-template/farm-details', scheduleFarm(scheduleGroup(1, 'North', 2)));
    const { user, router } = renderApp(PATH, { api });
    await user.click(await screen.findByRole('button', { name: 'What if…' }));
    const bar = await screen.findByRole('region', { name: 'What if' });
    for (const [label, value] of [
      ['Minutes longer or shorter', '7'],
      ['Start later or earlier, min', '240'],
      ['Lines at once', '3'],
    ] as const) {
      const field = within(bar).getByLabelText(label);
      await user.clear(field);
      await user.type(field, value);
    }
    await user.click(await within(bar).findByRole('button', { name: 'Make a template of this…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Make a template of this' });
    expect(within(dialog).getByLabelText(/^Name/)).toHaveProperty('value', 'Summer (tried out)');
    await user.click(within(dialog).getByRole('button', { name: 'Add template' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`/scheduler/${rakaia._id}/${uid(40)}`));
    // 20 and 28 min and 7 more; 21:00 and four hours later is 01:00; three lines at once drew 12 L/s.
    expect(api.calls('POST /schedule-template').at(-1)?.body).toMatchObject({
      name: 'Summer (tried out)',
      groups: [{ uid: uid(8101), duration: 27 }],
      settings: { duration: 35 },
      windy: true,
      startMin: 60,
      limits: { maxLps: 12, windows: [], avoid: [] },
    });
  });

  test('that does not fit says what it would take', async () => {
    const api = serve().on(
      'POST /schedules/preview',
      new Failure(400, 'It would take 1460 min, more than the cycle has.', { field: 'changes' }),
    );
    const { user } = renderApp(PATH, { api });
    await user.click(await screen.findByRole('button', { name: 'What if…' }));
    await user.click(await screen.findByRole('switch', { name: 'Skip today' }));
    expect((await screen.findByRole('alert')).textContent).toBe(
      'It would take 1460 min, more than the cycle has.',
    );
  });
});
