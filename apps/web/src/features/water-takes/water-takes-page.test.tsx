import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { levels, presets } from '@headrace/contract/permissions';
import type { Timeline, TimelineLine } from '@headrace/contract/timeline';
import { Failure, FakeApi, FakeFile } from '../../testing/fake-api.ts';
import { fakeSaving } from '../../testing/fake-saving.ts';
import { permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import './water-takes-page.tsx';
import { buildDays, buildList, buildPack, buildTake, buildUse } from './take-fixtures.ts';

const PATH = `/water-takes/${rakaia._id}`;
const TAKE = `${PATH}?take=${uid(9001)}`;
// 09:00 on 22 November in New Zealand.
beforeEach(() => vi.setSystemTime(now));
const now = Date.parse('2026-11-21T20:00:00Z');
const line = (name: string, startAt: number, will: number): TimelineLine => ({
  id: name,
  name,
  units: 2,
  unknown: 0,
  newsLate: 0,
  open: [],
  next: null,
  mixed: null,
  holds: [],
  turns: {
    said: 0,
    believed: 0,
    will,
    unsure: 0,
    wont: 0,
    notHeard: 0,
  },
  busy: [
    {
      startAt,
      startMin: 0,
      endAt: startAt + 9e5,
      sign: 'will',
      turns: will,
    },
  ],
});
const timeline = (lines: TimelineLine[], planned: number[]): Timeline => ({
  farmUID: rakaia._id,
  from: now,
  to: now + 2592e5,
  now,
  units: [],
  seams: [],
  clockSet: null,
  plan: {
    of: 'held',
    name: '',
  },
  lines,
  flow: {
    from: now,
    stepMin: 15,
    planned,
    notIn: 0,
    maxLps: null,
    mains: [],
    meters: [],
  },
});
const serve = (list = buildList(), days = buildDays()) =>
  new FakeApi()
    .on('GET /water-take', list)
    .on('GET /water-take/days', days)
    .on('GET /water-take/packs', { packs: [] })
    .on('GET /schedules/timeline', timeline([], [0]));
const panel = async (name: string) => within(await screen.findByRole('region', { name }));

describe('water takes', () => {
  test('are listed with what is used and left, and open', async () => {
    const { user } = renderApp(PATH, { api: serve() });
    const list = within(await screen.findByRole('list', { name: 'Water takes' }));
    await list.findByText(/1 gap, 1 time above a limit this water year/);
    const text = list.getByRole('listitem').textContent;
    for (const part of ['Bore M36/1234 · 20 L/s, 1,728 m³ a day, 250,000 m³ a year', '57.0 m³ of 1,728 m³'])
      expect(text).toContain(part);
    await user.click(list.getByRole('link', { name: 'CRC012345' }));
    expect(await screen.findByRole('heading', { name: 'Water take CRC012345' })).toBeTruthy();
  });

  test('of a farm without one name the next step, and who may only read is offered none', async () => {
    renderApp(PATH, { api: serve(buildList([])) });
    expect(await screen.findByText('No water take is entered yet.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Enter a water take' })).toBeTruthy();
    document.body.innerHTML = '';
    const reads = { ...presets.none, farms: levels.Read, sensors: levels.Read };
    const api = serve(buildList([])).on('GET /permissions-list', {
      permissions: [permissionsOn(rakaia, reads)],
    });
    renderApp(PATH, { api });
    expect(await screen.findByText('No water take is entered yet.')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Enter a water take' })).toBeNull();
  });

  test('that can not be loaded are asked for again', async () => {
    const api = serve().on('GET /water-take', new Failure(403, 'Ask the owner.'));
    const { user } = renderApp(PATH, { api });
    expect(await screen.findByText("The water takes couldn't be loaded")).toBeTruthy();
    api.on('GET /water-take', buildList());
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('link', { name: 'CRC012345' })).toBeTruthy();
  });
});

