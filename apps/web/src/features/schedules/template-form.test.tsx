import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { levels, presets } from '@headrace/contract/permissions';
import type { SetSummary } from '@headrace/contract/schedule-sets';
import type { ScheduleFarm } from '@headrace/contract/schedule-templates';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { nothingInTheWay, permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
// Loaded before, so that no test waits for it.
import './set-made.tsx';
import './template-pages.tsx';
import { buildTemplate, farmUID, scheduleFarm, scheduleGroup } from './schedule-fixtures.ts';

const NEW = `/scheduler/new/${farmUID}`;
const template = buildTemplate();
const EDIT = `/scheduler/${farmUID}/${template._id}`;
const north = scheduleGroup(1, 'North', 3);
const south = scheduleGroup(2, 'South', 2);
const noSupply = {
  farmUID,
  maxLps: null,
  windows: [],
  avoid: [],
  mains: [],
  notes: '',
  version: 0,
  updatedAt: null,
};
const serve = (farm: ScheduleFarm = scheduleFarm(north, south)) =>
  new FakeApi()
    .on('GET /schedule-template/farm-details', farm)
    .on('GET /schedule-template', template)
    .on('GET /schedule-templates', { schedules: [] })
    .on('GET /farm/supply', noSupply)
    .on('GET /schedules/list', [])
    .on('GET /changes', { changes: [], more: false });

const box = (name: string | RegExp) => screen.getByRole('textbox', { name });
const text = (name: string | RegExp) => (box(name) as HTMLInputElement).value;
const press = (name: string | RegExp) => screen.getByRole('button', { name });
const tick = (name: RegExp) => screen.getByRole('checkbox', { name });
/** The lines of the table, each as a list of its texts. */
const columns = () =>
  within(screen.getByRole('region', { name: /^Schedule table/ }))
    .getAllByRole('list')
    .map((list) =>
      within(list)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    );
const open = async (path = NEW, api = serve()) => {
  const app = renderApp(path, { api });
  await screen.findByRole('checkbox', { name: /^North/ });
  return app;
};

test('hours that the water supply names say how much of the water they take, and a start that brings in more', async () => {
  const night = { fromMin: 1260, toMin: 420, why: 'Night rate' };
  const day = { ...template, startMin: 1080 };
  const api = serve(scheduleFarm(scheduleGroup(1, 'North', 10)))
    .on('GET /schedule-template', day)
    .on('GET /farm/supply', { ...noSupply, windows: [night] });
  const { user } = await open(EDIT, api);
  // Ten of 28 min from 18:00: 100 of 280 min are after 21:00.
  expect(await screen.findByText('Night rate 21:00–07:00: 36 % of the water.')).toBeTruthy();
  await user.click(press('Start at 21:00: 100 %'));
  expect(text(/^Start/)).toBe('21:00');
  expect(await screen.findByText('Night rate 21:00–07:00: 100 % of the water.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Start at/ })).toBeNull();
});

test('says how many sprinklers would water otherwise than by what they hold, whatever the farm’s set says', async () => {
  const entry = (start: number) => [{ start, duration: 28, cycle: 1 }];
  const inSet = (place: number) => ({
    name: `N${place + 1}`,
    serialNumber: `IPC1000${place + 1}`,
    group: 'North',
    scheduleGroup: 'North',
    schedules: entry(place * 28),
  });
  const spring = {
    _id: uid(9),
    name: 'Spring',
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
    design: null,
    schedules: [0, 1, 2].map(inSet),
  };
  const differs = (
    name: string,
    serialNumber: string,
    kind: 'moved' | 'unknown' | 'cleared',
    start: number,
  ) => ({
    uid: uid(7000 + start),
    name,
    serialNumber,
    line: 'North',
    kind,
    from: kind === 'unknown' ? null : { cycleDays: 1, entries: entry(start) },
    to: kind === 'cleared' ? null : { cycleDays: 1, entries: entry(28) },
  });
  const api = serve()
    .on('GET /schedules/list', [{ id: spring._id, name: 'Spring', default: true, selected: true }])
    .on('GET /schedules/set', spring)
    .on('GET /schedules/compare', {
      from: null,
      to: { uid: spring._id, name: 'Spring' },
      counts: { same: 1, new: 0, moved: 1, longer: 0, shorter: 0, cleared: 1, unknown: 1 },
      units: [
        differs('N2', 'IPC10002', 'moved', 600),
        differs('N3', 'IPC10003', 'unknown', 56),
        differs('S1', 'IPC20001', 'cleared', 300),
      ],
      notKnown: ['IPC10003', 'IPC30001'],
    })
    .on('POST /commands/plan', {
      ...nothingInTheWay,
      gateways: [{ name: 'Pump shed', isAvailable: true, toDo: 3, ahead: 0, secondsEach: 20, finish: null }],
    });
  await open(EDIT, api);
  const term = await screen.findByText('Sending would change');
  expect(term.nextElementSibling?.textContent).toBe(
    // Three at 20 s each.
    '3 of 4 sprinklers, and take about 1 min; 1 of them would water no more, of 1 nobody knows what it holds',
  );
});

test('wind that is usual says how much of the water it takes, by whose forecast, and a start that leaves it', async () => {
  const forecast = {
    source: 'Weather data by Open-Meteo.com',
    isDemo: false,
    fetchedAt: new Date(Date.now() - 36 * 60_000).toISOString(),
    isStale: false,
    days: [],
    windByHour: Array.from({ length: 24 }, (_, hour) => (hour >= 13 && hour < 18 ? 24 : 12)),
  };
  const api = serve(scheduleFarm(scheduleGroup(1, 'North', 10)))
    .on('GET /schedule-template', { ...template, startMin: 720 })
    .on('GET /weather/forecast', forecast);
  const { user } = await open(EDIT, api);
  // Ten of 28 min from 12:00: 220 of 280 min are after 13:00.
  const hint = await screen.findByRole('group', { name: 'Wind' });
  expect(hint.textContent).toContain('13:00–18:00 usually over 20 km/h: 79 % of the water.');
  expect(hint.textContent).toContain(
    'By the forecast for ten days: Weather data by Open-Meteo.com, 36 min ago.',
  );
  await user.click(press('Start at 18:00: 0 %'));
  expect(text(/^Start/)).toBe('18:00');
});

describe('a new template', () => {
  test('begins with 22 min and 5 mm, and has 28 once the farm is known', async () => {
    let answer: (farm: ScheduleFarm) => void = () => undefined;
    const known = new Promise<ScheduleFarm>((resolve) => (answer = resolve));
    const api = serve().on('GET /schedule-template/farm-details', () => known);
    const { user } = renderApp(NEW, { api });
    await screen.findByRole('textbox', { name: /^Duration/ });
    expect([text(/^Duration/), text(/^Water application/)]).toEqual(['22', '5']);
    await user.type(box(/^Name/), 'Summer');
    answer(scheduleFarm(north));
    await waitFor(() => expect(text(/^Duration/)).toBe('28'));
    expect([text(/^Name/), text(/^Water application/)]).toEqual(['Summer', '5']);
  });

  test('has the minutes that the farm has of its own', async () => {
    const farm = scheduleFarm(north);
    await open(NEW, serve({ ...farm, walConfig: { ...farm.walConfig, duration: 40, wal: 7 } }));
    // 40 × 4 × 8.620428 × 7.2 ÷ 1440 = 6.9
    expect([text(/^Duration/), text(/^Water application/)]).toEqual(['40', '7']);
  });

  test('shows when each sprinkler waters as one types, with the gaps', async () => {
    const { user } = await open();
    await user.click(tick(/^North/));
    expect(columns()).toEqual([
      ['Cycle 1', '00:00 N1 [28 mins]', '00:28 N2 [28 mins]', '00:56 N3 [28 mins]', 'GAP [1356 mins]'],
    ]);
    await user.clear(box(/^Water application/));
    await user.type(box(/^Water application/), '6');
    // 6 ÷ 0.1724 = 34.8 min
    expect(text(/^Duration/)).toBe('35');
    await user.clear(box('Lines of North'));
    await user.type(box('Lines of North'), '2');
    await user.click(tick(/^South/));
    await user.type(box('Minutes of South'), '10');
    await waitFor(() =>
      expect(columns()).toEqual([
        ['Cycle 1', '00:00 N1 [35 mins]', '00:35 N2 [35 mins]', 'GAP [1370 mins]'],
        ['Cycle 1', '00:00 N3 [35 mins]', 'GAP [1405 mins]'],
        ['Cycle 1', '00:00 S1 [10 mins]', '00:10 S2 [10 mins]', 'GAP [1420 mins]'],
      ]),
    );
    expect(screen.getByText('5 on 3 lines')).toBeTruthy();
    // Three lines at once, each with 4 L/s.
    expect(screen.getByText('12 L/s')).toBeTruthy();
  });

  test('is sent as it was designed, and leads to the farm’s templates', async () => {
    const api = serve().on('POST /schedule-template', template);
    const { user, router } = await open(NEW, api);
    await user.type(box(/^Name/), ' Summer ');
    await user.click(press('Choose all 2'));
    await user.clear(box(/^Start/));
    await user.type(box(/^Start/), '930');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Rounds' }), '2 a day, every 720 mins');
    await user.click(screen.getByRole('switch', { name: /^Windy/ }));
    await user.type(box(/^Most flow/), '6.5');
    await user.click(press('Add hours for water'));
    await user.type(box('Hours for water 1, from'), '2100');
    await user.type(box('Hours for water 1, to'), '0700');
    await user.click(press('Save'));
    expect(await screen.findByText('Summer added.')).toBeTruthy();
    expect(api.calls('POST /schedule-template').map(({ body }) => body)).toEqual([
      {
        farmUID,
        name: 'Summer',
        groups: [{ uid: north.uid }, { uid: south.uid }],
        settings: { duration: 28, cycleLen: 720 },
        windy: true,
        leveling: false,
        startMin: 570,
        limits: { maxLps: 6.5, windows: [{ fromMin: 1260, toMin: 420 }], avoid: [] },
      },
    ]);
    await waitFor(() => expect(router.state.location.pathname).toBe(`/scheduler/${farmUID}`));
  });

  test('says at each field what is wrong', async () => {
    const { user, api } = await open();
    await user.clear(box(/^Duration/));
    await user.type(box(/^Duration/), '1441');
    await user.clear(box(/^Start/));
    await user.type(box(/^Start/), '25:00');
    await user.click(press('Add hours to avoid'));
    await user.click(press('Save'));
    for (const sentence of [
      'Name is required.',
      'Please choose at least one group.',
      "Duration can't be more than 1440 min.",
      'Start must be a time of the day, as 21:30.',
      'Each needs a beginning and an end.',
    ])
      expect(await screen.findByText(sentence)).toBeTruthy();
    await user.clear(box(/^Duration/));
    await user.type(box(/^Duration/), '1.5');
    expect(await screen.findByText('Duration must be a whole number.')).toBeTruthy();
    expect(api.calls('POST /schedule-template')).toEqual([]);
  });

  test('takes steps back and forth', async () => {
    const { user } = await open();
    expect((press('Undo') as HTMLButtonElement).disabled).toBe(true);
    await user.click(tick(/^North/));
    await user.click(screen.getByRole('switch', { name: /^Leveling/ }));
    await user.click(press('Undo'));
    expect(screen.getByRole('switch', { name: /^Leveling/ })).toHaveProperty('checked', false);
    await user.click(press('Undo'));
    expect(tick(/^North/)).toHaveProperty('checked', false);
    await user.click(press('Redo'));
    expect(tick(/^North/)).toHaveProperty('checked', true);
  });

  test('can be tried out but not saved without the right', async () => {
    const reads = { ...presets.none, farms: levels.Read, schedules: levels.Read };
    const api = serve().on('GET /permissions-list', { permissions: [permissionsOn(rakaia, reads)] });
    const { user } = await open(NEW, api);
    await user.click(tick(/^North/));
    expect(columns()).toHaveLength(1);
    expect((press('Save') as HTMLButtonElement).disabled).toBe(true);
    expect(screen.queryByRole('button', { name: 'Save and compute' })).toBeNull();
  });
});

describe('what does not fit', () => {
  const long = scheduleFarm(scheduleGroup(1, 'North', 104), south);

  test('says so with what mends it, and fits after a tap', async () => {
    const api = serve(long);
    const { user } = await open(NEW, api);
    await user.type(box(/^Name/), 'Summer');
    await user.click(press('Choose all 2'));
    const told = await screen.findByText(
      'Group North does not fit: it needs 2,912 min, and the cycle has 2,880. 27 min each fit, or 2 lines do.',
    );
    expect(screen.queryByRole('region', { name: /^Schedule table/ })).toBeNull();
    expect(screen.getByText("Doesn't fit yet: 1 problem")).toBeTruthy();
    await user.click(press('Save and compute'));
    expect(document.activeElement?.textContent).toBe('Result');
    expect(api.calls('POST /schedule-template')).toEqual([]);
    const finding = told.closest('li');
    await user.click(within(finding!).getByRole('button', { name: '27 min for North' }));
    expect(text('Minutes of North')).toBe('27');
    await waitFor(() => expect(columns()).toHaveLength(2));
    expect(screen.getByText('2 days')).toBeTruthy();
  });

  test('into the water supply is kept to it, and a new template begins with it', async () => {
    const pump = { ...noSupply, maxLps: 4.5, version: 1, updatedAt: '2026-01-14T02:00:00.000Z' };
    const { user } = await open(NEW, serve().on('GET /farm/supply', pump));
    await waitFor(() => expect(text(/^Most flow/)).toBe('4.5'));
    await user.clear(box(/^Most flow/));
    await user.click(press('Choose all 2'));
    expect(
      await screen.findByText('Up to 8 L/s are drawn and the pump gives 4.5, first from 00:00 to 00:56.'),
    ).toBeTruthy();
    await user.click(press('Keep to the water supply'));
    expect(text(/^Most flow/)).toBe('4.5');
    await waitFor(() => expect(screen.queryByText(/^Up to 8/)).toBeNull());
    // One at a time, 5 × 28 min, and no plan takes less.
    expect(screen.getByText('2 h 20 min, to 02:20; at least 2 h 5 min')).toBeTruthy();
  });

  test('into a main of the supply is kept to it', async () => {
    const mains = [{ name: 'West', maxLps: 4.5, groups: [north.uid, south.uid] }];
    const west = { ...noSupply, mains, version: 1, updatedAt: '2026-01-14T02:00:00.000Z' };
    const { user } = await open(NEW, serve().on('GET /farm/supply', west));
    await user.click(await screen.findByRole('button', { name: 'Remove main 1' }));
    await user.click(press('Choose all 2'));
    expect(
      await screen.findByText(
        'Main West: up to 8 L/s are drawn and it gives 4.5, first from 00:00 to 00:56.',
      ),
    ).toBeTruthy();
    await user.click(press('Keep to the water supply'));
    expect(text('Main 1, name')).toBe('West');
    await waitFor(() => expect(screen.queryByText(/^Main West: up to/)).toBeNull());
    expect(screen.getByText('2 h 20 min, to 02:20; at least 2 h 5 min')).toBeTruthy();
  });

  test('a group that is gone is left out', async () => {
    const gone = buildTemplate({
      groups: [
        { uid: north.uid, name: 'North', isGone: false },
        { uid: uid(8109), name: 'Old', isGone: true },
      ],
    });
    const { user } = await open(EDIT, serve().on('GET /schedule-template', gone));
    expect(tick(/^Old no longer on the farm/)).toHaveProperty('checked', true);
    await user.click(press('Leave out Old'));
    expect(screen.queryByRole('checkbox', { name: /^Old/ })).toBeNull();
    await waitFor(() => expect(columns()).toHaveLength(1));
  });
});

describe('a template that is there', () => {
  test('is saved with the version it was of', async () => {
    const api = serve().on('PUT /schedule-template', { ...template, name: 'Autumn', version: 2 });
    const { user } = await open(EDIT, api);
    await user.clear(box(/^Name/));
    await user.type(box(/^Name/), 'Autumn');
    await user.click(press('Save'));
    expect(await screen.findByText('Autumn saved.')).toBeTruthy();
    expect(
      api.calls('PUT /schedule-template').map(({ body }) => [body._id, body.version, body.name]),
    ).toEqual([[template._id, 1, 'Autumn']]);
  });

  test('that somebody else changed asks field by field what to keep', async () => {
    const theirs = buildTemplate({
      version: 3,
      settings: { duration: 20 },
      groups: [{ uid: south.uid, name: 'South', isGone: false, lines: 2 }],
    });
    let tries = 0;
    const api = serve().on('PUT /schedule-template', () => {
      tries += 1;
      return tries === 1 ? new Failure(409, 'Somebody else changed this.', { current: theirs }) : theirs;
    });
    const { user } = await open(EDIT, api);
    await user.clear(box(/^Duration/));
    await user.type(box(/^Duration/), '30');
    await user.click(press('Save'));
    const dialog = await screen.findByRole('dialog', { name: 'Somebody else changed this meanwhile' });
    for (const label of ['30 min', '20 min', 'North', 'South (2 lines)'])
      expect(within(dialog).getByText(label)).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(api.calls('PUT /schedule-template')).toHaveLength(2));
    const [, second] = api.calls('PUT /schedule-template').map(({ body }) => body);
    expect([second?.version, second?.settings.duration, second?.groups]).toEqual([
      3,
      30,
      [{ uid: south.uid, lines: 2 }],
    ]);
  });

  test('of another farm than the address names is not there', async () => {
    renderApp(EDIT, { api: serve().on('GET /schedule-template', buildTemplate({ farmUID: uid(77) })) });
    expect(await screen.findByText("Sorry, we couldn't find what you're looking for.")).toBeTruthy();
  });

  test('that can’t be loaded is asked for again', async () => {
    const api = serve().on('GET /schedule-template', new Failure(500, 'Try again.'));
    const { user } = renderApp(EDIT, { api });
    expect(await screen.findByText("The schedule template couldn't be loaded")).toBeTruthy();
    api.on('GET /schedule-template', template);
    await user.click(press('Retry'));
    expect(await screen.findByRole('checkbox', { name: /^North/ })).toBeTruthy();
  });
});

describe('save and compute', () => {
  const computed = {
    farmUID,
    name: 'Summer',
    groups: [{ uid: north.uid }],
    settings: { duration: 28, cycleLen: 1440 as const },
    schedules: [
      {
        name: 'N1',
        serialNumber: 'IPC10001',
        group: 'North',
        scheduleGroup: 'North',
        schedules: [{ start: 0, duration: 28, cycle: 1 }],
      },
    ],
    findings: [],
    farmRevision: 'r1',
  };
  const set: SetSummary = {
    _id: uid(9400),
    name: 'Summer',
    isCurrent: false,
    groups: [{ name: 'North', uid: north.uid }],
    settings: { cycleLen: 1440 },
    figures: { units: 3, minutes: 84, litres: 20_160, mm: { least: 4.8, mean: 4.8, most: 4.8 } },
    template: { uid: template._id, name: 'Summer', version: 1, newestVersion: 1 },
    isByHand: false,
    createdBy: 'Aroha Ngata',
    createdAt: '2026-01-14T02:00:00.000Z',
    replacedBy: null,
    findings: [],
    standing: null,
    differences: null,
    inUse: null,
  };

  test('keeps a set of the template and says that nothing is sent', async () => {
    const api = serve()
      .on('PUT /schedule-template', template)
      .on('POST /schedule-template/compute', computed)
      .on('POST /schedules/create', set);
    const { user } = await open(EDIT, api);
    await user.click(press('Save and compute'));
    const dialog = await screen.findByRole('dialog', { name: 'Set Summer is made' });
    expect(within(dialog).getByText(/^3 sprinklers, cycle 1 day\. Nothing is sent yet/)).toBeTruthy();
    expect(api.calls('POST /schedule-template/compute').map(({ body }) => body)).toEqual([
      {
        farmUID,
        templateUID: template._id,
        templateVersion: 1,
        name: 'Summer',
        groups: [{ uid: north.uid }],
        settings: { duration: 28 },
        windy: false,
        leveling: false,
        startMin: 0,
        limits: null,
      },
    ]);
    const { findings: _findings, ...body } = computed;
    expect(api.calls('POST /schedules/create').map((made) => made.body)).toEqual([body]);
    expect(within(dialog).getByRole('button', { name: 'Send schedules…' })).toBeTruthy();
  });

  test('of a new template that the server refuses goes on with the one that was saved', async () => {
    const api = serve()
      .on('POST /schedule-template', template)
      .on('POST /schedule-template/compute', new Failure(400, 'Group North does not fit.'));
    const { user, router } = await open(NEW, api);
    await user.type(box(/^Name/), 'Summer');
    await user.click(tick(/^North/));
    await user.click(press('Save and compute'));
    expect(
      await screen.findByText(
        "Schedule set couldn't be upload! Summer is saved as a template. Group North does not fit.",
      ),
    ).toBeTruthy();
    await waitFor(() => expect(router.state.location.pathname).toBe(EDIT));
  });
});
