import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { levels, presets } from '@headrace/contract/permissions';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import './advice-page.tsx';
import { buildAdvice, buildGroup, buildLedgerDay, withoutStart } from './advice-fixtures.ts';

const PATH = `/irrigation-advice/${rakaia._id}`;
const serve = (advice = buildAdvice()) => new FakeApi().on('GET /irrigation-advice', advice);
const open = async (api = serve(), search = '') => {
  const app = renderApp(`${PATH}${search}`, { api });
  await screen.findByRole('list', { name: 'Groups' });
  return app;
};
const card = (name: string) => {
  const item = screen.getByRole('heading', { name }).closest('li');
  if (!item) throw new Error('no such card');
  return item;
};

describe('irrigation advice', () => {
  test('says what to give, why, and what every number rests on', async () => {
    await open();
    const text = card('North').textContent;
    for (const part of [
      'Give 2 cycles, 9.7 mm',
      '62 % of full: lacks 25 mm of 65 mm',
      'It is at or below 65 %, at which to irrigate.',
      'A cycle gives 4.8 mm, 4.1 mm of it to the roots; filled up to 80 %.',
      'Tomorrow: lacks 21 mm, 68 % of full, nothing due',
      'Tuesday: lacks 25 mm, 61 % of full, 3 cycles due',
      'defaults: nobody entered others',
      'since the evening of 11/19/2026; rain of 2 days not known, counted as dry',
      '4.8 mm by what was last sent',
    ])
      expect(text).toContain(part);
    expect(screen.getByText(/It sends nothing and changes no schedule/)).toBeTruthy();
    expect(screen.getByText('What fell by the gauge of Line A soil')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'timeline' }).getAttribute('href')).toBe(
      `/schedules/view/${rakaia._id}?tab=timeline`,
    );
  });

  test('of a group of which nobody said what it lacked asks for it', async () => {
    await open();
    const text = card('South').textContent;
    expect(text).toContain('Not known');
    expect(text).toContain('Nobody has said yet what the soil lacked on any evening');
    expect(text).toContain('last heard never');
    // The others have one.
    expect(screen.queryByRole('region', { name: 'Where to begin' })).toBeNull();
  });

  test('of a farm where no group has a start says once where to begin', async () => {
    const groups = [
      buildGroup(withoutStart),
      buildGroup({ ...withoutStart, groupUID: uid(77), name: 'East' }),
    ];
    await open(serve(buildAdvice({ groups })));
    const start = within(screen.getByRole('region', { name: 'Where to begin' }));
    expect(start.getByText(/Enter it for the farm, and it holds for all groups\.$/)).toBeTruthy();
    expect(start.getByRole('link', { name: 'Enter what the soil lacked' }).getAttribute('href')).toBe(
      `${PATH}?edit=farm`,
    );
  });

  test('is held back for rain, and says when it is due again', async () => {
    const group = buildGroup();
    const held = buildGroup({
      advice: group.advice && {
        ...group.advice,
        heldBackUntil: '2026-11-22T17:00:00.000Z',
        rainAheadMm: 14,
      },
    });
    await open(serve(buildAdvice({ groups: [held] })));
    const text = card('North').textContent;
    expect(text).toContain('Wait until 06:00 tomorrow');
    expect(text).toContain(
      '2 cycles would be due, and 14 mm of rain are still forecast for today and tomorrow.',
    );
  });

  test('that hangs on sprinklers that were not heard is not sure', async () => {
    const group = buildGroup();
    const unsure = buildGroup({
      leastMm: 19.8,
      notKnown: 7,
      advice: group.advice && { ...group.advice, leastCycles: 0 },
    });
    await open(serve(buildAdvice({ groups: [unsure] })));
    const text = card('North').textContent;
    expect(text).toContain(
      'Not sure: if the sprinklers that were not heard watered, it lacks 20 mm and nothing is due.',
    );
    expect(text).toContain('7 waterings not known, counted as the least they gave');
  });

  test('without a weather source says so', async () => {
    await open(serve(buildAdvice({ weather: null, gauge: null, groups: [withoutStart] })));
    expect(
      screen.getByText('No weather source is set up: what the crop uses has to be entered'),
    ).toBeTruthy();
    expect(screen.getByText('No rain gauge reports: what fell has to be entered')).toBeTruthy();
  });

  test('of a farm without groups names the next step, and that can not be loaded is asked for again', async () => {
    const api = serve(buildAdvice({ groups: [] }));
    renderApp(PATH, { api });
    expect(await screen.findByText('The farm has no groups yet.')).toBeTruthy();
    document.body.innerHTML = '';
    const failing = new FakeApi().on('GET /irrigation-advice', new Failure(403, 'Ask the owner.'));
    const { user } = renderApp(PATH, { api: failing });
    expect(await screen.findByText("The irrigation advice couldn't be loaded")).toBeTruthy();
    failing.on('GET /irrigation-advice', buildAdvice());
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Give 2 cycles, 9.7 mm')).toBeTruthy();
  });

  test('keeps the days with forecast and measured rain apart, and what was advised and done', async () => {
    const api = serve().on('GET /irrigation-advice/ledger', { days: [buildLedgerDay()] });
    const { user } = await open(api);
    await user.click(within(card('North')).getByText(/Day by day/));
    const row = await screen.findByRole('row', { name: /^11\/21\/2026/ });
    expect(
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual([
      '4.5 forecast',
      '4.3',
      '6.0',
      '1.0 gauge',
      '2.4, 1 not known',
      '24.8 mm, 62 %',
      '2 cycles, 9.7 mm, held back for rain',
      'Two rounds from noon, Olive Owner',
    ]);
  });

  test('offers who may only read nothing to enter', async () => {
    const reads = { ...presets.none, farms: levels.Read, schedules: levels.Read };
    await open(serve().on('GET /permissions-list', { permissions: [permissionsOn(rakaia, reads)] }));
    expect(screen.queryByRole('link', { name: 'Soil and crop of North' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Enter a day’s weather' })).toBeNull();
  });
});

describe('what is entered', () => {
  test('of a soil is sent with what the form had', async () => {
    const api = serve().on('PUT /irrigation-advice/settings', buildGroup().settings);
    const { user } = await open(api);
    await user.click(screen.getByRole('link', { name: 'Soil and crop of South' }));
    await user.click(await screen.findByLabelText(/^Soil and crop of its own/));
    await user.selectOptions(screen.getByLabelText(/^Soil(?! probe| and)/), 'Loam');
    await user.type(screen.getByLabelText(/^On the evening of/), '19/11/2026');
    await user.type(screen.getByLabelText(/^It lacked/), '12.5');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(api.calls('PUT /irrigation-advice/settings')).toHaveLength(1));
    expect(api.calls('PUT /irrigation-advice/settings')[0]?.body).toEqual({
      farmUID: rakaia._id,
      groupUID: uid(8002),
      version: 0,
      soil: {
        awcMmPerM: 155,
        rootM: 0.5,
        kc: 0.95,
        easyShare: 0.6,
        triggerShare: 0.65,
        targetShare: 0.8,
        efficiency: 0.85,
      },
      knownDay: '2026-11-19',
      knownMm: 12.5,
      probeUID: null,
      refillKpa: null,
      usualEt0Mm: null,
      rainSiteUID: null,
    });
    expect(await screen.findByRole('list', { name: 'Groups' })).toBeTruthy();
  });

  test.each([
    ['23/11/2026', 'This day is still to come.'],
    ['2026-13-45', 'This day does not exist.'],
  ])('and can not be is said at its field: %s', async (typed, fault) => {
    const api = serve();
    const { user } = renderApp(`${PATH}?edit=${uid(8002)}`, { api });
    await user.type(await screen.findByLabelText(/^On the evening of/), typed);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(fault)).toBeTruthy();
    expect(api.calls('PUT /irrigation-advice/settings')).toEqual([]);
  });

  test('of a day’s weather counts for all groups', async () => {
    const api = serve().on('PUT /irrigation-advice/day', { success: true });
    const { user } = await open(api);
    await user.click(screen.getByRole('button', { name: 'Enter a day’s weather' }));
    const dialog = await screen.findByRole('dialog', { name: 'A day’s weather' });
    await user.type(within(dialog).getByLabelText(/^Rain that fell/), '3.5');
    await user.click(within(dialog).getByRole('button', { name: 'Enter' }));
    await waitFor(() => expect(api.calls('PUT /irrigation-advice/day')).toHaveLength(1));
    expect(api.calls('PUT /irrigation-advice/day')[0]?.body).toEqual({
      farmUID: rakaia._id,
      day: '2026-11-22',
      et0Mm: null,
      rainMm: 3.5,
    });
  });
});
