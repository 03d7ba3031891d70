import { type Selectable, sql } from 'kysely';
import type { TakeEntries, TakeMeterEntries } from '@headrace/contract/water-takes';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import type { WaterTakeTables } from '../../db/schema/water-takes.ts';
import type { By } from '../devices/record-change.ts';
import { withLater } from './kept-evidence.ts';
import { lockTakes } from './lock-takes.ts';
import { logTakeChange } from './log-take.ts';
import { createTakesRepo, type MeterRow, type NewMeter, type TakeRecord } from './takes.repo.ts';

/** What a person read off a meter, or noted, with the id of the account. */
type Reading = Pick<Selectable<WaterTakeTables['take_reading']>, 'uid' | 'register' | 'note'> & {
  readonly at: string;
  readonly meterUid: string;
  readonly accountId: number | null;
};
interface Note {
  readonly from: string;
  readonly to: string;
  readonly note: string;
  readonly accountId: number | null;
}

/** A take with all that people entered of it, as a backup and an undo have it; what its meters said isn't in it. */
export interface KeptTake extends TakeEntries {
  readonly uid: string;
  readonly meters: readonly (TakeMeterEntries & { readonly uid: string })[];
  readonly readings: readonly Reading[];
  readonly notes: readonly Note[];
}

/** Those of a farm, by uid. */
export async function keptTakes(trx: Db, farmId: number): Promise<KeptTake[]> {
  const takes = await createTakesRepo(trx).takes(farmId, trx);
  const readings = await readReadings(trx, farmId);
  const notes = await readNotes(trx, farmId);
  return takes.map((take) => keptOf(take, readings, notes)).toSorted((a, b) => (a.uid < b.uid ? -1 : 1));
}

/** Nobody else changes takes of the farm until the transaction ends; by uid, null where there is none. */
export async function lockKeptTakes(
  trx: Db,
  farmId: number,
  uids: readonly string[],
): Promise<{ uid: string; row: { take: KeptTake | null } }[]> {
  await lockTakes(trx, farmId);
  const found = await keptTakes(trx, farmId);
  return uids.map((uid) => ({ uid, row: { take: found.find((take) => take.uid === uid) ?? null } }));
}

/**
 * As it was before (null: it wasn't there), with what was read and noted since. `left`: as what is undone left it. The takes of the farm
 * are locked.
 */
export async function putTakeBack(
  trx: Db,
  farmId: number,
  uid: string,
  { was, left }: { was: KeptTake | null; left: KeptTake | null },
  by: By,
): Promise<void> {
  const repo = createTakesRepo(trx);
  const find = async () => (await repo.takes(farmId, trx)).find((take) => take.uid === uid);
  const before = await find();
  if (was) {
    const [now] = await lockKeptTakes(trx, farmId, [uid]);
    await write(trx, farmId, before, withLater(was, now?.row.take ?? null, left), by.now);
  } else await repo.remove(trx, farmId, uid);
  const after = await find();
  const farm: FarmRow = await trx
    .selectFrom('farm')
    .selectAll()
    .where('id', '=', farmId)
    .executeTakeFirstOrThrow();
  await logTakeChange(trx, farm, by, before, after);
}

async function write(trx: Db, farmId: number, before: TakeRecord | undefined, was: KeptTake, now: Date) {
  const repo = createTakesRepo(trx);
  const { uid, meters, readings, notes, ...entries } = was;
  const version = (before?.version ?? 0) + 1;
  const id = await repo.save(trx, farmId, { id: before?.id ?? null, uid, version }, entries, now);
  await repo.saveMeters(trx, farmId, id, await withIds(trx, farmId, meters));
  await writeReadings(trx, farmId, id, readings);
  await trx.deleteFrom('take_note').where('farm_id', '=', farmId).where('take_id', '=', id).execute();
  if (notes.length > 0)
    await sql`insert into take_note (farm_id, take_id, from_at, to_at, note, account_id)
      select ${farmId}, ${id}, n."from", n."to", n.note, a.id
      from jsonb_to_recordset(${JSON.stringify(notes)}::jsonb) as n ("from" timestamptz, "to" timestamptz, note text, "accountId" int)
      left join account a on a.id = n."accountId"`.execute(trx);
}

