import { presets } from '@headrace/contract/permissions';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildRule } from '../../testing/alert-factories.ts';
import { buildAccount, buildShare } from '../../testing/factories.ts';
import { buildWanted } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';

let kit: CommandsKit;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());

it('a valve that is overdue is told, and told as over with when it closed, not as no longer watched', async () => {
  // 05:00 on 21 November in New Zealand's summer time; it waters from 05:12 to 05:40.
  kit.clock.now = new Date('2026-11-20T16:00:00Z');
  const driver = await kit.farm();
  const [unit] = driver.units;
  if (!unit) throw new Error('no unit');
  const { db } = kit.server.database;
  await buildWanted(db, driver.farm.id, [unit], [{ start: 312, duration: 28, cycle: 1 }]);
  await buildRule(db, driver.farm.id, { kind: 'ValveOpen', condition: 'any', value: null, hold_min: 0 });
  const look = () => kit.server.runJob('alerts');
  const bell = async () =>
    (await kit.server.call('GET /notifications', { headers: driver.headers }))
      .json<{ list: { message: string }[] }>()
      .list.map(({ message }) => message)
      .toReversed();

  kit.pass(13);
  await driver.reportsValve(unit, 'open');
  await look();
  kit.pass(33);
  await look();
  expect((await bell()).at(-1)).toContain('should have closed at 05:40. Nobody has reported it closed.');
  const agent = await buildAccount(db, { type: 'AGENT' });
  await buildShare(db, driver.farm.id, agent.id, { ...presets.guest, notifications: true });
  const valves = async (headers: Record<string, string>) => {
    const ask = (key: string, query: object) =>
      kit.server.call(key, { headers, query: { farmUID: driver.farm.uid, ...query } });
    const [incident] = (await ask('GET /alert/incidents', {})).json().open;
    return (await ask('GET /alert/incident', { uid: incident.uid })).json().valves;
  };
  expect(await valves(driver.headers)).toEqual([
    { uid: unit.uid, name: unit.name, mac: unit.mac, serialNumber: unit.serial_number },
  ]);
  // Who may not close it isn't given what that takes.
  expect(await valves(await kit.server.signIn(agent))).toEqual([]);
  kit.pass(14);
  await driver.reportsValve(unit, 'closed');
  await look();
  kit.pass(6);
  await look();
  expect((await bell()).at(-1)).toContain('it ended at 06:00 after 20 minutes.');
});