describe('a water take', () => {
  test('says what is left, when it is used up, and of what not all is known', async () => {
    renderApp(TAKE, { api: serve() });
    const used = await panel('Used and left');
    expect(used.getByText(/1,671 m³ left \(97 %\)\. At this rate used up on .*16:40/)).toBeTruthy();
    const text = used.getByRole('heading', { name: 'This water year' }).parentElement?.textContent;
    expect(text).toContain('at least 118,400 m³ of 250,000 m³');
    expect(text).toContain('For some of this time the meter’s total is not known.');
    expect(text).toContain('At most 131,600 m³ left');
  });

  test('has its limits with the decimals that they were entered with', async () => {
    const at = { from: '2026-11-20T12:00:00.000Z', to: '2026-11-21T12:00:00.000Z' };
    const above = { at, isWithinAccuracy: false, isRestricted: false, isWhole: true };
    const days = buildDays({
      use: { ...buildDays().use, today: buildUse({ used: 262.46, most: 430.125, left: 167.665 }) },
      exceedances: [
        { ...above, limit: 'day', value: 449.657, most: 430.125 },
        { ...above, limit: 'rate', value: 6.4, most: 6.125 },
        {
          ...above,
          at: { from: '2026-11-20T11:45:00.000Z', to: at.from },
          limit: 'rate',
          value: 6.5,
          most: 6.125,
        },
      ],
      exceedanceCount: 1203,
    });
    const take = buildTake({ maxLps: 12.25, maxM3Day: 430.125, maxM37Day: 2600.5, maxM3Year: null });
    renderApp(TAKE, { api: serve(buildList([take]), days) });
    expect(await screen.findByText('12.25 L/s, 430.125 m³ a day, 2,600.5 m³ in 7 days')).toBeTruthy();
    const used = await panel('Used and left');
    expect(used.getByRole('heading', { name: 'Today' }).parentElement?.textContent).toContain(
      '262.5 m³ of 430.125 m³',
    );
    const list = await panel('Above a limit');
    const text = list.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(text[0]).toContain('449.7 of 430.125 m³: above the day’s volume');
    expect(text[1]).toContain('2 quarters, the highest 6.50 of 6.125 L/s: above the rate');
    expect(list.getByText('1,200 older ones: a pack lists them.')).toBeTruthy();
  });

  test('with nothing left, or taken while nothing might be, says it in words', async () => {
    const at = { from: '2026-11-20T12:00:00.000Z', to: '2026-11-20T12:15:00.000Z' };
    const above = { at, limit: 'rate' as const, value: 13.06, most: 0, isWithinAccuracy: false };
    const days = buildDays({
      use: { ...buildDays().use, today: buildUse({ used: 0, isWhole: true, most: 430, left: 0 }) },
      exceedances: [{ ...above, isRestricted: true, isWhole: false }],
      exceedanceCount: 1,
    });
    renderApp(TAKE, { api: serve(buildList(), days) });
    const used = await panel('Used and left');
    const today = used.getByRole('heading', { name: 'Today' }).parentElement?.textContent;
    expect(today).toContain('0 m³ of 430 m³');
    expect(today).toContain('Nothing left');
    const list = await panel('Above a limit');
    expect(list.getByText(/: at least 13\.06 L\/s, though nothing might be taken$/)).toBeTruthy();
  });

  test('above its limit says by how much, at least where more may have been taken', async () => {
    const { use } = buildDays();
    const today = buildUse({ used: 1766, isWhole: false, most: 1728, left: -38 });
    renderApp(TAKE, { api: serve(buildList(), buildDays({ use: { ...use, today } })) });
    const used = await panel('Used and left');
    const text = used.getByRole('heading', { name: 'Today' }).parentElement?.textContent ?? '';
    expect(text).toContain('At least 38.0 m³ above it');
  });

  test('of which nothing was heard says so, and no zero', async () => {
    const { use } = buildDays();
    const today = buildUse({ isWhole: false, most: 1728, left: 1728 });
    renderApp(TAKE, { api: serve(buildList(), buildDays({ use: { ...use, today } })) });
    const used = await panel('Used and left');
    const text = used.getByRole('heading', { name: 'Today' }).parentElement?.textContent ?? '';
    expect(text).toContain('not known of 1,728 m³');
    expect(text).toContain('At most 1,728 m³ left');
    expect(text).not.toContain('0.000');
  });

  test('of whose days nothing is known says neither by what the meters said nor that its limits were kept', async () => {
    const days = buildDays().days.map((day) => ({ ...day, m3: 0, missing: day.rows, isWhole: false }));
    renderApp(TAKE, { api: serve(buildList(), buildDays({ days, exceedances: [], exceedanceCount: 0 })) });
    const used = await panel('Used and left');
    expect(used.getByText(/^Nothing is known of any quarter of an hour until .*08:45.*\.$/)).toBeTruthy();
    expect(used.queryByText(/By what the meters said/)).toBeNull();
    const above = await panel('Above a limit');
    expect(above.getByText(/so nobody can say whether a limit was kept/)).toBeTruthy();
  });

  test('says what a gap over midnight has, and of one that goes on outside that its volume is not known', async () => {
    const { use, gaps } = buildDays();
    const today = buildUse({ used: 57, cutM3: 26, isWhole: false, most: 1728, left: 1671 });
    const cut = gaps.map((gap) => ({ ...gap, m3: null, isCut: true }));
    renderApp(TAKE, { api: serve(buildList(), buildDays({ use: { ...use, today }, gaps: cut })) });
    const used = await panel('Used and left');
    const text = used.getByRole('heading', { name: 'Today' }).parentElement?.textContent ?? '';
    expect(text).toContain('at least 57.0 m³ of 1,728 m³');
    expect(text).toContain('Gaps of 26.0 m³ over its start or end aren’t shared out.');
    const missing = await panel('What is missing');
    expect(
      missing.getByText(/It goes on outside these days: what went through in them is not known\./),
    ).toBeTruthy();
  });

  test('names what is restricted now, since when it is measured, and that a consent is over', async () => {
    const times = { from: '2026-11-20T11:00:00.000Z', to: '2026-11-24T11:00:00.000Z', note: '' };
    const take = buildTake({
      validTo: '2026-11-20',
      restrictions: [{ ...times, kind: 'volume', percent: 50 }],
    });
    const measured = { used: 57, isWhole: false, measuredFrom: '2026-11-21T14:00:00.000Z' };
    const use = { ...buildDays().use, consent: 'ended' as const, today: buildUse(measured) };
    renderApp(TAKE, { api: serve(buildList([take]), buildDays({ use })) });
    const used = await panel('Used and left');
    expect(used.getByText(/The consent ended on .*2026: nothing may be taken under it\./)).toBeTruthy();
    expect(used.getByText(/50 % of the day’s volume until/)).toBeTruthy();
    expect(used.getByText(/Measured since .*03:00.* only\./)).toBeTruthy();
  });

  test('shows how complete each day is, what was above, and what is missing with why', async () => {
    renderApp(TAKE, { api: serve() });
    const days = await panel('How complete the days are');
    expect(days.getByRole('img', { name: '88 measured, 2 shared out, 6 missing' })).toBeTruthy();
    expect(days.getByText(/^Days of NZST all year.* Other times here are the farm’s own\.$/)).toBeTruthy();
    const above = await panel('Above a limit');
    expect(
      above.getByText(/20\.44 of 20\.00 L\/s: above the rate, within the meter’s accuracy/),
    ).toBeTruthy();
    const missing = await panel('What is missing');
    expect(
      missing.getByText(/6 quarters, nothing came from the meter\. 26\.0 m³ in all, by the counter\./),
    ).toBeTruthy();
  });

  test('says of a gap in which the counter stood still that nothing went through', async () => {
    const [gap] = buildDays().gaps;
    renderApp(TAKE, { api: serve(buildList(), buildDays({ gaps: gap ? [{ ...gap, m3: 0 }] : [] })) });
    const missing = await panel('What is missing');
    expect(missing.getByText(/meter\. Nothing went through, by the counter\./)).toBeTruthy();
  });

  test('of two meters of which one is silent says what is sure at the other, and that the rest is not known', async () => {
    const { days, gaps } = buildDays();
    const missed = days.map((day) => ({
      ...day,
      rows: 96,
      measured: 0,
      shared: 0,
      missing: 96,
      isWhole: false,
    }));
    const [heard] = missed.map((day) => ({ ...day, m3: 192 }));
    const [unheard] = missed.map((day) => ({ ...day, m3: 0, day: '2026-11-20' }));
    if (!heard || !unheard) throw new Error('no day');
    const [meter] = buildTake().meters;
    if (!meter) throw new Error('no meter');
    const take = buildTake({ meters: [meter, { ...meter, uid: uid(9005), site: '123456M2' }] });
    const told = buildDays({ days: [unheard, heard], gaps: gaps.map((gap) => ({ ...gap, m3: null })) });
    renderApp(TAKE, { api: serve(buildList([take]), told) });
    const list = within(await screen.findByRole('list', { name: 'Days' }));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/at least 192\.0 m³ 96 missing$/),
      expect.stringMatching(/not known$/),
    ]);
    const missing = await panel('What is missing');
    expect(
      missing.getByText(/nothing came from one meter or more\. What went through all meters is not known\./),
    ).toBeTruthy();
  });

  test('says which days were reckoned with other settings than those of now', async () => {
    const found = buildDays();
    const days = found.days.map((day, nth) => ({ ...day, hasOldSettings: nth === 0 }));
    renderApp(TAKE, { api: serve(buildList(), { ...found, days }) });
    const panelOfDays = await panel('How complete the days are');
    expect(panelOfDays.getByText(/^Days with old settings were reckoned/)).toBeTruthy();
    expect(panelOfDays.getAllByText('old settings')).toHaveLength(1);
  });

  test('opens a day in its quarters', async () => {
    const end = Date.parse('2026-11-20T12:15:00Z');
    const row = { end, m3: 4, state: 'measured' as const, known: 4, before: 1000, after: 1004, code: 600 };
    const gone = { ...row, end: end + 900_000, m3: null, state: 'missing' as const, code: 100 };
    const places = [{ site: '123456M1', measure: 'Compliance Volume', rows: [row, gone] }];
    const api = serve().on('GET /water-take/rows', { places });
    const { user } = renderApp(TAKE, { api });
    const days = await panel('How complete the days are');
    await user.click(days.getByRole('button', { name: /1,404 m³/ }));
    const dialog = within(await screen.findByRole('dialog'));
    const cells = async (name: RegExp) =>
      within(await dialog.findByRole('row', { name }))
        .getAllByRole('cell')
        .map(({ textContent }) => textContent);
    expect(await cells(/^00:15/)).toEqual(['01:15', '4.000', 'measured', '600']);
    expect(await cells(/^00:30/)).toEqual(['01:30', '–', 'missing', '100']);
  });

  test('takes a note of why something is missing', async () => {
    const api = serve().on('PUT /water-take/gap', { note: 'Lightning' });
    const { user } = renderApp(TAKE, { api });
    await user.click(await screen.findByRole('button', { name: /^Note why/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Why nothing is known' }));
    await user.type(dialog.getByLabelText(/^What happened/), 'Lightning');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(api.calls('PUT /water-take/gap')).toHaveLength(1));
    expect(api.calls('PUT /water-take/gap')[0]?.body).toEqual({
      farmUID: rakaia._id,
      uid: uid(9001),
      from: '2026-11-21T03:30:00.000Z',
      to: '2026-11-21T05:00:00.000Z',
      note: 'Lightning',
    });
  });

  test('takes a reading of the register, at a time on the farm’s clock', async () => {
    const api = serve().on('POST /water-take/reading', buildTake());
    const { user } = renderApp(TAKE, { api });
    await user.click(
      await screen.findByRole('button', { name: 'Enter a reading of the register of Bore 1' }),
    );
    const dialog = within(await screen.findByRole('dialog', { name: 'Register of Bore 1' }));
    await user.click(dialog.getByRole('button', { name: 'Enter' }));
    expect(api.calls('POST /water-take/reading')).toEqual([]);
    await user.type(dialog.getByLabelText(/^The register shows/), '45069.5');
    const day = dialog.getByLabelText(/^Read on/);
    await user.clear(day);
    await user.type(day, '21/11/2026');
    const clock = dialog.getByLabelText(/^At, on/);
    await user.clear(clock);
    await user.type(clock, '13:00');
    await user.click(dialog.getByRole('button', { name: 'Enter' }));
    await waitFor(() => expect(api.calls('POST /water-take/reading')).toHaveLength(1));
    expect(api.calls('POST /water-take/reading')[0]?.body).toEqual({
      farmUID: rakaia._id,
      meterUID: uid(9002),
      at: '2026-11-21T00:00:00.000Z',
      register: 45_069.5,
      note: '',
    });
  });
});

