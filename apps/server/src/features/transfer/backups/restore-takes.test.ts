import { expect, it } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { WaterTake } from '@headrace/contract/water-takes';
import { buildDevice } from '../../../testing/factories.ts';
import { buildTake } from '../../../testing/take-factories.ts';
import { keptTakes } from '../../water-takes/kept-takes.ts';
import { backupStage } from './testing/backup-stage.ts';

const { is, back, db, done, list, ofFarm, plan, restore, undo } = backupStage();

const kept = () => keptTakes(db(), is.farm.id);
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
