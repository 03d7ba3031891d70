import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { WaterTake } from '@headrace/contract/water-takes';
import { buildDevice } from '../../../testing/factories.ts';
import { buildTake } from '../../../testing/take-factories.ts';
import { keptTakes } from '../../water-takes/kept-takes.ts';
import { lockTakes } from '../../water-takes/lock-takes.ts';
import { backupStage } from './testing/backup-stage.ts';

const { is, back, db, done, list, ofFarm, plan, restore, undo } = backupStage();

const kept = () => keptTakes(db(), is.farm.id);
const read = (meterUID: string, register: number) =>
  done('POST /water-take/reading', {
    ...ofFarm(),
    meterUID,
    at: is.server.clock.now.toISOString(),
    register,
    note: '',
  });
const registers = async () =>
  (await kept())[0]?.readings.map(({ register }) => register).toSorted((a, b) => a - b);
const take = async (uid: string) =>
  (await done<{ takes: WaterTake[] }>('GET /water-take', undefined, ofFarm())).takes.find(
    (one) => one.uid === uid,
  );
const build = async () => {
  const meter = await buildDevice(db(), is.farm.id, 'sensor', {
    name: 'Bore 1',
    type: sensorTypes.FLOW_PULSE,
  });
  const built = await buildTake(db(), meter, is.server.clock.now);
  const gap = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-01T02:00:00.000Z', note: 'Lightning' };
  await done('PUT /water-take/gap', { ...ofFarm(), uid: built.uid, ...gap });
  return { ...built, meter };
};

it('a take that was deleted comes back with its meter, what was read of its register and noted, and the trial says so', async () => {
  const { uid, meter } = await build();
  // Its sensor has left the farm.
  await done('DELETE /sensor', undefined, { deviceId: meter.uid });
  const before = await kept();
  expect(before[0]).toMatchObject({
    readings: [{ register: 5 }],
    notes: [{ note: 'Lightning' }],
    meters: [{}],
  });
  const { _id } = await back();
  expect((await list())[0]).toMatchObject({ fault: '', provedAt: expect.any(String) });
  await done('DELETE /water-take', undefined, { ...ofFarm(), uid });
  expect((await plan(_id)).rows).toMatchObject([{ kind: 'water take', action: 'come back', uid }]);
  const { batchId } = await restore(_id);
  expect(await kept()).toEqual(before);
  await undo(batchId);
  expect(await kept()).toEqual([]);
});

it('a take is changed back, what was read of its register since stays, and a new one is taken off; all of it is undone', async () => {
  const { uid, meterUid } = await build();
  const { _id } = await back();
  const { uid: _uid, meters, updatedAt: _at, ...entries } = (await take(uid)) as WaterTake;
  await done('PUT /water-take', { ...ofFarm(), uid, ...entries, meters, maxLps: 30 });
  const at = is.server.clock.now.toISOString();
  await done('POST /water-take/reading', { ...ofFarm(), meterUID: meterUid, at, register: 9, note: '' });
  const other = await build();
  const after = await kept();
  const rows = (await plan(_id)).rows.filter(({ kind }) => kind === 'water take');
  expect(rows).toMatchObject([
    { action: 'change back', fields: [{ field: 'maxLps', from: 30, to: 20 }] },
    { action: 'take off', uid: other.uid },
  ]);
  const { batchId } = await restore(_id);
  const [only, ...others] = await kept();
  expect(others).toEqual([]);
  expect(only).toMatchObject({ maxLps: 20, readings: [{}, {}] });
  await undo(batchId);
  expect(await kept()).toEqual(after);
});

it('what was read of a register after a restore stays when that is undone, and what the restore brought back goes', async () => {
  const { uid, meterUid } = await build();
  await read(meterUid, 9);
  const { _id } = await back();
  const readings = (await take(uid))?.meters[0]?.readings ?? [];
  const readingUID = readings.find(({ register }) => register === 9)?.uid ?? '';
  await done('DELETE /water-take/reading', undefined, { ...ofFarm(), readingUID });
  const { batchId } = await restore(_id);
  expect(await registers()).toEqual([5, 9]);
  await read(meterUid, 12);
  await done('POST /undo', { ...ofFarm(), act: 'restore', batchId, putBack: [uid] });
  expect(await registers()).toEqual([5, 12]);
});

it('a restore lets whoever enters a reading go first, and keeps it', async () => {
  const { meterUid } = await build();
  const { _id } = await back();
  await db().updateTable('farm').set({ description: 'Later' }).where('id', '=', is.farm.id).execute();
  await db().updateTable('water_take').set({ max_l_s: 30 }).where('farm_id', '=', is.farm.id).execute();
  const restoring = await db()
    .transaction()
    .execute(async (trx) => {
      await lockTakes(trx, is.farm.id);
      const restored = restore(_id);
      const waits = sql<{
        n: number;
      }>`select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`;
      await expect.poll(async () => (await waits.execute(trx)).rows[0]?.n, { timeout: 20_000 }).toBe(1);
      // What refers to the farm can be written.
      await sql`select 1 from farm where id = ${is.farm.id} for key share nowait`.execute(trx);
      await sql`insert into take_reading (farm_id, uid, meter_id, at, register, note, account_id)
        select farm_id, ${'0123456789abcdef01234567'}, id, ${is.server.clock.now}, 77, '', null from take_meter
        where farm_id = ${is.farm.id} and uid = ${meterUid}`.execute(trx);
      return { restored };
    });
  await restoring.restored;
  expect(await registers()).toEqual([5, 77]);
  expect((await kept())[0]).toMatchObject({ maxLps: 20 });
});

it('the plan says which meter, how many readings go, and nothing of a person who has left', async () => {
  const { uid, meterUid } = await build();
  await read(meterUid, 9);
  const { _id } = await back();
  await db()
    .updateTable('take_reading')
    .set({ account_id: null })
    .where('farm_id', '=', is.farm.id)
    .execute();
  expect((await plan(_id)).rows.filter(({ kind }) => kind === 'water take')).toEqual([]);
  await db().updateTable('take_meter').set({ m3_per_unit: 0.1 }).where('uid', '=', meterUid).execute();
  const other = await build();
  expect((await plan(_id)).rows.filter(({ kind }) => kind === 'water take')).toMatchObject([
    {
      uid,
      action: 'change back',
      fields: [
        {
          field: 'meters',
          from: expect.stringMatching(/^Bore 1: .* 0\.1 m³, /),
          to: expect.stringMatching(/^Bore 1: .* 1 m³, /),
        },
      ],
      why: '',
    },
    { uid: other.uid, action: 'take off', why: '1 reading and 1 note of it go.' },
  ]);
});
