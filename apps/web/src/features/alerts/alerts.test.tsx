import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import { NOT_FOUND_TEXT } from '@headrace/contract/texts';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { FakeApi, Failure } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { HOUR, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { buildNotifications } from '../notifications/notification-fixtures.ts';
import {
  buildAlertRecord,
  buildDetails,
  buildIncident,
  buildIncidentPage as page,
} from './alert-fixtures.ts';

const FARM_UID = rakaia._id;
const PAGE = `/alerts?farm=${FARM_UID}`;
const NEW = `/alerts/new?farm=${FARM_UID}`;
const devices = [1, 2, 3].map((n) => ({
  uid: uid(40 + n),
  name: `Trough ${n}`,
  kind: 'sensor',
  type: sensorTypes.TLM_V3,
}));

const noTrial = {
  isPossible: false,
  told: 0,
  short: 0,
  byHold: [],
  tried: 0,
  of: 0,
  heard: 0,
  since: null,
  chart: null,
};

function serve(
  alerts = [buildAlertRecord(1, FARM_UID)],
  open = [buildIncident(5, FARM_UID)],
  outages: { from: string; to: string; sentence: string }[] = [],
): FakeApi {
  return new FakeApi()
    .on('GET /alerts', () => ({ alerts, paused: null, pausedDevices: [], inBellAlone: false }))
    .on('GET /alert/people', { people: [] })
    .on('GET /alert/lately', { days: [], incidents: 0, short: 0, answered: 0, loudest: [] })
    .on('POST /alert/trial', noTrial)
    .on('GET /alert/devices', { devices })
    .on('GET /alert/incidents', () => page(open, { outages }))
    .on(
      'GET /alert',
      ({ query }) => alerts.find(({ _id }) => _id === query.alertUID) ?? new Failure(404, 'No.'),
    );
}

describe('the alerts of a farm', () => {
  test('that ended since nobody watches them any more are not said to be over', async () => {
    const message = 'Trough 4: no longer watched since 06:12, 49 minutes after it began.';
    const gone = buildIncident(6, FARM_UID, {
      message,
      endedAt: new Date().toISOString(),
      isUnwatched: true,
    });
    const api = serve().on('GET /alert/incidents', () =>
      page([], { ended: [gone], count: { open: 0, ended: 1 } }),
    );
    const { user } = renderApp(PAGE, { api });
    await user.click(await screen.findByText(/^What is over/));
    const entry = within(screen.getByRole('list', { name: 'What is over' })).getByRole('listitem');
    expect(within(entry).getByRole('img', { name: 'No longer watched' })).toBeTruthy();
    expect(entry.textContent).toContain('no longer watched just now');
  });

  test('come after what is so now, each with what it watches', async () => {
    renderApp(PAGE, { api: serve() });
    expect(await screen.findByText('Trough 4 is at 12 %, below 20 % since 05:40.')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Now: 1' })).toBeTruthy();
    expect(await screen.findByText('Tell me when any tank is below 20 % for 15 min.')).toBeTruthy();
    expect(screen.getByText(/Watches 4/)).toBeTruthy();
  });

  test('are answered there, and the page says who is on it', async () => {
    const answered = buildIncident(5, FARM_UID, { answeredBy: 'Mere', answeredAt: new Date().toISOString() });
    const open = [buildIncident(5, FARM_UID)];
    const api = serve(undefined, open).on('POST /alert/answer', () => {
      open.splice(0, 1, answered);
      return { state: 'answered', text: 'Mere is on it (06:12).', incident: answered };
    });
    const { user } = renderApp(PAGE, { api });
    await user.click(await screen.findByRole('button', { name: /^I'm on it/ }));
    const answer = await screen.findByText(/Mere is on it,/);
    // The button is gone: who goes on by keys is not sent to the page's top.
    await waitFor(() => expect(document.activeElement).toBe(answer));
    expect(api.calls('POST /alert/answer')[0]?.body).toEqual({
      farmUID: FARM_UID,
      uid: uid(5),
      version: 1,
      class: 'important',
    });
  });

  test('that got worse than the page shows are not answered by it: it says so, and shows how they are', async () => {
    const refused = 'It got worse meanwhile and is urgent now. Please see how it is before you answer.';
    const open = [buildIncident(5, FARM_UID)];
    const worse = buildIncident(5, FARM_UID, { class: 'urgent', message: 'Trough 4 is at 4 %.' });
    const api = serve(undefined, open).on('POST /alert/answer', ({ body }) => {
      open.splice(0, 1, worse);
      return body.class === 'urgent'
        ? { state: 'answered', text: 'Mere is on it (06:12).', incident: worse }
        : new Failure(409, refused);
    });
    const { user } = renderApp(PAGE, { api });
    await user.click(await screen.findByRole('button', { name: /^I'm on it/ }));
    expect(await screen.findByText(refused)).toBeTruthy();
    expect(await screen.findByText('Trough 4 is at 4 %.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: /^I'm on it/ }));
    expect(await screen.findByText('Mere is on it (06:12).')).toBeTruthy();
    expect(api.calls('POST /alert/answer').map(({ body }) => body.class)).toEqual(['important', 'urgent']);
  });

  test('of a flood are drawn some at a time: the alerts below stay within reach', async () => {
    const open = Array.from({ length: 30 }, (_none, nth) =>
      buildIncident(100 + nth, FARM_UID, { message: `Trough ${nth} is at 12 %.` }),
    );
    const { user } = renderApp(PAGE, { api: serve(undefined, open) });
    const list = await screen.findByRole('list', { name: 'What is so now' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(20);
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    expect(within(list).getAllByRole('listitem')).toHaveLength(30);
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  test('that are more than one page are all counted, and shown a page at a time', async () => {
    const pages = [1, 2].map((nth) => buildIncident(nth, FARM_UID, { message: `Trough ${nth} is at 12 %.` }));
    const over = [3, 4].map((nth) =>
      buildIncident(nth, FARM_UID, {
        message: `Trough ${nth}: it ended.`,
        endedAt: new Date().toISOString(),
      }),
    );
    const api = serve().on('GET /alert/incidents', ({ query: { state, before } }) => {
      const nth = before === undefined ? 0 : 1;
      const is = (one: string) => state === one;
      return page(is('open') ? pages.slice(nth, nth + 1) : [], {
        ended: is('ended') ? over.slice(nth, nth + 1) : [],
        more: { open: nth === 0 && is('open'), ended: nth === 0 && is('ended') },
        count: { open: 2, ended: 1 },
      });
    });
    const { user } = renderApp(PAGE, { api });
    expect(await screen.findByRole('heading', { name: 'Now: 2' })).toBeTruthy();
    expect(screen.queryByText('Trough 2 is at 12 %.')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    expect(await screen.findByText('Trough 2 is at 12 %.')).toBeTruthy();
    expect(screen.getByText('Trough 1 is at 12 %.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
    await user.click(screen.getByText('What is over (ended in the last 30 days: 1)'));
    await user.click(screen.getByRole('button', { name: 'Show older' }));
    expect(await screen.findByText('Trough 4: it ended.')).toBeTruthy();
    expect(api.calls('GET /alert/incidents').flatMap(({ query }) => query.before ?? [])).toEqual([
      uid(1),
      uid(3),
    ]);
  });

  test('are snoozed there, and the page says for how long', async () => {
    const until = new Date(Date.now() + 60 * 60_000).toISOString();
    const open = [buildIncident(5, FARM_UID)];
    const snoozed = buildIncident(5, FARM_UID, { snoozedUntil: until, snoozedBy: 'Mere' });
    const api = serve(undefined, open).on('POST /alert/snooze', () => {
      open.splice(0, 1, snoozed);
      return { state: 'snoozed', text: 'Snoozed until 06:40.', incident: snoozed };
    });
    const { user } = renderApp(PAGE, { api });
    await user.selectOptions(await screen.findByRole('combobox', { name: /^Snooze/ }), 'for an hour');
    expect(await screen.findByText(/^Snoozed for (1 hour|59 minutes) by Mere$/)).toBeTruthy();
    expect(api.calls('POST /alert/snooze')[0]?.body).toEqual({
      farmUID: FARM_UID,
      uid: uid(5),
      until: 'hour',
      class: 'important',
    });
  });

  test('are switched off where they stand, and on again where that could not be stored', async () => {
    const api = serve().on('PUT /alert', new Failure(500, 'Oops.'));
    const { user } = renderApp(PAGE, { api });
    await user.click(await screen.findByRole('switch', { name: 'Tank low is on' }));
    expect(await screen.findByText('Oops.')).toBeTruthy();
    expect(api.calls('PUT /alert')[0]?.body).toMatchObject({ _id: uid(1), enabled: false, version: 1 });
    expect(await screen.findByRole('switch', { name: 'Tank low is on' })).toBeTruthy();
  });

  test('that are on and found nothing say so, and no more', async () => {
    renderApp(PAGE, { api: serve([buildAlertRecord(1, FARM_UID)], []) });
    expect(
      await screen.findByText('The alerts that are on have found nothing that needs a person.'),
    ).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Nothing to tell' })).toBeTruthy();
  });

  test.each([{ watches: 0 }, { enabled: false }])('of which all are %j watch nothing', async (what) => {
    renderApp(PAGE, { api: serve([buildAlertRecord(1, FARM_UID, what)], []) });
    expect(await screen.findByRole('heading', { name: 'Nothing is watched' })).toBeTruthy();
  });

  test('say when Headrace itself did not listen', async () => {
    const sentence = 'Headrace did not listen from 02:10 to 03:05.';
    renderApp(PAGE, {
      api: serve([], [], [{ from: '2026-11-20T13:10:00.000Z', to: '2026-11-20T14:05:00.000Z', sentence }]),
    });
    expect(await screen.findByText(sentence)).toBeTruthy();
  });

  test('say that they watch nothing', async () => {
    renderApp(PAGE, { api: serve([buildAlertRecord(1, FARM_UID, { watches: 0 })]) });
    expect(await screen.findByText(/Watches nothing: the farm has no such device/)).toBeTruthy();
  });

  test('where there are none, five are offered and added by one button', async () => {
    const api = serve([], []).on('POST /alert', { id: uid(9) });
    const { user } = renderApp(PAGE, { api });
    expect(await screen.findByRole('heading', { name: 'Nothing is watched' })).toBeTruthy();
    expect(screen.getByText('No alert is on: nobody is told of anything on this farm.')).toBeTruthy();
    await user.click(await screen.findByRole('button', { name: 'Add these 5' }));
    await waitFor(() => expect(api.calls('POST /alert')).toHaveLength(5));
    expect(api.calls('POST /alert').map(({ body }) => [body.kind, body.watch ?? null])).toEqual([
      ['OutOfContact', 'gateway'],
      ['ValveOpen', null],
      ['TankLeak', null],
      ['TankLow', null],
      ['SprinklerError', null],
    ]);
  });
});

describe('an incident', () => {
  test('opens with its timeline: who was told, and how far that got', async () => {
    const api = serve().on('GET /alert/incident', {
      ...buildDetails(buildIncident(5, FARM_UID)),
      steps: [
        {
          at: new Date().toISOString(),
          what: 'began',
          by: null,
          note: 'Trough 4 is at 12 %.',
          told: [{ name: 'Mere', messages: [{ way: 'mail', state: 'sent', reason: '' }] }],
        },
      ],
    });
    renderApp(`${PAGE}&incident=${uid(5)}`, { api });
    const dialog = await screen.findByRole('dialog');
    expect(await within(dialog).findByText('Mere: bell, e-mail sent')).toBeTruthy();
  });

  test('that comes and goes leads to where its alert is made to wait longer', async () => {
    const incident = buildIncident(5, FARM_UID);
    const step = (what: string) => ({ at: new Date().toISOString(), what, by: null, note: '', told: [] });
    const api = serve(undefined, [incident]).on(
      'GET /alert/incident',
      buildDetails(incident, { steps: [step('began'), step('comes and goes')] }),
    );
    renderApp(`${PAGE}&incident=${uid(5)}`, { api });
    const dialog = within(await screen.findByRole('dialog'));
    const link = await dialog.findByRole('link', { name: 'See what a longer wait would have told' });
    expect(link.getAttribute('href')).toBe(`/alerts/${uid(1)}`);
  });

  test('of moments offers no longer wait', async () => {
    const incident = buildIncident(5, FARM_UID, { kind: 'InputChange' });
    const steps = [{ at: new Date().toISOString(), what: 'comes and goes', by: null, note: '', told: [] }];
    const either = buildAlertRecord(1, FARM_UID, { kind: 'InputChange', condition: 'either', value: null });
    const api = serve([either], [incident]).on('GET /alert/incident', buildDetails(incident, { steps }));
    renderApp(`${PAGE}&incident=${uid(5)}`, { api });
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText('Comes and goes')).toBeTruthy();
    expect(dialog.queryByRole('link', { name: /longer wait/ })).toBeNull();
  });

  test('that is an open valve is closed from there, and the whole farm is paused', async () => {
    const incident = buildIncident(5, FARM_UID, { kind: 'ValveOpen', message: 'The valve of A12 is open.' });
    const valve = { uid: uid(12), name: 'A12', mac: 'AA11', serialNumber: 'S12' };
    const api = serve(undefined, [incident])
      .on('GET /alert/incident', buildDetails(incident, { valves: [valve] }))
      .on('POST /commands/send', { commandId: uid(90), status: 'queued' })
      .on('POST /alert/pause', {
        until: new Date(Date.now() + HOUR).toISOString(),
        text: 'Paused until 11:00.',
      });
    const { user } = renderApp(`${PAGE}&incident=${uid(5)}`, { api });
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(await dialog.findByRole('button', { name: 'Send Valve Off to A12' }));
    await waitFor(() =>
      expect(api.calls('POST /commands/send').at(-1)?.body).toMatchObject({
        farmUID: FARM_UID,
        type: commandTypes.ValveOff,
        name: 'A12',
        mac: 'AA11',
        serialNumber: 'S12',
      }),
    );
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Pause: all alerts of the farm' }), 'hour');
    await waitFor(() => expect(api.calls('POST /alert/pause')[0]?.body).toMatchObject({ alertUID: null }));
  });

  test('shows where it is, and offers nothing to do once it is over', async () => {
    const incident = buildIncident(5, FARM_UID, { endedAt: new Date().toISOString() });
    const boundary = [
      { lat: -43.9, lng: 171.7 },
      { lat: -43.9, lng: 171.8 },
      { lat: -44, lng: 171.8 },
    ];
    const map = { boundary, places: [{ lat: -43.92, lng: 171.77 }] };
    renderApp(`${PAGE}&incident=${uid(5)}`, {
      api: serve(undefined, [incident]).on('GET /alert/incident', buildDetails(incident, { map })),
    });
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByRole('img', { name: 'Where on the farm: 1 device' })).toBeTruthy();
    expect(dialog.queryByText('What can I do')).toBeNull();
  });

  test('leads to each of its devices, and says how many more than are listed there are', async () => {
    const told = Array.from({ length: 21 }, (_none, n) => ({
      uid: uid(41 + n),
      name: `Trough ${n + 1}`,
      sentence: `Trough ${n + 1} is at 12 %.`,
      since: '2026-11-20T21:00:00.000Z',
      endedAt: null,
    }));
    const incident = buildIncident(5, FARM_UID, { devices: told, count: 30 });
    const api = serve(undefined, [incident]).on('GET /alert/incident', buildDetails(incident));
    const { user } = renderApp(`${PAGE}&incident=${uid(5)}`, { api });
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(await dialog.findByText('30 devices'));
    const link = await dialog.findByRole('link', { name: 'Open Trough 1' });
    expect(link.getAttribute('href')).toBe(`/dashboard?farm=${FARM_UID}&tank=${uid(41)}`);
    expect(dialog.queryByText('Trough 21 is at 12 %.')).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Show more' }));
    expect(dialog.getByText('Trough 21 is at 12 %.')).toBeTruthy();
    expect(dialog.getByText('and 9 more')).toBeTruthy();
  });
});

describe('the form', () => {
  test('says the alert as one sentence while it is entered, and adds it', async () => {
    const api = serve().on('POST /alert', { id: uid(9) });
    const { user, router } = renderApp(NEW, { api });
    const limit = await screen.findByRole('textbox', { name: /^Limit/ });
    await user.clear(limit);
    await user.type(limit, '30');
    expect(
      screen.getByText(/Tell me when any tank is below 30 % for 15 min\. It is over at 35 %\./),
    ).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: /^Chosen ones/ }));
    await user.click(await screen.findByRole('checkbox', { name: 'Trough 2' }));
    expect(screen.getByText(/Tell me when Trough 2 is below 30 %/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/alerts'));
    expect(api.calls('POST /alert')[0]?.body).toMatchObject({
      farmUID: FARM_UID,
      kind: 'TankLow',
      deviceIds: [uid(42)],
      condition: 'below',
      value: 30,
      holdMinutes: 15,
    });
  });

  test('names what is wrong at its field', async () => {
    const { user } = renderApp(NEW, { api: serve() });
    const limit = await screen.findByRole('textbox', { name: /^Limit/ });
    await user.clear(limit);
    await user.type(limit, '120');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Please give a value from 1 to 98 %.')).toBeTruthy();
  });

  test('offers no wait for what is told at each change, and sends none', async () => {
    const api = serve().on('POST /alert', { id: uid(9) });
    const { user } = renderApp(NEW, { api });
    await user.selectOptions(await screen.findByRole('combobox', { name: 'What' }), 'InputChange');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Of which devices' }), 'switches');
    const hold = screen.getByRole('textbox', { name: /^For at least/ });
    await user.clear(hold);
    await user.type(hold, '15');
    await user.selectOptions(screen.getByRole('combobox', { name: 'When' }), 'goes on or off');
    expect(screen.queryByRole('textbox', { name: /^For at least/ })).toBeNull();
    expect(screen.getByText(/^Tell me when any switch goes on or off\.$/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(api.calls('POST /alert')).toHaveLength(1));
    expect(api.calls('POST /alert')[0]?.body).toMatchObject({ condition: 'either', holdMinutes: 0 });
  });

  test('of another kind begins with what is usual for it', async () => {
    const { user } = renderApp(NEW, { api: serve() });
    await user.selectOptions(await screen.findByRole('combobox', { name: 'What' }), 'OutOfContact');
    expect(await screen.findByText(/Tell me when any gateway is not heard for 15 min\./)).toBeTruthy();
  });

  test('says who changed the alert meanwhile, and keeps what is typed', async () => {
    const mine = buildAlertRecord(1, FARM_UID);
    let alert = mine;
    const change = { _id: '9', at: new Date().toISOString(), name: mine.name, what: 'changed', fields: [] };
    const api = serve()
      .on('GET /alert', () => alert)
      .on('GET /changes', ({ query }) => ({
        changes: [{ ...change, by: 'Mere', kind: 'alert', uid: query.uid ?? '' }],
        more: false,
      }));
    const { user } = renderApp(`/alerts/${mine._id}`, { api });
    await user.type(await screen.findByLabelText(/^Name/), ' by the road');
    alert = { ...mine, name: 'Theirs', version: mine.version + 1 };
    await act(async () =>
      FakeSocket.last.push({ type: 'records_update', data: { farmUID: FARM_UID, kinds: ['alert'] } }),
    );
    expect((await screen.findByText(/Mere changed this/)).textContent).toContain(
      'Saving asks you what to keep.',
    );
    expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).toMatch(/ by the road$/);
  });

  test('deletes after it has asked once', async () => {
    const api = serve().on('DELETE /alert', { success: true });
    const { user, router } = renderApp(`/alerts/${uid(1)}`, { api });
    await user.click(await screen.findByRole('button', { name: 'Delete…' }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/alerts'));
    expect(api.calls('DELETE /alert')[0]?.query).toEqual({ alertUID: uid(1) });
  });

  test('of an alert that there is not says so', async () => {
    renderApp(`/alerts/${uid(77)}`, { api: serve() });
    expect(await screen.findByText(NOT_FOUND_TEXT)).toBeTruthy();
  });
});

test('one of hundreds is found by its name, written with macrons or without', async () => {
  const alerts = Array.from({ length: 500 }, (_, n) =>
    buildAlertRecord(n + 1, FARM_UID, { name: n === 417 ? 'Kōwhai trough' : `Alert ${n}` }),
  );
  const { user } = renderApp(PAGE, { api: serve(alerts) });
  const list = within(await screen.findByRole('list', { name: 'Alerts' }));
  await user.type(screen.getByRole('searchbox', { name: 'Find an alert by its name' }), 'kowhai');
  await waitFor(() =>
    expect(list.getAllByRole('heading').map((one) => one.textContent)).toEqual(['Kōwhai trough']),
  );
  await user.type(screen.getByRole('searchbox', { name: 'Find an alert by its name' }), 'x');
  expect(await screen.findByText('No alert has that name.')).toBeTruthy();
});

describe('a pause', () => {
  test('of one device is made from what it told, and listed until it is ended', async () => {
    const pausedDevices: { uid: string; name: string; until: string; by: string | null }[] = [];
    const until = new Date(Date.now() + HOUR).toISOString();
    const trough = {
      uid: uid(7),
      name: 'Trough 4',
      sentence: 'Trough 4 is at 12 %.',
      since: until,
      endedAt: null,
    };
    const incident = buildIncident(1, FARM_UID, { devices: [trough] });
    const api = serve([buildAlertRecord(1, FARM_UID)], [incident])
      .on('GET /alerts', () => ({
        alerts: [buildAlertRecord(1, FARM_UID)],
        paused: null,
        pausedDevices,
        inBellAlone: false,
      }))
      .on('GET /alert/incident', buildDetails(incident))
      .on('POST /alert/pause', () => {
        pausedDevices.push({ uid: uid(7), name: 'Trough 4', until, by: 'Mere' });
        return { until, text: 'Paused until 11:00.' };
      })
      .on('DELETE /alert/pause', () => {
        pausedDevices.pop();
        return { success: true };
      });
    const { user } = renderApp(`/alerts?farm=${FARM_UID}&incident=${incident.uid}`, { api });
    const pauses = { name: 'Pause: all alerts of Trough 4' };
    await user.selectOptions(await screen.findByRole('combobox', pauses), 'week');
    expect(api.calls('POST /alert/pause')[0]?.body).toEqual({
      farmUID: FARM_UID,
      alertUID: null,
      deviceUID: uid(7),
      until: 'week',
    });
    const list = await screen.findByRole('list', { name: 'Paused devices', hidden: true });
    expect(list.textContent).toMatch(/^Trough 4Paused for .* by MereResume$/);
    await user.click(within(list).getByRole('button', { name: /Resume/, hidden: true }));
    expect(api.calls('DELETE /alert/pause')[0]?.query).toEqual({ farmUID: FARM_UID, deviceUID: uid(7) });
    await waitFor(() => expect(list.isConnected).toBe(false));
  });

  test('of one alert, or of all, says until when and by whom, and is ended', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const alerts = [buildAlertRecord(1, FARM_UID)];
    const api = serve(alerts)
      .on('POST /alert/pause', ({ body }) => {
        if (body.alertUID)
          alerts.splice(0, 1, buildAlertRecord(1, FARM_UID, { paused: { until, by: 'Mere' } }));
        return { until, text: 'Paused until 11:00.' };
      })
      .on('DELETE /alert/pause', () => {
        alerts.splice(0, 1, buildAlertRecord(1, FARM_UID));
        return { success: true };
      });
    const { user } = renderApp(PAGE, { api });
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Pause: Tank low' }), 'hour');
    expect(await screen.findByText(/^Paused for .* by Mere$/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Resume: Tank low' }));
    // An arrow key chooses, and pauses nothing before that is taken.
    const list = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Pause: Tank low' });
    fireEvent.keyDown(list, { key: 'ArrowDown' });
    fireEvent.change(list, { target: { value: 'morning' } });
    expect(screen.getByRole('button', { name: 'Pause until 06:00' })).toBeTruthy();
    fireEvent.keyDown(list, { key: 'Escape' });
    expect([screen.queryByRole('button', { name: 'Pause until 06:00' }), list.value]).toEqual([null, '']);
    expect(api.calls('POST /alert/pause')).toHaveLength(1);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Pause: all alerts of the farm' }), 'week');
    await waitFor(() =>
      expect(api.calls('POST /alert/pause').map(({ body }) => [body.alertUID, body.until])).toEqual([
        [uid(1), 'hour'],
        [null, 'week'],
      ]),
    );
  });
});

test('an alert names who is told, and who besides if nobody answers', async () => {
  const people = [
    { uid: uid(71), name: 'Ana', takesEscalations: true },
    { uid: uid(72), name: 'Mere', takesEscalations: true },
    { uid: uid(73), name: 'Rewi', takesEscalations: false },
  ];
  const api = serve()
    .on('GET /alert/people', { people })
    .on('POST /alert', { id: uid(9) });
  const { user } = renderApp(NEW, { api });
  const first = await screen.findByRole('group', { name: 'Who is told' });
  await user.click(within(first).getByRole('checkbox', { name: 'Ana' }));
  await user.click(screen.getByRole('switch', { name: 'Tell more people if nobody answers' }));
  const next = within(screen.getByRole('group', { name: 'Whom besides' }));
  await user.click(next.getByRole('checkbox', { name: 'Rewi' }));
  expect(
    screen.getByText(
      "Rewi doesn't take escalations. None of those chosen does: everybody else who does is told.",
    ),
  ).toBeTruthy();
  await user.click(next.getByRole('checkbox', { name: 'Rewi' }));
  await user.click(next.getByRole('checkbox', { name: 'Mere' }));
  expect(screen.getByText("Rewi doesn't take escalations.")).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(api.calls('POST /alert')).toHaveLength(1));
  expect(api.calls('POST /alert')[0]?.body).toMatchObject({
    people: [uid(71)],
    escalation: { afterMinutes: 30, people: [uid(72)] },
  });
});

test('the form says what the alert would have told, and waits longer on request', async () => {
  const tried = (holdMinutes: number) => ({
    isPossible: true,
    told: holdMinutes < 60 ? 7 : 1,
    short: 3,
    tried: 3,
    of: 3,
    heard: 3,
    since: '2026-01-01T00:00:00.000Z',
    chart: null,
    byHold: [30, 60]
      .filter((hold) => hold > holdMinutes)
      .map((hold) => ({ holdMinutes: hold, told: hold < 60 ? 6 : 1 })),
  });
  const api = serve().on('POST /alert/trial', ({ body }) => tried(body.holdMinutes));
  const { user } = renderApp(NEW, { api });
  expect(
    await screen.findByText(/^In the last 30 days this would have told you 7 times; 3 times/),
  ).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Wait 60 min first' }));
  expect(await screen.findByText(/^In the last 30 days this would have told you once/)).toBeTruthy();
  expect(api.calls('POST /alert/trial').at(-1)?.body.holdMinutes).toBe(60);
});

test('the limit is moved over what was measured, and the alert is tried out by it', async () => {
  const chart = {
    uid: uid(41),
    name: 'Trough 1',
    unit: '%',
    points: [{ at: new Date(Date.now() - HOUR).toISOString(), value: 40 }],
    limit: 20,
    end: 25,
    marks: [],
  };
  const api = serve().on('POST /alert/trial', ({ body }) => ({
    ...noTrial,
    isPossible: true,
    told: (body.value ?? 0) > 40 ? 2 : 0,
    tried: 3,
    of: 3,
    heard: 3,
    chart,
  }));
  renderApp(NEW, { api });
  const slider = await screen.findByRole('slider', { name: 'Limit: 20 %' });
  expect([slider.getAttribute('min'), slider.getAttribute('max')]).toEqual(['1', '98']);
  fireEvent.change(slider, { target: { value: '50' } });
  expect(await screen.findByText(/^In the last 30 days this would have told you 2 times\.$/)).toBeTruthy();
  expect(
    screen.getByText(/Tell me when any tank is below 50 % for 15 min\. It is over at 55 %\./),
  ).toBeTruthy();
});

test('the form says of whom nothing was heard, and never that they would have told nothing', async () => {
  const silent = { ...noTrial, isPossible: true, tried: 3, of: 3 };
  const api = serve().on('POST /alert/trial', silent);
  renderApp(NEW, { api });
  expect(
    await screen.findByText(
      "None of the 3 devices has said anything in the last 30 days: what this would have told isn't known.",
    ),
  ).toBeTruthy();
  expect(screen.queryByText(/would have told you nothing/)).toBeNull();
});

test('the form says which devices it was not tried on, and how far readings go back', async () => {
  const since = new Date(Date.now() - 2 * 86_400_000).toISOString();
  const api = serve().on('POST /alert/trial', {
    ...noTrial,
    isPossible: true,
    tried: 3,
    of: 3,
    heard: 2,
    since,
  });
  renderApp(NEW, { api });
  expect(
    await screen.findByText("1 of the 3 devices said nothing in this time: of them it isn't known."),
  ).toBeTruthy();
  expect(await screen.findByText(/^Readings go back to .* only\.$/)).toBeTruthy();
});

test('the page says how much one was told in 30 days, and by which alert most', async () => {
  const days = Array.from({ length: 30 }, (_none, nth) => ({
    day: `2026-11-${String(nth + 1).padStart(2, '0')}`,
    told: nth === 3 ? 4 : 0,
  }));
  const loudest = [{ alertUID: uid(1), name: 'Tank low', told: 3, short: 2 }];
  const api = serve().on('GET /alert/lately', { days, incidents: 4, short: 2, answered: 1, loudest });
  renderApp(PAGE, { api });
  expect(
    await screen.findByText(
      'You were told 4 times of 4 incidents. Over within 10 minutes: 2 of 4. Somebody was on it: 1 of 4.',
    ),
  ).toBeTruthy();
  expect(screen.getByText('Tank low: 3, 2 over within 10 minutes')).toBeTruthy();
});

test('a farm whose alerts nobody hears while the app is closed says so, and one tap brings e-mails', async () => {
  let inBellAlone = true;
  const api = serve()
    .on('GET /alerts', () => ({ alerts: [], paused: null, pausedDevices: [], inBellAlone }))
    .on('GET /notifications', buildNotifications([]))
    .on('PUT /notification/settings', ({ body }) => {
      inBellAlone = false;
      return body;
    });
  const { user } = renderApp(PAGE, { api });
  await user.click(await screen.findByRole('button', { name: 'Send me e-mails' }));
  await waitFor(() => expect(screen.queryByText('Alerts are in the bell alone')).toBeNull());
  expect(api.calls('PUT /notification/settings')[0]?.body).toMatchObject({ sendEmail: true });
});
