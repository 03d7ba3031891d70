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
    FakeSocket.answers = true;
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

test('later tries come at most half a second later than every 5 s', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.999);
  connect(livePolicies.live);
  await pass(0);
  for (const after of [5000, 5000, 5000, 5500, 5500, 5500]) {
    const made = FakeSocket.all.length;
    FakeSocket.last.drop(1001);
    await pass(after - 500);
    expect(FakeSocket.all).toHaveLength(made);
    await pass(500);
    expect(FakeSocket.all).toHaveLength(made + 1);
  }
});

describe('a network that swallows everything', () => {
  test('is noticed within 20 s, whenever it begins, and the next connection is made 5 s later', async () => {
    for (const begins of [0, 100, 3000, 7999, 8000, 12_345]) {
      FakeSocket.all = [];
      FakeSocket.answers = true;
      const { states } = connect(livePolicies.live);
      await pass(60_000 + begins);
      expect(states).toEqual(['connecting', 'open']);
      FakeSocket.answers = false;
      await pass(18_000);
      expect(states.slice(0, 3)).toEqual(['connecting', 'open', 'lost']);
      FakeSocket.answers = true;
      await pass(5000);
      expect(states.at(-1)).toBe('open');
      connection?.close();
    }
  });

  test('while a connection is made is given up too, so that the next one finds the network that is back', async () => {
    FakeSocket.opensItself = false;
    const { states } = connect(livePolicies.live);
    await pass(10_000);
    expect(states).toEqual(['connecting', 'lost']);
    await pass(5000);
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.open();
    expect(states.at(-1)).toBe('open');
  });

  test('is not taken for one where answers are slow', async () => {
    const { states } = connect(livePolicies.live);
    const slow = vi.spyOn(FakeSocket.prototype, 'send').mockImplementation(function (this: FakeSocket) {
      setTimeout(() => this.push({ type: 'pong', data: {} }), 9900);
    });
    await pass(0);
    FakeSocket.last.push({ type: 'app_version', data: { version: '1.6.0' } });
    await pass(300_000);
    expect(states).toEqual(['connecting', 'open']);
    slow.mockRestore();
  });

  test('any word of the server shows that it is there', async () => {
    const { states } = connect(livePolicies.live);
    await pass(0);
    for (let n = 0; n < 20; n += 1) {
      FakeSocket.last.push({ type: 'app_version', data: { version: '1.6.0' } });
      await pass(9000);
    }
    expect(states).toEqual(['connecting', 'open']);
  });

  test('is asked about at once when the network says that it is back', async () => {
    FakeSocket.answers = true;
    const { states } = connect(livePolicies.live);
    await pass(60_000);
    FakeSocket.answers = false;
    connection?.reconnectNow();
    await pass(10_000);
    expect(states).toEqual(['connecting', 'open', 'lost']);
  });
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
