import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import type { Caller } from '../http/access-gate.ts';
import { openConnection, send, sendIfQuick } from './connection.ts';

it('writes all that is said in one turn of the event loop at once, and the next thing anew', async () => {
  const done: string[] = [];
  const socket = { bufferedAmount: 0, send: (told: string | Buffer) => done.push(String(told)) };
  const connection = openConnection({
    socket: socket as unknown as WebSocket,
    wire: { cork: () => done.push('hold'), uncork: () => done.push('write') },
    channel: 'everything',
    caller: { accountId: 1 } as Caller,
    token: 't',
  });
  send(connection, 'one');
  sendIfQuick(connection, Buffer.from('two'));
  await nextTurn();
  send(connection, 'three');
  await nextTurn();
  expect(done).toEqual(['hold', 'one', 'two', 'write', 'hold', 'three', 'write']);
});
