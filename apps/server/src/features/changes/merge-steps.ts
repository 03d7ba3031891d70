import type { Batch, BatchRecord, ChangedDevice, ChangedRecord, Step } from './change-batch.ts';

type Steps = Readonly<Record<string, Step>>;

/** From before the first to after the last. `order`: a step has what comes first in front. */
function joined(first: Steps, then: Steps): Steps {
  const all = { ...first };
  for (const [name, [before, after]] of Object.entries(then)) {
    const known = first[name];
    all[name] = [known ? known[0] : before, after];
  }
  return all;
}

/** Records of the same thing as one. */
export function merged(records: readonly ChangedRecord[]): ChangedRecord[] {
  const found = new Map<string, ChangedRecord>();
  for (const record of records) {
    const key = `${record.kind} ${record.uid}`;
    const known = found.get(key);
    found.set(key, known ? { ...known, columns: joined(known.columns, record.columns) } : record);
  }
  return [...found.values()];
}

const keyOf = ({ what, kind, uid }: BatchRecord) => `${what} ${kind} ${uid}`;

/** What several steps have done to the same record is undone as one. */
export function mergeBatch({ records }: Batch): void {
  const found = new Map<string, BatchRecord>();
  for (const record of records) {
    const key = keyOf(record);
    found.set(key, joinedRecord(found.get(key), record));
  }
  records.splice(0, records.length, ...found.values());
}

function joinedRecord(known: BatchRecord | undefined, record: BatchRecord): BatchRecord {
  if (known?.what !== 'changed' || record.what !== 'changed') return record;
  const columns = joined(known.columns, record.columns);
  if (!('id' in known) || !('id' in record)) return { ...(known as ChangedRecord), columns };
  return {
    ...record,
    columns,
    settings: joined(known.settings, record.settings),
    groups: joinedGroups(known, record),
  };
}

const joinedGroups = (
  { groups: first }: ChangedDevice,
  { groups: then }: ChangedDevice,
): ChangedDevice['groups'] => (first && then ? [first[0], then[1]] : (then ?? first));
