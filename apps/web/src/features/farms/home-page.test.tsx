import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { Incident } from '@headrace/contract/alerts';
import type { Attention } from '@headrace/contract/attention';
import type { FarmSummary } from '@headrace/contract/farms';
import { presets } from '@headrace/contract/permissions';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import {
  buildAttention,
  buildFarm,
  buildFarmRecord,
  buildLogin,
  buildSummary,
  emptySite,
  globalSettings,
  HOUR,
  mallee,
  MINUTE,
  permissionsOn,
  rakaia,
  uid,
  waihao,
} from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { overviewFact } from './farm-view-model.ts';
import { buildIncident } from '../alerts/alert-fixtures.ts';
import { accepted, buildInvite } from '../sharing/sharing-fixtures.ts';

const noUnits = { tanks: 0, meters: 0, sites: 0, gateways: 0, repeaters: 0, sprinklers: 0 };
const card = (name: string) => screen.findByRole('article', { name });
const facts = (element: HTMLElement) =>
  within(element)
    .getAllByRole('listitem')
    .map((item) => item.textContent);

const order = () =>
  screen
    .getAllByRole('article')
    .map((article) => article.getAttribute('aria-label'))
    .filter((name) => name !== null);
const needy = (farm: typeof rakaia) =>
  buildSummary(farm, { standing: 'attention', attention: [buildAttention('leak', ['Back road'])] });

describe('the order of the farms', () => {
  test('stays while somebody looks, whatever a farm comes to need, and is made anew when the page is looked at again', async () => {
    const api = new FakeApi().on('GET /farms-summary', { farms: [needy(waihao), buildSummary(rakaia)] });
    const { queryClient } = renderApp('/', { api });
    await card('Waihao Flats');
    expect(order()).toEqual(['Waihao Flats', 'Rākaia Downs', 'Mallee Run']);
    api.on('GET /farms-summary', { farms: [buildSummary(waihao), needy(rakaia)] });
    await act(() => queryClient.refetchQueries({ queryKey: ['farms-summary'] }));
    await within(await card('Rākaia Downs')).findByRole('link', { name: 'Back road' });
    expect(order()).toEqual(['Waihao Flats', 'Rākaia Downs', 'Mallee Run']);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(order()).toEqual(['Rākaia Downs', 'Waihao Flats', 'Mallee Run']);
  });
});