describe('the evidence pack', () => {
  test('is asked for with its days, and of too many days nothing is asked', async () => {
    const api = serve();
    const { user } = renderApp(TAKE, { api });
    const form = within(await screen.findByRole('form', { name: 'Evidence pack' }));
    const from = form.getByLabelText<HTMLInputElement>('From');
    const until = form.getByLabelText<HTMLInputElement>('Until');
    expect([from.value, until.value]).toEqual(['01/10/2026', '31/10/2026']);
    await user.clear(from);
    await user.type(from, '30/10/2025');
    await user.click(form.getByRole('button', { name: 'Make the pack' }));
    expect(form.getByText('366 days at most.')).toBeTruthy();
    expect(api.calls('POST /water-take/pack')).toEqual([]);
  });

  test('of a month is a zip under the name that the server gives it', async () => {
    const saved = fakeSaving();
    const name = 'water-take-CRC012345-2026-10-01-2026-10-31.zip';
    const api = serve().on('GET /water-take/pack', new FakeFile(name, 'PK'));
    const { user } = renderApp(TAKE, { api });
    const form = within(await screen.findByRole('form', { name: 'Evidence pack' }));
    await user.click(form.getByRole('button', { name: 'Download the pack' }));
    await expect.poll(() => saved.map((file) => file.name)).toEqual([name]);
    expect(api.calls('GET /water-take/pack')[0]?.query).toMatchObject({
      from: '2026-10-01',
      to: '2026-10-31',
    });
    vi.restoreAllMocks();
  });

  test('of a month that was not made says so, also to who has left meanwhile', async () => {
    const api = serve().on('GET /water-take/pack', new Failure(503, 'It takes too long.'));
    const { user, router } = renderApp(TAKE, { api });
    const form = within(await screen.findByRole('form', { name: 'Evidence pack' }));
    await user.click(form.getByRole('button', { name: 'Download the pack' }));
    expect((await form.findByRole('alert')).textContent).toBe('It takes too long.');
    let answer: (failed: Failure) => void = () => undefined;
    api.on('GET /water-take/pack', () => new Promise<Failure>((resolve) => (answer = resolve)));
    await user.click(form.getByRole('button', { name: 'Download the pack' }));
    await act(() => router.navigate({ to: '/' }));
    answer(new Failure(503, 'It takes too long.'));
    expect(
      await screen.findByText(
        /^ERROR: File water-take-.*-2026-10-01-2026-10-31\.zip was not created\. It takes/,
      ),
    ).toBeTruthy();
  });

  test('of a water year is made by the server: how far it is, and its file, are there for who comes back', async () => {
    const made = buildPack({
      id: uid(9011),
      state: 'done',
      bytes: 412345,
      progress: 1,
      askedAt: '2026-11-19T20:00:00.000Z',
    });
    // Of somebody else, on whose farm it is not.
    const theirs = buildPack({ id: uid(9013), mayCancel: false });
    const api = serve()
      .on('GET /water-take/packs', { packs: [buildPack(), made, theirs] })
      .on('GET /water-take/packs/filled', { filled: [{ id: uid(9011), rows: 12 }] })
      .on('POST /water-take/pack', { id: uid(9010) })
      .on('POST /job/cancel', new Failure(409, 'It has ended already.'));
    const { user } = renderApp(TAKE, { api });
    const form = within(await screen.findByRole('form', { name: 'Evidence pack' }));
    await user.click(form.getByRole('button', { name: 'Last water year' }));
    await user.click(form.getByRole('button', { name: 'Make the pack' }));
    await waitFor(() => expect(api.calls('POST /water-take/pack')).toHaveLength(1));
    expect(api.calls('POST /water-take/pack')[0]?.body).toMatchObject({
      from: '2025-07-01',
      to: '2026-06-30',
    });
    const [making, done] = within(await screen.findByRole('list', { name: 'Long packs' })).getAllByRole(
      'listitem',
    );
    expect(making?.textContent).toContain('The tables are written.');
    expect(done?.textContent).toContain('413 kB, quality codes');
    expect(done?.textContent).toContain('changed since it was asked for');
    expect(making?.textContent).not.toContain('changed since');
    await waitFor(() => expect(done?.textContent).toContain('12 rows since filled: readings came late.'));
    expect(making?.textContent).not.toContain('since filled');
    expect(screen.getByRole('button', { name: /^Download the pack .*2025.*2026/ })).toBeTruthy();
    // getBy: the other one has none.
    await user.click(screen.getByRole('button', { name: /^Cancel the pack .*2025.*2026/ }));
    expect(await screen.findByText('It has ended already.')).toBeTruthy();
  });

  test('that failed says so with its reason, and one that was cancelled is no fault', async () => {
    const tooMany = 'The meters said more than fits into a pack: ask for fewer days.';
    const packs = [
      buildPack({ id: uid(9012), state: 'failed', bytes: null, error: tooMany }),
      buildPack({ id: uid(9013), state: 'failed', bytes: null, error: '' }),
      buildPack({ id: uid(9014), state: 'cancelled', bytes: null, error: 'It was cancelled.' }),
    ];
    renderApp(TAKE, { api: serve().on('GET /water-take/packs', { packs }) });
    const list = within(await screen.findByRole('list', { name: 'Long packs' }));
    const rows = list.getAllByRole('listitem');
    const texts = [`Not made. ${tooMany}`, 'It was not made.', 'It was cancelled.'];
    expect(rows.map((row, n) => row.textContent?.endsWith(texts[n] ?? '?'))).toEqual([true, true, true]);
    expect(rows.map((row) => row.querySelectorAll('svg').length)).toEqual([1, 1, 0]);
    expect(list.queryByRole('button')).toBeNull();
  });

  test('is not offered to who may not export', async () => {
    const reads = { ...presets.none, farms: levels.Read, sensors: levels.Read };
    const api = serve().on('GET /permissions-list', { permissions: [permissionsOn(rakaia, reads)] });
    renderApp(TAKE, { api });
    await screen.findByRole('region', { name: 'Used and left' });
    expect(screen.queryByRole('form', { name: 'Evidence pack' })).toBeNull();
  });
});

