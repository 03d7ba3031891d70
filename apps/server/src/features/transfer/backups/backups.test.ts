import { describe, expect, it } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import { buildBackup } from '../../../testing/backup-factories.ts';
import { buildAccount, buildFarm, buildShare } from '../../../testing/factories.ts';
import { buildSprinkler } from '../../../testing/irrigation-factories.ts';
import { DISK_FULL, withoutRoomFor } from '../../../testing/without-room.ts';
import { backupStage } from './testing/backup-stage.ts';

const { is, back, call, configuration, db, done, list, mac, ofFarm, restore } = backupStage();

describe('a backup of a farm', () => {
  it('is restored on trial at once, and says who made it and what is in it', async () => {
    const made = await back();
    expect(made).toMatchObject({
      desc: 'Before lambing',
      by: is.owner.name,
      automatic: false,
      fault: '',
      provedAt: is.server.clock.now.toISOString(),
      counts: {
        sprinklers: 2,
        gateways: 1,
        repeaters: 1,
        sensors: 0,
        pois: 1,
        groups: 1,
        schedules: 1,
        templates: 1,
      },
    });
    expect(await list()).toEqual([made]);
  });

  it('leaves nothing of the trial behind', async () => {
    const count = async () =>
      (
        await is.server.database.pool.query(
          `select (select count(*) from farm) farms, (select count(*) from device) devices,
            (select count(*) from change_log where farm_id = $1) changes, (select count(*) from change_batch) batches`,
          [is.farm.id],
        )
      ).rows;
    const before = await count();
    await back();
    expect(await count()).toEqual(before);
  });

  it('is told to the owner when it is not what was written, and can not be restored', async () => {
    const uid = await buildBackup(db(), is.farm);
    await db()
      .updateTable('farm_backup')
      .set({ sha256: Buffer.alloc(32) })
      .where('uid', '=', uid)
      .execute();
    await is.server.runJob('farm backups');
    const fault = 'It could not be restored on trial: This backup is damaged: it is not what was written.';
    expect(await list()).toMatchObject([{ _id: uid, provedAt: null, fault }]);
    const bell = await db()
      .selectFrom('notification')
      .select(['title', 'message'])
      .where('account_id', '=', is.owner.id)
      .execute();
    expect(bell).toEqual([
      {
        title: `A backup of ${is.farm.name} can't be relied on`,
        message: `${fault} Please make another one.`,
      },
    ]);
    expect((await call('PUT /backup/restore', { ...ofFarm(), bakUID: uid })).statusCode).toBe(409);
  });

  it('is made by itself before ten sprinklers are deleted or lose their places, and restored gives them back', async () => {
    const units = [];
    for (let n = 1; n <= 10; n += 1) {
      const place = { lat: -43.75, lng: 171.95 };
      const unit = { name: `B${n}`, mac: mac(), serial_number: `IPCB${n}`, ...place };
      units.push(await buildSprinkler(db(), is.farm.id, unit));
    }
    const deviceIds = units.map(({ uid }) => uid);
    const gone = await call('POST /ipc/bulk-delete', {
      ...ofFarm(),
      deviceIds: [...deviceIds, '0'.repeat(24)],
    });
    expect([gone.statusCode, await list()]).toEqual([404, []]);
    const before = await configuration();
    await done('DELETE /irrigation/reset-location', undefined, ofFarm());
    is.server.clock.now = new Date(is.server.clock.now.getTime() + 1000);
    await done('POST /ipc/bulk-delete', { ...ofFarm(), deviceIds: deviceIds.slice(0, 9) });
    expect((await list()).map(({ desc }) => desc)).toEqual([
      'Before the locations of all sprinklers were reset',
    ]);
    await done('POST /ipc/bulk-delete', { ...ofFarm(), deviceIds: deviceIds.slice(9) });
    const [backup] = await list();
    await restore(backup?._id ?? '');
    expect(await configuration()).toEqual(before);
    await done('POST /ipc/bulk-delete', { ...ofFarm(), deviceIds });
    expect(await list()).toMatchObject([
      { desc: 'Before 10 sprinklers were deleted', automatic: true, counts: { sprinklers: 12 } },
      { desc: 'Before restore Before the locations of all sprinklers were reset' },
      { desc: 'Before the locations of all sprinklers were reset' },
    ]);
  });

  it('says how many records were changed since, each once', async () => {
    const made = await back();
    const spare = (status: boolean) => done('PUT /ipc/flag-as-spare', { deviceId: is.a1.uid, status });
    await spare(true);
    await spare(false);
    const poi = await db()
      .selectFrom('device')
      .select('uid')
      .where('farm_id', '=', is.farm.id)
      .where('kind', '=', 'poi')
      .executeTakeFirstOrThrow();
    await done('DELETE /poi', undefined, { poiUID: poi.uid });
    await back('Later');
    expect((await list()).map(({ desc, changedSince }) => [desc, changedSince])).toEqual([
      ['Later', 0],
      [made.desc, 2],
    ]);
  });

  it('is refused as the sixteenth of a person, and deleted for good', async () => {
    for (let made = 0; made < 15; made += 1) await buildBackup(db(), is.farm);
    const refused = await call('POST /backup', { ...ofFarm(), desc: '' });
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      {
        errorMessage:
          'The farm has 15 backups that people made, the most there can be. Please delete one first.',
      },
    ]);
    const [first] = await list();
    await done('DELETE /backup', undefined, { bakUID: first?._id ?? '' });
    expect(await list()).toHaveLength(14);
    const again = await call('DELETE /backup', undefined, { bakUID: first?._id ?? '' });
    expect([again.statusCode, again.json()]).toMatchObject([
      404,
      { errorMessage: `Sorry, cant find the backup with UID ${first?._id}!` },
    ]);
    await back();
  });

  it('has a description of at most 250 characters', async () => {
    expect((await call('POST /backup', { ...ofFarm(), desc: 'x'.repeat(251) })).statusCode).toBe(400);
  });

  it('is made by whoever may change the farm: others see the list alone', async () => {
    const guest = await buildAccount(db(), { type: 'AGENT' });
    await buildShare(db(), is.farm.id, guest.id, presets.guest);
    const headers = await is.server.signIn(guest);
    expect((await call('GET /backup/list', undefined, ofFarm(), headers)).statusCode).toBe(200);
    expect((await call('POST /backup', { ...ofFarm(), desc: '' }, undefined, headers)).statusCode).toBe(403);
  });

  it('of another farm is not found, with the published sentence', async () => {
    const other = await buildFarm(db(), is.owner.id);
    const uid = await buildBackup(db(), other);
    const reply = await call('PUT /backup/restore', { ...ofFarm(), bakUID: uid });
    expect([reply.statusCode, reply.json()]).toMatchObject([
      404,
      { errorMessage: `Sorry, cant find the backup with UID ${uid}!` },
    ]);
  });
});

