import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { AskedAlert } from '@headrace/contract/alert-answers';
import { FakeApi, Failure, UNREACHABLE } from '../../testing/fake-api.ts';
import { rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';

const KEY = '7Kq2mX9cAbCd';
const asked = (over: Partial<AskedAlert> = {}): AskedAlert => ({
  uid: uid(5),
  farmUID: rakaia._id,
  farmName: 'Home Block',
  timezone: { timeZoneId: 'Pacific/Chatham', rawOffset: 45_900, dstOffset: 3600, dstEnabled: true },
  title: 'Home Block: Tank low: Trough 4',
  message: 'Trough 4 is at 12 %, below 20 % since 05:40.',
  class: 'important',
  state: 'open',
  as: 'Mere',
  answeredBy: null,
  answeredAt: null,
  snoozedUntil: null,
  ...over,
});
const open = (api: FakeApi) => renderApp(`/a/${KEY}`, { api, as: null });

test('a message’s link shows what is so, and answers only by its button, without signing in', async () => {
  const answered = asked({ state: 'answered', answeredBy: 'Mere', answeredAt: new Date().toISOString() });
  const api = new FakeApi()
    .on('GET /alerts/answer', { alert: asked() })
    .on('POST /alerts/answer', { alert: answered, text: 'Mere is on it (06:12).' });
  const { user } = open(api);
  expect(await screen.findByText('Trough 4 is at 12 %, below 20 % since 05:40.')).toBeTruthy();
  expect(screen.getByText('You answer as Mere.')).toBeTruthy();
  expect(screen.getByText(/^Times are by the farm's clock \(CHA[DS]T\)\.$/)).toBeTruthy();
  expect(api.calls('POST /alerts/answer')).toEqual([]);
  await user.click(screen.getByRole('button', { name: "I'm on it" }));
  expect(await screen.findByText('Mere is on it (06:12).')).toBeTruthy();
  expect(api.calls('POST /alerts/answer')[0]?.body).toEqual({
    key: KEY,
    answer: 'answer',
    from: 'link',
    class: 'important',
  });
  expect(screen.queryByRole('button', { name: "I'm on it" })).toBeNull();
});

test('it snoozes as well', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const api = new FakeApi()
    .on('GET /alerts/answer', { alert: asked() })
    .on('POST /alerts/answer', { alert: asked({ snoozedUntil: until }), text: 'Snoozed until 07:12.' });
  const { user } = open(api);
  await user.click(await screen.findByRole('button', { name: 'Snooze for an hour' }));
  expect(await screen.findByText('Snoozed until 07:12.')).toBeTruthy();
  expect(api.calls('POST /alerts/answer')[0]?.body).toMatchObject({ answer: 'hour' });
});

test('what got worse than the page shows is not answered by it: it says so, and shows how it is', async () => {
  let now = asked();
  const api = new FakeApi()
    .on('GET /alerts/answer', () => ({ alert: now }))
    .on('POST /alerts/answer', () => {
      now = asked({ class: 'urgent', message: 'Trough 4 is at 4 %.' });
      return new Failure(409, 'It got worse meanwhile and is urgent now.');
    });
  const { user } = open(api);
  await user.click(await screen.findByRole('button', { name: "I'm on it" }));
  expect((await screen.findByRole('alert')).textContent).toBe('It got worse meanwhile and is urgent now.');
  expect(await screen.findByText('Trough 4 is at 4 %.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: "I'm on it" }));
  await waitFor(() =>
    expect(api.calls('POST /alerts/answer').map(({ body }) => body.class)).toEqual(['important', 'urgent']),
  );
});

test('of what somebody is on, or what is over, there is nothing to press', async () => {
  open(new FakeApi().on('GET /alerts/answer', { alert: asked({ state: 'ended', message: 'It ended.' }) }));
  expect(await screen.findByText('It ended.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Snooze|on it/ })).toBeNull();
});

test('a link that is too old, or was guessed, tells nothing', async () => {
  open(new FakeApi().on('GET /alerts/answer', { alert: null }));
  expect(await screen.findByText('This link has ended.')).toBeTruthy();
});

test('what could not be sent is said, and can be pressed again', async () => {
  const api = new FakeApi()
    .on('GET /alerts/answer', { alert: asked() })
    .on('POST /alerts/answer', UNREACHABLE);
  const { user } = open(api);
  await user.click(await screen.findByRole('button', { name: "I'm on it" }));
  expect(await screen.findByRole('alert')).toBeTruthy();
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: "I'm on it" }).disabled).toBe(false),
  );
});
