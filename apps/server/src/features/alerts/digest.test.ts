import { describe, expect, it } from 'vitest';
import { createTestServer } from '../../testing/test-server.ts';
import { alertStage } from './testing/alert-stage.ts';

const { is, db, at, look, bell, sent, alertFor } = alertStage();

describe('the digest', () => {
  const digests = async (account = is.ana) =>
    (await sent(account)).filter(({ subject }) => subject.includes(': alerts, '));
  const morning = async (minute: number, of = is.server) => {
    of.clock.now = at(minute);
    await of.runJob('alert digests');
  };

  it('comes at 06:30 by the farm’s clock, once, by mail, where there was anything', async () => {
    await morning(20.5 * 60);
    expect(await digests()).toEqual([]);
    await alertFor([], null);
    await look(0, 18);
    await look(10, 60);
    await look(16, 60);
    await look(60, 17);
    await morning(20.5 * 60 - 1);
    expect(await digests()).toEqual([]);
    const other = await createTestServer({}, is.server);
    await Promise.all([morning(20.5 * 60), morning(20.5 * 60, other)]);
    await other.close();
    await morning(20.5 * 60 + 5);
    const [digest, ...more] = await digests();
    expect(more).toEqual([]);
    expect(digest?.subject).toMatch(/: alerts, 1 open, 1 over$/);
    expect(digest?.body).toContain('Open now:\n- Tank low: Trough 4, since 11:00, nobody has answered');
    expect(digest?.body).toContain('Over since yesterday:\n- Tank low: Trough 4, 10:00 to 10:10');
    expect(await digests(is.mere)).toHaveLength(1);
  });

  it('says what was held back, and goes to nobody who switched it off', async () => {
    await is.server.call('PUT /notification/ways', {
      headers: is.world.headers,
      body: {
        quiet: { from: '09:00', to: '11:00', zone: 'Pacific/Auckland' },
        ways: { urgent: ['email'], important: ['email'], info: [] },
      },
    });
    await is.server.call('PUT /notification/ways', {
      headers: await is.server.signIn(is.mere),
      body: { quiet: null, ways: { urgent: [], important: [], info: [] }, digest: false },
    });
    await alertFor([], null);
    await look(0, 18);
    await morning(20.5 * 60);
    expect((await digests())[0]?.body).toContain('Told in the bell alone:\n- 1 because of your quiet hours');
    expect(await digests(is.mere)).toEqual([]);
  });

  it('waits for who is still asleep, and comes to each once', async () => {
    await is.server.call('PUT /notification/ways', {
      headers: is.world.headers,
      body: {
        quiet: { from: '22:00', to: '07:30', zone: 'Pacific/Auckland' },
        ways: { urgent: ['email'], important: ['email'], info: [] },
      },
    });
    await alertFor([], null);
    await look(0, 18);
    await morning(20.5 * 60);
    expect([(await digests()).length, (await digests(is.mere)).length]).toEqual([0, 1]);
    await morning(21 * 60);
    expect(await digests()).toEqual([]);
    for (const minute of [21.5 * 60, 21.6 * 60, 23 * 60]) await morning(minute);
    expect([(await digests()).length, (await digests(is.mere)).length]).toEqual([1, 1]);
  });

  it('has what came late and was over by then, which is told to nobody else', async () => {
    await alertFor([], null);
    is.server.clock.now = at(60);
    const record = (minutes: readonly (readonly [number, number])[]) =>
      is.world.record(
        is.tank,
        minutes.map(([minute, percent]) => ({
          at: at(minute).toISOString(),
          values: { levelMm: percent * 10 },
        })),
      );
    await record([[60, 50]]);
    await record([
      [0, 50],
      [15, 18],
      [30, 17],
      [45, 50],
    ]);
    await look(61, 50);
    expect(await bell(is.ana)).toEqual([]);
    await morning(20.5 * 60);
    const other = await createTestServer({}, is.server);
    await morning(20.5 * 60 + 5, other);
    await other.close();
    expect((await digests()).map(({ body }) => body)).toEqual([
      expect.stringContaining(
        'Over since yesterday:\n- Tank low: Trough 4, 10:15 to 10:45, seen late: nobody was told',
      ),
    ]);
    expect(await bell(is.ana)).toEqual([]);
    const { ended } = (await is.world.get('GET /alert/incidents', { farmUID: is.world.farm.uid })).json();
    expect(ended).toMatchObject([
      {
        message:
          'Trough 4: it ended at 10:45 after 30 minutes. Lowest: 17 %. Seen late, by 06:30: what says so was not there in time, and nobody was told.',
        seenLateAt: at(20.5 * 60).toISOString(),
      },
    ]);
    // One that was told is not told as seen late the next morning.
    await look(22 * 60, 18);
    await look(22.5 * 60, 50);
    await look(23 * 60, 50);
    await morning(44.5 * 60);
    expect((await digests())[1]?.body).not.toContain('seen late');
  });

  it('is not sent of what has been known for days', async () => {
    await alertFor([], null);
    await db().updateTable('alert_rule').set({ class: 'info' }).execute();
    await look(0, 18);
    await morning(20.5 * 60);
    await morning(44.5 * 60);
    await morning(68.5 * 60);
    expect(await digests()).toHaveLength(1);
  });
});
