import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { fieldChanges, logChanges } from '../changes/change-log.ts';
import { addToRegistry } from '../registry/registry-entries.ts';
import { changedDevice } from './change-records.ts';
import { groupUidsOf, setGroups } from './device-groups.ts';
import { freeIdentities } from './free-identities.ts';
import { bumpLists } from './list-sync.ts';
import { forgetOthers } from './other-units.ts';
import {
  type By,
  isListChange,
  lockRecords,
  logged,
  type RecordChange,
  StaleRecord,
} from './record-change.ts';

export interface OneChange {
  readonly id: number;
  /** As it was when the change was judged. */
  readonly version: number;
  readonly change: Pick<
    RecordChange,
    'name' | 'serial_number' | 'mac' | 'lat' | 'lng' | 'settings' | 'groups'
  >;
}

/**
 * Changes many devices, each in its own way, in few statements. The caller has found the serial numbers and MACs free in this transaction.
 * Throws StaleRecord where one is not as it was.
 */
export async function changeEach(
  trx: Db,
  farmId: number,
  changes: readonly OneChange[],
  by: By,
): Promise<DeviceRow[]> {
  if (changes.length === 0) return [];
  const ids = changes.map(({ id }) => id);
  const locked = new Map((await lockRecords(trx, farmId, ids)).map((row) => [row.id, row]));
  const groupsBefore = await groupUidsOf(trx, farmId, ids);
  const pairs = changes.map(({ id, version, change }) => {
    const before = locked.get(id);
    if (before?.version !== version) throw new StaleRecord(before as DeviceRow);
    const { settings = {}, groups: _groups, ...columns } = change;
    const after = { ...before, ...columns, settings: { ...before.settings, ...settings } };
    return { before, after: { ...after, version: version + 1, updated_at: by.now }, change };
  });
  await freeIdentities(
    trx,
    farmId,
    pairs.map(({ before, after }) => [before, after]),
  );
  await write(
    trx,
    farmId,
    pairs.map(({ after }) => after),
  );
  const ofGroups = await writeGroups(trx, farmId, pairs);
  const onList = pairs.flatMap(({ before, after }) => (isListChange(before, after) ? [before, after] : []));
  if (onList.length > 0) await bumpLists(trx, farmId, onList);
  await forgetOthers(
    trx,
    farmId,
    pairs.map(({ before, after }) => [before, after]),
    by.now,
  );
  await addToRegistry(
    trx,
    pairs.flatMap(({ before, after }) =>
      before.mac !== after.mac || before.serial_number !== after.serial_number ? [after] : [],
    ),
    farmId,
  );
  by.batch?.records.push(
    ...pairs.map(({ before, after, change }) => {
      const groups: [string[], string[]] | undefined = change.groups && [
        groupsBefore.get(before.id) ?? [],
        [...change.groups].toSorted(),
      ];
      return changedDevice(before, after, change, groups);
    }),
  );
  await logChanges(
    trx,
    pairs.map(({ before, after, change: { settings = {}, groups: _groups, ...columns } }) => {
      const group = ofGroups.get(before.id);
      const fields = [...fieldChanges(before, columns), ...fieldChanges(before.settings, settings)];
      return logged(after, by, 'changed', group ? [...fields, group] : fields);
    }),
    by.now,
  );
  return pairs.map(({ after }) => after);
}

async function write(trx: Db, farmId: number, rows: readonly DeviceRow[]): Promise<void> {
  const values = rows.map(({ id, name, serial_number, mac, lat, lng, settings }) => {
    return { id, name, serial_number, mac, lat, lng, settings };
  });
  const [{ updated_at: at } = { updated_at: new Date(0) }] = rows;
  await sql`update device d set name = n.name, serial_number = n.serial_number, mac = n.mac, lat = n.lat, lng = n.lng,
      settings = n.settings, version = d.version + 1, updated_at = ${at}
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as n (id int, name text, serial_number text, mac text,
      lat float8, lng float8, settings jsonb)
    where d.farm_id = ${farmId} and d.id = n.id`.execute(trx);
}

interface Pair {
  readonly before: DeviceRow;
  readonly change: OneChange['change'];
}

/** Who comes into the same groups goes together. */
async function writeGroups(trx: Db, farmId: number, pairs: readonly Pair[]) {
  const together = new Map<string, DeviceRow[]>();
  for (const { before, change } of pairs) {
    if (!change.groups) continue;
    const key = [...change.groups].toSorted().join(' ');
    together.set(key, [...(together.get(key) ?? []), before]);
  }
  const changed: Awaited<ReturnType<typeof setGroups>> = new Map();
  for (const [key, devices] of together)
    for (const [id, field] of await setGroups(trx, farmId, devices, key === '' ? [] : key.split(' ')))
      changed.set(id, field);
  return changed;
}
