import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterContextProvider } from '@tanstack/react-router';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import type { Incident } from '@headrace/contract/alerts';
import type { FlowSummary } from '@headrace/contract/flow';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { SoilSite } from '@headrace/contract/soil-moisture';
import type { TankSummary } from '@headrace/contract/tanks';
import { createQueryClient } from '../../api/queries.ts';
import { createAppRouter } from '../../app/router.tsx';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import {
  buildFarm,
  emptySite,
  HOUR,
  MINUTE,
  noSprinklers,
  permissionsOn,
  rakaia,
  uid,
} from '../../testing/fixtures.ts';
import { buildCommand } from '../commands/command-fixtures.ts';
import { buildNotifications } from '../notifications/notification-fixtures.ts';
import { buildProof } from '../irr-diary/diary-fixtures.ts';
import { buildIncident } from '../alerts/alert-fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { ago, buildInfo, buildTank, pump } from '../../testing/tank-fixtures.ts';
import { TankLevels } from '../tanks/tank-levels.tsx';
import { releaseAfter } from './card-slot.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const withTanks = (...tanks: TankSummary[]) =>
  new FakeApi().on('GET /lvl/suminfo', { tanks }).on('GET /level/full-info', ({ query }) => {
    const tank = tanks.find(({ _id }) => _id === query.sensorUid);
    return tank ? buildInfo(tank) : new Failure(404, 'not there');
  });
const card = (name: string) => screen.findByRole('article', { name });

/** The line's height is known: what comes late has its place, however slow the machine is. */
const visitedBefore = () =>
  localStorage.setItem(`headrace.height.attention.${rakaia._id}`, JSON.stringify([[innerWidth, 60]]));

