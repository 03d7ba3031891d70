import { compareNatural, inNaturalOrder } from '@headrace/contract/rules/natural-order';
import type { Db } from '../../db/client.ts';
import { conflict, invalid } from '../../http/errors.ts';
import { logChanges } from '../changes/change-log.ts';
import type { By } from '../devices/record-change.ts';
import {
  deleteMembers,
  insertMembers,
  lockUnits,
  otherLaterals,
  touchGroup,
  type Unit,
  unitsOf,
} from './group-members.repo.ts';
import type { GroupRow } from './groups.repo.ts';

/** Who does it, when, from which page, and on which farm. */
export interface ByOnFarm extends By {
  readonly farmId: number;
}

interface Asked {
  readonly ipcs?: readonly string[];
  readonly pois?: readonly string[];
}

/** The log names as many devices and counts the rest. */
const NAMES_MAX = 20;

/**
 * All of them or none; how many weren't in it before. Throws invalid for a device that the farm hasn't, and conflict, naming
 * both, for a sprinkler that is in another lateral group. The caller has locked the farm's groups.
 */
export async function addMembers(trx: Db, group: GroupRow, asked: Asked, by: ByOnFarm): Promise<number> {
  const units = await foundUnits(trx, by.farmId, asked);
  if (group.is_lateral) await refuseSecondLateral(trx, by.farmId, group.id, units, 'ipcs');
  const ids = units.map(({ id }) => id);
  const added = new Set(await insertMembers(trx, by.farmId, group.id, ids));
  await note(
    trx,
    group,
    by,
    'in',
    units.filter(({ id }) => added.has(id)),
  );
  return added.size;
}

/** How many were in it. Throws invalid for a device that the farm hasn't. */
export async function removeMembers(trx: Db, group: GroupRow, asked: Asked, by: ByOnFarm): Promise<number> {
  return takeOut(trx, group, await foundUnits(trx, by.farmId, asked), by);
}

export async function removeAllMembers(trx: Db, group: GroupRow, by: ByOnFarm): Promise<number> {
  return takeOut(trx, group, await unitsOf(trx, by.farmId, group.id), by);
}

/** Throws conflict when a sprinkler of the group is in a lateral group already. */
export async function refuseAsLateral(trx: Db, group: GroupRow, farmId: number): Promise<void> {
  await refuseSecondLateral(trx, farmId, group.id, await unitsOf(trx, farmId, group.id), 'isLateral');
}

async function takeOut(trx: Db, group: GroupRow, units: readonly Unit[], by: ByOnFarm): Promise<number> {
  const ids = units.map(({ id }) => id);
  const removed = new Set(await deleteMembers(trx, by.farmId, group.id, ids));
  await note(
    trx,
    group,
    by,
    'out',
    units.filter(({ id }) => removed.has(id)),
  );
  return removed.size;
}

async function foundUnits(trx: Db, farmId: number, { ipcs = [], pois = [] }: Asked): Promise<Unit[]> {
  const lower = (uids: readonly string[]) => [...new Set(uids.map((uid) => uid.toLowerCase()))];
  const wanted = { ipcs: lower(ipcs), pois: lower(pois) };
  const units = await lockUnits(trx, farmId, [...wanted.ipcs, ...wanted.pois]);
  const kinds = new Map(units.map(({ uid, kind }) => [uid, kind]));
  if (wanted.ipcs.some((uid) => kinds.get(uid) !== 'sprinkler'))
    throw invalid('The farm has no such sprinkler any more. Please load the list again.', 'ipcs');
  if (wanted.pois.some((uid) => kinds.get(uid) !== 'poi'))
    throw invalid('The farm has no such point of interest any more. Please load the list again.', 'pois');
  return units;
}

async function refuseSecondLateral(
  trx: Db,
  farmId: number,
  groupId: number,
  units: readonly Unit[],
  field: 'ipcs' | 'isLateral',
): Promise<void> {
  const ids = units.filter(({ kind }) => kind === 'sprinkler').map(({ id }) => id);
  const clashes = await otherLaterals(trx, farmId, groupId, ids);
  const [first] = clashes.toSorted((one, other) => compareNatural(one.unit, other.unit));
  if (!first) return;
  const others = clashes.length - 1;
  const more = others === 0 ? '' : ` (and ${others} more in lateral groups)`;
  throw conflict(
    `Sprinkler ${first.unit} is in the lateral group ${first.group} already${more}. Please take it out there first.`,
    field,
  );
}

/** One entry, however many devices; none when nothing changed. */
async function note(
  trx: Db,
  group: GroupRow,
  by: ByOnFarm,
  way: 'in' | 'out',
  units: readonly Unit[],
): Promise<void> {
  if (units.length === 0) return;
  await touchGroup(trx, by.farmId, group.id, by.now);
  const text = listed(units);
  const field = { field: 'devices', from: way === 'in' ? null : text, to: way === 'in' ? text : null };
  const { uid, name } = group;
  const { farmId, accountId, page } = by;
  const entry = { farmId, accountId, page, kind: 'group', uid, name } as const;
  await logChanges(trx, [{ ...entry, what: 'changed', fields: [field] }], by.now);
}

function listed(units: readonly Unit[]): string {
  const names = inNaturalOrder(units).map(({ name }) => name);
  const rest = names.length - NAMES_MAX;
  const shown = names.slice(0, NAMES_MAX).join(', ');
  return `${names.length} ${names.length === 1 ? 'device' : 'devices'}: ${shown}${rest > 0 ? ` and ${rest} more` : ''}`;
}
