import { beforeEach, describe, expect, it } from 'vitest';
import { buildTank } from '../../testing/factories.ts';
import { alertStage } from './testing/alert-stage.ts';

const { is, db, at, look, bell, sent, open, alertFor, hearsBy } = alertStage();

describe('the limit of SMS a day', () => {
  beforeEach(async () => {
    await db()
      .updateTable('account')
      .set({ send_sms: true, send_email: false, mobile: '0211234567', country_code: 64 })
      .where('id', '=', is.ana.id)
      .execute();
  });
  const count = async () => (await sent(is.ana, 'sms')).filter(({ state }) => state !== 'cancelled').length;

  /** So many alerts went to her phone today. */
  const hadToday = (had: number) =>
    db()
      .insertInto('outbox')
      .values(
        Array.from({ length: had }, (_none, nth) => ({
          at: at(-60),
          way: 'sms' as const,
          recipient: '+64211234567',
          subject: '',
          body: '',
          state: 'sent' as const,
          sent_at: at(-60),
          account_id: is.ana.id,
          dedupe_key: `alert x ${nth} ${is.start}`,
        })),
      )
      .execute();

  it('ends repeats, says so in the last, and what is held back is on the timeline; what is new still goes', async () => {
    await hadToday(8);
    await alertFor([], null);
    await db().updateTable('alert_rule').set({ class: 'urgent' }).execute();
    await look(0, 18);
    await look(15, 17);
    const messages = (await sent(is.ana, 'sms')).filter(({ body }) => body !== '');
    expect(messages).toHaveLength(2);
    expect(messages[1]?.body).toMatch(
      /More alerts are in the app: only new urgent ones still come by SMS today\. https:\/\/headrace\.test\/a\/[\w-]{22}$/,
    );
    await look(30, 17);
    expect(await count()).toBe(10);
    expect((await bell(is.ana)).length).toBe(3);
    const { uid } = (await open()) ?? { uid: '' };
    const { steps } = (await is.world.get('GET /alert/incident', { farmUID: is.world.farm.uid, uid })).json();
    const mine = steps.at(-1).told.find(({ name }: { name: string }) => name === is.ana.name);
    expect(mine.messages).toEqual([{ way: 'sms', state: 'held', reason: 'the limit of SMS a day' }]);
    const other = await buildTank(db(), is.world.farm.id, { name: 'Trough 5', settings: is.tank.settings });
    await is.world.record(other, [{ at: at(31).toISOString(), values: { levelMm: 100 } }]);
    await look(31, 17);
    expect(await count()).toBe(11);
  });

  describe('after quiet hours', () => {
    beforeEach(async () => {
      await is.server.call('PUT /notification/ways', {
        headers: is.world.headers,
        body: {
          quiet: { from: '09:00', to: '11:00', zone: 'Pacific/Auckland' },
          ways: { urgent: ['sms'], important: ['sms'], info: [] },
        },
      });
      await alertFor([], null);
    });
    const heldBack = async () =>
      (
        await db()
          .selectFrom('alert_notice')
          .select('held_back')
          .where('farm_id', '=', is.world.farm.id)
          .where('account_id', '=', is.ana.id)
          .executeTakeFirst()
      )?.held_back;

    it('says in its last of the day that it is, and what went is not held back any more', async () => {
      await hadToday(6);
      await look(0, 18);
      expect(await heldBack()).toBe('quiet hours');
      await look(60, 18);
      expect((await sent(is.ana, 'sms')).at(-1)?.body).toContain('only urgent ones still come by SMS today.');
      expect(await heldBack()).toBeNull();
    });

    it('holds back what is one too many, and says that', async () => {
      await hadToday(7);
      await look(0, 18);
      await look(60, 18);
      expect(await count()).toBe(7);
      expect(await heldBack()).toBe('the limit of SMS a day');
    });

    it('goes to nobody who is not told of the farm any more', async () => {
      await look(0, 18);
      await db().updateTable('account').set({ approved: false }).where('id', '=', is.ana.id).execute();
      await look(60, 18);
      expect(await count()).toBe(0);
    });
  });

  it('keeps three for what is urgent', async () => {
    await hadToday(7);
    await alertFor([], null);
    await hearsBy(is.ana, { urgent: ['sms'], important: ['sms'], info: [] });
    await look(0, 18);
    expect(await count()).toBe(7);
  });
});