describe('the dashboard', () => {
  test('shows the farm, and says what needs a person before all else', async () => {
    const api = withTanks(
      buildTank(1),
      buildTank(2, { statusTime: ago(5 * HOUR) }),
      buildTank(3, { level: { value: 9, valueInLitres: 2250, invalid: false } }),
      buildTank(4, { batteryVoltage: 3.3 }),
    );
    const { user, router } = renderApp('/dashboard', { api });
    const heading = await screen.findByRole('heading', { level: 1, name: 'Rākaia Downs' });
    // The farm's own icon: the blue one's sky.
    expect(heading.querySelector('svg rect')?.getAttribute('fill')).toBe('#cfe5f8');
    expect(screen.getByText('Dairy, 420 ha by the river')).toBeTruthy();
    const list = await screen.findByRole('list', { name: 'Needs attention' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['Low levelTank 3 9\u00a0%', 'Out of contactTank 2', 'Low batteryTank 4']);
    // One tap from the fact to its tank.
    await user.click(within(list).getByRole('link', { name: 'Tank 3 9\u00a0%' }));
    expect(await screen.findByRole('dialog', { name: /Tank 3/ })).toBeTruthy();
    expect(router.state.location.search).toMatchObject({ tank: buildTank(3)._id });
  });

  test('on a phone shows the worst three of five kinds, and the others when asked', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.startsWith('(max-width'),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));
    const api = withTanks(
      buildTank(1, { statusTime: ago(5 * HOUR) }),
      buildTank(2, { leakDetected: true }),
      buildTank(3, { level: { value: 9, valueInLitres: 2250, invalid: false } }),
      buildTank(4, { level: { value: null, valueInLitres: null, invalid: true } }),
      buildTank(5, { batteryVoltage: 3.3 }),
    );
    const { user } = renderApp('/dashboard', { api });
    const list = await screen.findByRole('list', { name: 'Needs attention' });
    const kinds = () =>
      within(list)
        .getAllByRole('listitem')
        .map((item) => item.textContent);
    const worst = ['Possible leakTank 2', 'Low levelTank 3 9\u00a0%', 'Out of contactTank 1'];
    expect(kinds()).toEqual([...worst, 'and 2 more']);
    await user.click(within(list).getByRole('button', { name: 'and 2 more' }));
    expect(kinds()).toEqual([...worst, 'Invalid sensor valueTank 4', 'Low batteryTank 5', 'Show fewer']);
    await user.click(within(list).getByRole('button', { name: 'Show fewer', expanded: true }));
    expect(kinds()).toEqual([...worst, 'and 2 more']);
  });

  test('keeps what ended badly until it is seen: by a button, or by a look at the command', async () => {
    const failed = (n: number, name: string) => ({
      _id: uid(n),
      title: 'Valve Off',
      name,
      isForGateway: false,
      total: 1,
      failed: 1,
      unanswered: 0,
      leftOut: 0,
    });
    const api = withTanks(buildTank(1)).on('GET /commands/unseen', {
      commands: [failed(1, 'P001'), failed(2, 'P002'), failed(3, 'P003')],
    });
    const { user } = renderApp('/dashboard', { api });
    const list = within(await screen.findByRole('list', { name: 'Needs attention' }));
    const link = await list.findByRole('link', { name: 'P002 did not take Valve Off' });
    expect(link.getAttribute('href')).toMatch(`/commands/${rakaia._id}?command=${uid(2)}`);
    list.getByRole('button', { name: 'Seen: P001 did not take Valve Off' }).focus();
    await user.keyboard('{Enter}');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Seen: P002 did not take Valve Off');
    await waitFor(() => expect(list.queryByText('P001 did not take Valve Off')).toBeNull());
    expect(api.calls('POST /commands/seen').map(({ body }) => body)).toEqual([
      { farmUID: rakaia._id, commandId: uid(1) },
    ]);
    // Seen on another page.
    api.on('GET /commands/unseen', { commands: [failed(3, 'P003')] });
    act(() =>
      FakeSocket.last.push({ type: 'command_seen', data: { farmUID: rakaia._id, commandId: uid(2) } }),
    );
    await waitFor(() => expect(list.queryByText('P002 did not take Valve Off')).toBeNull());
    // What could not be said comes back.
    api.on('POST /commands/seen', new Failure(503, 'Not now.'));
    await user.click(list.getByRole('button', { name: 'Seen: P003 did not take Valve Off' }));
    expect(await screen.findByText('Not now.')).toBeTruthy();
    expect(await screen.findByRole('link', { name: 'P003 did not take Valve Off' })).toBeTruthy();
  });

  test('shows what has ended badly since it was opened', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const api = withTanks(buildTank(1)).on('GET /commands/unseen', { commands: [] });
    renderApp('/dashboard', { api });
    await screen.findByText('1 tank is in contact, with nothing wrong.');
    const failed = { _id: uid(5001), title: 'Poll', name: 'P001', isForGateway: false, total: 1 };
    api.on('GET /commands/unseen', { commands: [{ ...failed, failed: 1, unanswered: 0, leftOut: 0 }] });
    const data = buildCommand(1, { command: 'Poll', state: 'failed' });
    act(() => FakeSocket.last.push({ type: 'command_update', data }));
    expect(await screen.findByRole('link', { name: 'P001 did not take Poll' })).toBeTruthy();
  });

  test('counts the sprinklers that nobody ever heard, and leads to them', async () => {
    const counts = { ...noSprinklers, failed: 300, neverContacted: 300, total: 300 };
    renderApp('/dashboard', { api: withTanks(buildTank(1)).on('GET /ipc/status', counts) });
    const list = within(await screen.findByRole('list', { name: 'Needs attention' }));
    const link = await list.findByRole('link', { name: '300 sprinklers' });
    expect(link.getAttribute('href')).toBe(`/group-status/FARM?farm=${rakaia._id}&filter=outcomm`);
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Never contacted300 sprinklers',
    ]);
  });

  test('counts the sprinklers that missed the last watering, and leads to its diary', async () => {
    const round = { from: ago(9 * HOUR), to: ago(0), startAt: ago(9 * HOUR), endAt: ago(8 * HOUR) };
    const api = withTanks(buildTank(1)).on('GET /irr-diary-logs/last', buildProof({ round, missed: 12 }));
    renderApp('/dashboard', { api });
    const list = within(await screen.findByRole('list', { name: 'Needs attention' }));
    const link = await list.findByRole('link', { name: '12 sprinklers' });
    expect(link.getAttribute('href')).toBe(`/irr-diary-logs/view/${rakaia._id}`);
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Last watering missed or cut short12 sprinklers',
    ]);
  });

  test('says so when all is well', async () => {
    renderApp('/dashboard', { api: withTanks(buildTank(1), buildTank(2)) });
    expect(await screen.findByText('2 tanks are in contact, with nothing wrong.')).toBeTruthy();
  });

  test('says that it can’t tell where readings could not be loaded, and asks for all of them again', async () => {
    const broken = new Failure(500, 'Broken.');
    const api = withTanks()
      .on('GET /lvl/suminfo', broken)
      .on('GET /tank/site-info', broken)
      .on('GET /flow/suminfo', broken)
      .on('GET /telemetry/sites', broken)
      .on('GET /ipc/status', broken)
      .on('GET /insights', broken)
      .on('GET /gateway/monitor', broken);
    const { user } = renderApp('/dashboard', { api });
    const line = await screen.findByText(/^Can't tell whether anything is wrong/);
    await waitFor(() =>
      expect(line.textContent).toBe(
        "Can't tell whether anything is wrong: tanks, gateways and repeaters, flow meters, soil sites, sprinklers and leak watch couldn't be loaded.",
      ),
    );
    api
      .on('GET /lvl/suminfo', { tanks: [buildTank(1), buildTank(2)] })
      .on('GET /tank/site-info', emptySite)
      .on('GET /flow/suminfo', { flows: [] })
      .on('GET /telemetry/sites', { sites: [] })
      .on('GET /ipc/status', noSprinklers)
      .on('GET /insights', { at: ago(0), tanks: [], meters: [], sites: [] })
      .on('GET /gateway/monitor', null);
    await user.click(screen.getByRole('button', { name: 'Retry all' }));
    expect(await screen.findByText('2 tanks are in contact, with nothing wrong.')).toBeTruthy();
    expect(screen.queryByText(/Can't tell/)).toBeNull();
    expect(screen.queryByRole('button', { name: /^Retry/ })).toBeNull();
  });

  test('says what is wrong as far as it is known, and that there may be more', async () => {
    const api = withTanks(buildTank(1, { statusTime: ago(5 * HOUR) })).on(
      'GET /flow/suminfo',
      new Failure(500, 'Broken.'),
    );
    renderApp('/dashboard', { api });
    expect(
      await screen.findByText("Can't tell whether anything else is wrong: flow meters couldn't be loaded."),
    ).toBeTruthy();
    expect(screen.getByRole('list', { name: 'Needs attention' }).textContent).toMatch(/Tank 1/);
  });

  test('says what alerts told in the words in which they told it, and is not calm meanwhile', async () => {
    const frost = 'The forecast says -2 °C for tomorrow. See to what frost harms.';
    const open = [
      buildIncident(71, rakaia._id, { kind: 'Frost', message: frost, answeredBy: 'Mere' }),
      buildIncident(72, uid(2), { message: 'Of another farm.' }),
    ];
    const api = withTanks(buildTank(1)).on('GET /alerts/open', { open, cut: [], inBellAlone: [] });
    visitedBefore();
    const { router, user } = renderApp('/dashboard', { api });
    const list = await screen.findByRole('list', { name: 'Open alerts' });
    expect(list.textContent).toBe(`${frost}Mere is on it.`);
    expect(screen.queryByText(/with nothing wrong/)).toBeNull();
    await user.click(within(list).getByRole('link', { name: frost }));
    expect(router.state.location.pathname).toBe('/alerts');
    expect(router.state.location.search).toEqual({ farm: rakaia._id, incident: uid(71) });
  });

  test('tells alerts that come late in a line that was kept for them, below what was in sight before', async () => {
    let come: (told: { open: Incident[]; cut: string[]; inBellAlone: string[] }) => void = () => undefined;
    const low = buildTank(1, { level: { value: 9, valueInLitres: 2250, invalid: false } });
    const api = withTanks(low).on('GET /alerts/open', () => new Promise((resolve) => (come = resolve)));
    renderApp('/dashboard', { api });
    const kept = await screen.findByText('Looking for alerts…');
    const list = screen.getByRole('list', { name: 'Needs attention' });
    const follows = Node.DOCUMENT_POSITION_FOLLOWING;
    expect(list.compareDocumentPosition(kept) & follows).toBe(follows);
    // The line may be drawn before its question has gone out.
    await waitFor(() => expect(api.calls('GET /alerts/open')).toHaveLength(1));
    await act(async () =>
      come({ open: [buildIncident(71, rakaia._id, { kind: 'Frost' })], cut: [rakaia._id], inBellAlone: [] }),
    );
    await waitFor(() => expect(kept.textContent).toBe('At least 1 open alert'));
    expect(screen.queryByRole('list', { name: 'Open alerts' })).toBeNull();
  });

  test('what an alert in sight tells of a tank has no second line, and a low tank that none tells of has one', async () => {
    const level = (value: number) => ({ value, valueInLitres: value * 250, invalid: false });
    const told = { since: ago(HOUR), endedAt: null, sentence: 'Tank 1 is at 9 %, below 20 %.' };
    const alert = buildIncident(71, rakaia._id, {
      message: told.sentence,
      devices: [{ uid: buildTank(1)._id, name: 'Tank 1', ...told }],
    });
    const api = withTanks(buildTank(1, { level: level(9) }), buildTank(2, { level: level(12) })).on(
      'GET /alerts/open',
      { open: [alert], cut: [], inBellAlone: [] },
    );
    visitedBefore();
    renderApp('/dashboard', { api });
    const [line] = await screen.findAllByRole('list', { name: 'Open alerts' });
    expect(line?.textContent).toBe(told.sentence);
    const below = screen.getByRole('list', { name: 'Needs attention' });
    expect(below.textContent).toBe('Low levelTank 2 12\u00a0%');
  });

  test('asks for alerts without waiting for what it tells below them', async () => {
    const api = withTanks().on('GET /lvl/suminfo', () => new Promise(() => undefined));
    renderApp('/dashboard', { api });
    await waitFor(() => expect(api.calls('GET /alerts/open')).toHaveLength(1));
  });

  test('says that nobody hears of a farm while the app is closed, and one tap brings e-mails', async () => {
    let inBellAlone = [rakaia._id];
    const api = withTanks(buildTank(1))
      .on('GET /alerts/open', () => ({ open: [], cut: [], inBellAlone }))
      .on('GET /notifications', buildNotifications([]))
      .on('PUT /notification/settings', ({ body }) => {
        inBellAlone = [];
        return body;
      });
    const { user } = renderApp('/dashboard', { api });
    const text = /while Headrace is closed, nobody hears of what happens/;
    expect(await screen.findByText(text)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Send me e-mails' }));
    await waitFor(() => expect(screen.queryByText(text)).toBeNull());
    expect(api.calls('PUT /notification/settings')[0]?.body).toMatchObject({ sendEmail: true });
  });

  test('a tank that is silent with its gateway says that it is behind it, and one that is low says so as it was told', async () => {
    const told = { since: ago(HOUR), endedAt: null };
    const gateway = buildIncident(71, rakaia._id, {
      kind: 'OutOfContact',
      devices: [{ uid: uid(80), name: 'Home shed', sentence: 'Gateway Home shed is offline.', ...told }],
    });
    const low = buildIncident(72, rakaia._id, {
      devices: [
        { uid: buildTank(2)._id, name: 'Tank 2', sentence: 'Tank 2 is at 9 %, below 20 %.', ...told },
      ],
    });
    const api = withTanks(
      buildTank(1, { statusTime: ago(5 * HOUR), gatewayUID: uid(80) }),
      buildTank(2, { gatewayUID: uid(80) }),
    ).on('GET /alerts/open', { open: [gateway, low], cut: [], inBellAlone: [] });
    renderApp('/dashboard', { api });
    expect(within(await card('Tank 1')).getByRole('list', { name: 'Open alerts' }).textContent).toBe(
      'Behind Home shed, which is offline.',
    );
    expect(within(await card('Tank 2')).getByRole('list', { name: 'Open alerts' }).textContent).toBe(
      'Tank 2 is at 9 %, below 20 %.',
    );
  });

  test('a tank whose alert the list has no room for is asked for by itself', async () => {
    const sentence = 'Tank 1 is at 9 %, below 20 %.';
    const device = { uid: buildTank(1)._id, name: 'Tank 1', sentence, since: ago(HOUR), endedAt: null };
    const api = withTanks(buildTank(1)).on('GET /alerts/open', ({ query }) => ({
      open: query.deviceUID === device.uid ? [buildIncident(72, rakaia._id, { devices: [device] })] : [],
      cut: [rakaia._id],
      inBellAlone: [],
    }));
    renderApp('/dashboard', { api });
    const list = await within(await card('Tank 1')).findByRole('list', { name: 'Open alerts' });
    expect(list.textContent).toBe(sentence);
  });

  test('without its open alerts it says that it can not tell', async () => {
    const api = withTanks(buildTank(1)).on('GET /alerts/open', new Failure(500, 'Broken.'));
    renderApp('/dashboard', { api });
    expect(
      await screen.findByText("Can't tell whether anything is wrong: alerts couldn't be loaded."),
    ).toBeTruthy();
  });

  test('a farm without a description has the default one', async () => {
    const bare = buildFarm(1);
    const api = withTanks().on('GET /farms-card', [bare]);
    renderApp('/dashboard', { api });
    expect(await screen.findByText('No description')).toBeTruthy();
  });

  test('shows the cards that the person chose for this farm; without any it says so', async () => {
    const hidden = { info: { id: rakaia._id }, dashboard: { cards: [{ type: 'Tank', visible: false }] } };
    const api = withTanks(buildTank(1)).on('GET /settings', { data: { farms: [hidden] }, version: 6 });
    const { router } = renderApp('/dashboard', { api });
    const choose = await screen.findByRole('link', { name: 'Choose cards' });
    expect(screen.queryByRole('heading', { name: 'Tank Levels' })).toBeNull();
    await act(async () => choose.click());
    expect(await screen.findByRole('dialog', { name: 'Dashboard Card Order & Visibility' })).toBeTruthy();
    act(() => FakeSocket.last.push({ type: 'settings', data: { data: {}, version: 6 } }));
    expect(await screen.findByRole('heading', { name: 'Tank Levels', hidden: true })).toBeTruthy();
    expect(router.state.location.pathname).toBe('/dashboard');
  });

  test('an empty list says so, with the next step beside it', async () => {
    renderApp('/dashboard', { api: withTanks() });
    expect(await screen.findByText('No items to display.')).toBeTruthy();
    expect(screen.getByText(/Add a tank's level sensor, a flow meter or a soil/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Add a sprinkler' }).getAttribute('href')).toBe(
      `/irrigation-device/new/${rakaia._id}`,
    );
  });

  test('a failure says what failed and tries again', async () => {
    const api = withTanks().on('GET /lvl/suminfo', new Failure(403, 'Not for you.'));
    const { user } = renderApp('/dashboard', { api });
    expect(await screen.findByText("The tanks couldn't be loaded")).toBeTruthy();
    expect(screen.getByText('Not for you.')).toBeTruthy();
    api.on('GET /lvl/suminfo', { tanks: [buildTank(1)] });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await card('Tank 1')).toBeTruthy();
  });
});

