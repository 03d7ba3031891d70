import { describe, expect, it } from 'vitest';
import { newUid } from '../../db/ids.ts';
import { buildRule } from '../../testing/alert-factories.ts';
import { buildFarm } from '../../testing/factories.ts';
import { alertStage } from './testing/alert-stage.ts';

const { is, db, at, buildFarmOfTest, look, bell, sent, alertFor, quietUntil11, pause } = alertStage();

describe('a pause in which much begins at once', () => {
  const flood = async (minute: number) => {
    for (let nth = 0; nth < 12; nth += 1) await alertFor([], null);
    await look(minute, 18);
  };
  const held = async () =>
    (
      await db()
        .selectFrom('alert_flood')
        .select('held_for')
        .where('farm_id', '=', is.world.farm.id)
        .executeTakeFirst()
    )?.held_for;
  /** Of another farm: its alert may be over. */
  async function buildWaitingFlood(): Promise<void> {
    const farm = await buildFarm(db(), is.ana.id);
    await db()
      .insertInto('alert_flood')
      .values({ farm_id: farm.id, since: at(0), held_for: [is.ana.id], held_since: at(-1) })
      .execute();
    await db()
      .insertInto('alert_incident')
      .values({
        farm_id: farm.id,
        uid: newUid(),
        rule_id: 1,
        rule_name: 'Tank low',
        kind: 'TankLow',
        class: 'important',
        opened_at: at(1),
        ended_at: null,
        answered_by: null,
        answered_at: null,
      })
      .execute();
  }
  const FLOOD = '12 alerts began within 10 minutes: 12 tank low.';

  it('says it in the bell alone, and when it is over once how many are still so', async () => {
    is.server.clock.now = at(0);
    await pause(null);
    await flood(1);
    expect((await bell(is.ana)).at(-1)).toContain(FLOOD);
    // Of twelve incidents, one message.
    const lately = (await is.world.get('GET /alert/lately', { farmUID: is.world.farm.uid })).json();
    expect([lately.incidents, lately.days.at(-1).told]).toEqual([12, 1]);
    await look(59, 18);
    expect([await sent(is.ana), await sent(is.mere)]).toEqual([[], []]);
    await look(60, 18);
    await look(61, 18);
    for (const person of [is.ana, is.mere])
      expect(await sent(person)).toMatchObject([
        {
          body: expect.stringContaining('12 of the alerts that began at once are still so, and nobody has'),
        },
      ]);
    expect(await bell(is.ana)).toHaveLength(1);
  });

  it('says no more of it when it is over by then', async () => {
    is.server.clock.now = at(0);
    await pause(null);
    await flood(1);
    for (const minute of [20, 26, 60, 90]) await look(minute, 60);
    expect(await sent(is.ana)).toEqual([]);
  });

  it('tells it where one of them is not paused', async () => {
    const uid = await alertFor([], null);
    is.server.clock.now = at(0);
    await pause(uid, 'tomorrow');
    await flood(1);
    expect((await sent(is.ana)).map(({ body }) => body.includes('13 alerts began'))).toEqual([true]);
  });

  it('is told to whom it is quiet when their night is over', async () => {
    await quietUntil11(is.mere);
    await flood(1);
    expect([(await sent(is.ana)).length, await sent(is.mere)]).toEqual([1, []]);
    expect((await bell(is.mere)).at(-1)).toContain(FLOOD);
    await look(60, 18);
    await look(62, 18);
    expect(await sent(is.mere)).toMatchObject([{ body: expect.stringContaining('12 of the alerts') }]);
    expect(await sent(is.ana)).toHaveLength(1);
  });

  const STILL = 'of the alerts that began at once are still so';

  it('tells later what was about to be over and came back, and nobody twice', async () => {
    is.server.clock.now = at(0);
    await pause(null);
    for (let nth = 0; nth < 9; nth += 1) await alertFor([], null);
    for (let nth = 0; nth < 3; nth += 1) await buildRule(db(), is.world.farm.id, { hold_min: 0, value: 12 });
    await look(1, 10);
    await look(58, 18);
    await look(60, 18);
    expect(await sent(is.ana)).toMatchObject([{ body: expect.stringContaining(`9 ${STILL}`) }]);
    await look(62, 10);
    // What comes and goes is not a message each time.
    expect(await sent(is.ana)).toHaveLength(1);
    await look(70, 10);
    await look(90, 10);
    for (const person of [is.ana, is.mere])
      expect((await sent(person)).slice(1)).toMatchObject([
        { body: expect.stringContaining(`3 more ${STILL}`) },
      ]);
    expect(await held()).toEqual([]);
  });

  it('tells what one alert holds back longer when that is over', async () => {
    const uid = await alertFor([], null);
    is.server.clock.now = at(0);
    await pause(null);
    await pause(uid, 'tomorrow');
    await flood(1);
    await look(60, 18);
    await look(120, 18);
    expect(await sent(is.ana)).toMatchObject([{ body: expect.stringContaining(`12 ${STILL}`) }]);
    expect(await held()).toEqual([is.ana.id, is.mere.id]);
    await look(33 * 60, 18);
    expect((await sent(is.ana)).slice(1)).toMatchObject([
      { body: expect.stringContaining(`1 more ${STILL}`) },
    ]);
    expect(await held()).toEqual([]);
  });

  it('does not count what begins later and is told by itself', async () => {
    const uid = await alertFor([], null);
    is.server.clock.now = at(0);
    await pause(null);
    await pause(uid, 'tomorrow');
    await flood(1);
    await look(60, 18);
    await alertFor([], null);
    await look(120, 18);
    await look(140, 18);
    expect((await sent(is.ana)).map(({ body }) => body)).toEqual([
      expect.stringContaining(`12 ${STILL}`),
      expect.stringContaining('Trough 4 is at 18 %'),
    ]);
  });

  it('is told on the 51st farm too, while 50 others wait', async () => {
    for (let nth = 0; nth < 50; nth += 1) await buildWaitingFlood();
    await buildFarmOfTest();
    is.server.clock.now = at(0);
    await pause(null);
    await flood(1);
    await look(60, 18);
    expect(await sent(is.ana)).toMatchObject([{ body: expect.stringContaining(`12 ${STILL}`) }]);
    await db().deleteFrom('alert_flood').execute();
  });
});
