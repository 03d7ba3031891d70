import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { BatchRecord, ChangedRecord, Step } from '../changes/change-batch.ts';
import { isOfDevice } from '../changes/change-batch.ts';
import { fieldChanges, logChanges } from '../changes/change-log.ts';
import type { By } from '../devices/record-change.ts';
import { putFarmBack } from '../farms/put-farm-back.ts';
import { withOverridesOf } from '../gateway-io/relay-overrides.ts';
import { type KeptTake, lockKeptTakes, putTakeBack } from '../water-takes/kept-takes.ts';
import { keyOf } from './judge.ts';

type Columns = Readonly<Record<string, unknown>>;
type Others = ReadonlyMap<string, Columns>;

const isOther = (record: BatchRecord): record is ChangedRecord =>
  !isOfDevice(record) && record.what === 'changed';

/** Records of a batch that are no devices, as they are now, locked; by kind and uid. */
export async function readOthers(
  trx: Db,
  farmId: number,
  records: readonly BatchRecord[],
): Promise<Map<string, Columns>> {
  const others = records.filter(isOther);
  const found = new Map<string, Columns>();
  for (const kind of new Set(others.map((record) => record.kind))) {
    const uids = others.flatMap((record) => (record.kind === kind ? record.uid : []));
    for (const { uid, row } of await lockRows(trx, farmId, kind, uids)) found.set(keyOf({ kind, uid }), row);
  }
  return found;
}

async function lockRows(
  trx: Db,
  farmId: number,
  kind: ChangedRecord['kind'],
  uids: readonly string[],
): Promise<{ uid: string; row: Columns }[]> {
  // A take that isn't there is one too: whether it was, is what is put back.
  if (kind === 'water take') return lockKeptTakes(trx, farmId, uids);
  const from = {
    farm: sql`farm r where r.id = ${farmId} and r.uid = any(${uids}) for update of r`,
    group: sql`device_group r where r.farm_id = ${farmId} and r.uid = any(${uids}) order by r.id for update of r`,
    'schedule template': sql`schedule_template r where r.farm_id = ${farmId} and r.uid = any(${uids}) order by r.id for update of r`,
    'schedule set': sql`schedule_set r where r.farm_id = ${farmId} and r.uid = any(${uids}) order by r.id for update of r`,
    'inputs and relays': sql`gateway_io r join device d on d.farm_id = r.farm_id and d.id = r.device_id
      where r.farm_id = ${farmId} and d.uid = any(${uids}) order by d.id for update of r`,
  };
  const uid = kind === 'inputs and relays' ? sql`d.uid` : sql`r.uid`;
  const { rows } = await sql<{
    uid: string;
    row: Columns;
  }>`select ${uid} as uid, to_jsonb(r) as row from ${from[kind]}`.execute(trx);
  return rows;
}

/** Columns as they were before; `others` are the records as they are. */
export async function putRecordsBack(
  trx: Db,
  farmId: number,
  records: readonly ChangedRecord[],
  others: Others,
  by: By,
): Promise<void> {
  await freeNames(trx, farmId, records);
  for (const record of records) {
    const now = others.get(keyOf(record));
    if (!now) continue;
    const set = setOf(record, now, by.now);
    await writers[record.kind](trx, farmId, record.uid, { ...now, ...set }, by, lasts(record.columns));
    // These two write their own history.
    if (record.kind !== 'farm' && record.kind !== 'water take') await log(trx, farmId, record, now, set, by);
  }
  if (by.batch) by.batch.records.push(...(await waysBack(trx, farmId, records, others)));
}

/** Names that go from one group or template to another: each is free before it is taken. */
async function freeNames(trx: Db, farmId: number, records: readonly ChangedRecord[]): Promise<void> {
  const uidsOf = (of: ChangedRecord['kind'], column: string) =>
    records.flatMap(({ kind, uid, columns }) => (kind === of && columns[column] ? uid : []));
  const groups = uidsOf('group', 'name');
  if (groups.length > 1)
    await sql`update device_group set name = uid where farm_id = ${farmId} and uid = any(${groups})`.execute(
      trx,
    );
  const templates = [...uidsOf('schedule template', 'name'), ...uidsOf('schedule template', 'deleted_at')];
  if (templates.length > 1)
    await sql`update schedule_template set name = uid where farm_id = ${farmId} and uid = any(${templates})`.execute(
      trx,
    );
}

