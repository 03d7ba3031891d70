import { presets } from '@headrace/contract/permissions';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { AccountRow, DeviceRow } from '../../../db/schema.ts';
import { buildRule } from '../../../testing/alert-factories.ts';
import { buildAccount, buildShare, buildTank } from '../../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../../../testing/test-server.ts';

/** Who and what is on the farm of each test: Ana, its owner; Mere, who is told of it; the tank “Trough 4”. */
interface Standing {
  server: TestServer;
  world: FarmWorld;
  tank: DeviceRow;
  ana: AccountRow;
  mere: AccountRow;
  /** Minute 0, epoch ms: 10:00 by the farm’s clock, of another day for each test. A server keeps its rules for half a minute. */
  start: number;
}

/** A server for the file, a farm for each test (`is`), what its tank says, and who hears of it. */
export function alertStage() {
  const is = { start: Date.parse('2026-11-20T21:00:00Z') } as Standing;
  const db = () => is.server.database.db;
  /** So many minutes after the test's beginning. */
  const at = (minute: number) => new Date(is.start + minute * 60_000);
  beforeAll(async () => {
    is.server = await createTestServer({ requestsPerMinute: 100_000 });
  });
  afterAll(() => is.server.close());
  beforeEach(async () => {
    is.start += 3 * 86_400_000;
    is.server.clock.now = at(-60);
    await buildFarmOfTest();
  });

  async function buildFarmOfTest(): Promise<void> {
    is.world = await buildFarmWorld(is.server);
    is.ana = is.world.owner;
    is.mere = await buildAccount(db(), { name: 'Mere', type: 'AGENT' });
    await buildShare(db(), is.world.farm.id, is.mere.id, { ...presets.guest, notifications: true });
    for (const { id } of [is.ana, is.mere])
      await db()
        .updateTable('account')
        .set({ send_email: true, email_confirmed_at: at(-24 * 60) })
        .where('id', '=', id)
        .execute();
    is.tank = await buildTank(db(), is.world.farm.id, {
      name: 'Trough 4',
      settings: { offset: 0, height: 1000, toplevel: 1000, volume: 10_000 },
    });
  }

  /** The tank says so many percent (null: nothing) at that minute, and the alerts are looked at, by `of`. */
  async function look(minute: number, percent: number | null, of = is.server): Promise<void> {
    of.clock.now = at(minute);
    if (percent !== null)
      await is.world.record(is.tank, [{ at: at(minute).toISOString(), values: { levelMm: percent * 10 } }]);
    of.committed(new Set([is.world.farm.id]));
    await of.runJob('alerts');
  }
  /** What stands in a person's bell, oldest first. */
  const bell = async (account: AccountRow) =>
    (await is.server.call('GET /notifications', { headers: await is.server.signIn(account) }))
      .json<{ list: { message: string }[] }>()
      .list.map(({ message }) => message)
      .toReversed();
  const sent = (account: AccountRow, way: 'mail' | 'sms' = 'mail') =>
    db()
      .selectFrom('outbox')
      .select(['subject', 'body', 'state'])
      .where('account_id', '=', account.id)
      .where('way', '=', way)
      .orderBy('id')
      .execute();
  const open = async () =>
    (await is.world.get('GET /alert/incidents', { farmUID: is.world.farm.uid })).json<{
      open: { uid: string; version: number; class: string; snoozedUntil: string | null }[];
    }>().open[0];
  const seen = async () => {
    const { uid, version, class: of } = (await open()) ?? { uid: '', version: 0, class: '' };
    return { uid, version, class: of };
  };
  /** Tank low, for these people, and after so many minutes without an answer for more of them. */
  const alertFor = (people: number[], minutes: number | null, more: number[] = []) =>
    buildRule(db(), is.world.farm.id, {
      hold_min: 0,
      people,
      escalate_min: minutes,
      escalate_people: more,
    });
  const quietUntil11 = async (account: AccountRow) =>
    is.server.call('PUT /notification/ways', {
      headers: await is.server.signIn(account),
      body: {
        quiet: { from: '09:00', to: '11:00', zone: 'Pacific/Auckland' },
        ways: { urgent: ['email'], important: ['email'], info: [] },
      },
    });
  /** How a person hears of alerts of each class, at any hour. */
  const hearsBy = (account: AccountRow, ways: Record<'urgent' | 'important' | 'info', readonly string[]>) =>
    db()
      .insertInto('alert_preference')
      .values({
        account_id: account.id,
        quiet_from: null,
        quiet_to: null,
        quiet_zone: null,
        updated_at: at(0),
        ways: JSON.stringify(ways),
      })
      .execute();
  const as = async (account: AccountRow, key: string, body: object) =>
    is.server.call(key, {
      headers: await is.server.signIn(account),
      body: { farmUID: is.world.farm.uid, ...body },
    });
  /** Ana pauses an alert, or all of the farm (null). */
  const pause = (alertUID: string | null, until = 'hour') =>
    as(is.ana, 'POST /alert/pause', { alertUID, until });

  return {
    is,
    db,
    at,
    buildFarmOfTest,
    look,
    bell,
    sent,
    open,
    seen,
    alertFor,
    quietUntil11,
    hearsBy,
    as,
    pause,
  };
}
