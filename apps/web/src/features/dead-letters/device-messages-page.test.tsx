import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { DeadLetter } from '@headrace/contract/dead-letters';
import type { FarmUsage } from '@headrace/contract/usage';
import { presets } from '@headrace/contract/permissions';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { buildLogin, permissionsOn, rakaia } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { replayText } from './use-replay.ts';

const letter = (n: number, over: Partial<DeadLetter> = {}): DeadLetter => ({
  _id: String(n),
  reason: 'unknown device 70B3D5FFFF000001',
  from: 'gateway 0004A30B001C0530',
  mac: '70B3D5FFFF000001',
  deviceName: '',
  gatewayName: 'Pump shed',
  firstAt: '2026-11-20T02:30:00.000Z',
  at: '2026-11-21T02:30:00.000Z',
  bytes: 120,
  count: 1204,
  kept: 1000,
  taken: 0,
  held: false,
  ...over,
});
const usage = (over: Partial<FarmUsage['readings']> = {}): FarmUsage => ({
  resetsAt: '2026-11-22T00:00:00.000Z',
  readings: {
    today: 1200,
    refused: 0,
    limit: 2_000_000,
    accountToday: 1200,
    accountLimit: 10_000_000,
    ...over,
  },
  series: { count: 40, limit: 200_000 },
  codecs: { count: 80, limit: 100 },
  letters: { today: 3, keptBytes: 1_048_576, limitBytes: 67_108_864 },
});
const server = (...letters: DeadLetter[]) =>
  new FakeApi()
    .on('GET /farm/usage', usage())
    .on('GET /dead-letters', { letters, more: false, keptDays: 30 });
const open = (api: FakeApi) => renderApp(`/device-messages/${rakaia._id}`, { api });

describe('messages that were not taken', () => {
  test('say from whom, why, how often and since when, and what to do', async () => {
    open(server(letter(1)));
    const item = within(await screen.findByRole('listitem'));
    expect(item.getByText('70B3D5FFFF000001, through gateway Pump shed')).toBeTruthy();
    expect(item.getByText('This farm has no device with the MAC 70B3D5FFFF000001.')).toBeTruthy();
    expect(item.getByText(/Add the device/)).toBeTruthy();
    // 02:30 UTC is 15:30 in New Zealand's summer.
    expect(
      item.getByText(/^1,204 messages not taken since .*15:30.*\. 1,000 are kept to be tried again\.$/),
    ).toBeTruthy();
  });

  test('are shown whole when asked for', async () => {
    const message = '{"items":[{"mac":"70B3D5FFFF000001"}]}';
    const api = server(letter(1)).on('GET /dead-letter', {
      topic: 'headrace/v1/0004A30B001C0530/up/sensor',
      receivedAt: '2026-11-21T02:30:00.000Z',
      bytes: 38,
      whole: true,
      encoding: 'text',
      message,
    });
    const { user } = open(api);
    await user.click(await screen.findByRole('button', { name: /^Show message/ }));
    expect(await screen.findByText(message)).toBeTruthy();
    expect(screen.getByText(/^The newest that is kept: .* 38 bytes on headrace/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: /^Hide message/ }));
    expect(screen.queryByText(message)).toBeNull();
  });

  test('are tried again one reason at a time or all, and what became of them is said', async () => {
    const api = server(letter(1), letter(2, { mac: '70B3D5FFFF000002', deviceName: 'North tank' })).on(
      'POST /dead-letters/replay',
      ({ body }) =>
        body.id
          ? { taken: 1000, failed: 0, left: 0, reason: '' }
          : { taken: 1, failed: 2, left: 0, reason: 'message is not JSON' },
    );
    const { user } = open(api);
    await user.click(
      await screen.findByRole('button', { name: 'Try again: North tank, through gateway Pump shed' }),
    );
    expect(await screen.findByText('1,000 messages taken.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Try all again' }));
    expect(await screen.findByText(/^1 message taken\. 2 messages failed again\./)).toBeTruthy();
    expect(api.calls('POST /dead-letters/replay').map(({ body }) => body)).toEqual([
      { farmUID: rakaia._id, id: '2' },
      { farmUID: rakaia._id },
    ]);
  });

  test('that wait for the clock, were taken, or are not kept can not be tried', async () => {
    open(
      server(
        letter(1, {
          held: true,
          reason: "the server's clock is behind: kept, and taken by itself when the clock is right",
        }),
        letter(2, { count: 0, kept: 0, taken: 7 }),
        letter(3, { kept: 0 }),
      ),
    );
    expect(await screen.findByText(/^1,204 messages waiting since/)).toBeTruthy();
    expect(screen.getByText('7 messages taken after all.')).toBeTruthy();
    expect(screen.getByText(/None is kept to be tried again\.$/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Try/ })).toBeNull();
  });

  test('are seen and not tried by guests', async () => {
    const api = server(letter(1)).on('GET /permissions-list', {
      permissions: [permissionsOn(rakaia, presets.guest)],
    });
    renderApp(`/device-messages/${rakaia._id}`, { api, as: buildLogin({ type: 'AGENT' }) });
    expect(await screen.findByRole('button', { name: /^Show message/ })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Try again/ })).toBeNull();
  });

  test('say when there are none, or when they could not be loaded', async () => {
    const api = server().on('GET /dead-letters', new Failure(503, 'Away.'));
    const { user } = open(api);
    expect(await screen.findByText("The messages couldn't be loaded")).toBeTruthy();
    api.on('GET /dead-letters', { letters: [], more: false, keptDays: 30 });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('All messages were taken.')).toBeTruthy();
  });
});

describe('the usage of a farm', () => {
  const lineOf = (name: string) => screen.getByText(name).parentElement?.textContent;

  test('stands beside what it may', async () => {
    open(server());
    await screen.findByText('Readings today');
    expect(lineOf('Readings today')).toBe('Readings today1,200 of 2,000,000 ');
    expect(lineOf('Values that are kept')).toBe('Values that are kept40 of 200,000 ');
    expect(lineOf('Room for messages that were not taken')).toContain('1 of 64 MB');
  });

  test.each([
    [1_599_999, 0, null],
    [1_600_000, 0, '80 % used'],
    [2_000_000, 12, 'full'],
  ])('%i readings, %i refused: %s', async (today, refused, said) => {
    open(server().on('GET /farm/usage', usage({ today, refused })));
    await screen.findByText('Readings today');
    expect(lineOf('Readings today')?.replace(/^.* of 2,000,000 /, '') || null).toBe(said);
    expect(screen.queryByText(/came beyond a limit/)?.textContent ?? null).toBe(
      refused > 0 ? '12 readings of today came beyond a limit and were not taken.' : null,
    );
  });
});

test.each([
  [{ taken: 0, failed: 0, left: 0, reason: '' }, 'No message is kept that could be tried.'],
  [{ taken: 300, failed: 0, left: 700, reason: '' }, '300 messages taken. 700 left: try again.'],
])('a replay %j is told', (reply, text) => {
  expect(replayText(reply)).toBe(text);
});