/** A sensor stays known while the farm is there, also one that was deleted; of another farm there is none. */
async function withIds(trx: Db, farmId: number, meters: KeptTake['meters']): Promise<NewMeter[]> {
  if (meters.length === 0) return [];
  const rows = await trx
    .selectFrom('device')
    .select(['id', 'uid'])
    .where('farm_id', '=', farmId)
    .where(
      'uid',
      'in',
      meters.map(({ deviceUID }) => deviceUID),
    )
    .execute();
  const ids = new Map(rows.map((row) => [row.uid, row.id]));
  return meters.flatMap(({ deviceUID, ...meter }) => {
    const deviceId = ids.get(deviceUID);
    return deviceId === undefined ? [] : [{ ...meter, deviceId }];
  });
}

/** These, and no others. */
async function writeReadings(trx: Db, farmId: number, takeId: number, readings: readonly Reading[]) {
  await sql`delete from take_reading r using take_meter m where r.farm_id = ${farmId} and m.farm_id = r.farm_id
    and m.id = r.meter_id and m.take_id = ${takeId} and r.uid <> all(${readings.map(({ uid }) => uid)}::text[])`.execute(
    trx,
  );
  if (readings.length === 0) return;
  await sql`insert into take_reading (farm_id, uid, meter_id, at, register, note, account_id)
    select ${farmId}, n.uid, m.id, n.at, n.register, n.note, a.id
    from jsonb_to_recordset(${JSON.stringify(readings)}::jsonb)
      as n (uid text, "meterUid" text, at timestamptz, register float8, note text, "accountId" int)
    join take_meter m on m.farm_id = ${farmId} and m.take_id = ${takeId} and m.uid = n."meterUid"
    left join account a on a.id = n."accountId"
    on conflict (uid) do nothing`.execute(trx);
}

function keptOf(
  take: TakeRecord,
  readings: readonly (Reading & { takeId: number })[],
  notes: readonly (Note & { takeId: number })[],
): KeptTake {
  const { id, version: _v, updatedAt: _at, readings: _r, meters, ...entries } = take;
  const own = <T extends { takeId: number }>(all: readonly T[]) =>
    all.filter(({ takeId }) => takeId === id).map(({ takeId: _takeId, ...one }) => one);
  return {
    ...entries,
    meters: meters.map(keptMeter).toSorted((a, b) => (a.uid < b.uid ? -1 : 1)),
    readings: own(readings),
    notes: own(notes),
  };
}

const keptMeter = ({
  id: _id,
  takeId: _take,
  deviceId: _device,
  device: _name,
  isGone: _gone,
  startsAt,
  endsAt,
  ...meter
}: MeterRow) => ({
  ...meter,
  startsAt: startsAt.toISOString(),
  endsAt: endsAt?.toISOString() ?? null,
});

async function readReadings(trx: Db, farmId: number): Promise<(Reading & { takeId: number })[]> {
  const rows = await trx
    .selectFrom('take_reading as r')
    .innerJoin('take_meter as m', (join) =>
      join.onRef('m.farm_id', '=', 'r.farm_id').onRef('m.id', '=', 'r.meter_id'),
    )
    .select([
      'm.take_id as takeId',
      'm.uid as meterUid',
      'r.uid',
      'r.at',
      'r.register',
      'r.note',
      'r.account_id as accountId',
    ])
    .where('r.farm_id', '=', farmId)
    .orderBy('r.uid')
    .execute();
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }));
}

async function readNotes(trx: Db, farmId: number): Promise<(Note & { takeId: number })[]> {
  const rows = await trx
    .selectFrom('take_note')
    .select(['take_id as takeId', 'from_at', 'to_at', 'note', 'account_id as accountId'])
    .where('farm_id', '=', farmId)
    .orderBy('from_at')
    .execute();
  return rows.map(({ from_at, to_at, ...row }) => ({
    ...row,
    from: from_at.toISOString(),
    to: to_at.toISOString(),
  }));
}
