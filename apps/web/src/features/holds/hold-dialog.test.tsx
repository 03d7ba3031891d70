import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { HoldEnd, PaddockHold } from '@headrace/contract/paddock-holds';
import { presets } from '@headrace/contract/permissions';
import { Failure, type FakeApi, UNREACHABLE } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { buildCommand } from '../commands/command-fixtures.ts';
import { deviceApi, farmUID } from '../devices/device-fixtures.ts';
import { buildGroup } from '../groups/group-fixtures.ts';
import './hold-dialog.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T21:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const north = buildGroup(3, 'North', { amountOfIpc: 40 });
const held: PaddockHold = {
  uid: uid(9001),
  farmUID,
  groupUID: north._id,
  name: 'North',
  reason: 'Cows in',
  from: '2026-11-20T21:00:00.000Z',
  until: '2026-11-25T17:00:00.000Z',
  by: 'Aroha Ngata',
  endedAt: null,
  isMissed: false,
  units: [],
  total: 40,
  stopped: 38,
  stillStopped: [],
  commandId: uid(5001),
  endCommandIds: [],
  end: null,
};

async function open(prepare: (api: FakeApi) => void = () => {}) {
  const api = deviceApi()
    .on('GET /groups-card', { groups: [north] })
    .on('GET /permissions-list', { permissions: [permissionsOn(rakaia, presets.farmManager)] });
  prepare(api);
  renderApp('/?t=g', { api });
  fireEvent.click(await screen.findByRole('button', { name: 'Menu of North' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Hold from watering…' }));
  return { api, dialog: within(await screen.findByRole('dialog', { name: 'Hold North from watering' })) };
}

test('a group is held until a time on the farm’s clock, and it is shown how many stopped', async () => {
  const { api, dialog } = await open((api) => api.on('POST /paddock-hold', { ...held, stopped: 0 }));
  fireEvent.change(await dialog.findByLabelText('Until'), { target: { value: '26/11/2026' } });
  api.on('GET /paddock-holds', { holds: [{ ...held, stopped: 0 }] });
  fireEvent.click(dialog.getByRole('button', { name: 'Hold' }));
  // New Zealand's summer: 06:00 is 17:00 of the day before in UTC.
  await waitFor(() =>
    expect(api.calls('POST /paddock-hold').map(({ body }) => body)).toEqual([
      { farmUID, groupUID: north._id, until: '2026-11-25T17:00:00.000Z', reason: 'Cows in' },
    ]),
  );
  expect(await dialog.findByText(/^Held until .*: 0 of 40 stopped\.$/)).toBeTruthy();
  api.on('GET /paddock-holds', { holds: [held] });
  act(() =>
    FakeSocket.last.push({ type: 'command_update', data: buildCommand(1, { command: 'InhibitGroup' }) }),
  );
  expect(await dialog.findByText(/38 of 40 stopped/)).toBeTruthy();
});

test('no time is asked for until the farm’s clock is known', async () => {
  const { dialog } = await open((api) => api.on('GET /farm', () => new Promise(() => undefined)));
  expect(await dialog.findByRole('button', { name: 'Close' })).toBeTruthy();
  expect(dialog.queryByLabelText('Until')).toBeNull();
});

test('a hold is made a day longer, and ended; a refusal says why', async () => {
  const { api, dialog } = await open((api) =>
    api
      .on('GET /paddock-holds', { holds: [held] })
      .on('PUT /paddock-hold', { ...held, until: '2026-11-26T17:00:00.000Z' })
      .on('POST /paddock-hold/end', new Failure(409, 'This hold is over already.')),
  );
  fireEvent.click(await dialog.findByRole('button', { name: 'A day longer: North' }));
  await waitFor(() =>
    expect(api.calls('PUT /paddock-hold')[0]?.body).toEqual({
      farmUID,
      holdUID: held.uid,
      until: '2026-11-26T17:00:00.000Z',
    }),
  );
  const end = () => dialog.getByRole('button', { name: 'Let water again: North' });
  await waitFor(() => expect(end().hasAttribute('disabled')).toBe(false));
  fireEvent.click(end());
  expect(await dialog.findByText('This hold is over already.')).toBeTruthy();
});

test('one whose end was missed asks for its sprinklers, on the group’s card too', async () => {
  const missed = {
    ...held,
    endedAt: '2026-11-25T18:00:00.000Z',
    isMissed: true,
    stillStopped: [uid(1), uid(2)],
    end: { again: 0, waiting: 0, others: [] },
  };
  const { dialog } = await open((api) => api.on('GET /paddock-holds', { holds: [missed] }));
  const text = /nothing could be let water within an hour: 2 of 40 still stopped/;
  expect(await dialog.findByText(text)).toBeTruthy();
  expect(dialog.getByText('Uninhibit 2')).toBeTruthy();
  expect((await screen.findAllByText(text)).length).toBe(2);
});

test('one that ended says how many may water again, and of each other why not', async () => {
  type Other = HoldEnd['others'][number];
  const other = (id: number, why: Other['why'], more: Partial<Other> = {}): Other => ({
    uid: uid(id),
    name: `A${id}`,
    why,
    note: '',
    at: '2026-11-25T17:05:00.000Z',
    ...more,
  });
  const others = [
    other(1, 'failed', { note: 'no answer' }),
    other(2, 'inhibited'),
    other(3, 'held', { at: '2026-11-26T17:00:00.000Z' }),
    other(4, 'notAsked', { at: null }),
  ];
  const ended = {
    ...held,
    endedAt: '2026-11-25T17:00:00.000Z',
    stillStopped: [uid(1)],
    end: { again: 35, waiting: 1, others },
  };
  const { dialog } = await open((api) => api.on('GET /paddock-holds', { holds: [ended] }));
  expect(await dialog.findByText('35 of 40 may water again, 1 waits for it.')).toBeTruthy();
  const list = within(dialog.getByRole('list', { name: 'Do not water again' }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'A1: did not take it, 11/26/2026 06:05 NZDT: no answer',
    'A2: inhibited by hand since 11/26/2026 06:05 NZDT',
    'A3: held by another hold until 11/27/2026 06:00 NZDT',
    'A4: nothing was sent to it',
  ]);
});

test('a day that is none, or over, is said before anything is sent', async () => {
  const { api, dialog } = await open();
  fireEvent.change(await dialog.findByLabelText('Until'), { target: { value: '31/02/2026' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Hold' }));
  expect(await dialog.findByText('Please enter a day as DD/MM/YYYY.')).toBeTruthy();
  fireEvent.change(await dialog.findByLabelText('Until'), { target: { value: '01/01/2020' } });
  expect(await dialog.findByText('This time is over. Please choose a later one.')).toBeTruthy();
  expect(api.calls('POST /paddock-hold')).toEqual([]);
});

test('a hold without an answer says that it is not known, and is the same call when it is pressed again', async () => {
  const { api, dialog } = await open((api) => api.on('POST /paddock-hold', UNREACHABLE));
  fireEvent.change(await dialog.findByLabelText('Until'), { target: { value: '26/11/2026' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Hold' }));
  expect(await dialog.findByText(/^No answer came, so it isn't known whether they are held\./)).toBeTruthy();
  api.on('POST /paddock-hold', held).on('GET /paddock-holds', { holds: [held] });
  fireEvent.click(dialog.getByRole('button', { name: 'Hold' }));
  expect(await dialog.findByText(/38 of 40 stopped/)).toBeTruthy();
  const keys = api.calls('POST /paddock-hold').map(({ headers }) => headers.get('Idempotency-Key'));
  expect(keys[0]).toBeTruthy();
  expect(new Set(keys).size).toBe(1);
});
