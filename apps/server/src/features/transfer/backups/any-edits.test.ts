import { isDeepStrictEqual } from 'node:util';
import { beforeEach, expect, it } from 'vitest';
import { gatewayTypes } from '@headrace/contract/gateway-types';
import { defaultIoSettings } from '@headrace/contract/rules/io-settings';
import { withoutOverrides } from '../../gateway-io/relay-overrides.ts';
import { anyEdit, dice, type Roll } from './testing/any-edit.ts';
import { backupStage } from './testing/backup-stage.ts';

/** EDIT_RUNS=200 EDITS=100 is the long run. */
const RUNS = Number(process.env['EDIT_RUNS'] ?? 20);
const EDITS = Number(process.env['EDITS'] ?? 15);

const stage = backupStage();
const { is, back, call, configuration, db, done, restore, ofFarm } = stage;
beforeEach(async () => {
  await db()
    .updateTable('device')
    .set({ type: gatewayTypes.IMSG_V2 })
    .where('uid', '=', is.gateway.uid)
    .execute();
});

/** What the farm's own export has, and what only its backups have. */
async function farmNow(): Promise<unknown> {
  const live = db()
    .selectFrom('device')
    .where('device.farm_id', '=', is.farm.id)
    .where('device.deleted_at', 'is', null)
    .orderBy('uid');
  const io = await live
    .innerJoin('gateway_io as io', 'io.device_id', 'device.id')
    .select(['uid', 'io.settings'])
    .execute();
  return {
    site: await configuration(),
    inputsAndRelays: io
      .map(({ uid, settings }) => ({ uid, settings: withoutOverrides(settings) }))
      .filter(({ settings }) => !isDeepStrictEqual(settings, withoutOverrides(defaultIoSettings()))),
    decoders: await live.select(['uid', 'builtin_codec', 'codec_id', 'shares_serial']).execute(),
  };
}

/** So many that changed the farm: what was refused, or would change nothing, is none. */
async function edited(roll: Roll, edits: number): Promise<string[]> {
  const did: string[] = [];
  let [changes, revision] = [0, await revisionNow()];
  // A few of ten are refused, as by a form.
  for (let tries = 0; changes < edits; tries += 1) {
    expect(tries).toBeLessThan(edits * 10 + 20);
    did.push(await anyEdit(stage, roll));
    const before = revision;
    revision = await revisionNow();
    if (revision !== before) changes += 1;
  }
  const refused = did.filter((edit) => !/ (?:200|201|400|404|409)$/.test(edit));
  expect(refused).toEqual([]);
  return did;
}

async function revisionNow(): Promise<string | null> {
  const { newest } = await db()
    .selectFrom('change_log')
    .select((eb) => eb.fn.max('id').as('newest'))
    .where('farm_id', '=', is.farm.id)
    .executeTakeFirstOrThrow();
  return newest;
}

const seeds = Array.from({ length: RUNS }, (_, nth) => nth + 1);

it.each(seeds)(
  'whatever is changed after a backup, a restore gives the same farm, and its undo the changed one (%i)',
  async (seed) => {
    const before = await farmNow();
    const { _id } = await back();
    const did = await edited(dice(seed * 7919), EDITS);
    const changed = await farmNow();
    const { batchId } = await restore(_id);
    expect({ did, farm: await farmNow() }).toEqual({ did, farm: before });
    if (batchId !== null) await done('POST /undo', { ...ofFarm(), act: 'restore', batchId });
    expect({ did, farm: await farmNow() }).toEqual({ did, farm: changed });
  },
  60_000 + EDITS * 1000,
);

it.each(seeds)(
  'whatever the farm is, the undo of an import gives it back (%i)',
  async (seed) => {
    const roll = dice(seed * 104_729);
    const did = await edited(roll, Math.ceil(EDITS / 5));
    const before = await farmNow();
    const units = await db()
      .selectFrom('device')
      .select('serial_number')
      .where('farm_id', '=', is.farm.id)
      .where('kind', '=', 'sprinkler')
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute();
    const known = Array.from({ length: 3 }, () => units[roll(units.length)]?.serial_number ?? 'NEW');
    const lines = [...known, `N${roll(999)}`, `N${roll(999)}`].map(
      (serial, nth) => `${'XYZ'[roll(3)]}${nth}${roll(99)};${serial};;West ${roll(4)};-43.${roll(900) + 100}`,
    );
    const data = `name;serial;mac;group;lat\n${lines.join('\n')}`;
    const asked = { ...ofFarm(), typeFile: 'podlist', filename: 'x.csv', data };
    const { revision } = await done<{ revision: string }>('POST /import/plan', asked);
    const reply = await call('POST /import/apply', { ...asked, revision });
    expect([lines, reply.statusCode]).toEqual([lines, 200]);
    const { batchId } = reply.json<{ batchId: string | null }>();
    if (batchId !== null) await done('POST /undo', { ...ofFarm(), act: 'import', batchId });
    expect({ did, lines, farm: await farmNow() }).toEqual({ did, lines, farm: before });
  },
  60_000 + EDITS * 1000,
);
