import { presets } from '@headrace/contract/permissions';
import { describe, expect, it } from 'vitest';
import { buildAccount, buildShare } from '../../testing/factories.ts';
import { createTestServer } from '../../testing/test-server.ts';
import { alertStage } from './testing/alert-stage.ts';

const { is, db, look, bell, sent, seen, alertFor, quietUntil11, as } = alertStage();

describe('an alert that names its people', () => {
  it('is told to them alone, and to the next if nobody answers in time', async () => {
    await alertFor([is.ana.id], 20, [is.mere.id]);
    await look(0, 18);
    expect([(await bell(is.ana)).length, (await bell(is.mere)).length]).toEqual([1, 0]);
    await look(19, 18);
    expect(await bell(is.mere)).toEqual([]);
    await look(20, 17);
    await look(21, 17);
    expect((await bell(is.ana)).length).toBe(1);
    expect(await bell(is.mere)).toEqual([
      expect.stringMatching(/^Nobody has answered it yet\. Trough 4 is at 17 %/),
    ]);
    expect((await sent(is.mere)).map(({ state }) => state)).toEqual(['queued']);
    // From then on both are told again, and hear who is on it.
    await look(240, 17);
    expect([(await bell(is.ana)).length, (await bell(is.mere)).length]).toEqual([2, 2]);
    await as(is.mere, 'POST /alert/answer', await seen());
    expect((await bell(is.ana)).at(-1)).toMatch(/^Mere is on it/);
  });

  it('is told by two servers to the next once', async () => {
    await alertFor([is.ana.id], 20, [is.mere.id]);
    await look(0, 18);
    const other = await createTestServer({}, is.server);
    await Promise.all([look(20, null), look(20, null, other)]);
    await other.close();
    expect(await bell(is.mere)).toHaveLength(1);
  });

  it('is told to nobody else once somebody answers, or it is over; a snooze puts that off', async () => {
    await alertFor([is.ana.id], 20, [is.mere.id]);
    await look(0, 18);
    await as(is.ana, 'POST /alert/snooze', { ...(await seen()), until: 'hour' });
    await look(30, 18);
    expect(await bell(is.mere)).toEqual([]);
    await look(61, 18);
    expect(await bell(is.mere)).toHaveLength(1);
    await as(is.ana, 'POST /alert/answer', await seen());
    await look(120, 18);
    expect(await bell(is.mere)).toHaveLength(2);
  });

  it('is told to everybody where none of them is told of the farm any more', async () => {
    await alertFor([is.mere.id], 20, [is.mere.id]);
    await db().deleteFrom('share').where('agent_id', '=', is.mere.id).execute();
    await look(0, 18);
    expect([(await bell(is.ana)).length, (await bell(is.mere)).length]).toEqual([1, 0]);
  });

  it('is told once more to those it names next where everybody was told first', async () => {
    await alertFor([], 20, [is.mere.id]);
    await look(0, 18);
    await look(20, 17);
    expect([(await bell(is.ana)).length, (await bell(is.mere)).length]).toEqual([1, 2]);
    expect((await bell(is.mere)).at(-1)).toMatch(/^Nobody has answered it yet\./);
  });

  it('is told to nobody who refuses that, and the others of the farm hear of the refusal', async () => {
    const rewi = await buildAccount(db(), { name: 'Rewi', type: 'AGENT' });
    await buildShare(db(), is.world.farm.id, rewi.id, { ...presets.guest, notifications: true });
    const uid = await alertFor([is.ana.id], 20, [is.mere.id]);
    const ways = { quiet: null, ways: { urgent: [], important: [], info: [] } };
    const takes = async (escalations: boolean) =>
      is.server.call('PUT /notification/ways', {
        headers: await is.server.signIn(is.mere),
        body: { ...ways, escalations },
      });
    expect((await takes(false)).json()).toMatchObject({ escalations: false, digest: true });
    const refusal = `Mere doesn't take escalations any more: “Tank low” names them for where nobody answers. Whoever else is told of the farm is told instead.`;
    expect(await Promise.all([is.ana, rewi, is.mere].map(bell))).toEqual([[refusal], [refusal], []]);
    expect((await is.world.get('GET /alert/people', { farmUID: is.world.farm.uid })).json().people).toEqual([
      expect.objectContaining({ name: is.ana.name, takesEscalations: true }),
      { uid: is.mere.uid, name: 'Mere', takesEscalations: false },
      { uid: rewi.uid, name: 'Rewi', takesEscalations: true },
    ]);
    await look(0, 18);
    await look(20, 17);
    await look(240, 17);
    const counts = async () =>
      (await Promise.all([is.ana, rewi, is.mere].map(bell))).map(({ length }) => length);
    // Told first, and again after four hours; in Mere's place whoever else is told of the farm.
    expect(await counts()).toEqual([3, 3, 0]);
    // What they are told first they are told all the same.
    await db()
      .updateTable('alert_rule')
      .set({ people: [is.mere.id] })
      .where('uid', '=', uid)
      .execute();
    await takes(false);
    expect(await counts()).toEqual([3, 3, 0]);
    await takes(true);
    expect((await bell(is.ana)).at(-1)).toMatch(/^Mere takes escalations again: “Tank low” names them/);
  });

  it('is held back for quiet hours from nobody who was told of the farm then, and is not any more', async () => {
    await quietUntil11(is.mere);
    await alertFor([], null);
    await look(0, 18);
    await db().deleteFrom('share').where('agent_id', '=', is.mere.id).execute();
    await look(60, 18);
    expect([(await sent(is.ana)).length, await sent(is.mere)]).toEqual([1, []]);
  });

  it('whose beginning was held back for quiet hours sends no end', async () => {
    await quietUntil11(is.mere);
    await alertFor([], null);
    await look(55, 18);
    for (const minute of [58, 60, 64]) await look(minute, 60);
    expect((await bell(is.mere)).at(-1)).toContain('it ended at 10:58');
    expect([(await sent(is.ana)).length, await sent(is.mere)]).toEqual([2, []]);
  });

  it('and was sent after quiet hours sends its end as well', async () => {
    await quietUntil11(is.mere);
    await alertFor([], null);
    await look(55, 18);
    await look(60, 18);
    for (const minute of [70, 76]) await look(minute, 60);
    expect((await sent(is.mere)).map(({ subject }) => subject.endsWith('over'))).toEqual([false, true]);
  });

  it('takes people of the farm alone, and gives them back by name', async () => {
    const stranger = await buildAccount(db());
    const body = {
      name: 'Low',
      enabled: true,
      kind: 'TankLow',
      deviceIds: [],
      condition: 'below',
      value: 20,
      holdMinutes: 0,
    };
    expect(await as(is.ana, 'POST /alert', { ...body, people: [stranger.uid] })).toMatchObject({
      statusCode: 400,
    });
    const escalation = { afterMinutes: 20, people: [is.mere.uid] };
    const { id } = (await as(is.ana, 'POST /alert', { ...body, people: [is.ana.uid], escalation })).json();
    expect((await is.world.get('GET /alert', { alertUID: id })).json()).toMatchObject({
      people: [is.ana.uid],
      escalation,
    });
    expect(
      (await is.world.get('GET /alert/people', { farmUID: is.world.farm.uid })).json().people,
    ).toHaveLength(2);
  });

  it('and is changed in whom it tells goes on as it was', async () => {
    const uid = await alertFor([], null);
    await look(0, 18);
    const alert = (await is.world.get('GET /alert', { alertUID: uid })).json();
    const { kind, deviceIds, condition, value, holdMinutes } = alert;
    const entry = { kind, deviceIds, condition, value, holdMinutes, enabled: true, name: 'Low water' };
    await as(is.ana, 'PUT /alert', { ...entry, _id: uid, people: [is.ana.uid] });
    await look(5, 18);
    expect((await bell(is.ana)).length).toBe(1);
  });
});
