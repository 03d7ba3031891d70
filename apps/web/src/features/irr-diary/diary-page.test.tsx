import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { Failure, FakeApi, FakeFile } from '../../testing/fake-api.ts';
import { fakeSaving } from '../../testing/fake-saving.ts';
import { rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { fakePaper } from '../reports/report-fixtures.ts';
import './diary-page.tsx';
import { at, buildDay, buildLog, buildProof, buildSums, noCounts } from './diary-fixtures.ts';

const farmUID = rakaia._id;
const PATH = `/irr-diary-logs/view/${farmUID}`;
const missed = buildLog({
  unitUID: uid(7012),
  sprinkler: 'A12',
  outcome: 'missed',
  minutes: 0,
  mm: 0,
  volume: 0,
  stop: null,
  reasons: [
    { code: 'battery', at: at(-200), by: '', note: '', value: 9 },
    { code: 'saidClosed', at: at(19), by: '', note: '', value: null },
  ],
});
const lost = buildLog({
  unitUID: uid(7013),
  sprinkler: 'A13',
  outcome: 'late',
  basis: 'believed',
  start: at(20),
  stop: at(46),
  minutes: 26,
  mm: 4.48,
  bounds: {
    minutes: { least: 0, most: 346 },
    mm: { least: 0, most: 59.7 },
    volume: { least: 0, most: 83_040 },
  },
  reasons: [{ code: 'endNotHeard', at: at(366), by: '', note: '', value: null }],
});
const unknown = buildLog({
  unitUID: uid(7014),
  sprinkler: 'A14',
  outcome: 'not known',
  basis: 'plan',
  reasons: [{ code: 'notHeard', at: at(-3000), by: '', note: '', value: null }],
});
const serve = () =>
  new FakeApi()
    .on('GET /irr-diary-logs/last', buildProof())
    .on('GET /irr-diary-logs/late-closers', { units: [] })
    .on('GET /irr-diary-logs', { logs: [unknown, lost, missed], days: [buildDay()], next: null });
const open = async (api = serve(), search = '') => {
  const app = renderApp(`${PATH}${search}`, { api });
  await screen.findByRole('heading', { name: 'Day by day' });
  return app;
};
const rows = (name: RegExp) => within(screen.getByRole('list', { name })).getAllByRole('listitem');

describe('the irrigation diary', () => {
  test('has what went otherwise than planned first, the worst before what is not known, with why', async () => {
    await open();
    const [first, second, third] = rows(/^Not as planned on /);
    expect(first?.textContent).toContain('A12');
    expect(first?.textContent).toContain('Missed');
    expect(first?.textContent).toContain('Battery at 9 %; it said closed at 05:31.');
    expect(second?.textContent).toContain('05:32 to about 05:58');
    expect(second?.textContent).toContain('about 26 min (0 to 346), 4.5 mm (0 to 60)');
    expect(second?.textContent).toContain('Its end was not heard; it said closed by 11:18.');
    expect(third?.textContent).toContain('28 min planned');
    expect(third?.textContent).toMatch(/Not heard since 03:12 on /);
  });

  test('of a silent farm begins each day with a few of its waterings, and has all of them when asked and on paper', async () => {
    const logs = Array.from({ length: 90 }, (_, place) => ({ ...unknown, unitUID: uid(20_000 + place) }));
    const { user } = await open(serve().on('GET /irr-diary-logs', { logs, days: [buildDay()], next: null }));
    const list = screen.getByRole('list', { name: /^Not as planned on / });
    expect(list.children).toHaveLength(20);
    act(() => void dispatchEvent(new Event('beforeprint')));
    expect(list.children).toHaveLength(90);
    act(() => void dispatchEvent(new Event('afterprint')));
    expect(list.children).toHaveLength(20);
    await user.click(screen.getByRole('button', { name: /^Show all 90: Not as planned on / }));
    await waitFor(() => expect(list.children).toHaveLength(90));
  });

  test('has the last watering above all, and each day with its groups and meters below', async () => {
    await open();
    expect(await screen.findByText(/928 of 930 watered; 2 not known\./)).toBeTruthy();
    const day = screen.getByRole('region', { name: /by group$/ });
    expect(day.textContent).toContain('38 of 40 watered; 1 missed, 1 not known');
    expect(day.textContent).toContain(
      'mean 4.6 mm over 39 sprinklers, evenness between sprinklers 0.67, 255 m³.',
    );
    expect(day.textContent).toContain('Meters that day: Bore: 261 m³.');
  });

  test('of many lines of a last watering, those as planned are folded below the others', async () => {
    const asPlanned = (name: string) => ({
      ...buildSums({ watered: 40, counts: { ...noCounts, watered: 40 }, evenness: 1 }),
      name,
    });
    const short = buildSums({ watered: 38, counts: { ...noCounts, watered: 38, 'not known': 2 } });
    const others = ['2', '3', '4', '5', '6', '7', '8'].map((number) => asPlanned(`North/${number}`));
    const lines = [asPlanned('North/1'), { ...short, name: 'South' }, ...others];
    await open(serve().on('GET /irr-diary-logs/last', buildProof({ lines })));
    const troubled = await screen.findByRole('table', { name: 'Lines that went otherwise than planned' });
    expect(
      within(troubled)
        .getAllByRole('row')
        .slice(1)
        .map((row) => row.textContent),
    ).toEqual(['South38 of 40 watered; 2 not known4.6 mm over 39 sprinklers0.67255 m³']);
    const folded = screen.getByText('8 lines as planned').closest('details');
    expect(folded?.open).toBe(false);
    expect(within(folded as HTMLElement).getByText('North/8')).toBeTruthy();
  });

  test('has a dash for the water of a day of which nothing is known', async () => {
    const lost = buildSums({
      watered: 0,
      counts: { ...noCounts, 'not known': 40 },
      meanMm: null,
      evenness: null,
      measured: 0,
      litres: { least: 0, believed: null, most: 268_800 },
    });
    const group = { ...lost, uid: uid(8101), name: 'North' };
    const api = serve();
    api.on('GET /irr-diary-logs', { logs: [], days: [buildDay({ ...lost, groups: [group] })], next: null });
    await open(api);
    const day = await screen.findByRole('region', { name: /by group$/ });
    expect(day.textContent).toContain('0 of 40 watered; 40 not known – (up to 269 m³).');
    expect(within(day).getByRole('listitem').textContent).toContain('– (up to 269 m³)');
    expect(day.textContent).not.toContain('0 L');
  });

  test('shows the sprinklers of a group on a day once that is opened', async () => {
    const api = serve();
    const { user } = await open(api);
    api.on('GET /irr-diary-logs', { logs: [buildLog()], days: [], next: null });
    await user.click(screen.getByText('North', { selector: 'summary b' }));
    expect(await screen.findByText('28 min, 4.8 mm')).toBeTruthy();
    expect(api.calls('GET /irr-diary-logs').at(-1)?.query).toMatchObject({
      start: '2026-11-25',
      stop: '2026-11-25',
      group: uid(8101),
    });
  });

  test('asks for earlier days when it is told to, and says so when they do not come', async () => {
    const api = serve().on('GET /irr-diary-logs', { logs: [missed], days: [buildDay()], next: '2026-11-24' });
    const { user } = await open(api);
    expect(screen.getByRole('heading', { name: /^Not as planned, back to .* so far$/ })).toBeTruthy();
    api.on('GET /irr-diary-logs', new Failure(403, 'Ask the owner.'));
    await user.click(screen.getByRole('button', { name: 'Earlier days' }));
    expect((await screen.findByRole('alert')).textContent).toBe("They couldn't be loaded.");
    api.on('GET /irr-diary-logs', { logs: [], days: [buildDay({ day: '2026-11-24' })], next: null });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(screen.getAllByRole('region', { name: /by group$/ })).toHaveLength(2));
    expect(api.calls('GET /irr-diary-logs').at(-1)?.query.after).toBe('2026-11-24');
  });

  test('keeps what is asked for in its address', async () => {
    const api = serve();
    const { user } = await open(api, '?period=Week');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Show' }), 'Missed');
    await waitFor(() => expect(api.calls('GET /irr-diary-logs').at(-1)?.query.outcome).toBe('missed'));
    const { start, stop } = api.calls('GET /irr-diary-logs').at(-1)?.query ?? {};
    expect(Date.parse(`${stop}`) - Date.parse(`${start}`)).toBe(6 * 86_400_000);
    // A chosen time has no last watering above it.
    expect(screen.queryByRole('heading', { name: 'Last watering' })).toBeNull();
  });

  test('that is empty says what it begins with, and one that could not be loaded is asked for again', async () => {
    const api = serve().on('GET /irr-diary-logs', new Failure(403, 'Ask the owner.'));
    const { user } = renderApp(PATH, { api });
    expect(await screen.findByText("The irrigation diary couldn't be loaded")).toBeTruthy();
    api.on('GET /irr-diary-logs', { logs: [], days: [], next: null });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText(/^Nothing was watered or was to water on these days/)).toBeTruthy();
  });

  test('is saved as a file', async () => {
    const api = serve().on('GET /irr-diary-logs/csv', new FakeFile('Diary.csv', 'day'));
    const { user } = await open(api);
    const url = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1');
    const revoke = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
    await user.click(screen.getByRole('button', { name: 'CSV of all waterings of these days' }));
    await waitFor(() => expect(url).toHaveBeenCalledOnce());
    expect(api.calls('GET /irr-diary-logs/csv')[0]?.query).not.toHaveProperty('outcome');
    url.mockRestore();
    revoke.mockRestore();
  });
});