describe('the cards', () => {
  const site: SoilSite = {
    id: uid(4001),
    name: 'North block',
    serialNumber: 'SM4001',
    lat: null,
    lng: null,
    swp1_name: 'Shallow',
    swp2_name: 'Deep',
    statusTime: ago(MINUTE),
    isOutOfContact: false,
    invalidProbes: [],
  };
  const meter: FlowSummary = {
    _id: uid(3001),
    name: 'Main line',
    serialNumber: 'FM3001',
    statusTime: ago(MINUTE),
    isOutOfContact: false,
    invalid: false,
    value: { litresPerSecond: 1, litresPerHour: 3600, cubicMetresDay: 86.4 },
    history: [],
  };
  const headings = () => screen.getAllByRole('heading', { level: 2 }).map((element) => element.textContent);
  const place = (name: string) => screen.getByRole('region', { name }).parentElement;
  const refused = () => new Failure(403, 'Not for you.');

  test('stand in the order chosen, two halves beside each other; without data a card is not there', async () => {
    const cards = ['IO', 'Tank', 'Flow', 'SoilMoisture'].map((type) => ({ type, visible: true }));
    const farm = { info: { id: rakaia._id }, dashboard: { cards } };
    const api = withTanks(buildTank(1))
      .on('GET /settings', { data: { farms: [farm] }, version: 6 })
      .on('GET /flow/suminfo', refused())
      .on('GET /gateway/monitor', refused());
    renderApp('/dashboard', { api });
    await screen.findByText("The flow meters couldn't be loaded");
    const order = ['Tank Levels', 'Gateway I/O', 'Flow Meters', 'Sprinkler Status'];
    await waitFor(() => expect(headings()).toEqual(order));
    expect(place('Gateway I/O')?.hasAttribute('data-half')).toBe(true);
    expect(place('Flow Meters')?.hasAttribute('data-half')).toBe(true);
    expect(place('Tank Levels')?.hasAttribute('data-half')).toBe(false);
  });

  test('are what the attention line leads to: a leak behind a meter, a soil sensor without a tension; tanks open', async () => {
    const signs = { kind: 'night-flow', since: ago(48 * HOUR), confidence: 'medium', basis: '' } as const;
    const leak = { ...signs, litresPerHour: 40, litresSoFar: 900 };
    const quiet = { untilEmpty: null, noForecast: '', pump: null };
    const api = withTanks(
      buildTank(1),
      buildTank(2, { level: { value: null, valueInLitres: null, invalid: true } }),
    )
      .on('GET /flow/suminfo', { flows: [meter] })
      .on('GET /telemetry/sites', { sites: [{ ...site, invalidProbes: ['swp2'] }] })
      .on('GET /telemetry/soil-moisture', { span: 'reading', data: [] })
      .on('GET /insights', {
        at: ago(0),
        tanks: [{ _id: buildTank(1)._id, name: 'Tank 1', ...quiet, leak }],
        meters: [{ _id: meter._id, name: meter.name, leak }],
        sites: [],
      });
    renderApp('/dashboard', { api });
    const line = within(await screen.findByRole('list', { name: 'Needs attention' }));
    const href = async (name: string) => (await line.findByRole('link', { name })).getAttribute('href');
    expect(await href('Tank 1')).toMatch(`tank=${buildTank(1)._id}`);
    expect(await href('behind Main line')).toMatch(`#meter-${meter._id}`);
    const own = within(await screen.findByRole('list', { name: 'Flow now' })).getByRole('link', {
      name: 'Main line',
    });
    expect(own.getAttribute('href')).toBe(`/sensor-device/${rakaia._id}/${meter._id}`);
    expect(own.closest(`#meter-${meter._id}`)).toBeTruthy();
    expect(await href('North block')).toMatch(/#card-soilmoisture$/);
    expect(await href('Tank 2')).toMatch(`tank=${buildTank(2)._id}`);
    // Told once, in one colour, and no green tick stands beside it.
    const leaking = within(await card('Tank 1'));
    expect(leaking.getAllByText(/leak/i).map((element) => element.textContent)).toEqual([
      expect.stringMatching(/^Possible leak detected: about 40 L\/h/),
    ]);
    expect(leaking.getByRole('img', { name: 'Possible leak' })).toBeTruthy();
  });

  test('one that failed to load says so and comes after Retry, or goes when it has nothing', async () => {
    const api = withTanks(buildTank(1)).on('GET /gateway/monitor', refused());
    const { user } = renderApp('/dashboard', { api });
    await screen.findByText("The inputs and relays couldn't be loaded");
    const failed = within(screen.getByRole('region', { name: 'Gateway I/O' }));
    api.on('GET /gateway/monitor', null);
    await user.click(failed.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Gateway I/O' })).toBeNull());
  });

  test('of a farm of tanks are its tanks alone; nothing else is asked for', async () => {
    const tanks = new FakeApi()
      .on('GET /farms-card', [{ ...rakaia, tankOnly: true }])
      .on('GET /lvl/suminfo', { tanks: [buildTank(1)] })
      .on('GET /flow/suminfo', { flows: [meter] })
      .on('GET /telemetry/sites', { sites: [site] });
    renderApp('/dashboard', { api: tanks });
    await card('Tank 1');
    expect(headings()).toEqual(['Tank Levels']);
    expect(tanks.calls('GET /flow/suminfo')).toEqual([]);
    expect(tanks.calls('GET /gateway/monitor')).toEqual([]);
  });

  test('that one may not read are not there', async () => {
    const row = permissionsOn(rakaia, { ...presets.none, dashboard: true });
    const api = withTanks(buildTank(1))
      .on('GET /permissions-list', { permissions: [row] })
      .on('GET /telemetry/sites', { sites: [site] });
    renderApp('/dashboard', { api });
    await card('Tank 1');
    await screen.findByText('1 tank and 1 soil site are in contact, with nothing wrong.');
    // How many sprinklers there are is for everybody who may see the dashboard.
    expect(headings()).toEqual(['Tank Levels', 'Sprinkler Status']);
  });

  test('wait behind a loading sign, and come at once with their data', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
    let answer: (reply: { tanks: TankSummary[] }) => void = () => undefined;
    // One answer, however often it is asked for.
    const reply = new Promise<{ tanks: TankSummary[] }>((resolve) => (answer = resolve));
    const api = withTanks().on('GET /lvl/suminfo', () => reply);
    renderApp('/dashboard', { api });
    const region = within(await screen.findByRole('region', { name: 'Tank Levels' }));
    expect(region.getByRole('status').textContent).toBe('Loading');
    await act(async () => answer({ tanks: [buildTank(1)] }));
    await act(() => vi.advanceTimersByTimeAsync(50));
    await act(() => vi.advanceTimersByTimeAsync(50));
    expect(await card('Tank 1')).toBeTruthy();
  });

  test('are remembered with their first calls, which the next visit makes early', async () => {
    const row = permissionsOn(rakaia, presets.farmManager);
    const api = withTanks(buildTank(1)).on('GET /permissions-list', { permissions: [row] });
    renderApp('/dashboard', { api });
    await card('Tank 1');
    const { farmUID, urls } = JSON.parse(localStorage.getItem('headrace.first-calls') ?? '{}');
    expect(farmUID).toBe(rakaia._id);
    expect(urls).toEqual([
      `/v1/farm?uid=${rakaia._id}`,
      `/v1/tank/site-info?farmUID=${rakaia._id}`,
      `/v1/telemetry/sites?farmUID=${rakaia._id}`,
      `/v1/lvl/suminfo?farmUID=${rakaia._id}`,
      `/v1/flow/suminfo?farmUID=${rakaia._id}`,
      `/v1/ipc/status?farmUID=${rakaia._id}`,
      `/v1/gateway/monitor?farmUID=${rakaia._id}`,
    ]);
  });

  test('a farm without anything tells a guest what it waits for, and offers no form', async () => {
    const row = permissionsOn(rakaia, presets.guest);
    const api = withTanks().on('GET /permissions-list', { permissions: [row] });
    renderApp('/dashboard', { api });
    expect(await screen.findByText('No items to display.')).toBeTruthy();
    expect(screen.getByText(/once the farm's manager has added them/)).toBeTruthy();
    expect(screen.queryByRole('link', { name: /^Add/ })).toBeNull();
  });

  test('a farm without anything leads those who may to a new sensor', async () => {
    renderApp('/dashboard', { api: withTanks() });
    const link = await screen.findByRole('link', { name: 'Add a sensor' });
    expect(link.getAttribute('href')).toBe(`/sensor-device/new/${rakaia._id}`);
  });
});

test.each([
  [0, 1, 800],
  [0, 5, 800],
  [2, 5, 1200],
  [4, 5, 1600],
])('the loading sign of card %d of %d ends after %d ms', (index, count, ms) => {
  expect(releaseAfter(index, count)).toBe(ms);
});

describe('a tank card', () => {
  test('cards stand by name, without regard to case', async () => {
    const names = ['yards', 'Back Dam', 'hill 10', 'Hill 2'];
    renderApp('/dashboard', { api: withTanks(...names.map((name, n) => buildTank(n, { name }))) });
    await card('yards');
    expect(
      screen.getAllByRole('article').map((element) => within(element).getByRole('heading').textContent),
    ).toEqual(['Back Dam', 'Hill 2', 'hill 10', 'yards']);
  });

  test('a list without any says that there are none', async () => {
    vi.stubGlobal('fetch', withTanks().fetch);
    const queryClient = createQueryClient();
    render(
      <RouterContextProvider router={createAppRouter(queryClient, createMemoryHistory())}>
        <QueryClientProvider client={queryClient}>
          <MantineProvider>
            <TankLevels farmUID={rakaia._id} />
          </MantineProvider>
        </QueryClientProvider>
      </RouterContextProvider>,
    );
    expect(await screen.findByText('No items to display.')).toBeTruthy();
    expect(screen.getByText(/Add a tank's level sensor to this farm/)).toBeTruthy();
  });

  test('shows level, litres, direction, flow, pump and age', async () => {
    const tank = buildTank(1, {
      type: sensorTypes.TLM_V3,
      description: 'Feeds the house',
      trending: -1,
      flow: { flowrate: 12.44, direction: 1, leakDetected: false },
      pumpControl: pump(),
    });
    renderApp('/dashboard', { api: withTanks(tank) });
    const element = within(await card('Tank 1'));
    expect(element.getByText('Feeds the house')).toBeTruthy();
    expect(element.getByText('62')).toBeTruthy();
    expect(element.getByText('15,500')).toBeTruthy();
    expect(element.getByText('falling')).toBeTruthy();
    expect(element.getByRole('link', { name: 'Flow of Tank 1: 12.4 litres a minute out' })).toBeTruthy();
    expect(element.getByRole('link', { name: 'Pump running: Tank 1' })).toBeTruthy();
    expect(element.getByText('6 min ago')).toBeTruthy();
    expect(element.getByText('Pump on at 35 %. Pump off at 85 %.')).toBeTruthy();
  });

  test('a flow whose direction the meter does not tell has none', async () => {
    const flow = { flowrate: 12.44, direction: null, leakDetected: false };
    renderApp('/dashboard', { api: withTanks(buildTank(1, { type: sensorTypes.TLM_V3, flow })) });
    const element = within(await card('Tank 1'));
    expect(element.getByRole('link', { name: 'Flow of Tank 1: 12.4 litres a minute' })).toBeTruthy();
    expect(element.queryByText(/\b(in|out)$/)).toBeNull();
  });

  test.each([
    ['Pump stopped', pump({ relayState: false })],
    ['Pump control disabled', pump({ relayControl: false })],
  ])('the pump icon says %s', async (text, pumpControl) => {
    renderApp('/dashboard', { api: withTanks(buildTank(1, { pumpControl })) });
    expect(within(await card('Tank 1')).getByRole('link', { name: `${text}: Tank 1` })).toBeTruthy();
  });

  test('a tank without a pump shows none', async () => {
    renderApp('/dashboard', { api: withTanks(buildTank(1)) });
    expect(within(await card('Tank 1')).queryByText(/pump/i)).toBeNull();
    expect(within(await card('Tank 1')).queryByRole('link', { name: /pump/i })).toBeNull();
  });

  const drawing = async () => {
    const gauge = (await card('Tank 1')).querySelector('svg[data-level]');
    if (!gauge) throw new Error('No tank is drawn.');
    // The water's way in the drawing is from 122 at the floor to 18 at the brim.
    const water = gauge.querySelector<SVGGElement>('g[style]')?.style.getPropertyValue('--y');
    return { gauge, drawnPercent: (100 * (122 - parseFloat(water ?? ''))) / 104 };
  };

  test.each([
    [3, 'red', 5],
    [20, 'amber', 20],
    [50, 'default', 50],
    [98, 'default', 95],
  ])('of %d percent is drawn in the colour %s, with water up to %d', async (value, colour, drawn) => {
    const level = { value, valueInLitres: 1000, invalid: false };
    renderApp('/dashboard', { api: withTanks(buildTank(1, { level })) });
    const { gauge, drawnPercent } = await drawing();
    expect(gauge.getAttribute('data-level')).toBe(colour);
    expect(drawnPercent).toBeCloseTo(drawn, 6);
  });

  test.each([
    ['moves while the level rises', { trending: 1 }, true],
    ['is still while the level is', { trending: 0 }, false],
    ['is still where nobody knows any more', { trending: 1, statusTime: ago(5 * HOUR) }, false],
  ])('its water %s', async (_name, over, isMoving) => {
    renderApp('/dashboard', { api: withTanks(buildTank(1, over)) });
    expect((await drawing()).gauge.hasAttribute('data-moving')).toBe(isMoving);
  });

  test('marks where its pump goes on and off', async () => {
    renderApp('/dashboard', { api: withTanks(buildTank(1, { pumpControl: pump() })) });
    const { gauge } = await drawing();
    const marks = [...gauge.querySelectorAll('[data-turns]')];
    expect(marks.map((mark) => [mark.getAttribute('data-turns'), mark.textContent])).toEqual([
      ['on', 'Pump on at 35 %'],
      ['off', 'Pump off at 85 %'],
    ]);
  });

  test('names what is wrong in words', async () => {
    const tank = buildTank(1, {
      level: { value: 12, valueInLitres: 3000, invalid: false },
      batteryVoltage: 3.41,
      leakDetected: true,
    });
    renderApp('/dashboard', { api: withTanks(tank) });
    const element = within(await card('Tank 1'));
    expect(element.getByText('Low level')).toBeTruthy();
    expect(element.getByText('Possible leak detected')).toBeTruthy();
    expect(element.getByText('Low battery 3.41 V')).toBeTruthy();
  });

  test('an invalid level is said, not shown as a number', async () => {
    const level = { value: null, valueInLitres: null, invalid: true };
    renderApp('/dashboard', { api: withTanks(buildTank(1, { level })) });
    const element = within(await card('Tank 1'));
    expect(element.getByText('Invalid sensor value')).toBeTruthy();
    expect(element.getByRole('img', { name: 'Invalid sensor value' })).toBeTruthy();
  });

  test('a tank that never reported has no data', async () => {
    const level = { value: null, valueInLitres: null, invalid: false };
    renderApp('/dashboard', {
      api: withTanks(buildTank(1, { level, statusTime: null, isOutOfContact: true })),
    });
    const element = within(await card('Tank 1'));
    expect(element.getAllByText('No data')).toHaveLength(2);
    expect(element.getByText("Unit couldn't be reached.")).toBeTruthy();
  });

  test('out of contact, it says for how long and hides the direction', async () => {
    const tank = buildTank(1, { statusTime: ago(5 * HOUR + 24 * MINUTE), trending: 1 });
    renderApp('/dashboard', { api: withTanks(tank) });
    const element = within(await card('Tank 1'));
    expect(element.getByText("This unit hasn't been in contact for 5 hours, 24 minutes.")).toBeTruthy();
    expect(element.queryByText('rising')).toBeNull();
    expect(element.getByRole('img', { name: 'Out of contact' })).toBeTruthy();
  });

  test('it ages before our eyes, every 10 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    renderApp('/dashboard', { api: withTanks(buildTank(1, { statusTime: ago(59 * MINUTE + 55_000) })) });
    const element = within(await card('Tank 1'));
    expect(element.getByText('59 min ago')).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(11_000));
    expect(element.getByText('1 h ago')).toBeTruthy();
  });

  test('leads to Details, Usage, Flow and the map', async () => {
    const tank = buildTank(1, {
      type: sensorTypes.TLM_V3,
      flow: { flowrate: 3, direction: 0, leakDetected: false },
    });
    renderApp('/dashboard', { api: withTanks(tank) });
    const element = within(await card('Tank 1'));
    const href = (name: RegExp) => element.getByRole('link', { name }).getAttribute('href');
    expect(href(/^Tank 1$/)).toBe(`/dashboard?farm=${rakaia._id}&tank=${tank._id}`);
    expect(href(/Usage of/)).toBe(`/dashboard?farm=${rakaia._id}&tank=${tank._id}&tab=usage`);
    expect(href(/Flow of/)).toBe(`/dashboard?farm=${rakaia._id}&tank=${tank._id}&tab=flow`);
    expect(href(/on the map/)).toBe(`/tanks?farm=${rakaia._id}&p=TLM1001`);
  });

  test('leads from the pump to Pump Control', async () => {
    const tank = buildTank(1, { pumpControl: pump() });
    renderApp('/dashboard', { api: withTanks(tank) });
    const link = within(await card('Tank 1')).getByRole('link', { name: 'Pump running: Tank 1' });
    expect(link.getAttribute('href')).toBe(`/dashboard?farm=${rakaia._id}&tank=${tank._id}&tab=pump`);
  });

  test('is no link for people who may not read sensors', async () => {
    const row = permissionsOn(rakaia, { ...presets.none, dashboard: true });
    const api = withTanks(buildTank(1)).on('GET /permissions-list', { permissions: [row] });
    renderApp('/dashboard', { api });
    expect(within(await card('Tank 1')).queryAllByRole('link')).toEqual([]);
  });
});

describe('a live update', () => {
  const frame = (tank: TankSummary, updatedAt: string) => ({
    type: 'status_update' as const,
    data: {
      type: 'tank_level' as const,
      farmUID: rakaia._id,
      uid: tank._id,
      serialNumber: tank.serialNumber,
      updatedAt,
    },
  });

  test('renews its own tank alone', async () => {
    const [one, two] = [buildTank(1), buildTank(2)];
    const api = withTanks(one, two).on('GET /level/basic-info', ({ query }) => ({
      ...(query.sensorUid === one._id ? one : two),
      level: { value: 71, valueInLitres: 17_750, invalid: false },
      updatedAt: '2026-11-21T06:00:00.000Z',
    }));
    renderApp('/dashboard', { api });
    await card('Tank 1');
    act(() => FakeSocket.last.push(frame(one, '2026-11-21T06:00:00.000Z')));
    expect(await within(await card('Tank 1')).findByText('71')).toBeTruthy();
    expect(within(await card('Tank 2')).getByText('62')).toBeTruthy();
    expect(api.calls('GET /level/basic-info').map(({ query }) => query)).toEqual([
      { farmUid: rakaia._id, sensorUid: one._id },
    ]);
    expect(api.calls('GET /lvl/suminfo')).toHaveLength(1);
  });

  test('that the card already shows asks for nothing', async () => {
    const tank = buildTank(1);
    const api = withTanks(tank);
    renderApp('/dashboard', { api });
    await card('Tank 1');
    act(() => FakeSocket.last.push(frame(tank, tank.updatedAt ?? '')));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(api.calls('GET /level/basic-info')).toEqual([]);
  });

  test('of a tank that is new asks for the list', async () => {
    const tank = buildTank(1);
    const api = withTanks(tank);
    renderApp('/dashboard', { api });
    await card('Tank 1');
    const fresh = buildTank(9);
    api.on('GET /lvl/suminfo', { tanks: [tank, fresh] });
    act(() => FakeSocket.last.push(frame({ ...fresh, _id: uid(1009) }, '2026-11-21T06:00:00.000Z')));
    await waitFor(() => expect(screen.getByRole('article', { name: 'Tank 9' })).toBeTruthy());
  });
});
