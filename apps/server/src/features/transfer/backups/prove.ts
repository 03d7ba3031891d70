import { sql } from 'kysely';
import type { IoSettings } from '@headrace/contract/gateway-io';
import type { Db } from '../../../db/client.ts';
import { newUid } from '../../../db/ids.ts';
import type { FarmRow } from '../../../db/schema.ts';
import { inBatch } from '../../changes/change-batch.ts';
import { mapInTurns } from '../../../jobs/in-turns.ts';
import type { By } from '../../devices/record-change.ts';
import { withoutOverrides } from '../../gateway-io/relay-overrides.ts';
import type { KeptTake } from '../../water-takes/kept-takes.ts';
import { COMMANDED } from './plan-devices.ts';
import { type RestoreParts, restoreIn } from './restore.ts';
import { sortedText } from '../sorted-text.ts';
import { devicesOf, type Snapshot, takeSnapshot } from './snapshot.ts';

/**
 * Restores a backup on trial, to a copy of the farm whose devices have all been deleted and emptied, and compares what that gives with the
 * backup. All of it is rolled back within the transaction, and the farm itself isn't locked: commands go on meanwhile. '' or what is wrong
 * with the backup. Throws where the trial could not be done, of which the backup may know nothing.
 */
export async function prove(
  trx: Db,
  parts: RestoreParts,
  farm: FarmRow,
  backup: Snapshot,
  now: Date,
): Promise<string> {
  const by: By = { accountId: farm.owner_id, now };
  const snapshot = onTrial(backup);
  await sql`savepoint trial`.execute(trx);
  const copy = await copyFarm(trx, farm, snapshot, now);
  const of = { snapshot, createdAt: now, reads: 'trial' } as const;
  await inBatch(trx, copy.id, by, { act: 'restore', title: 'Trial' }, (batched) =>
    restoreIn(trx, parts, copy, of, batched),
  );
  const again = await takeSnapshot(trx, parts.content, await farmOf(trx, copy.id));
  const codecs = await trx.selectFrom('codec').select('id').where('farm_id', '=', copy.id).execute();
  await sql`rollback to savepoint trial`.execute(trx);
  return differing(snapshot, again, new Set(codecs.map(({ id }) => id)));
}

/** The uid of a template or of a take is one of all farms', and those of the farm itself stay as they are. */
const onTrial = (backup: Snapshot): Snapshot => ({
  ...backup,
  templates: backup.templates.map((template) => ({ ...template, _id: `trial ${template._id}` })),
  waterTakes: backup.waterTakes?.map((take) => ({
    ...take,
    uid: `trial ${take.uid}`,
    meters: take.meters.map((meter) => ({ ...meter, uid: `trial ${meter.uid}` })),
    readings: take.readings.map((reading) => ({
      ...reading,
      uid: `trial ${reading.uid}`,
      meterUid: `trial ${reading.meterUid}`,
    })),
  })),
});

/**
 * The set that the farm waters by is what was sent: a restore sends nothing. The uid of the copy is another one. A sensor whose codec was
 * deleted since stays without: the plan of a restore says so, and nothing is wrong with the backup. `of`: what an older backup (it) doesn't say can't
 * differ.
 */
const comparable = async (
  snapshot: Snapshot,
  of: Snapshot,
  codecs: ReadonlySet<number>,
): Promise<Snapshot> => ({
  ...snapshot,
  farm: { ...snapshot.farm, _id: '', currentSet: null },
  ...(of.sharingSerials === undefined && { sharingSerials: undefined }),
  // Backups of the first version have since when hands decide.
  inputsAndRelays: snapshot.inputsAndRelays.map((io) => ({
    ...io,
    settings: withoutOverrides(io.settings) as IoSettings,
  })),
  waterTakes: of.waterTakes && snapshot.waterTakes?.map(withoutAccounts),
  decoders: snapshot.decoders.filter(({ codec_id: codec }) => codec === null || codecs.has(codec)),
  ipcs: await mapInTurns(snapshot.ipcs, withoutCommanded),
  gateways: snapshot.gateways.map(withoutCommanded),
  repeaters: snapshot.repeaters.map(withoutCommanded),
  sensors: snapshot.sensors.map(withoutCommanded),
});