describe('what is saved on paper', () => {
  test('of the days is a PDF under the name that the server gives it', async () => {
    const saved = fakeSaving();
    const name = 'irrigation-diary-2026-10-24-2026-11-22.pdf';
    const api = serve().on('GET /reportspdf/irrdiary/summary', new FakeFile(name, '%PDF'));
    const { user } = await open(api, '?period=Custom&from=2026-10-24&to=2026-11-22');
    await user.click(screen.getByRole('button', { name: 'PDF of these days, of all groups' }));
    await expect.poll(() => saved.map((file) => file.name)).toEqual([name]);
    expect(api.calls('GET /reportspdf/irrdiary/summary')[0]?.query).toEqual({
      farmUID,
      start: '24-10-2026',
      stop: '22-11-2026',
    });
    vi.restoreAllMocks();
  });

  test('of the days is shown as being made to who comes back, and says so where it was not made', async () => {
    let answer: (failed: Failure) => void = () => undefined;
    const api = serve().on(
      'GET /reportspdf/irrdiary/summary',
      () => new Promise<Failure>((resolve) => (answer = resolve)),
    );
    const { user, router } = await open(api);
    const way = () => screen.findByRole('button', { name: 'PDF of these days, of all groups' });
    await user.click(await way());
    await act(() => router.navigate({ to: '/' }));
    await screen.findByRole('heading', { name: 'Farms', level: 1 });
    await act(() => router.navigate({ href: PATH }));
    expect((await way()).textContent).toBe('Making…');
    expect(await way()).toHaveProperty('disabled', true);
    answer(new Failure(503, 'It takes too long.'));
    const fault = /^ERROR: File irrigation-diary-.*\.pdf was not created\. It takes too long\./;
    expect(await screen.findByText(fault)).toBeTruthy();
    expect(await way()).toHaveProperty('disabled', false);
  });

  test('of the last watering is proof_of_watering.pdf', async () => {
    const saved = fakeSaving();
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'PDF of the last watering' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Proof of watering' }));
    const orders = fakePaper();
    await user.click(dialog.getByRole('button', { name: 'Download proof_of_watering.pdf' }));
    await expect.poll(() => saved.map((file) => file.name)).toEqual(['proof_of_watering.pdf']);
    expect(orders).toMatchObject([{ kind: 'proof', made: { farm: rakaia.name } }]);
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
});

describe('the annex for a farm environment plan', () => {
  const annex = (over: object = {}) => ({
    start: '2025-11-21',
    stop: '2026-11-20',
    boundaryHa: 204.47,
    irrigatedHa: null,
    sprinklers: 2,
    groups: [
      { uid: uid(61), name: 'North', sprinklers: 2, parts: 0, middle: null, probe: null },
      { uid: uid(62), name: 'South', sprinklers: 1, parts: 0, middle: null, probe: null },
    ],
    months: [
      { ...noMonth, groupUID: uid(61), known: 30, mm: 12.3, mostMm: 14, read: 4, wetter: 1 },
      { ...noMonth, groupUID: uid(62) },
    ],
    rain: [{ from: '2026-11-01', to: '2026-11-30', days: 30, known: 12, mm: 31.4 }],
    gauge: 'Top',
    meters: [],
    leaks: [],
    leakCount: 0,
    isWatchedForLeaks: false,
    toReckon: 0,
    ...over,
  });
  const noMonth = {
    from: '2026-11-01',
    to: '2026-11-30',
    days: 30,
    known: 0,
    mm: null,
    mostMm: null,
    notKnown: 0,
    wateringDays: 0,
    read: 0,
    kpa: null,
    wetter: null,
  };
  const openAnnex = async (api: FakeApi) => {
    const { user } = await open(api);
    await user.click(screen.getByRole('button', { name: /^Environment plan/ }));
    return { user, dialog: within(await screen.findByRole('dialog', { name: /farm environment plan/ })) };
  };

  test('says what each group was given, and what is not known of it', async () => {
    const { dialog } = await openAnnex(serve().on('GET /reports/plan-annex', annex()));
    const rowOf = async (name: string) =>
      (await dialog.findByRole('row', { name: new RegExp(name) })).textContent;
    expect(await rowOf('North')).toBe('North12.3 to 14.0 mm30 of 301 of 4');
    expect(await rowOf('South')).toBe('Southnot known0 of 30not measured');
    expect(
      dialog.getByText(/^Rain: 31\.4 mm, known of 12 days\. No meter .* No alert watches for leaks/),
    ).toBeTruthy();
    expect(dialog.queryByText(/being reckoned/)).toBeNull();
  });

  test('counts one of a kind as one, and what is wholly known has no range', async () => {
    const meter = { consentNo: 'CRC1', site: 'M1', device: 'Bore', endsAt: null };
    const known = { ...noMonth, groupUID: uid(61), known: 30, mm: 12.3, mostMm: 12.3 };
    const { dialog } = await openAnnex(
      serve().on(
        'GET /reports/plan-annex',
        annex({
          months: [known],
          meters: [{ ...meter, verifiedOn: null, nextVerification: null }],
          leakCount: 1,
          isWatchedForLeaks: true,
        }),
      ),
    );
    expect(await dialog.findByText(/ 1 meter of water takes\. 1 leak was told of\./)).toBeTruthy();
    expect(dialog.getByRole('row', { name: /North/ }).textContent).toContain('North12.3 mm30 of 30');
  });

  test('says which days are still reckoned, and why a file was not made', async () => {
    const api = serve()
      .on('GET /reports/plan-annex', annex({ toReckon: 40 }))
      .on('GET /reportspdf/plan-annex', new Failure(429, 'Too many reports are being made.'));
    const { user, dialog } = await openAnnex(api);
    expect(await dialog.findByText(/^40 days are still being reckoned\./)).toBeTruthy();
    await user.click(
      dialog.getByRole('button', { name: /^Download farm-environment-plan-Rākaia-Downs-.*\.pdf/ }),
    );
    expect(await dialog.findByText(/was not created\. Too many reports/)).toBeTruthy();
    // Yesterday is the last day that is over.
    expect(api.calls('GET /reportspdf/plan-annex')[0]?.query).toMatchObject({ farmUID });
  });
});
