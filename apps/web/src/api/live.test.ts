import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeSocket } from '../testing/fake-socket.ts';
import { connectLive, livePolicies, type LiveConnection, type LiveState } from './live.ts';

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const greetings = (socket = FakeSocket.last) =>
  socket.sent.filter((frame) => (frame as { type: string }).type === 'client_id');

let connection: LiveConnection | undefined;
afterEach(() => connection?.close());
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  FakeSocket.answers = false;
});

function connect(policy: (typeof livePolicies)[keyof typeof livePolicies]) {
  const states: LiveState[] = [];
  const onRefused = vi.fn<() => void>();
  const onFrame = vi.fn<() => void>();
  const onState = (state: LiveState) => void states.push(state);
  connection = connectLive('my-token', { onFrame, onOpen: () => undefined, onState, onRefused }, policy);
  return { states, onRefused, onFrame };
}

describe.each(Object.entries(livePolicies))('the connection to %s', (name, policy) => {
  test('has the token as sub-protocol, and says its random id every 2 s until it hears something', async () => {
    const { onFrame } = connect(policy);
    await pass(0);
    expect(FakeSocket.last.url).toMatch(new RegExp(`^ws://.+/v1/${name}$`));
    expect(FakeSocket.last.protocol).toBe('my-token');
    expect(greetings()).toHaveLength(1);
    await pass(3999);
    expect(greetings()).toHaveLength(2);
    await pass(1);
    expect(greetings()).toHaveLength(3);
    expect(greetings()[0]).toEqual({
      type: 'client_id',
      data: { clientId: expect.stringMatching(/^[0-9a-f]{32}$/) },
    });
    expect(new Set(greetings().map((frame) => JSON.stringify(frame))).size).toBe(1);
    FakeSocket.last.push({ type: 'app_version', data: { version: '1.6.0' } });
    await pass(60_000);
    expect(greetings()).toHaveLength(3);
    expect(onFrame).toHaveBeenCalledTimes(1);
    expect(FakeSocket.all).toHaveLength(1);
  });

  test('that hears nothing after five times is lost', async () => {
    const { states } = connect(policy);
    await pass(9999);
    expect(greetings()).toHaveLength(5);
    expect(states).toEqual(['connecting', 'open']);
    const silent = FakeSocket.last;
    await pass(1);
    expect(states).toEqual(['connecting', 'open', 'lost']);
    expect(greetings(silent)).toHaveLength(5);
    expect(silent.readyState).toBe(FakeSocket.CLOSED);
  });

  test('that is refused says so, and is not tried again', async () => {
    const { onRefused, states } = connect(policy);
    await pass(0);
    FakeSocket.last.drop(4401);
    expect(onRefused).toHaveBeenCalledTimes(1);
    expect(states).not.toContain('lost');
    await pass(60_000);
    expect(FakeSocket.all).toHaveLength(1);
  });
});

test('the live connection is tried again every 5 s, after a silent one too', async () => {
  connect(livePolicies.live);
  await pass(10_000);
  await pass(4999);
  expect(FakeSocket.all).toHaveLength(1);
  await pass(1);
  expect(FakeSocket.all).toHaveLength(2);
  FakeSocket.last.drop(1001);
  await pass(5000);
  expect(FakeSocket.all).toHaveLength(3);
});

describe('the connection for notifications alone', () => {
  test.each([
    [1006, ['connecting', 'open', 'lost']],
    [1000, ['connecting', 'open']],
  ])('reports an end by code %d as it is, and is not tried again', async (code, expected) => {
    const { states } = connect(livePolicies.notifications);
    await pass(0);
    FakeSocket.last.drop(code);
    await pass(60_000);
    expect(states).toEqual(expected);
    expect(FakeSocket.all).toHaveLength(1);
  });
});