/** What devices were told by command stays as it is at a restore, and the copy was told nothing. */
const withoutCommanded = <D extends { settings?: object }>(device: D): D => ({
  ...device,
  settings: Object.fromEntries(
    Object.entries(device.settings ?? {}).filter(([name]) => !COMMANDED.has(name)),
  ),
});

/** Who read or noted it may have closed the account since. */
const withoutAccounts = (take: KeptTake): KeptTake => ({
  ...take,
  readings: take.readings.map((reading) => ({ ...reading, accountId: null })),
  notes: take.notes.map((note) => ({ ...note, accountId: null })),
});

async function differing(backup: Snapshot, again: Snapshot, codecs: ReadonlySet<number>): Promise<string> {
  const one = await comparable(backup, backup, codecs);
  const members = new Map(Object.entries(await comparable(again, backup, codecs)));
  const names: string[] = [];
  for (const [name, value] of Object.entries(one)) {
    const text = await sortedText({ [name]: value });
    if (text !== (await sortedText({ [name]: members.get(name) }))) names.push(name);
  }
  return names.length === 0 ? '' : `A trial restore gave another farm: ${names.join(', ')} differ.`;
}

async function farmOf(trx: Db, id: number): Promise<FarmRow> {
  return trx.selectFrom('farm').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Under a uid of its own, with nothing on it: its devices have left it. Those that share a serial number still do. */
async function copyFarm(trx: Db, farm: FarmRow, snapshot: Snapshot, now: Date): Promise<FarmRow> {
  const { rows } = await sql<FarmRow>`insert into farm overriding system value
    select (jsonb_populate_record(f, jsonb_build_object('id', nextval(pg_get_serial_sequence('farm', 'id')), 'uid', ${newUid(now)}::text,
      'name', 'Trial', 'description', '', 'supplier', '', 'boundary', '[]'::jsonb, 'address', '{}'::jsonb, 'size_ha', 0,
      'current_set_id', null, 'deleted_at', null))).* from farm f where f.id = ${farm.id} returning *`.execute(
    trx,
  );
  const [copy] = rows;
  if (!copy) throw new Error('The farm is gone.');
  // Meters of a take may be sensors that left the farm.
  const meters = snapshot.waterTakes?.flatMap((take) => take.meters.map(({ deviceUID }) => deviceUID)) ?? [];
  const uids = [...devicesOf(snapshot).map(({ _id }) => _id), ...meters];
  await sql`insert into codec overriding system value
    select (jsonb_populate_record(c, jsonb_build_object('farm_id', ${copy.id}::int))).* from codec c where c.farm_id = ${farm.id}`.execute(
    trx,
  );
  await sql`insert into codec_version
    select (jsonb_populate_record(c, jsonb_build_object('farm_id', ${copy.id}::int))).* from codec_version c where c.farm_id = ${farm.id}`.execute(
    trx,
  );
  await sql`insert into device (farm_id, uid, kind, name, shares_serial, created_at, updated_at, deleted_at)
    select ${copy.id}, uid, kind, 'Trial', shares_serial, created_at, ${now}, ${now} from device
    where farm_id = ${farm.id} and uid = any(${uids})`.execute(trx);
  await sql`insert into gateway_io
    select (jsonb_populate_record(io, jsonb_build_object('farm_id', ${copy.id}::int, 'device_id', copied.id, 'settings', '{}'::jsonb))).*
    from gateway_io io join device d on d.farm_id = io.farm_id and d.id = io.device_id
    join device copied on copied.farm_id = ${copy.id} and copied.uid = d.uid
    where io.farm_id = ${farm.id} and d.uid = any(${snapshot.inputsAndRelays.map(({ uid }) => uid)})`.execute(
    trx,
  );
  return copy;
}
