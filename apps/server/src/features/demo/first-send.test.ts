import { afterAll, beforeAll, expect, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import type { CommandRequest } from '@headrace/contract/commands';
import { ApiFailure } from '../../http/errors.ts';
import { buildQueuedCommand } from '../../testing/factories.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { sendFirst } from './first-send.ts';
import { seedDemo } from './seed-demo.ts';

const MINUTE_MS = 60_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('the demo’s owner sends the newest set to a group that it has not reached, once its gateway is there, and never on an old demo', async () => {
  const { db } = database;
  const now = new Date();
  await seedDemo(db, 'secret', now);
  const asked: { name: string; by: string; request: CommandRequest }[] = [];
  let isThere = false;
  const commands: Parameters<typeof sendFirst>[1] = {
    send: async ({ name }, accountId, request) => {
      if (!isThere) throw new ApiFailure('gatewayUnavailable', 'Gateway currently unavailable.');
      const { email } = await db
        .selectFrom('account')
        .select('email')
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow();
      asked.push({ name, by: email, request });
      return { commandId: 'c', status: 'queued' };
    },
  };
  const at = (minutes: number) => sendFirst(db, commands, new Date(now.getTime() + minutes * MINUTE_MS));
  await at(1);
  expect(asked).toEqual([]);
  isThere = true;
  await at(61);
  expect(asked).toEqual([]);
  await at(2);
  const { groupUID, setUID } = asked[0]?.request.payload ?? {};
  expect(asked).toEqual([
    {
      name: 'Waihao Flats',
      by: 'owner@headrace.test',
      request: {
        farmUID: expect.any(String) as string,
        type: commandTypes.SendScheduleSet,
        payload: { groupUID, setUID },
      },
    },
  ]);
  const { rows } = await database.pool.query<{ group: string; set: string; duration: number }>(
    `select g.name as "group", s.name as "set", (u.entries->0->>'duration')::int as duration
      from schedule_set s join schedule_set_unit u on u.farm_id = s.farm_id and u.set_id = s.id, device_group g
      where s.uid = $1 and g.uid = $2 and u.group_uid = g.uid limit 1`,
    [setUID, groupUID],
  );
  expect(rows).toEqual([{ group: 'Block 9', set: 'Summer', duration: 28 }]);
});

it('sends nothing where somebody has sent schedules before', async () => {
  const { db } = database;
  const gateway = await db
    .selectFrom('device')
    .selectAll()
    .where('name', '=', 'Waihao INC')
    .executeTakeFirstOrThrow();
  await buildQueuedCommand(db, gateway, new Date(), { type: commandTypes.SendScheduleSet });
  const send = () => {
    throw new Error('nothing is to be sent');
  };
  await expect(sendFirst(db, { send }, new Date())).resolves.toBeUndefined();
});