describe('the form of a take', () => {
  test('sends what was entered, with the meter as the farm has it', async () => {
    const api = serve(buildList([])).on('POST /water-take', buildTake());
    const { user } = renderApp(`${PATH}?edit=yes`, { api });
    await user.type(await screen.findByLabelText(/^Consent number/), 'CRC9');
    expect(
      screen.getByText(/gives all its water back .*\(regulation 4\(2\)\).*records by the week/),
    ).toBeTruthy();
    await user.type(screen.getByLabelText(/^Highest rate/), '20');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Please enter what the council calls the place.')).toBeTruthy();
    expect(api.calls('POST /water-take')).toEqual([]);
    await user.type(screen.getByLabelText(/^Place/), '123456M1');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(api.calls('POST /water-take')).toHaveLength(1));
    expect(api.calls('POST /water-take')[0]?.body).toMatchObject({
      consentNo: 'CRC9',
      maxLps: 20,
      maxM3Day: null,
      validFrom: null,
      restrictions: [],
      meters: [
        {
          deviceUID: uid(9003),
          metric: 'pulsesTotal',
          m3PerUnit: 0.1,
          site: '123456M1',
          startsAt: '2026-11-21T11:00:00.000Z',
          endsAt: null,
          pipe: 'full',
        },
      ],
    });
  });

  test('keeps a known take as it is, with seconds and the second hour where clocks go back, and adds a restriction', async () => {
    // The second 02:30 of 5 April 2026, when clocks in New Zealand went back at 03:00.
    const startsAt = '2026-04-04T14:30:42.000Z';
    const known = buildTake();
    const list = buildList([{ ...known, meters: known.meters.map((meter) => ({ ...meter, startsAt })) }]);
    const api = serve(list).on('PUT /water-take', buildTake());
    const { user } = renderApp(`${TAKE}&edit=yes`, { api });
    await user.click(await screen.findByRole('button', { name: 'Add a restriction' }));
    await user.type(screen.getByLabelText(/^Until(?!,)/), '30/11/2026');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(api.calls('PUT /water-take')).toHaveLength(1));
    const { meters, ...take } = buildTake();
    expect(api.calls('PUT /water-take')[0]?.body).toMatchObject({
      uid: take.uid,
      version: 3,
      consentNo: take.consentNo,
      maxM3Year: 250_000,
      meters: [{ uid: meters[0]?.uid, startsAt, verifiedOn: '2024-03-14' }],
      restrictions: [
        {
          kind: 'cease',
          percent: 0,
          from: '2026-11-21T11:00:00.000Z',
          to: '2026-11-29T11:00:00.000Z',
        },
      ],
    });
  });
});

