import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { RecordKind } from '@headrace/contract/live';
import { levels, presets } from '@headrace/contract/permissions';
import type { ReplyOf } from '@headrace/contract/endpoint';
import type { compareSets, SetSummary } from '@headrace/contract/schedule-sets';
import { Failure, FakeApi, FakeFile } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { nothingInTheWay, permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { fakeSaving } from '../../testing/fake-saving.ts';
// Loaded before, so that no test waits for it.
import './sets-page.tsx';

const farmUID = rakaia._id;
const PATH = `/schedules/${farmUID}`;
const none = { count: 0, names: [] };
const build = (n: number, name: string, over: Partial<SetSummary> = {}): SetSummary => ({
  _id: uid(9400 + n),
  name,
  isCurrent: false,
  groups: [{ name: 'North', uid: uid(8101) }],
  settings: { cycleLen: 1440 },
  figures: { units: 40, minutes: 1120, litres: 268_800, mm: { least: 4.8, mean: 4.8, most: 4.8 } },
  template: { uid: uid(9201), name, version: 1, newestVersion: 1 },
  isByHand: false,
  createdBy: 'Jane Fields',
  createdAt: '2026-01-14T02:00:00.000Z',
  replacedBy: null,
  findings: [],
  standing: null,
  differences: null,
  inUse: null,
  ...over,
});
const summer = build(1, 'Summer', {
  isCurrent: true,
  groups: [
    { name: 'North', uid: uid(8101) },
    { name: 'South', uid: '' },
    { name: 'East', uid: uid(8103) },
    { name: 'West', uid: uid(8104) },
  ],
  settings: { cycleLen: 2880 },
  figures: { units: 930, minutes: 26_040, litres: 6_249_600, mm: { least: 4.8, mean: 5, most: 9.7 } },
  standing: {
    total: 930,
    holding: 912,
    onTheirWay: 6,
    notConfirmed: 12,
    otherwise: 0,
    toPoll: Array.from({ length: 12 }, (_, n) => uid(9000 + n)),
  },
  differences: {
    holes: { count: 1, names: ['A4'] },
    missing: { count: 2, names: ['A7', 'B2'] },
    moved: none,
  },
  inUse: 'The farm waters by it. Send another set to the whole farm first.',
});
const spring = build(2, 'Spring', {
  settings: { cycleLen: 480 },
  isByHand: true,
  template: { uid: null, name: 'Spring', version: 3, newestVersion: null },
});
const serve = (sets = [summer, spring]) => new FakeApi().on('GET /schedules/sets', { sets });
const entry = (name: string) => within(screen.getByRole('listitem', { name }));
const names = () =>
  within(screen.getByRole('list', { name: 'Schedule sets' }))
    .getAllByRole('heading')
    .map(({ firstChild }) => firstChild?.textContent);
const open = async (api = serve()) => {
  const app = renderApp(PATH, { api });
  await screen.findByRole('list', { name: 'Schedule sets' });
  return app;
};

describe('the schedule sets', () => {
  test('say what they water, how far they have got, and where they came from; the current one first', async () => {
    await open();
    expect(names()).toEqual(['Summer', 'Spring']);
    const says = (name: string, text: string | RegExp) => expect(entry(name).getByText(text)).toBeTruthy();
    says('Summer', 'The farm waters by it');
    expect(screen.getByRole('link', { name: 'Templates' }).getAttribute('href')).toBe(
      `/scheduler/${farmUID}`,
    );
    says('Summer', 'Cycle 2 days, 4.8 to 9.7 mm, 26,040 min and 6,250 m³ a cycle');
    says('Summer', '930 sprinklers: groups North, South (no longer on the farm), East and 1 more');
    says('Summer', '912 of 930 hold it, 6 on their way, 12 not confirmed');
    says(
      'Summer',
      /^Not confirmed: it was sent to them, and they neither answered nor said that they hold it\./,
    );
    expect(entry('Summer').getByRole('link', { name: 'See what they hold' }).getAttribute('href')).toBe(
      `/schedules/compare/${farmUID}?to=${summer._id}`,
    );
    says('Summer', /^From template Summer\. Made by Jane Fields/);
    says('Spring', 'Cycle 480 mins, 4.8 mm, 1,120 min and 269 m³ a day');
    says('Spring', 'Not in use');
    says('Spring', /^From template Spring, which was deleted, edited by hand\. Made by Jane Fields/);
  });

  test('ask those again that have not confirmed what they hold', async () => {
    const api = serve().on('POST /commands/plan', { ...nothingInTheWay, total: 12, toDo: 12 });
    const { user } = await open(api);
    await user.click(entry('Summer').getByRole('button', { name: 'Poll those 12 of Summer…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Poll 12 sprinklers that have not confirmed' });
    expect(await within(dialog).findByText('It goes to 12 sprinklers.')).toBeTruthy();
    expect(api.calls('POST /commands/plan')[0]?.body).toMatchObject({
      payload: { groupUID: 'FARM', uids: summer.standing?.toPoll },
    });
  });

  test('are none yet', async () => {
    renderApp(PATH, { api: serve([]) });
    expect(await screen.findByText('No schedule sets yet.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'To the templates' }).getAttribute('href')).toBe(
      `/scheduler/${farmUID}`,
    );
  });

  test('are read from a file where there are none, by who may import', async () => {
    const { user } = renderApp(PATH, { api: serve([]) });
    await user.click(await screen.findByRole('button', { name: 'Import a file…' }));
    expect(await screen.findByRole('dialog', { name: 'Import Configurations' })).toBeTruthy();
  });

  test('are not read from a file by who may not import', async () => {
    const reads = { ...presets.none, farms: levels.Read, schedules: levels.Read };
    renderApp(PATH, {
      api: serve([]).on('GET /permissions-list', { permissions: [permissionsOn(rakaia, reads)] }),
    });
    expect(await screen.findByText('No schedule sets yet.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Import a file…' })).toBeNull();
  });

  test('are saved as a file that can be imported again', async () => {
    let saved: Blob | undefined;
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => ((saved = blob as Blob), 'blob:1'));
    const schedules = [
      {
        name: 'B1',
        group: 'North',
        scheduleGroup: 'North',
        serialNumber: '100412',
        schedules: [{ start: 28, duration: 28, cycle: 1 }],
      },
    ];
    const { user } = await open(serve().on('GET /schedules/set', { ...spring, design: null, schedules }));
    await user.click(screen.getByRole('button', { name: 'Menu of Spring' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Export' }));
    await waitFor(() => expect(saved).toBeDefined());
    expect((await saved?.text())?.trim().split(/\r?\n/)).toEqual([
      'set,group,schedule_group,serial_number,name,cycle,start,duration',
      'Spring,North,North,100412,B1,1,00:28,28',
    ]);
    vi.restoreAllMocks();
  });

  test('that could not be loaded are asked for again', async () => {
    const api = serve().on('GET /schedules/sets', new Failure(403, 'Ask the owner.'));
    const { user } = renderApp(PATH, { api });
    expect(await screen.findByText("The schedule sets couldn't be loaded")).toBeTruthy();
    api.on('GET /schedules/sets', { sets: [summer] });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('listitem', { name: 'Summer' })).toBeTruthy();
  });

  test('show what somebody else changed as soon as the server says so', async () => {
    const api = serve();
    await open(api);
    const change = (kinds: RecordKind[]) =>
      act(() => FakeSocket.last.push({ type: 'records_update', data: { farmUID, kinds } }));
    api.on('GET /schedules/sets', { sets: [summer, build(3, 'Autumn')] });
    change(['schedule set']);
    await waitFor(() => expect(names()).toEqual(['Summer', 'Autumn']));
  });

  test('offer only what one may do', async () => {
    const reads = { ...presets.none, farms: levels.Read, schedules: levels.Read };
    const { user } = await open(
      serve().on('GET /permissions-list', { permissions: [permissionsOn(rakaia, reads)] }),
    );
    await user.click(screen.getByRole('button', { name: 'Menu of Spring' }));
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
      'Compare with current',
      'Compare with what units hold',
    ]);
    expect(screen.queryByRole('button', { name: /^Compute and send/ })).toBeNull();
  });
});

describe('the operating time of a set', () => {
  const operated = {
    unitUID: uid(9001),
    sprinkler: 'A12',
    serialNumber: '100412',
    scheduleGroup: 'North',
    planned: 420,
    unknown: 0,
    actual: 376,
    share: 89.5,
    kept: 0,
    other: 0,
    waterings: { planned: 15, unknown: 0, missed: 1, kept: 0, startNotHeard: 0, endNotHeard: 0 },
    lastWatered: '2026-01-14T02:00:00.000Z',
    isRunning: false,
  };
  const silent = {
    ...operated,
    unitUID: uid(9002),
    sprinkler: 'A13',
    unknown: 420,
    actual: null,
    share: null,
    lastWatered: null,
    waterings: { planned: 15, unknown: 15, missed: 0, kept: 0, startNotHeard: 0, endNotHeard: 0 },
  };
  const times = {
    setUID: summer._id,
    name: 'Summer',
    isDeleted: false,
    start: '2025-12-16',
    stop: '2026-01-14',
    units: [silent, operated],
    gone: 0,
  };
  const show = async (api: FakeApi) => {
    const { user } = await open(api);
    await user.click(screen.getByRole('button', { name: 'Menu of Summer' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Operating time…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Operating time of Summer' }));
    return { user, dialog };
  };

  test('has what is known of it, and files of the same', async () => {
    const api = serve()
      .on('GET /reports/operating-time', times)
      .on('GET /reportspdf/operatingtime', new Failure(429, 'Too many reports are being made.'));
    const { user, dialog } = await show(api);
    expect(
      await dialog.findByText('Watered 376 min of 420 min: 89.5 %. Of 420 min more nothing is known.'),
    ).toBeTruthy();
    expect(api.calls('GET /reports/operating-time')[0]?.query).toEqual({ farmUID, scheduleID: summer._id });
    expect(
      dialog
        .getAllByRole('listitem')
        .slice(0, 2)
        .map(({ textContent }) => textContent),
    ).toEqual([
      'A1289.5 %376 of 420 min · last 01/14/2026 15:00 NZDTNorth · 1 missed',
      'A13not known420 min planned · not heard to waterNorth · nothing heard of 15',
    ]);
    const way = () => dialog.getByRole('button', { name: 'Download operating-time-Summer.pdf' });
    await user.click(way());
    expect(await dialog.findByText(/^ERROR: File operating-time-Summer\.pdf was not created\./)).toBeTruthy();
    const saved = fakeSaving();
    api.on('GET /reportspdf/operatingtime', new FakeFile('operating-time-Summer.pdf', '%PDF'));
    await user.click(way());
    await expect.poll(() => saved.map(({ name }) => name)).toEqual(['operating-time-Summer.pdf']);
    vi.restoreAllMocks();
  });

  test('that could not be loaded says so', async () => {
    const failing = serve().on('GET /reports/operating-time', new Failure(500, 'It broke.'));
    const { dialog } = await show(failing);
    expect(await dialog.findByText("The operating times couldn't be loaded")).toBeTruthy();
  });
});

const template = {
  _id: uid(9201),
  farmUID,
  name: 'Summer',
  groups: [{ uid: uid(8101), name: 'North', isGone: false }],
  settings: { duration: 28 },
  windy: false,
  leveling: false,
  startMin: 0,
  limits: null,
  version: 4,
  updatedAt: '2026-01-14T02:00:00.000Z',
};

const turn = {
  name: 'A1',
  serialNumber: 'S1',
  group: 'North',
  scheduleGroup: 'North',
  schedules: [{ start: 0, duration: 28, cycle: 1 }],
};

describe('a set', () => {
  const choose = async (name: string, item: string | RegExp, api = serve()) => {
    const app = await open(api);
    await app.user.click(screen.getByRole('button', { name: `Menu of ${name}` }));
    await app.user.click(await screen.findByRole('menuitem', { name: item }));
    return app;
  };

  test('that the farm waters by says why it is not deleted', async () => {
    const api = serve();
    const { user } = await open(api);
    await user.click(screen.getByRole('button', { name: 'Menu of Summer' }));
    const item = await screen.findByRole('menuitem', { name: /^Delete…/ });
    expect(item.textContent).toContain('The farm waters by it.');
    await user.click(item);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('is deleted after asking, and brought back', async () => {
    const api = serve();
    api
      .on('DELETE /schedules', () => {
        api.on('GET /schedules/sets', { sets: [summer] });
        return { deleted: true, batchId: uid(9500) };
      })
      .on('POST /undo', () => {
        api.on('GET /schedules/sets', { sets: [summer, spring] });
        return { undone: 1, kept: 0, batchId: uid(9501) };
      });
    const { user } = await choose('Spring', 'Delete…', api);
    await user.click(await screen.findByRole('button', { name: 'Delete set' }));
    expect(await screen.findByText('Schedule set deleted successfully!')).toBeTruthy();
    await waitFor(() => expect(names()).toEqual(['Summer']));
    expect(api.calls('DELETE /schedules').map(({ query }) => query)).toEqual([
      { farmUID, setUID: spring._id },
    ]);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Undone.')).toBeTruthy();
    await waitFor(() => expect(names()).toEqual(['Summer', 'Spring']));
    expect(api.calls('POST /undo').map(({ body }) => body)).toEqual([
      { farmUID, batchId: uid(9500), act: 'delete schedule set' },
    ]);
  });

  test.each([
    [{ deleted: false, reason: 'It is being sent.' }, "Schedule set couldn't be deleted! It is being sent."],
    [{ deleted: false }, 'Schedule set delete failed, please contact support!'],
  ])('that was not deleted, %j, says so', async (reply, text) => {
    const { user } = await choose('Spring', 'Delete…', serve().on('DELETE /schedules', reply));
    await user.click(await screen.findByRole('button', { name: 'Delete set' }));
    expect(await screen.findByText(text)).toBeTruthy();
  });

  test('is sent with it chosen in the dialog', async () => {
    const plan = {
      total: 40,
      inStep: 0,
      toDo: 40,
      outOfContact: 0,
      inhibited: 0,
      notInSet: 0,
      inTime: null,
      finish: null,
      gateways: [],
      ahead: [],
      findings: [],
    };
    const api = serve()
      .on('GET /schedules/list', [{ id: spring._id, name: 'Spring', default: true, selected: false }])
      .on('POST /commands/plan', plan);
    await choose('Spring', 'Send…', api);
    await screen.findByRole('dialog', { name: 'Send Spring' });
    await waitFor(() =>
      expect(api.calls('POST /commands/plan')[0]?.body.payload).toMatchObject({
        groupUID: 'FARM',
        setUID: spring._id,
      }),
    );
  });

  test('becomes a template, without groups that are gone', async () => {
    const gone = { uid: uid(8199), name: 'Old' };
    const design = {
      groups: [{ uid: uid(8101), name: 'North', lines: 2 }, gone],
      settings: { duration: 22 },
      windy: true,
      leveling: false,
      startMin: 60,
      limits: null,
    };
    const api = serve()
      .on('GET /schedules/set', { ...spring, design, schedules: [] })
      .on('POST /schedule-template', { ...template, name: 'Spring (copy)' });
    const { user } = await choose('Spring', 'Clone as template…', api);
    await user.click(await screen.findByRole('button', { name: 'Add template' }));
    expect(await screen.findByText('Template Spring (copy) added.')).toBeTruthy();
    expect(api.calls('POST /schedule-template').map(({ body }) => body)).toEqual([
      {
        farmUID,
        name: 'Spring (copy)',
        groups: [{ uid: uid(8101), lines: 2 }],
        settings: { duration: 22 },
        windy: true,
        leveling: false,
        startMin: 60,
        limits: null,
      },
    ]);
  });

  test('that no longer fits the farm is computed anew and then sent', async () => {
    const next = build(5, 'Summer');
    const api = serve()
      .on('GET /schedule-template', template)
      .on('POST /schedule-template/compute', ({ body }) => ({
        ...body,
        settings: { duration: 28, cycleLen: 1440 },
        schedules: [turn],
        findings: [],
        farmRevision: 'abc',
      }))
      .on('POST /schedules/create', next)
      .on('GET /schedules/list', [{ id: next._id, name: 'Summer', default: true, selected: false }])
      .on('POST /commands/plan', new Failure(409, 'Gateway currently unavailable.'));
    const { user } = await open(api);
    expect(entry('Summer').getByText('Plan and farm differ: 1 hole, 2 not in it')).toBeTruthy();
    expect(entry('Summer').getByText('In its groups, but without a turn: A7, B2.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: /^Compute and send the difference/ }));
    await user.click(await screen.findByRole('button', { name: 'Compute' }));
    await screen.findByRole('dialog', { name: 'Send Summer' });
    expect(api.calls('POST /schedules/create').map(({ body }) => body)).toEqual([
      expect.objectContaining({ farmUID, templateUID: uid(9201), templateVersion: 4, farmRevision: 'abc' }),
    ]);
    await waitFor(() =>
      expect(api.calls('POST /commands/plan')[0]?.body.payload).toMatchObject({ setUID: next._id }),
    );
  });
});

describe('two sets', () => {
  const entryOf = (start: number) => ({ cycleDays: 1, entries: [{ start, duration: 28, cycle: 1 }] });
  const compared: ReplyOf<typeof compareSets> = {
    from: { uid: summer._id, name: 'Summer' },
    to: { uid: spring._id, name: 'Spring' },
    counts: { same: 3, new: 0, moved: 1, longer: 0, shorter: 0, cleared: 1, unknown: 0 },
    notKnown: [],
    units: [
      {
        uid: uid(1),
        name: 'A2',
        serialNumber: '2',
        line: 'North',
        kind: 'cleared',
        from: entryOf(28),
        to: null,
      },
      {
        uid: uid(2),
        name: 'A3',
        serialNumber: '3',
        line: 'North',
        kind: 'moved',
        from: entryOf(56),
        to: entryOf(28),
      },
    ],
  };

  test('are compared sprinkler by sprinkler, and by what becomes of them', async () => {
    const api = serve().on('GET /schedules/compare', compared);
    const { user } = renderApp(`/schedules/compare/${farmUID}?to=${spring._id}&from=${summer._id}`, { api });
    expect(await screen.findByText('From Summer to Spring')).toBeTruthy();
    expect(screen.getByText('2 of 5 sprinklers change')).toBeTruthy();
    expect(screen.getByText('00:56, 28 min → 00:28, 28 min')).toBeTruthy();
    expect(screen.getByText('00:28, 28 min → nothing')).toBeTruthy();
    await user.click(screen.getByRole('link', { name: '1 moved' }));
    await waitFor(() => expect(screen.queryByText('00:28, 28 min → nothing')).toBeNull());
    expect(screen.getByText('Waters as long, at other times.')).toBeTruthy();
  });

  test('can be saved as CSV, those that are shown, and printed whole', async () => {
    let saved: Blob | undefined;
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => ((saved = blob as Blob), 'blob:1'));
    const api = serve().on('GET /schedules/compare', compared);
    const { user } = renderApp(`/schedules/compare/${farmUID}?to=${spring._id}&from=${summer._id}`, { api });
    await user.click(await screen.findByRole('button', { name: 'Save as CSV' }));
    expect((await saved?.text())?.trim().split(/\r?\n/)).toEqual([
      'name,line,change,Summer,Spring',
      'A2,North,cleared,day 1 00:28 28 min,nothing',
      'A3,North,moved,day 1 00:56 28 min,day 1 00:28 28 min',
    ]);
    vi.restoreAllMocks();
    expect(screen.getByRole('list', { name: 'Sprinklers that change' })).toBeTruthy();
    act(() => void window.dispatchEvent(new Event('beforeprint')));
    expect(screen.queryByRole('list', { name: 'Sprinklers that change' })).toBeNull();
    expect(screen.getByText('00:56, 28 min → 00:28, 28 min')).toBeTruthy();
    act(() => void window.dispatchEvent(new Event('afterprint')));
  });

  test('are a set and what sprinklers hold, where none is named', async () => {
    const api = serve().on('GET /schedules/compare', { ...compared, from: null });
    renderApp(`/schedules/compare/${farmUID}?to=${spring._id}`, { api });
    expect(await screen.findByText('From what sprinklers hold now to Spring')).toBeTruthy();
    expect(api.calls('GET /schedules/compare').map(({ query }) => query)).toEqual([
      { farmUID, to: spring._id },
    ]);
  });

  test('of which one is not there says so, with the way to those that are', async () => {
    const api = serve().on('GET /schedules/compare', new Failure(404, 'This farm has no such schedule set.'));
    renderApp(`/schedules/compare/${farmUID}?to=${spring._id}`, { api });
    expect(await screen.findByText(/^A set of this comparison isn't there\./)).toBeTruthy();
    const way = screen.getByRole('link', { name: 'To the schedule sets' });
    expect(way.getAttribute('href')).toBe(`/schedules/${farmUID}`);
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  });
});

test('a comparison of no set says where one is chosen', async () => {
  renderApp(`/schedules/compare/${farmUID}`, { api: serve() });
  expect(await screen.findByText('No set is chosen yet.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'To the schedule sets' }).getAttribute('href')).toBe(
    `/schedules/${farmUID}`,
  );
});
