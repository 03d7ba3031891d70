import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { defaultIoSettings } from '@headrace/contract/rules/io-settings';
import { buildBackup } from '../../../testing/backup-factories.ts';
import { buildFarm } from '../../../testing/factories.ts';
import { farmEntry } from '../../../testing/farm-entry.ts';
import { buildScheduleSet, buildSprinkler, buildTemplate } from '../../../testing/irrigation-factories.ts';
import { buildTake } from '../../../testing/take-factories.ts';
import { keptTakes } from '../../water-takes/kept-takes.ts';
import type { Snapshot } from './snapshot.ts';
import { backupStage } from './testing/backup-stage.ts';

const {
  is,
  back,
  call,
  configuration,
  db,
  done,
  list,
  liveDevice,
  mac,
  ofFarm,
  plan,
  restore,
  templates,
  undo,
  shareSerial,
} = backupStage();

describe('a restore', () => {
  it('brings back a unit with its history, and makes a backup of before', async () => {
    const before = await configuration();
    const { _id } = await back();
    await done('DELETE /ipc', undefined, { deviceId: is.a1.uid });
    await restore(_id);
    expect(await configuration()).toEqual(before);
    expect((await liveDevice(is.a1.uid))?.id).toBe(is.a1.id);
    expect((await list()).map(({ desc, automatic }) => [desc, automatic])).toEqual([
      ['Before restore Before lambing', true],
      ['Before lambing', false],
    ]);
  });

  it('tells the gateway that its list has changed', async () => {
    const revision = async () =>
      (
        await db()
          .selectFrom('gateway_state')
          .select('list_rev')
          .where('device_id', '=', is.gateway.id)
          .executeTakeFirst()
      )?.list_rev;
    const { _id } = await back();
    await done('PUT /ipc', { id: is.a1.uid, name: 'A1', serialNumber: 'OTHER', macAddress: is.a1.mac });
    const before = Number(await revision());
    await restore(_id);
    expect(await revision()).toBeGreaterThan(before);
  });

  it('gives serial numbers back that went from one unit to another', async () => {
    const before = await configuration();
    const { _id } = await back();
    await done('DELETE /ipc', undefined, { deviceId: is.a2.uid });
    await done('PUT /ipc', { id: is.a1.uid, name: 'A1', serialNumber: 'IPCA2', macAddress: is.a1.mac });
    await restore(_id);
    expect(await configuration()).toEqual(before);
  });

  it('gives a serial number back that two units shared, of which one has another by now', async () => {
    await shareSerial(true);
    const before = await configuration();
    const { _id } = await back();
    const own = { id: is.a2.uid, name: 'A2', serialNumber: 'IPCA2', macAddress: is.a2.mac };
    await done('PUT /ipc', own);
    expect(await liveDevice(is.a2.uid)).toMatchObject({ serial_number: 'IPCA2', shares_serial: false });
    const { batchId } = await restore(_id);
    expect(await configuration()).toEqual(before);
    expect(await liveDevice(is.a2.uid)).toMatchObject({ serial_number: 'IPCA1', shares_serial: true });
    await undo(batchId);
    expect(await liveDevice(is.a2.uid)).toMatchObject({ serial_number: 'IPCA2', shares_serial: false });
  });

  it('leaves a gateway its MAC and its key where the hardware was replaced, and says so', async () => {
    const { _id } = await back();
    const next = mac();
    await done('PUT /gateway', {
      id: is.gateway.uid,
      name: 'Other',
      serialNumber: 'G2',
      macAddress: next,
      type: is.gateway.type ?? 0,
    });
    await done('POST /gateway/rotate-key', { deviceId: is.gateway.uid });
    const why = `It keeps the MAC address ${next} and the serial number G2: the hardware signs in with it. In the backup the MAC address is ${is.gateway.mac}.`;
    expect((await plan(_id)).rows).toMatchObject([
      { action: 'change back', why, fields: [{ field: 'name' }] },
    ]);
    await restore(_id);
    expect(await liveDevice(is.gateway.uid)).toMatchObject({
      name: is.gateway.name,
      mac: next,
      serial_number: 'G2',
    });
    const keys = await db()
      .selectFrom('gateway_key')
      .select('mac')
      .where('device_id', '=', is.gateway.id)
      .execute();
    expect(keys).toEqual([{ mac: next }]);
    expect((await plan(_id)).rows).toMatchObject([{ action: 'stay', why }]);
  });

  it('leaves a unit away whose hardware has taken the place of another one', async () => {
    const { _id } = await back();
    await done('DELETE /ipc', undefined, { deviceId: is.a2.uid });
    await done('PUT /ipc', { id: is.a1.uid, name: 'A1', serialNumber: 'IPCA2', macAddress: is.a2.mac });
    expect((await plan(_id)).rows).toMatchObject([
      { name: 'A1', action: 'stay' },
      {
        name: 'A2',
        action: 'stay',
        why: `It can't come back: the MAC address ${is.a2.mac} is in use as A1.`,
      },
    ]);
    await restore(_id);
    expect(await liveDevice(is.a1.uid)).toMatchObject({ mac: is.a2.mac, serial_number: 'IPCA2' });
    expect(await liveDevice(is.a2.uid)).toBeUndefined();
  });

  it('leaves a relay overridden as it is, and its undo too', async () => {
    const pump = (title: string, overriddenAt: string | null) => ({
      relay1: { title, binding: is.gateway.uid, overriddenAt },
    });
    const write = (settings: object) =>
      is.server.database.pool.query(
        `insert into gateway_io (farm_id, device_id, settings) values ($1, $2, $3)
          on conflict (farm_id, device_id) do update set settings = excluded.settings`,
        [is.farm.id, is.gateway.id, JSON.stringify(settings)],
      );
    const relay = async () =>
      (
        await db()
          .selectFrom('gateway_io')
          .select('settings')
          .where('device_id', '=', is.gateway.id)
          .executeTakeFirstOrThrow()
      ).settings;
    await write(pump('Pump', '2026-11-01T00:00:00.000Z'));
    const { _id } = await back();
    await write(pump('Pump', null));
    expect((await plan(_id)).rows).toEqual([]);
    await write(pump('Trough', null));
    const { batchId } = await restore(_id);
    expect(await relay()).toEqual(pump('Pump', null));
    const since = '2026-11-19T00:00:00.000Z';
    await write(pump('Pump', since));
    await done('POST /undo', { ...ofFarm(), act: 'restore', batchId });
    expect(await relay()).toEqual(pump('Trough', since));
  });

  it('gives a template its name back that a newer one has, and its undo as well', async () => {
    const { _id } = await back();
    const before = await configuration();
    const [spring] = await templates();
    await done('DELETE /schedule-template', undefined, { templateUID: spring?.uid ?? '' });
    await buildTemplate(db(), is.farm.id, is.north, 'Spring');
    await buildScheduleSet(db(), is.farm.id, [is.a1], []);
    const changed = await configuration();
    const { batchId } = await restore(_id);
    expect(await configuration()).toEqual(before);
    const undone = await undo(batchId);
    expect(await configuration()).toEqual(changed);
    await undo(undone.batchId);
    expect(await configuration()).toEqual(before);
  });

  it('whose undo would need the name of a template that was made since says so', async () => {
    const { _id } = await back();
    const autumn = await buildTemplate(db(), is.farm.id, is.north, 'Autumn');
    const { batchId } = await restore(_id);
    await buildTemplate(db(), is.farm.id, is.north, 'Autumn');
    const refused = await call('POST /undo', { ...ofFarm(), act: 'restore', batchId });
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      {
        current: {
          conflicts: [
            {
              uid: autumn,
              canPutBack: false,
              why: 'The farm has another schedule template named Autumn now. Please rename that one first.',
            },
          ],
        },
      },
    ]);
  });

  it('is undone where what it brought back has the names, serial numbers and MACs of what it took off', async () => {
    const { _id } = await back();
    await done('DELETE /ipc', undefined, { deviceId: is.a2.uid });
    await done('POST /ipc', { ...ofFarm(), name: 'New', serialNumber: 'IPCA2', macAddress: is.a2.mac });
    await done('DELETE /group', undefined, { groupId: is.north });
    await done('POST /group', { ...ofFarm(), name: 'North' });
    const changed = await configuration();
    const { batchId } = await restore(_id);
    const restored = await configuration();
    const undone = await undo(batchId);
    expect(await configuration()).toEqual(changed);
    await undo(undone.batchId);
    expect(await configuration()).toEqual(restored);
  });

  it('waits for whoever takes a set into use, and leaves it', async () => {
    const { _id } = await back();
    const autumn = await buildScheduleSet(db(), is.farm.id, [is.a1], []);
    const client = await is.server.database.pool.connect();
    await client.query('begin');
    await client.query('select from schedule_set where uid = $1 for share', [autumn]);
    const restoring = restore(_id);
    await expect
      .poll(
        async () =>
          (
            await is.server.database.pool.query(
              "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%schedule_set%'",
            )
          ).rowCount,
      )
      .toBeGreaterThan(0);
    await client.query(
      'update farm set current_set_id = (select id from schedule_set where uid = $2) where id = $1',
      [is.farm.id, autumn],
    );
    await client.query('commit');
    client.release();
    expect(await restoring).toMatchObject({ stayed: 1 });
  });

  it('lets a unit come back without the MAC that another farm has by now', async () => {
    const { _id } = await back();
    await done('DELETE /ipc', undefined, { deviceId: is.a1.uid });
    const other = await buildFarm(db(), is.owner.id);
    await buildSprinkler(db(), other.id, { name: 'Z1', mac: is.a1.mac ?? '', serial_number: 'Z1' });
    expect((await plan(_id)).rows).toMatchObject([
      {
        name: 'A1',
        action: 'come back',
        why: `It comes back without its MAC address ${is.a1.mac}, which is in use on another farm.`,
      },
    ]);
    await restore(_id);
    expect(await liveDevice(is.a1.uid)).toMatchObject({ name: 'A1', mac: null });
  });

  it('keeps the set that the farm waters by, and says so', async () => {
    const { _id } = await back();
    const autumn = await buildScheduleSet(db(), is.farm.id, [is.a1], []);
    const { id } = await db()
      .selectFrom('schedule_set')
      .select('id')
      .where('uid', '=', autumn)
      .executeTakeFirstOrThrow();
    await db().updateTable('farm').set({ current_set_id: id }).where('id', '=', is.farm.id).execute();
    expect((await plan(_id)).rows).toMatchObject([
      {
        kind: 'schedule set',
        action: 'stay',
        why: 'The farm waters by it. Send another set to the whole farm first.',
      },
    ]);
    await restore(_id);
    const { curr_set: current } = await done<{ curr_set: string }>('GET /schedules', undefined, ofFarm());
    expect(current).toBe(autumn);
  });

  it('brings a deleted schedule set and template back', async () => {
    const before = await configuration();
    const { _id } = await back();
    await done('DELETE /schedules', undefined, { ...ofFarm(), setUID: is.summer });
    const [template] = await templates();
    await done('DELETE /schedule-template', undefined, { templateUID: template?.uid ?? '' });
    await restore(_id);
    expect(await configuration()).toEqual(before);
  });

  it('can be undone as one, and done again', async () => {
    const { _id } = await back();
    await done('POST /group', { ...ofFarm(), name: 'South' });
    await done('PUT /ipc', { id: is.a1.uid, name: 'B1', serialNumber: 'IPCB1', macAddress: is.a1.mac });
    await done('DELETE /gateway', undefined, { deviceId: is.gateway.uid });
    await done('PUT /farm', { id: is.farm.uid, ...farmEntry, name: 'Other' });
    const changed = await configuration();
    const { batchId } = await restore(_id);
    const restored = await configuration();
    expect(restored).not.toEqual(changed);
    const undone = await undo(batchId);
    expect(await configuration()).toEqual(changed);
    await undo(undone.batchId);
    expect(await configuration()).toEqual(restored);
  });
});

