import { describe, expect, it } from 'vitest';
import { buildAccount, buildFarm, buildTank } from '../../testing/factories.ts';
import { alertStage } from './testing/alert-stage.ts';

const { is, db, at, look, bell, sent, open, seen, alertFor, hearsBy, as, pause } = alertStage();

describe('a pause', () => {
  async function resume(alertUID: string | null, minute: number) {
    is.server.clock.now = at(minute);
    const query = { farmUID: is.world.farm.uid, ...(alertUID !== null && { alertUID }) };
    await is.server.call('DELETE /alert/pause', { headers: is.world.headers, query });
  }

  it('holds back what begins, of one alert or of all; what is still so is told when it ends', async () => {
    const uid = await alertFor([], null);
    expect((await pause(uid)).json()).toMatchObject({ text: expect.stringMatching(/^Paused until/) });
    is.server.clock.now = at(0);
    expect((await pause(uid)).json()).toEqual({
      until: at(60).toISOString(),
      text: 'Paused until 11:00.',
    });
    expect((await bell(is.mere)).at(-1)).toBe(`${is.ana.name} paused “Tank low” until 11:00.`);
    await look(1, 18);
    expect(await sent(is.ana)).toEqual([]);
    expect((await bell(is.ana)).at(-1)).toContain('Trough 4 is at 18 %');
    const [listed] = (await is.world.get('GET /alerts', { farmUID: is.world.farm.uid })).json().alerts;
    expect(listed.paused).toEqual({ until: at(60).toISOString(), by: is.ana.name });
    await look(59, 18);
    expect(await sent(is.ana)).toEqual([]);
    await look(60, 18);
    expect((await sent(is.ana)).length).toBe(1);
    expect((await bell(is.ana)).at(-1)).toContain('It is still so, and nobody has answered.');
    expect(
      (await is.world.get('GET /alerts', { farmUID: is.world.farm.uid })).json().alerts[0].paused,
    ).toBeNull();
  });

  it('of one device holds back what is told of it alone, and nothing of what another is in as well', async () => {
    await alertFor([], null);
    const other = await buildTank(db(), is.world.farm.id, { name: 'Trough 5', settings: is.tank.settings });
    const sayOther = (minute: number, percent: number) =>
      is.world.record(other, [{ at: at(minute).toISOString(), values: { levelMm: percent * 10 } }]);
    is.server.clock.now = at(0);
    const paused = await as(is.ana, 'POST /alert/pause', {
      alertUID: null,
      deviceUID: is.tank.uid,
      until: 'hour',
    });
    expect(paused.json()).toEqual({ until: at(60).toISOString(), text: 'Paused until 11:00.' });
    expect((await bell(is.mere)).at(-1)).toBe(`${is.ana.name} paused “All alerts of Trough 4” until 11:00.`);
    expect((await is.world.get('GET /alerts', { farmUID: is.world.farm.uid })).json().pausedDevices).toEqual([
      { uid: is.tank.uid, name: 'Trough 4', until: at(60).toISOString(), by: is.ana.name },
    ]);
    await look(1, 18);
    expect(await sent(is.ana)).toEqual([]);
    await sayOther(2, 18);
    await look(2, 18);
    expect((await sent(is.ana)).map(({ body }) => /Trough \d/.exec(body)?.[0])).toEqual(['Trough 5']);
    await look(59, 18);
    expect(await sent(is.ana)).toHaveLength(1);
    await look(60, 18);
    expect((await sent(is.ana)).map(({ body }) => /Trough \d/.exec(body)?.[0])).toEqual([
      'Trough 5',
      'Trough 4',
    ]);
  });

  it('is of an alert or of a device of the farm, and of nothing else', async () => {
    const alertUID = await alertFor([], null);
    const theirs = await buildTank(db(), (await buildFarm(db(), (await buildAccount(db())).id)).id);
    const of = async (what: object) =>
      (await as(is.ana, 'POST /alert/pause', { alertUID: null, until: 'hour', ...what })).statusCode;
    expect(await of({ deviceUID: theirs.uid })).toBe(404);
    expect(await of({ alertUID, deviceUID: is.tank.uid })).toBe(400);
    expect(await of({ deviceUID: is.tank.uid })).toBe(200);
  });

  it('of the farm tells even what is only for information, once it is over', async () => {
    await alertFor([], null);
    await db().updateTable('alert_rule').set({ class: 'info' }).execute();
    await hearsBy(is.ana, { urgent: [], important: [], info: ['email'] });
    is.server.clock.now = at(0);
    await pause(null);
    await look(1, 18);
    await look(60, 18);
    await look(400, 18);
    expect((await sent(is.ana)).length).toBe(1);
  });

  it('that is ended early tells what it held back at once', async () => {
    const uid = await alertFor([], null);
    is.server.clock.now = at(0);
    await pause(uid, 'tomorrow');
    await look(1, 18);
    await resume(uid, 10);
    await look(11, 18);
    expect((await sent(is.ana)).length).toBe(1);
  });

  it('that is made shorter is over then', async () => {
    const uid = await alertFor([], null);
    is.server.clock.now = at(0);
    await pause(uid, 'tomorrow');
    await look(1, 18);
    is.server.clock.now = at(10);
    await pause(uid, 'hour');
    expect((await open())?.snoozedUntil).toBe(at(70).toISOString());
    await look(69, 18);
    expect(await sent(is.ana)).toEqual([]);
    await look(70, 18);
    expect(await sent(is.ana)).toHaveLength(1);
  });

  it('that is ended early lets more people be told', async () => {
    const uid = await alertFor([is.ana.id], 20, [is.mere.id]);
    await look(0, 18);
    await pause(uid, 'tomorrow');
    await look(25, 18);
    expect(await sent(is.mere)).toEqual([]);
    await resume(uid, 30);
    await look(31, 18);
    expect(await sent(is.mere)).toHaveLength(1);
  });

  it('gives who is told first after it the time to answer before more people are told', async () => {
    const uid = await alertFor([is.ana.id], 20, [is.mere.id]);
    is.server.clock.now = at(0);
    await pause(uid);
    await look(1, 18);
    for (const minute of [60, 79]) await look(minute, 18);
    expect([(await sent(is.ana)).length, (await sent(is.mere)).length]).toEqual([1, 0]);
    await look(80, 18);
    expect([(await sent(is.ana)).length, (await sent(is.mere)).length]).toEqual([1, 1]);
  });

  it('that is ended leaves the other pause, and what somebody snoozed, as they are', async () => {
    const uid = await alertFor([], null);
    await db().updateTable('alert_rule').set({ class: 'urgent' }).execute();
    is.server.clock.now = at(0);
    await pause(uid, 'tomorrow');
    await pause(null, 'tomorrow');
    await look(1, 18);
    await resume(null, 20);
    await look(21, 18);
    expect(await sent(is.ana)).toEqual([]);
    await as(is.ana, 'POST /alert/snooze', { ...(await seen()), until: 'hour' });
    await resume(uid, 30);
    await look(31, 18);
    expect([await sent(is.ana), (await open())?.snoozedUntil]).toEqual([[], at(81).toISOString()]);
    await look(81, 18);
    expect(await sent(is.ana)).toHaveLength(1);
  });

  it('sends no end of what began in it', async () => {
    const uid = await alertFor([], null);
    is.server.clock.now = at(0);
    await pause(uid);
    await look(1, 18);
    for (const minute of [10, 16]) await look(minute, 60);
    expect((await bell(is.ana)).at(-1)).toContain('it ended at 10:10');
    expect(await sent(is.ana)).toEqual([]);
  });

  it('tells nothing afterwards of what was told with much else at once', async () => {
    for (let rule = 0; rule < 11; rule++) await alertFor([], null);
    is.server.clock.now = at(0);
    await pause(null);
    await look(1, 18);
    await look(61, 18);
    expect((await sent(is.ana)).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('11 alerts at once'),
    ]);
  });

  it('holds back nothing of what is over in it, and no end of what was told before', async () => {
    const uid = await alertFor([], null);
    await look(0, 18);
    await pause(uid);
    await look(10, 60);
    await look(16, 60);
    expect((await sent(is.ana)).map(({ subject }) => subject.endsWith('over'))).toContain(true);
  });
});
