import { sql } from 'kysely';
import type { Db } from '../../../db/client.ts';
import { newUid } from '../../../db/ids.ts';
import type { FarmRow } from '../../../db/schema.ts';
import { inBatch } from '../../changes/change-batch.ts';
import type { By } from '../../devices/record-change.ts';
import { type RestoreParts, restoreIn } from './restore.ts';
import { devicesOf, type Snapshot, snapshotText, takeSnapshot } from './snapshot.ts';

/** Ends the trial: nothing of it stays. */
class TrialOver extends Error {
  constructor(readonly fault: string) {
    super('the trial is over');
  }
}

/**
 * Restores a backup on trial, to a copy of the farm whose devices have all been deleted and emptied, and compares what that gives with the
 * backup. All of it is rolled back, and the farm itself isn't locked: commands go on meanwhile. '' or what is wrong with the backup.
 */
export async function prove(
  db: Db,
  parts: RestoreParts,
  farm: FarmRow,
  snapshot: Snapshot,
  now: Date,
): Promise<string> {
  const by: By = { accountId: farm.owner_id, now };
  try {
    await db.transaction().execute(async (trx) => {
      const copy = await copyFarm(trx, farm, snapshot, now);
      const of = { snapshot, createdAt: now, isTrial: true };
      await inBatch(trx, copy.id, by, { act: 'restore', title: 'Trial' }, (batched) =>
        restoreIn(trx, parts, copy, of, batched),
      );
      const again = await takeSnapshot(trx, parts.content, await farmOf(trx, copy.id));
      throw new TrialOver(differing(snapshot, again));
    });
  } catch (error) {
    if (error instanceof TrialOver) return error.fault;
    throw error;
  }
  return '';
}

/** The set that the farm waters by is what was sent: a restore sends nothing. The uid of the copy is another one. */
const comparable = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  farm: { ...snapshot.farm, _id: '', currentSet: null },
});

function differing(backup: Snapshot, again: Snapshot): string {
  const [one, other] = [comparable(backup), comparable(again)];
  if (snapshotText(one) === snapshotText(other)) return '';
  const members = new Map(Object.entries(other));
  const names = Object.entries(one).flatMap(([name, value]) =>
    JSON.stringify(value) === JSON.stringify(members.get(name)) ? [] : name,
  );
  return `A trial restore gave another farm: ${names.join(', ')} differ.`;
}

async function farmOf(trx: Db, id: number): Promise<FarmRow> {
  return trx.selectFrom('farm').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Under a uid of its own, with nothing on it: its devices have left it. Uids of templates are anybody's once. */
async function copyFarm(trx: Db, farm: FarmRow, snapshot: Snapshot, now: Date): Promise<FarmRow> {
  const { rows } = await sql<FarmRow>`insert into farm overriding system value
    select (jsonb_populate_record(f, jsonb_build_object('id', nextval(pg_get_serial_sequence('farm', 'id')), 'uid', ${newUid(now)}::text,
      'name', 'Trial', 'description', '', 'supplier', '', 'boundary', '[]'::jsonb, 'address', '{}'::jsonb, 'size_ha', 0,
      'current_set_id', null, 'deleted_at', null))).* from farm f where f.id = ${farm.id} returning *`.execute(
    trx,
  );
  const [copy] = rows;
  if (!copy) throw new Error('The farm is gone.');
  const uids = devicesOf(snapshot).map(({ _id }) => _id);
  await sql`insert into codec overriding system value
    select (jsonb_populate_record(c, jsonb_build_object('farm_id', ${copy.id}::int))).* from codec c where c.farm_id = ${farm.id}`.execute(
    trx,
  );
  await sql`insert into codec_version
    select (jsonb_populate_record(c, jsonb_build_object('farm_id', ${copy.id}::int))).* from codec_version c where c.farm_id = ${farm.id}`.execute(
    trx,
  );
  await sql`insert into device (farm_id, uid, kind, name, created_at, updated_at, deleted_at)
    select ${copy.id}, uid, kind, 'Trial', created_at, ${now}, ${now} from device
    where farm_id = ${farm.id} and uid = any(${uids})`.execute(trx);
  await sql`insert into gateway_io
    select (jsonb_populate_record(io, jsonb_build_object('farm_id', ${copy.id}::int, 'device_id', copied.id, 'settings', '{}'::jsonb))).*
    from gateway_io io join device d on d.farm_id = io.farm_id and d.id = io.device_id
    join device copied on copied.farm_id = ${copy.id} and copied.uid = d.uid where io.farm_id = ${farm.id}`.execute(
    trx,
  );
  await sql`update schedule_template set uid = 'as it was ' || uid where farm_id = ${farm.id}`.execute(trx);
  return copy;
}
