import { EventEmitter } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { WebSocket } from 'ws';
import type { IpcStatus } from '@headrace/contract/groups';
import type { StatusUpdate } from '@headrace/contract/live';
import { presets } from '@headrace/contract/permissions';
import type { Caller } from '../http/access-gate.ts';
import { createLocalBus } from './live-bus.ts';
import type { LiveGrant } from './connection.ts';
import { createLiveHub } from './live-hub.ts';
import { createLivePublisher } from './live-publisher.ts';
import { statusEvent } from './status-event.ts';

const caller: Caller = {
  accountId: 1,
  uid: 'a'.repeat(24),
  type: 'AGENT',
  tokenHash: Buffer.alloc(32, 7),
  isStaff: false,
  mustChangePassword: false,
  subscriptionValidUntil: new Date('2099-01-01T00:00:00Z'),
};
const mayRead: LiveGrant[] = [
  { farmId: 5, farmUID: 'b'.repeat(24), permissions: presets.guest, endsAt: null },
];
const update = statusEvent(5, {
  type: 'tank_level',
  farmUID: 'b'.repeat(24),
  uid: 'c'.repeat(24),
  serialNumber: 'T1',
  updatedAt: '2026-11-20T21:00:00.000Z',
});

/** A connection, and a hub whose questions about rights are answered when the test says so. */
function open() {
  const session: { caller: Caller | null } = { caller };
  const answers: ((grants: LiveGrant[]) => void)[] = [];
  const readings: ((sprinklers: IpcStatus[]) => void)[] = [];
  const live = createLivePublisher(createLocalBus());
  const hub = createLiveHub(
    {
      callerOf: async () => session.caller,
      grantsOf: () => new Promise((resolve) => void answers.push(resolve)),
      openingFrames: async () => [],
      notifications: async () => ({ type: 'app_version', data: { version: 'opening' } }),
      setNotificationPreferences: async () => {},
      sprinklers: () => new Promise((resolve) => void readings.push(resolve)),
      sprinklersSentTo: async () => new Set(),
      sprinklerCounts: async () => null,
    },
    { live, now: () => new Date('2026-11-20T21:00:00Z'), log: { warn() {} } },
  );
  onTestFinished(() => hub.stop());
  const connect = () => {
    const socket = Object.assign(new EventEmitter(), {
      readyState: 1,
      OPEN: 1,
      bufferedAmount: 0,
      said: vi.fn<(text: string) => void>(),
      send(told: string | Buffer) {
        this.said(String(told));
      },
      close: vi.fn(),
      terminate: vi.fn(),
      ping: vi.fn(),
    });
    return { socket, accepted: hub.accept(socket as unknown as WebSocket, 'token') };
  };
  const asked = (times: number) => expect.poll(() => answers.length).toBe(times);
  return { live, connect, session, ...connect(), answers, readings, asked };
}

it('a connection that opens while its rights are taken back hears nothing of the farm', async () => {
  const { live, socket, answers, accepted, asked } = open();
  await asked(1);
  const changed = live.accessChanged(1);
  await asked(2);
  answers[1]?.([]);
  await changed;
  answers[0]?.(mayRead);
  await accepted;
  live.publish([update]);
  expect(socket.said.mock.calls.map(([text]) => text)).not.toContain(JSON.stringify(update.frame));
});

it('a connection that opens while its session ends is closed', async () => {
  const { live, socket, answers, accepted, asked } = open();
  await asked(1);
  live.endSession(caller.tokenHash);
  answers[0]?.(mayRead);
  await accepted;
  expect(socket.close).toHaveBeenCalledWith(4401, 'Signed out.');
});

it('a connection whose session has run out is closed within half a minute, though nobody says so', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { session, socket, answers, accepted, asked } = open();
  await asked(1);
  answers[0]?.(mayRead);
  await accepted;
  session.caller = null;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(socket.close).toHaveBeenCalledWith(4401, 'Please sign in.');
});

it('while the rights of one page are read anew, no other page of the account hears of the farm', async () => {
  const { live, socket, connect, answers, accepted, asked } = open();
  await asked(1);
  answers[0]?.(mayRead);
  await accepted;
  const other = connect();
  await asked(2);
  answers[1]?.(mayRead);
  await other.accepted;
  const changed = live.accessChanged(1);
  live.publish([update]);
  for (const page of [socket, other.socket])
    expect(page.said.mock.calls.map(([text]) => text)).not.toContain(JSON.stringify(update.frame));
  await asked(4);
  for (const answer of answers.slice(2)) answer([]);
  await changed;
});

it('an old answer about rights does not undo a newer one', async () => {
  const { live, socket, answers, accepted, asked } = open();
  await asked(1);
  answers[0]?.([]);
  await accepted;
  const first = live.accessChanged(1);
  await asked(2);
  const second = live.accessChanged(1);
  await asked(3);
  answers[2]?.(mayRead);
  await second;
  answers[1]?.([]);
  await first;
  live.publish([update]);
  expect(socket.said).toHaveBeenLastCalledWith(JSON.stringify(update.frame));
});

it('a sprinkler that was being read while rights were taken back is not told', async () => {
  const { live, socket, answers, readings, accepted, asked } = open();
  await asked(1);
  answers[0]?.(mayRead);
  await accepted;
  const { farmUID } = update.frame.data as StatusUpdate;
  socket.emit('message', Buffer.from(JSON.stringify({ type: 'watch', data: { farmUID } })), false);
  const told = () =>
    socket.said.mock.calls.filter(([text]) => text.includes('"ipc_status_update"')).map(([text]) => text);
  const unit = { id: 'd'.repeat(24), name: 'A1' } as IpcStatus;
  const say = () =>
    live.publish([statusEvent(5, { ...(update.frame.data as StatusUpdate), type: 'ipc', uid: unit.id })]);
  say();
  await expect.poll(() => readings.length).toBe(1);
  readings[0]?.([unit]);
  await expect
    .poll(told)
    .toEqual([JSON.stringify({ type: 'ipc_status_update', data: { farmUID, ipc: unit } })]);
  say();
  await expect.poll(() => readings.length).toBe(2);
  const changed = live.accessChanged(1);
  await asked(2);
  answers[1]?.([]);
  await changed;
  readings[1]?.([unit]);
  await Promise.resolve();
  expect(told()).toHaveLength(1);
});
