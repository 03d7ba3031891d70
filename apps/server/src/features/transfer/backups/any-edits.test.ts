import { describe, expect, it } from 'vitest';
import { backupStage, farmEntry } from './testing/backup-stage.ts';

/** Few in the suite; EDIT_RUNS=200 EDITS=100 is what is asked for. */
const RUNS = Number(process.env['EDIT_RUNS'] ?? 6);
const EDITS = Number(process.env['EDITS'] ?? 20);

const { is, back, call, configuration, db, done, mac, restore, ofFarm } = backupStage();

/** The same numbers for the same seed. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

describe('whatever is changed after a backup', () => {
  const units = () =>
    db()
      .selectFrom('device')
      .select('serial_number')
      .where('farm_id', '=', is.farm.id)
      .where('kind', '=', 'sprinkler')
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute();

  /** What people do, of which some is refused, as a form would. */
  async function edit(roll: (sides: number) => number): Promise<string> {
    const devices = await db()
      .selectFrom('device')
      .selectAll()
      .where('farm_id', '=', is.farm.id)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute();
    const groups = await db()
      .selectFrom('device_group')
      .selectAll()
      .where('farm_id', '=', is.farm.id)
      .orderBy('id')
      .execute();
    const units = devices.filter(({ kind }) => kind === 'sprinkler');
    const [unit, group, other] = [
      units[roll(units.length)],
      groups[roll(groups.length)],
      units[roll(units.length)],
    ];
    const name = `${'ABC'[roll(3)]}${roll(99)}`;
    const place = { lat: -43.7 - roll(90) / 1000, lng: 171.9 + roll(90) / 1000 };
    const given = unit && {
      id: unit.uid,
      name,
      serialNumber: unit.serial_number,
      macAddress: unit.mac ?? '',
    };
    const edits: [string, object?, Record<string, string>?][] = [
      ['POST /ipc', { ...ofFarm(), name, serialNumber: `N${roll(9999)}`, macAddress: mac() }],
      ['POST /group', { ...ofFarm(), name: `Group ${roll(50)}` }],
      ['POST /poi', { ...ofFarm(), name: `Gate ${roll(50)}`, ...place }],
      ['PUT /farm', { id: is.farm.uid, ...farmEntry, name: `Farm ${roll(50)}`, description: `${roll(50)}` }],
      [
        'POST /import/file',
        {
          ...ofFarm(),
          typeFile: 'podlist',
          filename: 'x.csv',
          data: `name;serial;mac;group\nQ${roll(99)};S${roll(99)};${mac()};West ${roll(5)}`,
        },
      ],
    ];
    if (given) {
      edits.push(
        ['PUT /ipc', { ...given, ...place }],
        ['PUT /ipc', { ...given, serialNumber: `S${roll(9999)}` }],
      );
      edits.push(['DELETE /ipc', undefined, { deviceId: given.id }]);
    }
    if (group) {
      edits.push(['PUT /group', { id: group.uid, name: `Group ${roll(50)}`, isLateral: roll(2) === 1 }]);
      edits.push(['DELETE /group', undefined, { groupId: group.uid }]);
      if (other) edits.push(['PUT /group/devices/add', { groupId: group.uid, ipcs: [other.uid] }]);
      if (other) edits.push(['PUT /group/devices/remove', { groupId: group.uid, ipcs: [other.uid] }]);
    }
    const gone = devices.find(({ kind }) => kind === 'gateway');
    if (gone && roll(4) === 0) edits.push(['DELETE /gateway', undefined, { deviceId: gone.uid }]);
    const [key, body, query] = edits[roll(edits.length)] ?? edits[0] ?? [''];
    const { statusCode } = await call(key, body, query);
    expect([200, 201, 400, 409]).toContain(statusCode);
    return `${key} ${statusCode}`;
  }

  it.each(Array.from({ length: RUNS }, (_, nth) => nth + 1))(
    'a restore gives the same farm, and its undo the changed one (%i)',
    async (seed) => {
      const roll = dice(seed * 7919);
      const before = await configuration();
      const { _id } = await back();
      const did: string[] = [];
      for (let step = 0; step < EDITS; step += 1) did.push(await edit(roll));
      const changed = await configuration();
      const { batchId } = await restore(_id);
      expect({ did, farm: await configuration() }).toEqual({ did, farm: before });
      if (batchId !== null) await done('POST /undo', { ...ofFarm(), act: 'restore', batchId });
      expect({ did, farm: await configuration() }).toEqual({ did, farm: changed });
    },
  );

  it.each(Array.from({ length: RUNS }, (_, nth) => nth + 1))(
    'the undo of an import gives the farm of before (%i)',
    async (seed) => {
      const roll = dice(seed * 104_729);
      for (let step = 0; step < EDITS / 10; step += 1) await edit(roll);
      const before = await configuration();
      const live = await units();
      const known = Array.from({ length: 3 }, () => live[roll(live.length)]?.serial_number ?? 'NEW');
      const lines = [...known, `N${roll(999)}`, `N${roll(999)}`].map(
        (serial, nth) =>
          `${'XYZ'[roll(3)]}${nth}${roll(99)};${serial};;West ${roll(4)};-43.${roll(900) + 100}`,
      );
      const asked = {
        ...ofFarm(),
        typeFile: 'podlist',
        filename: 'x.csv',
        data: `name;serial;mac;group;lat\n${lines.join('\n')}`,
      };
      const plan = await done<{ revision: string }>('POST /import/plan', asked);
      const reply = await call('POST /import/apply', { ...asked, revision: plan.revision });
      expect([lines, reply.statusCode]).toEqual([lines, 200]);
      const { batchId } = reply.json<{ batchId: string | null }>();
      if (batchId !== null) await done('POST /undo', { ...ofFarm(), act: 'import', batchId });
      expect({ lines, farm: await configuration() }).toEqual({ lines, farm: before });
    },
  );
});