it('a backup as the first version wrote it is tried out and restored whole, and what it knows nothing of stays', async () => {
  const text = await readFile(new URL('testing/first-backup.json', import.meta.url), 'utf8');
  const { inputsAndRelays, decoders, ...site } = JSON.parse(text) as Snapshot;
  const { pool } = is.server.database;
  // Its devices, by the names that they have now.
  for (const [{ id }, of] of [
    [is.gateway, site.gateways[0]],
    [is.a1, site.ipcs[0]],
    [is.a2, site.ipcs[1]],
  ] as const)
    await pool.query('update device set uid = $2, mac = $3 where id = $1', [id, of?._id, of?.macAddress]);
  // How units communicate is so in the units, whatever a backup says.
  const gone = `update device set deleted_at = now(), settings = settings || '{"commsMode": 0}' where id = $1`;
  await pool.query(gone, [is.a2.id]);
  await pool.query('insert into gateway_io (farm_id, device_id, settings) values ($1, $2, $3)', [
    is.farm.id,
    is.gateway.id,
    JSON.stringify(defaultIoSettings()),
  ]);
  await buildTake(db(), is.gateway, is.server.clock.now);
  const [before, takes] = [await configuration(), await keptTakes(db(), is.farm.id)];
  const uid = await buildBackup(db(), is.farm, {
    change: () => ({ ...site, inputsAndRelays, decoders }),
  });
  await is.server.runJob('farm backups');
  expect(await list()).toMatchObject([{ _id: uid, provedAt: expect.any(String), fault: '' }]);
  const { counts } = await plan(uid);
  expect(counts).toEqual({ 'come back': 4, 'change back': 4, 'take off': 5, stay: 0 });
  const { batchId } = await restore(uid);
  expect(await configuration()).toEqual({ ...site, farm: { ...site.farm, _id: is.farm.uid } });
  const io = db().selectFrom('gateway_io').select('settings').where('device_id', '=', is.gateway.id);
  expect(await io.execute()).toEqual([{ settings: inputsAndRelays[0]?.settings }]);
  expect(await keptTakes(db(), is.farm.id)).toEqual(takes);
  await undo(batchId);
  expect(await configuration()).toEqual(before);
});