it.each([
  ['for the backup', 'farm_backup', false],
  ['when the backup is to be kept', 'farm_backup', true],
  ['for its devices', 'device', false],
])(
  'where the disk has no room %s nothing of a backup, a restore or its undo is stored, which is said',
  async (_what, table, isAtTheEnd) => {
    const { _id } = await back();
    await done('DELETE /ipc', undefined, { deviceId: is.a1.uid });
    const { batchId } = await restore(_id);
    await done('DELETE /ipc', undefined, { deviceId: is.a2.uid });
    const all = async () => ({ farm: await configuration(), backups: await list() });
    const before = await all();
    const calls: [string, object][] =
      table === 'device'
        ? [
            ['PUT /backup/restore', { bakUID: _id }],
            ['POST /undo', { act: 'restore', batchId }],
          ]
        : [
            ['POST /backup', { desc: 'Full' }],
            ['PUT /backup/restore', { bakUID: _id }],
          ];
    await withoutRoomFor(is.server.database.pool, { table, isAtTheEnd }, async () => {
      for (const [key, body] of calls) {
        const reply = await call(key, { ...ofFarm(), ...body });
        expect([key, reply.statusCode, reply.json()]).toEqual([key, 503, DISK_FULL]);
      }
    });
    expect(await all()).toEqual(before);
    await restore(_id);
  },
);