/**
 * What a hand that switched a relay decided is so at the pump: it stays as it is. What is deleted again is so from now: it is kept
 * as long as this can be undone.
 */
function setOf({ kind, columns }: ChangedRecord, now: Columns, at: Date): Columns {
  const before = firsts(columns);
  const set = (before['deleted_at'] ?? null) === null ? before : { ...before, deleted_at: at.toISOString() };
  return kind === 'inputs and relays' && set['settings']
    ? { ...set, settings: withOverridesOf(now['settings'], set['settings']) }
    : set;
}

/** What undoes it, as the database has it now: it writes times in its own way. */
async function waysBack(
  trx: Db,
  farmId: number,
  records: readonly ChangedRecord[],
  before: Others,
): Promise<ChangedRecord[]> {
  const after = await readOthers(trx, farmId, records);
  return records.flatMap((record) => {
    const [was, is] = [before.get(keyOf(record)), after.get(keyOf(record))];
    if (!was || !is) return [];
    const columns = Object.keys(record.columns).map((name): [string, Step] => [
      name,
      [was[name] ?? null, is[name] ?? null],
    ]);
    return [{ ...record, columns: Object.fromEntries(columns) }];
  });
}

const firsts = (steps: Readonly<Record<string, Step>>) =>
  Object.fromEntries(Object.entries(steps).map(([name, [value]]) => [name, value]));

const lasts = (steps: Readonly<Record<string, Step>>) =>
  Object.fromEntries(Object.entries(steps).map(([name, [, value]]) => [name, value]));

/** `left`: columns as what is undone left them. */
type Writer = (trx: Db, farmId: number, uid: string, row: Columns, by: By, left: Columns) => Promise<unknown>;

const writers: Readonly<Record<ChangedRecord['kind'], Writer>> = {
  farm: (trx, farmId, _uid, row, by) => putFarmBack(trx, farmId, row, by),
  group: (trx, farmId, uid, row, { now }) =>
    sql`update device_group g set name = n.name, description = n.description, is_lateral = n.is_lateral,
        wal_config = n.wal_config, version = g.version + 1, updated_at = ${now}
      from jsonb_populate_record(null::device_group, ${JSON.stringify(row)}::jsonb) n
      where g.farm_id = ${farmId} and g.uid = ${uid}`.execute(trx),
  'schedule template': (trx, farmId, uid, row, { now, accountId }) =>
    sql`update schedule_template t set name = n.name, body = n.body, deleted_at = n.deleted_at,
        version = t.version + 1, updated_at = ${now}, updated_by = ${accountId}
      from jsonb_populate_record(null::schedule_template, ${JSON.stringify(row)}::jsonb) n
      where t.farm_id = ${farmId} and t.uid = ${uid}`.execute(trx),
  'schedule set': (trx, farmId, uid, row) =>
    sql`update schedule_set s set deleted_at = n.deleted_at, replaces = n.replaces
      from jsonb_populate_record(null::schedule_set, ${JSON.stringify(row)}::jsonb) n
      where s.farm_id = ${farmId} and s.uid = ${uid}`.execute(trx),
  // What the gateway is told of it is looked at after the commit.
  'inputs and relays': (trx, farmId, uid, row) =>
    sql`update gateway_io io set settings = ${JSON.stringify(row['settings'])}::jsonb, version = io.version + 1
      from device d where d.farm_id = io.farm_id and d.id = io.device_id
        and io.farm_id = ${farmId} and d.uid = ${uid}`.execute(trx),
  'water take': (trx, farmId, uid, row, by, left) => {
    const [was, is] = [row['take'], left['take'] ?? null] as (KeptTake | null)[];
    return putTakeBack(trx, farmId, uid, { was: was ?? null, left: is ?? null }, by);
  },
};

async function log(
  trx: Db,
  farmId: number,
  { kind, uid, name }: ChangedRecord,
  before: Columns,
  after: Columns,
  { accountId, page, batch, now }: By,
): Promise<void> {
  if (kind === 'farm' || kind === 'water take') return;
  const { deleted_at: deleted, replaces: _replaces, ...columns } = after;
  const turned = deleted === null ? 'restored' : 'deleted';
  const what = deleted === undefined ? 'changed' : turned;
  const record = kind === 'inputs and relays' ? 'gateway' : kind;
  const fields = fieldChanges(before, columns).filter(
    ({ field }) => field !== 'body' && field !== 'settings',
  );
  await logChanges(trx, [{ farmId, accountId, kind: record, uid, name, what, fields, page, batch }], now);
}
