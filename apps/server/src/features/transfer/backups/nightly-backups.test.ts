import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { buildFarmWorld } from '../../../testing/farm-world.ts';
import { backupStage } from './testing/backup-stage.ts';
import { watchFarmBackups } from './watch-farm-backups.ts';

const { is, db, call, done, list, ofFarm } = backupStage();

const failing = () =>
  db()
    .selectFrom('farm_backup_failure')
    .select(['what', 'tries'])
    .where('farm_id', '=', is.farm.id)
    .execute();

describe('by night', () => {
  it('a farm that was changed since is backed up once, after 04:10 by its own clock', async () => {
    const { now } = is.server.clock;
    await done('POST /group', { ...ofFarm(), name: 'South' });
    const mine = async () => (await list()).map(({ desc, automatic, by }) => [desc, automatic, by]);
    // 04:09 and 04:11 of the farm's clock, which is 13 h ahead in summer.
    is.server.clock.now = new Date('2026-11-21T15:09:00Z');
    await is.server.runJob('farm backups');
    expect(await mine()).toEqual([]);
    is.server.clock.now = new Date('2026-11-21T15:11:00Z');
    await is.server.runJob('farm backups');
    await is.server.runJob('farm backups');
    expect(await mine()).toEqual([['Nightly', true, '']]);
    is.server.clock.now = new Date('2026-11-22T15:11:00Z');
    await is.server.runJob('farm backups');
    expect(await mine()).toHaveLength(1);
    await done('POST /group', { ...ofFarm(), name: 'East' });
    await is.server.runJob('farm backups');
    expect(await mine()).toHaveLength(2);
    await is.server.runJob('farm backups');
    expect((await list()).map(({ fault, provedAt }) => [fault, provedAt === null])).toEqual([
      ['', false],
      ['', false],
    ]);
    is.server.clock.now = now;
  });

  it('that was missed is made up for by day, when nothing was changed for an hour', async () => {
    const { now } = is.server.clock;
    // 12:00, 12:59 and 13:00 of the farm's clock.
    is.server.clock.now = new Date('2026-11-20T23:00:00Z');
    await done('POST /group', { ...ofFarm(), name: 'South' });
    is.server.clock.now = new Date('2026-11-20T23:59:00Z');
    await is.server.runJob('farm backups');
    expect(await list()).toEqual([]);
    is.server.clock.now = new Date('2026-11-21T00:00:00Z');
    await is.server.runJob('farm backups');
    expect(await list()).toMatchObject([{ desc: 'Nightly' }]);
    is.server.clock.now = now;
  });

  it('is backed up whatever becomes of another farm', async () => {
    const { now } = is.server.clock;
    const { pool } = is.server.database;
    const other = await buildFarmWorld(is.server);
    await done('POST /group', { ...ofFarm(), name: 'South' });
    await call('POST /group', { farmUID: other.farm.uid, name: 'South' }, undefined, other.headers);
    await pool.query(`alter table farm_backup add constraint one_bad_farm check (farm_id <> ${is.farm.id})`);
    is.server.clock.now = new Date('2026-11-21T15:11:00Z');
    await is.server.runJob('farm backups');
    await pool.query('alter table farm_backup drop constraint one_bad_farm');
    expect(await list()).toEqual([]);
    expect(await failing()).toMatchObject([{ what: 'night', tries: 1 }]);
    const its = await call('GET /backup/list', undefined, { farmUID: other.farm.uid }, other.headers);
    expect(its.json()).toMatchObject([{ desc: 'Nightly' }]);
    is.server.clock.now = now;
  });

  it('that fails for a day is told to the owner once, and forgotten when it goes well', async () => {
    const { now } = is.server.clock;
    const { pool } = is.server.database;
    const bell = async () =>
      (
        await db().selectFrom('notification').select('title').where('account_id', '=', is.owner.id).execute()
      ).map(({ title }) => title);
    await done('POST /group', { ...ofFarm(), name: 'South' });
    await pool.query(
      `alter table farm_backup add constraint one_bad_farm check (farm_id <> ${is.farm.id}) not valid`,
    );
    for (const hour of [0, 1, 24, 25]) {
      is.server.clock.now = new Date(Date.parse('2026-11-21T15:11:00Z') + hour * 3_600_000);
      await is.server.runJob('farm backups');
      expect([hour, await bell()]).toEqual([hour, hour < 24 ? [] : [`No backup of ${is.farm.name} is made`]]);
    }
    const watch = watchFarmBackups({
      db: db(),
      now: () => is.server.clock.now,
      notices: { tell: async () => {} },
    });
    await watch.look();
    expect(watch.check()).toBe(
      `warning: backups could not be made or restored on trial for a day: ${is.farm.name}`,
    );
    await pool.query('alter table farm_backup drop constraint one_bad_farm');
    is.server.clock.now = new Date(is.server.clock.now.getTime() + 3_600_000);
    await is.server.runJob('farm backups');
    expect(await failing()).toEqual([]);
    await watch.look();
    expect(watch.check()).toBe('ok');
    const registry = new Registry();
    watch.metrics(registry);
    expect(await registry.metrics()).toMatch(/^headrace_farm_backups\{state="proved"\} [1-9]\d*$/m);
    watch.stop();
    is.server.clock.now = now;
  });
});