describe('a farm card', () => {
  test('says what needs a person, worst first and by name; the farms that need one come first', async () => {
    const api = new FakeApi().on('GET /farms-summary', {
      farms: [
        buildSummary(rakaia),
        buildSummary(waihao, {
          attention: [
            buildAttention('leak', ['Back road']),
            buildAttention('lowLevel', ['Willows'], { percent: 16.8 }),
            { ...buildAttention('outOfContact', []), sprinklers: 2 },
            { ...buildAttention('lowBattery', ['A', 'B', 'C', 'D', 'E']), count: 7 },
          ],
        }),
        buildSummary(mallee, { standing: 'empty', known: noUnits }),
      ],
    });
    const { user } = renderApp('/', { api });
    const waihaoCard = await card('Waihao Flats');
    await waitFor(() =>
      expect(facts(waihaoCard)).toEqual([
        'Possible leakBack road',
        'Low levelWillows 17\u00a0%',
        'Out of contact2 sprinklers',
        'Low batteryABand 5 more',
      ]),
    );
    expect(within(waihaoCard).getByRole('link', { name: 'Willows 17\u00a0%' }).getAttribute('href')).toBe(
      `/dashboard?farm=${waihao._id}&tank=${uid(500)}`,
    );
    await user.click(within(waihaoCard).getByRole('button', { name: 'and 5 more' }));
    expect(facts(waihaoCard)[3]).toBe('Low batteryABCDEand 2 more');
    const names = screen.getAllByRole('article').map((article) => article.getAttribute('aria-label'));
    expect(names.filter((name) => name !== null)).toEqual(['Waihao Flats', 'Rākaia Downs', 'Mallee Run']);
    expect(
      within(await card('Rākaia Downs')).getByText(
        '6 tanks and 2 gateways are in contact, with nothing wrong.',
      ),
    ).toBeTruthy();
    expect(within(await card('Mallee Run')).getByText('No devices yet')).toBeTruthy();
    expect(screen.getByText('1 of 3 farms needs attention.')).toBeTruthy();
  });

  test('shows its lowest tank, its largest flow and its driest soil by the person’s bands', async () => {
    const at = new Date(Date.now() - 6 * MINUTE).toISOString();
    const api = new FakeApi().on('GET /farms-summary', {
      farms: [
        buildSummary(rakaia, {
          lowestTank: { _id: uid(1), name: 'Willows', at, percent: 16.8 },
          flow: { _id: uid(2), name: 'Main pump', at, litresPerSecond: 12.34 },
          driestSite: { _id: uid(3), name: 'Dryland', at, kpa: 59 },
        }),
      ],
    });
    renderApp('/', { api });
    const terms = await within(await card('Rākaia Downs')).findAllByRole('term');
    const told = terms.map((term) => `${term.textContent}: ${term.nextElementSibling?.textContent}`);
    expect(told).toEqual([
      'Lowest tank: 17%Willows6 min ago',
      'Flow: 12.3L/sMain pump6 min ago',
      'Soil: 59kPaNormal · Dryland6 min ago',
    ]);
  });

  test('shows how old its last contact is', async () => {
    const at = new Date(Date.now() - 26 * HOUR).toISOString();
    const api = new FakeApi().on('GET /farms-summary', {
      farms: [buildSummary(rakaia, { lastContact: at })],
    });
    renderApp('/', { api });
    const age = await within(await card('Rākaia Downs')).findByText(/1 day ago/);
    expect(age.textContent).toBe('Last contact 1 day ago');
    expect(age.getAttribute('datetime')).toBe(at);
    expect(age.dataset.stale).toBeDefined();
  });

  test('leads to the tanks and the dashboard of its own farm', async () => {
    renderApp('/');
    const links = within(await card('Waihao Flats'));
    expect(links.getByRole('link', { name: 'Tanks' }).getAttribute('href')).toBe(`/tanks?farm=${waihao._id}`);
    expect(links.getByRole('link', { name: 'Dashboard' }).getAttribute('href')).toBe(
      `/dashboard?farm=${waihao._id}`,
    );
    const fact = await links.findByRole('link', { name: 'Back road' });
    expect(fact.getAttribute('href')).toBe(`/dashboard?farm=${waihao._id}&tank=${uid(500)}`);
  });

  test('shows only the ways that the person has', async () => {
    const api = new FakeApi().on('GET /permissions-list', {
      permissions: [
        permissionsOn(rakaia, { ...presets.none, farms: 1 }),
        permissionsOn(waihao, { ...presets.none, farms: 1, sprinklersStatus: true }),
      ],
    });
    renderApp('/', { api });
    expect(within(await card('Rākaia Downs')).queryAllByRole('link')).toHaveLength(0);
    const ways = within(await card('Waihao Flats')).getAllByRole('link');
    expect(ways.map((link) => link.textContent)).toContain('Tanks');
    expect(ways.map((link) => link.textContent)).not.toContain('Dashboard');
    expect(screen.queryByRole('article', { name: 'Mallee Run' })).toBeNull();
  });

  test('has small maps of what stands on it and their buttons, unless the person has switched them off for it', async () => {
    const data = {
      displayIPCMap: true,
      displayTankMap: false,
      farms: [{ info: { id: waihao._id }, displayTankMap: true }],
    };
    const { user } = renderApp('/', { api: new FakeApi().on('GET /settings', { data, version: 6 }) });
    const ofRakaia = within(await card('Rākaia Downs'));
    const map = await ofRakaia.findByRole('link', { name: 'Sprinkler map of Rākaia Downs' });
    expect(map.getAttribute('href')).toBe(`/group-status/FARM?farm=${rakaia._id}`);
    expect(ofRakaia.queryByRole('link', { name: 'Tank map of Rākaia Downs' })).toBeNull();
    expect(ofRakaia.getByRole('link', { name: 'Sprinklers' })).toBeTruthy();
    expect(ofRakaia.queryByRole('link', { name: 'Tanks' })).toBeNull();
    // The menu keeps the way.
    await user.click(ofRakaia.getByRole('button', { name: 'Menu of Rākaia Downs' }));
    expect(await ofRakaia.findByRole('menuitem', { name: 'Tank map' })).toBeTruthy();
    const ofWaihao = within(await card('Waihao Flats'));
    expect(ofWaihao.getByRole('link', { name: 'Tanks' })).toBeTruthy();
    expect(await ofWaihao.findByRole('link', { name: 'Tank map of Waihao Flats' })).toBeTruthy();
    // It has no sprinklers.
    expect(ofWaihao.queryByRole('link', { name: 'Sprinkler map of Waihao Flats' })).toBeNull();
  });

  test('asks for its maps once it is in sight, and draws the boundary and a dot for each tank', async () => {
    const seen: (() => void)[] = [];
    class Observer {
      constructor(onChange: (entries: { isIntersecting: boolean }[]) => void) {
        seen.push(() => onChange([{ isIntersecting: true }]));
      }
      observe() {}
      disconnect() {}
    }
    vi.stubGlobal('IntersectionObserver', Observer);
    const tank = {
      _id: uid(77),
      name: 'Top tank',
      serialNumber: 'TLM77',
      type: 100,
      location: { lat: -43.755, lng: 172.02 },
      _calculatedStatus: {
        statusTime: null,
        batteryVoltage: null,
        percentValue: null,
        litreValue: null,
        trending: 0 as const,
        flowRate: null,
      },
    };
    const api = new FakeApi().on('GET /farms-card', [mallee]).on('GET /tank/site-info', {
      ...emptySite,
      boundaries: buildFarmRecord(mallee).boundary,
      sensors: [tank, { ...tank, _id: uid(78), location: null }],
    });
    renderApp('/', { api });
    const map = await screen.findByRole('link', { name: 'Tank map of Mallee Run' });
    expect(api.calls('GET /tank/site-info')).toHaveLength(0);
    await waitFor(() => {
      // It may begin to look out for being seen only after its link is there.
      act(() => seen.forEach((see) => see()));
      expect(map.querySelectorAll('path')[1]?.getAttribute('d')).toMatch(/^M\S+ \S+h0$/);
    });
    expect(map.querySelector('path')?.getAttribute('d')?.split('L')).toHaveLength(4);
    expect(api.calls('GET /tank/site-info')).toHaveLength(1);
  });

  test('tells a delegate that the owner has stopped paying, and an owner nothing of the kind', async () => {
    const ended = { ...rakaia, subscriptionValidUntil: '2026-10-01T00:00:00.000Z' };
    const api = new FakeApi().on('GET /farms-card', [ended, waihao]);
    const { unmount } = renderApp('/', { api, as: buildLogin({ type: 'AGENT' }) });
    expect(within(await card('Rākaia Downs')).getByText('Account Suspended')).toBeTruthy();
    expect(within(await card('Waihao Flats')).queryByText('Account Suspended')).toBeNull();
    unmount();
    renderApp('/', { api, as: buildLogin({ token: 'b' }) });
    expect(within(await card('Rākaia Downs')).queryByText('Account Suspended')).toBeNull();
  });

  test('copies its UID', async () => {
    const { user } = renderApp('/');
    await card('Waihao Flats');
    await user.click(await screen.findByRole('button', { name: 'Menu of Waihao Flats' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Copy site UID' }));
    expect(await screen.findByText('Site UID Copied!')).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe(waihao._id);
  });
});

describe('the home page', () => {
  test('says that the farms are simulated where they are', async () => {
    const api = new FakeApi().on('GET /ims-settings', { ...globalSettings, demo: true });
    renderApp('/', { api });
    expect(await screen.findByText('Demo · simulated farms')).toBeTruthy();
  });

  test('without a farm says so', async () => {
    const api = new FakeApi().on('GET /farms-card', []).on('GET /farms-summary', { farms: [] });
    renderApp('/', { api });
    expect(await screen.findByText('No farms yet.')).toBeTruthy();
  });

  test('that could not be loaded says what failed and tries again', async () => {
    const api = new FakeApi().on('GET /farms-card', new Failure(403, 'Ask your administrator.'));
    const { user } = renderApp('/', { api });
    expect(await screen.findByText("Your farms couldn't be loaded")).toBeTruthy();
    expect(screen.getByText('Ask your administrator.')).toBeTruthy();
    api.on('GET /farms-card', [rakaia]);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await card('Rākaia Downs')).toBeTruthy();
  });

  test.each<[FarmSummary['standing'][], string]>([
    [['well'], 'Your farm is fine.'],
    [['empty'], 'Your farm has no devices yet.'],
    [['unknown'], "How your farm's devices are isn't known."],
    [['attention'], 'Your farm needs attention.'],
    [['well', 'well'], 'All 2 farms are fine.'],
    [['attention', 'attention', 'empty'], '2 of 3 farms need attention.'],
    [['well', 'empty'], 'Of 2 farms 1 is fine, 1 has no devices yet.'],
    [
      ['well', 'well', 'empty', 'empty', 'unknown'],
      "Of 5 farms 2 are fine, 2 have no devices yet, of 1 it isn't known.",
    ],
    [['empty', 'empty'], 'Of 2 farms 2 have no devices yet.'],
  ])('over farms that are %s says "%s"', (standings, text) => {
    const { condition, ...fact } = overviewFact(standings);
    expect(fact.text).toBe(text);
    expect(condition === 'ok').toBe(
      standings.includes('well') && !standings.some((one) => one === 'attention'),
    );
  });

  test('does not call a farm fine whose state is not known', async () => {
    const api = new FakeApi().on('GET /farms-summary', new Failure(403, 'No.'));
    renderApp('/', { api });
    expect(await within(await card('Rākaia Downs')).findByText("Its state isn't known.")).toBeTruthy();
    expect(screen.getByText("What needs attention couldn't be loaded.")).toBeTruthy();
    expect(screen.queryByText(/fine/)).toBeNull();
  });

  test('tells of an open valve once, by its alert, and counts the farm', async () => {
    const OPENED = '2026-11-20T21:00:00.000Z';
    const unit = uid(31);
    const message = 'The valve of A12 is open.';
    const open: Incident[] = [
      {
        uid: uid(71),
        farmUID: rakaia._id,
        alertUID: uid(1),
        alertName: 'Valve open too long',
        kind: 'ValveOpen',
        class: 'urgent',
        title: 'Rākaia Downs: Valve open too long: A12',
        message,
        openedAt: OPENED,
        endedAt: null,
        isUnwatched: false,
        seenLateAt: null,
        answeredBy: null,
        answeredAt: null,
        snoozedUntil: null,
        snoozedBy: null,
        devices: [{ uid: unit, name: 'A12', since: OPENED, endedAt: null, sentence: message }],
        count: 1,
        version: 1,
      },
    ];
    const summary = buildSummary(rakaia, {
      standing: 'attention',
      attention: [{ kind: 'valveOverdue', count: 0, devices: [], sprinklers: 1, units: [unit] }],
    });
    const api = new FakeApi()
      .on('GET /farms-card', [rakaia])
      .on('GET /farms-summary', { farms: [summary] })
      .on('GET /alerts/open', { open, cut: [], inBellAlone: [] });
    renderApp('/', { api });
    const shown = within(await card('Rākaia Downs'));
    expect(await shown.findByRole('link', { name: message })).toBeTruthy();
    expect(shown.queryByText('Open, should be closed by now')).toBeNull();
    expect(screen.getByText('Your farm needs attention.')).toBeTruthy();
  });

  test('counts sprinklers besides those that an alert tells of as more, of all that the list has', async () => {
    const [told, other, third] = [uid(31), uid(32), uid(33)];
    const device = { uid: told, name: 'A12', since: '2026-11-20T21:00:00.000Z', endedAt: null, sentence: '' };
    const open = [buildIncident(71, rakaia._id, { kind: 'SprinklerError', devices: [device] })];
    const units = [told, other, third];
    const attention: Attention[] = [{ kind: 'sprinklerError', count: 0, devices: [], sprinklers: 3, units }];
    const api = new FakeApi()
      .on('GET /farms-card', [rakaia])
      .on('GET /farms-summary', { farms: [buildSummary(rakaia, { standing: 'attention', attention })] })
      .on('GET /alerts/open', { open, cut: [], inBellAlone: [] });
    renderApp('/', { api });
    const shown = within(await card('Rākaia Downs'));
    expect(await shown.findByRole('link', { name: '2 more of 3 sprinklers' })).toBeTruthy();
  });

  test('does not call a farm fine whose alerts are not known', async () => {
    const api = new FakeApi()
      .on('GET /farms-card', [rakaia])
      .on('GET /farms-summary', { farms: [buildSummary(rakaia)] })
      .on('GET /alerts/open', new Failure(500, 'Broken.'));
    renderApp('/', { api });
    expect(await within(await card('Rākaia Downs')).findByText(/alerts couldn't be loaded/)).toBeTruthy();
    expect(screen.getByText("How your farm's devices are isn't known.")).toBeTruthy();
    expect(screen.queryByText(/fine|nothing wrong/)).toBeNull();
  });

  test('does not call a farm fine before its alerts are known', async () => {
    let answer: (reply: { open: []; cut: []; inBellAlone: [] }) => void = () => {};
    const reply = new Promise<{ open: []; cut: []; inBellAlone: [] }>((resolve) => (answer = resolve));
    const api = new FakeApi()
      .on('GET /farms-card', [rakaia])
      .on('GET /farms-summary', { farms: [buildSummary(rakaia)] })
      .on('GET /alerts/open', () => reply);
    renderApp('/', { api });
    await within(await card('Rākaia Downs')).findByText(/Last contact/);
    expect(screen.queryByText(/fine|nothing wrong/)).toBeNull();
    await act(async () => answer({ open: [], cut: [], inBellAlone: [] }));
    expect(await screen.findByText('Your farm is fine.')).toBeTruthy();
  });
});

describe('the home page of an agent', () => {
  const as = buildLogin({ type: 'AGENT' });
  const owner = { _id: uid(901), id: uid(901), name: 'Mere Ellison', email: 'owner@headrace.test' };

  test('tells how many invitations await an answer, and leads to them', async () => {
    const api = new FakeApi().on('GET /invites', { invites: [accepted(1), buildInvite(2), buildInvite(3)] });
    renderApp('/', { api, as });
    const line = await screen.findByText(/^2 invitations await your response/);
    expect(within(line).getByRole('link', { name: 'See them' }).getAttribute('href')).toBe('/invitations');
  });

  test('says nothing of invitations that are answered', async () => {
    const api = new FakeApi().on('GET /invites', { invites: [accepted(1)] });
    renderApp('/', { api, as });
    await card('Rākaia Downs');
    await waitFor(() => expect(api.calls('GET /invites')).toHaveLength(1));
    expect(screen.queryByText(/your response/)).toBeNull();
  });

  test('has the way to a new farm once an owner shares a whole account', async () => {
    const api = new FakeApi();
    const { unmount } = renderApp('/', { api, as });
    await card('Rākaia Downs');
    await waitFor(() => expect(api.calls('GET /agent/list-accounts')).toHaveLength(1));
    expect(screen.queryByRole('link', { name: 'New Farm' })).toBeNull();
    unmount();
    api.on('GET /agent/list-accounts', { accounts: [owner] });
    renderApp('/', { api, as: { ...as, token: 'b' } });
    expect(await screen.findByRole('link', { name: 'New Farm' })).toBeTruthy();
  });
});

describe('many farms', () => {
  const farms = Array.from({ length: 9 }, (_, n) =>
    buildFarm(n + 10, { name: n === 4 ? 'Wānaka Flats' : `Block ${n}` }),
  );
  const serve = () =>
    new FakeApi()
      .on('GET /farms-card', farms)
      .on('GET /permissions-list', { permissions: farms.map((farm) => permissionsOn(farm)) })
      .on('GET /farms-summary', {
        farms: farms.map((farm, n) =>
          buildSummary(farm, { attention: n === 2 ? [buildAttention('lowLevel', ['A'])] : [] }),
        ),
      });
  const shown = () => screen.getAllByRole('article').map((article) => article.getAttribute('aria-label'));

  test('can be searched, and the address keeps the search', async () => {
    const { user, router } = renderApp('/', { api: serve() });
    await user.type(await screen.findByRole('searchbox', { name: 'Search farms' }), 'wānaka');
    await waitFor(() => expect(shown()).toEqual(['Wānaka Flats']));
    expect(router.state.location.search).toEqual({ q: 'wānaka' });
  });

  test('that need attention can be picked out, also by a link', async () => {
    renderApp('/?show=attention', { api: serve() });
    expect(await card('Block 2')).toBeTruthy();
    expect(shown()).toEqual(['Block 2']);
  });

  test('of which none matches show the way back to all', async () => {
    const { user } = renderApp('/?q=nowhere', { api: serve() });
    await user.click(await screen.findByRole('button', { name: 'Show all farms' }));
    await waitFor(() => expect(shown()).toHaveLength(9));
  });

  test('up to eight need no search', async () => {
    renderApp('/');
    await card('Rākaia Downs');
    expect(screen.queryByRole('searchbox')).toBeNull();
  });
});
