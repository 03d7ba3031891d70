import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import { mapInTurns } from '../../jobs/in-turns.ts';
import { addFreeRecords, type NewMember } from '../devices/add-records.ts';
import { changeEach, type OneChange } from '../devices/change-each.ts';
import { identityOf } from '../devices/device-entries.ts';
import { FIRST_RADIO } from '../devices/farm-radio.ts';
import type { By } from '../devices/record-change.ts';
import { addGroups } from '../groups/add-groups.ts';
import { newRecord } from '../irrigation-devices/unit-entries.ts';
import type { ContentDevice } from './farm-content.repo.ts';
import { newGroups } from './plan-groups.ts';
import type { PlanRow, UnitValues } from './plan-import.ts';
import type { OtherUnit } from './plan-swaps.ts';
import { deedsOf, type PlanItem } from './plan-items.ts';

/** Adds and changes what the items say of units and groups; the caller planned them in this transaction. Groups are by name in small letters. */
export async function applyRows(
  trx: Db,
  farmId: number,
  items: readonly PlanItem[],
  groups: ReadonlyMap<string, { readonly uid: string }>,
  by: By,
): Promise<void> {
  const rows = deedsOf(items, 'unit').map(({ row }) => row);
  const named = deedsOf(items, 'add group').map(({ name }) => name);
  const added = await addGroups(trx, farmId, [...newGroups(rows, groups), ...named], by);
  const uidOf = new Map([
    ...[...groups].map(([key, { uid }]) => [key, uid] as const),
    ...[...added].map(([name, uid]) => [name.toLowerCase(), uid] as const),
  ]);
  const uidsOf = ({ groups: of }: UnitValues) => of.flatMap((name) => uidOf.get(name.toLowerCase()) ?? []);
  const changes = new Map<number, OneChange>();
  const change = ({ id, version }: ContentDevice, more: OneChange['change']) =>
    changes.set(id, { id, version, change: { ...changes.get(id)?.change, ...more } });
  const members: NewMember[] = [];
  await mapInTurns(rows, (row) => {
    const { device, values, kind, others } = row;
    if (!values) return;
    if (device) change(device, changeOf(row, values, uidsOf));
    else members.push({ record: recordOf(kind, values, by.now), groups: uidsOf(values) });
    for (const other of others) change(other.device, identityAfter(other));
  });
  // Changes first: what they give up is free for what is new.
  await changeEach(trx, farmId, [...changes.values()], by);
  if (members.length > 0) await addFreeRecords(trx, farmId, members, by);
}

/** Of a unit that gets what another one had. */
const identityAfter = ({ fields }: OtherUnit): OneChange['change'] =>
  Object.fromEntries(fields.map(({ field, to }) => [field === 'serialNumber' ? 'serial_number' : 'mac', to]));

function changeOf(
  { fields }: PlanRow,
  values: UnitValues,
  uidsOf: (values: UnitValues) => string[],
): OneChange['change'] {
  const has = (...names: string[]) => fields.some(({ field }) => names.includes(field));
  const settings = {
    ...(has('farmId') && { farmId: values.farmId }),
    ...(has('channel') && { channel: values.channel }),
  };
  return {
    ...(has('name') && { name: values.name.trim() }),
    ...(has('serialNumber') && { serial_number: values.serialNumber.trim() }),
    ...(has('macAddress') && { mac: values.macAddress }),
    ...(has('lat', 'lng') && { lat: values.lat, lng: values.lng }),
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(has('groups') && { groups: uidsOf(values) }),
  };
}

function recordOf(kind: PlanRow['kind'], values: UnitValues, now: Date): NewMember['record'] {
  const { lat, lng, farmId, channel, isSpare } = values;
  if (kind === 'repeater') return { uid: newUid(now), kind, ...identityOf(values), lat, lng };
  const { groups: _groups, isSpare: _isSpare, ...entry } = values;
  return newRecord({ ...entry, farmId, channel, isSpareUnit: isSpare }, FIRST_RADIO, {}, now);
}
