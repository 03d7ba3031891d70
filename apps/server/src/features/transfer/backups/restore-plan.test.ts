import { describe, expect, it } from 'vitest';
import type { RestorePlan } from '@headrace/contract/backups';
import { backupStage } from './testing/backup-stage.ts';

const { is, back, call, configuration, done, plan, ofFarm } = backupStage();

describe('what a restore would do', () => {
  it('is told record by record, and nothing is written', async () => {
    const { _id } = await back();
    expect((await plan(_id)).rows).toEqual([]);
    await done('PUT /ipc', {
      id: is.a1.uid,
      name: 'B1',
      serialNumber: 'IPCA1',
      macAddress: is.a1.mac,
      lat: -43.7,
      lng: 171.9,
    });
    await done('DELETE /ipc', undefined, { deviceId: is.a2.uid });
    await done('POST /group', { ...ofFarm(), name: 'South' });
    const before = await configuration();
    const { rows, counts } = await plan(_id);
    expect(counts).toEqual({ 'come back': 1, 'change back': 1, 'take off': 1, stay: 0 });
    expect(rows.map(({ kind, name, action, fields }) => [kind, name, action, fields])).toEqual([
      ['group', 'South', 'take off', []],
      [
        'sprinkler',
        'A1',
        'change back',
        [
          { field: 'name', from: 'B1', to: 'A1' },
          { field: 'lat', from: -43.7, to: null },
          { field: 'lng', from: 171.9, to: null },
        ],
      ],
      ['sprinkler', 'A2', 'come back', []],
    ]);
    expect(await configuration()).toEqual(before);
  });

  it('is refused with the new plan when the farm was changed since', async () => {
    const { _id } = await back();
    const { revision } = await plan(_id);
    await done('POST /group', { ...ofFarm(), name: 'South' });
    const late = await call('PUT /backup/restore', { ...ofFarm(), bakUID: _id, revision });
    expect([late.statusCode, late.json<{ current: RestorePlan }>().current.counts]).toEqual([
      409,
      { 'come back': 0, 'change back': 0, 'take off': 1, stay: 0 },
    ]);
  });
});
