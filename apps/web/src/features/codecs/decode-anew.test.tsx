import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Api } from '@headrace/contract/api';
import { Failure } from '../../testing/fake-api.ts';
// Much code for a test to wait for.
import '../../app/device-form-page.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { exactTime } from '../../ui/format.ts';
import { buildSensor, deviceApi, farmUID } from '../devices/device-fixtures.ts';

type Decoding = Api['GET /sensor/decoding']['reply'];

const sensor = buildSensor(2, { macAddress: '0004A30B001C0530' });
const PATH = `/sensor-device/${farmUID}/${sensor._id}`;
const heard: Decoding = {
  codecId: null,
  version: null,
  mapping: null,
  revision: 'r1',
  lastUplink: {
    at: '2026-01-14T02:00:00.000Z',
    fPort: 2,
    fCnt: 71,
    bytes: 'CAFE',
    decodedBy: 'network server',
    data: { depth: 1 },
    warnings: [],
    problems: [],
  },
  waiting: null,
  keptSince: '2026-01-01T00:00:00.000Z',
  anew: null,
  anewRoom: { left: 1_000_000, limit: 1_000_000, moreAt: null },
  network: [],
};
const begun = {
  askedAt: '2026-01-14T02:00:00.000Z',
  total: 4320,
  done: 1200,
  changed: 900,
  failed: 0,
  problem: null,
  finishedAt: null,
};
const api = (changes: Partial<Decoding>) =>
  deviceApi({ sensors: [sensor] })
    .on('GET /codecs', { codecs: [] })
    .on('GET /sensor/decoding', { ...heard, ...changes });

test('stored messages are decoded anew by a press, and the page says how far it is until it is done', async () => {
  const server = api({});
  server.on('POST /sensor/decoding/anew', () => {
    server.on('GET /sensor/decoding', { ...heard, anew: begun });
    return { total: 4320 };
  });
  const { user } = renderApp(PATH, { api: server });
  await user.click(await screen.findByRole('button', { name: 'Decode the last 30 days anew' }));
  expect(await screen.findByText('1,200 of 4,320 messages')).toBeTruthy();
  expect(screen.getByRole('progressbar', { name: 'Decoded anew' }).getAttribute('value')).toBe('1200');
  expect(server.calls('POST /sensor/decoding/anew')[0]?.body).toEqual({ deviceId: sensor._id });
  const done = { ...begun, done: 4320, changed: 4300, failed: 12, problem: 'codec Tank: a status frame' };
  server.on('GET /sensor/decoding', { ...heard, anew: { ...done, finishedAt: '2026-01-14T02:05:00.000Z' } });
  const said = await screen.findByText(/of 4,320 messages/, { selector: 'p' });
  expect(said.textContent).toContain('of 4,320 messages 4,300 have other values now.');
  expect(said.textContent).toContain(
    '12 could not be decoded, or not in all, and keep the old values of that (codec Tank: a status frame).',
  );
});

test('decoding anew is cancelled by a press, and the page says how far it came', async () => {
  const jobId = '65a1b2c3d4e5f60718293a4b';
  const server = api({ anew: { ...begun, jobId } });
  server.on('POST /job/cancel', () => {
    server.on('GET /sensor/decoding', { ...heard, anew: { ...begun, jobId, finishedAt: begun.askedAt } });
    return {
      _id: jobId,
      farmUID,
      type: 'decode anew',
      by: 'A Person',
      state: 'cancelled',
      progress: 0.28,
      progressText: '1,200 of 4,320 messages are decoded anew.',
      error: 'It was cancelled.',
      askedAt: begun.askedAt,
      startedAt: begun.askedAt,
      finishedAt: begun.askedAt,
      keptUntil: '2026-01-21T02:00:00.000Z',
    };
  });
  const { user } = renderApp(PATH, { api: server });
  await user.click(await screen.findByRole('button', { name: 'Cancel decoding' }));
  const said = await screen.findByText(/1,200 of 4,320 messages were decoded anew/, { selector: 'p' });
  expect(said.textContent).toContain('900 have other values now. The others are as they were.');
  expect(server.calls('POST /job/cancel')[0]?.body).toEqual({ id: jobId });
  expect(screen.queryByRole('button', { name: 'Cancel decoding' })).toBeNull();
});

test('messages that wait for a slow codec are told, with how long it takes', async () => {
  const waiting = { count: 40, since: '2026-01-14T01:00:00.000Z', tookMs: 980 };
  renderApp(PATH, { api: api({ waiting }) });
  const said = await screen.findByText(/40 messages wait to be decoded/);
  expect(said.textContent).toContain('The codec took 980 ms for the last one');
  expect(said.textContent).toContain('15 seconds of each minute');
});

test('nothing is offered where nothing is kept, and a refusal is told', async () => {
  const server = api({ keptSince: null });
  const { unmount } = renderApp(PATH, { api: server });
  await screen.findByText(/decoded by network server/);
  expect(screen.queryByRole('button', { name: /anew/ })).toBeNull();
  unmount();
  const refusing = api({}).on('POST /sensor/decoding/anew', new Failure(429, 'Too many requests.'));
  const { user } = renderApp(PATH, { api: refusing });
  await user.click(await screen.findByRole('button', { name: 'Decode the last 30 days anew' }));
  await waitFor(() => expect(screen.getByText('Too many requests.')).toBeTruthy());
});

test('what a farm may still have decoded anew is said from 80 % on, with when there is more again', async () => {
  const moreAt = '2026-11-21T00:00:00.000Z';
  renderApp(PATH, { api: api({ anewRoom: { left: 150_000, limit: 1_000_000, moreAt } }) });
  await screen.findByRole('button', { name: 'Decode the last 30 days anew' });
  expect(screen.getByText('85 % used')).toBeTruthy();
  expect(
    screen.getByText(
      `150,000 of the 1,000,000 messages that a farm may have decoded anew in 24 hours are left. There are more again at ${exactTime(Date.parse(moreAt))}.`,
    ),
  ).toBeTruthy();
});
