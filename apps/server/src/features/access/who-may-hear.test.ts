import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import type { AccountRow, FarmRow } from '../../db/schema.ts';
import { buildAccount, buildAccountShare, buildFarm, buildShare } from '../../testing/factories.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { accountsWithFlag } from './who-may-hear.ts';

const NOW = new Date('2026-11-20T21:00:00Z');
const [BEFORE, AFTER] = [new Date(NOW.getTime() - 1), new Date(NOW.getTime() + 1)];
const hears = { ...presets.none, notifications: true };

let database: TestDatabase;
let owner: AccountRow;
let farm: FarmRow;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  owner = await buildAccount(database.db);
  farm = await buildFarm(database.db, owner.id);
});

const agent = () => buildAccount(database.db, { type: 'AGENT' });
const hearers = (farmId = farm.id) => accountsWithFlag(database.db, farmId, 'notifications', NOW);

describe('who may hear of a farm', () => {
  it('are its owner, those with a share of it, and those with a share of the whole account', async () => {
    const [one, two] = [await agent(), await agent()];
    await buildShare(database.db, farm.id, one.id, hears);
    await buildAccountShare(database.db, owner.id, two.id, hears);
    expect(await hearers()).toEqual([owner.id, one.id, two.id]);
    const other = await buildFarm(database.db, owner.id);
    expect(await hearers(other.id)).toEqual([owner.id, two.id]);
  });

  it('are not those without the flag, nor those whose share has ended, waits or was rejected', async () => {
    const { db } = database;
    const without = (await agent()).id;
    const [ended, ending, pending, rejected] = [await agent(), await agent(), await agent(), await agent()];
    await buildShare(db, farm.id, without, { ...presets.farmManager, notifications: false });
    await buildShare(db, farm.id, ended.id, hears, BEFORE);
    await buildShare(db, farm.id, ending.id, hears, AFTER);
    for (const [{ id }, state] of [[pending, 'pending'] as const, [rejected, 'rejected'] as const]) {
      const share = await buildShare(db, farm.id, id, hears);
      await db.updateTable('share').set({ state }).where('id', '=', share.id).execute();
    }
    expect(await hearers()).toEqual([owner.id, ending.id]);
  });

  it('have what the farm’s own share says, where the whole account is shared with them too', async () => {
    const [more, less] = [await agent(), await agent()];
    await buildAccountShare(database.db, owner.id, more.id, presets.none);
    await buildShare(database.db, farm.id, more.id, hears);
    await buildAccountShare(database.db, owner.id, less.id, hears);
    await buildShare(database.db, farm.id, less.id, presets.none);
    expect(await hearers()).toEqual([owner.id, more.id]);
  });

  it.each([
    ['an older release, which knew no such flag', '{"farms":1}'],
    ['somebody who wrote "yes" for true', '{"notifications":"yes"}'],
    ['nobody who knows rights', '[]'],
  ])('are read from rights that were stored by %s: not given', async (_, stored) => {
    const share = await buildShare(database.db, farm.id, (await agent()).id, hears);
    await database.db.updateTable('share').set({ permissions: stored }).where('id', '=', share.id).execute();
    expect(await hearers()).toEqual([owner.id]);
  });

  it('are no accounts that may not sign in, and nobody on a farm that is deleted', async () => {
    const barred = await agent();
    await buildShare(database.db, farm.id, barred.id, hears);
    const set = (id: number, approved: boolean) =>
      database.db.updateTable('account').set({ approved }).where('id', '=', id).execute();
    await set(barred.id, false);
    expect(await hearers()).toEqual([owner.id]);
    await set(owner.id, false);
    expect(await hearers()).toEqual([]);
    await set(owner.id, true);
    await database.db.updateTable('farm').set({ deleted_at: NOW }).where('id', '=', farm.id).execute();
    expect(await hearers()).toEqual([]);
  });

  it('are not support staff, whatever they look at or have opened', async () => {
    const staff = await buildAccount(database.db, { is_staff: true });
    const session = { account_id: staff.id, farm_id: farm.id, reason: 'asked', opened_at: BEFORE };
    await database.db
      .insertInto('support_session')
      .values({ ...session, ends_at: AFTER })
      .execute();
    expect(await hearers()).toEqual([owner.id]);
  });
});
