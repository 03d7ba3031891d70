import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { buildBackup } from '../../../testing/backup-factories.ts';
import { buildScheduleSet } from '../../../testing/irrigation-factories.ts';
import { backupStage } from './testing/backup-stage.ts';

const { is, back, db, done, list, plan, restore, shareSerial } = backupStage();

/** Both units are in the set for the group North. */
async function setOfGroup(): Promise<string> {
  const uid = await buildScheduleSet(
    db(),
    is.farm.id,
    [is.a1, is.a2],
    [{ start: 60, duration: 28, cycle: 1 }],
  );
  await is.server.database.pool.query(
    `update schedule_set_unit u set group_uid = $2, group_name = 'North' from schedule_set s
      where s.uid = $1 and s.farm_id = u.farm_id and s.id = u.set_id`,
    [uid, is.north],
  );
  return uid;
}

describe('a trial goes well', () => {
  it('with a set whose group was deleted', async () => {
    await setOfGroup();
    await done('DELETE /group', undefined, { groupId: is.north });
    expect(await back()).toMatchObject({ fault: '', provedAt: expect.any(String) });
  });

  it('with units that share a serial number, and each gets its own lines back', async () => {
    const set = await setOfGroup();
    await shareSerial(true);
    const made = await back();
    expect(made).toMatchObject({ fault: '', provedAt: expect.any(String) });
    const units = async () =>
      (
        await is.server.database.pool.query(
          'select u.device_id from schedule_set_unit u join schedule_set s on s.id = u.set_id and s.farm_id = u.farm_id where s.uid = $1 order by 1',
          [set],
        )
      ).rows;
    await is.server.database.pool.query('delete from schedule_set where uid = $1', [set]);
    await restore(made._id);
    expect(await units()).toEqual([{ device_id: is.a1.id }, { device_id: is.a2.id }]);
  });

  it('as a look at a plan does, while commands are sent, MACs taken and templates written', async () => {
    const { _id } = await back();
    await db()
      .transaction()
      .execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended('headrace macs', 0))`.execute(trx);
        await sql`select from device where farm_id = ${is.farm.id} for update`.execute(trx);
        await sql`select from schedule_template where farm_id = ${is.farm.id} for update`.execute(trx);
        expect((await plan(_id)).rows).toEqual([]);
        expect(await back('Another')).toMatchObject({ fault: '', provedAt: expect.any(String) });
      });
  });

  it('later where it could not be done, which says nothing of the backup', async () => {
    const { now } = is.server.clock;
    const uid = await buildBackup(db(), is.farm);
    const job = async (afterHours: number) => {
      is.server.clock.now = new Date(now.getTime() + afterHours * 3_600_000);
      await is.server.runJob('farm backups');
    };
    const bell = async () =>
      (
        await db().selectFrom('notification').select('title').where('account_id', '=', is.owner.id).execute()
      ).map(({ title }) => title);
    // No group can come back.
    await is.server.database.pool.query(
      "alter table device_group add constraint in_the_way check (name <> 'North') not valid",
    );
    await job(0);
    expect(await list()).toMatchObject([{ provedAt: null, fault: '', tries: 1, triedAt: now.toISOString() }]);
    await job(1);
    expect(await list()).toMatchObject([{ provedAt: null, fault: '', tries: 2 }]);
    expect(await bell()).toEqual([]);
    await job(24);
    await job(25);
    const told = `A backup of ${is.farm.name} can't be tried`;
    expect(await bell()).toEqual([told]);
    await is.server.database.pool.query('alter table device_group drop constraint in_the_way');
    await job(26);
    expect(await list()).toMatchObject([
      { _id: uid, provedAt: is.server.clock.now.toISOString(), fault: '', tries: 0, triedAt: null },
    ]);
    is.server.clock.now = now;
  });

  it('of a backup from before shared serial numbers were in it', async () => {
    await shareSerial(true);
    const uid = await buildBackup(db(), is.farm, { change: (as) => ({ ...as, sharingSerials: undefined }) });
    await is.server.runJob('farm backups');
    expect(await list()).toMatchObject([{ _id: uid, provedAt: expect.any(String), fault: '' }]);
  });
});
