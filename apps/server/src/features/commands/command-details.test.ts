import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import type { Detail, FarmDriver } from './testing/farm-driver.ts';

/** A command for five units, of which the last but one fails and the second is done. */
let kit: CommandsKit;
let driver: FarmDriver;
let commandId: string;
beforeAll(async () => {
  kit = await createCommandsKit();
  driver = await kit.farm({ units: 5 });
  commandId = await driver.command('PollGroup', { payload: { groupUID: 'FARM' } });
  await driver.answers(commandId, 'accepted');
  await driver.answers(commandId, 'done', { mac: driver.units[1]?.mac ?? '' });
  await driver.answers(commandId, 'failed', { mac: driver.units[3]?.mac ?? '', error: 'no answer' });
});
afterAll(() => kit.close());

const ask = (limit: string) =>
  kit.server.call('GET /command', {
    headers: driver.headers,
    query: { farmUID: driver.farm.uid, commandId, limit },
  });

it('tells of as many units as are asked for, those that failed first, and how many there are in which state', async () => {
  const { command, units, unitStates } = (await ask('2')).json<Detail & { unitStates: object }>();
  expect(units.map(({ name, state }) => [name, state])).toEqual([
    ['U004', 'failed'],
    ['U001', 'accepted'],
  ]);
  expect(command.total).toBe(5);
  expect(unitStates).toEqual({ accepted: 3, done: 1, failed: 1 });
});

it('tells every step of the command itself, and the first of its units', async () => {
  const { steps, stepCount } = (await ask('4')).json<Detail & { stepCount: number }>();
  expect(steps.filter(({ name }) => name === null).map(({ state }) => state)).toEqual([
    'queued',
    'sent',
    'accepted',
    'progress',
  ]);
  expect(steps.filter(({ name }) => name !== null).map(({ name, state }) => [name, state])).toEqual([
    ['U001', 'sent'],
    ['U002', 'sent'],
    ['U003', 'sent'],
    ['U004', 'sent'],
  ]);
  // Four of its own; of each unit that it was sent and accepted, and two results.
  expect(stepCount).toBe(4 + 5 * 2 + 2);
});

it('tells of all of them where they are not too many', async () => {
  const { units, steps } = await driver.detail(commandId);
  expect(units.map(({ name }) => name)).toEqual(['U004', 'U001', 'U002', 'U003', 'U005']);
  expect(steps).toHaveLength(16);
});

it('refuses to tell of more than 5,000', async () => {
  expect((await ask('5001')).statusCode).toBe(400);
  expect((await ask('0')).statusCode).toBe(400);
});