describe('a restriction', () => {
  const times = { from: '2026-11-20T11:00:00.000Z', to: '2026-11-24T11:00:00.000Z', note: '' };
  const take = buildTake({ restrictions: [{ ...times, kind: 'rate', percent: 50 }] });
  test('names the groups that water while it holds, and whether that is more than may be taken', async () => {
    const api = serve(buildList([take])).on(
      'GET /schedules/timeline',
      timeline([line('River', now + 3_600_000, 14)], [0, 12.5]),
    );
    renderApp(TAKE, { api });
    expect(
      await screen.findByText(/One group is to water: up to 12\.5 L\/s at once, of 10 L\/s/),
    ).toBeTruthy();
    expect(screen.getByRole('img', { name: 'Above it' })).toBeTruthy();
    const groups = within(screen.getByRole('list', { name: 'Groups that are to water then' }));
    expect(groups.getByRole('listitem').textContent).toMatch(/^River 14 waterings, next .*10:00/);
    // From now on, as far as it goes.
    expect(api.calls('GET /schedules/timeline')[0]?.query).toMatchObject({
      from: '2026-11-21T20:00:00.000Z',
      to: times.to,
    });
  });

  test('in which nothing waters says so', async () => {
    renderApp(TAKE, {
      api: serve(buildList([take])),
    });
    expect(await screen.findByText(/No group is to water, as far as is known\./)).toBeTruthy();
    expect(screen.queryByRole('img', { name: 'Above it' })).toBeNull();
  });
});
