import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import type {
  addGroupDevices,
  createGroup,
  Group,
  groupDevices,
  updateGroup,
} from '@headrace/contract/groups';
import { inNaturalOrder } from '@headrace/contract/rules/natural-order';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { FarmRow } from '../../db/schema.ts';
import { conflict, invalid, notFound, stale } from '../../http/errors.ts';
import { inBatch } from '../changes/change-batch.ts';
import { fieldChanges, type LoggedChange, logChanges } from '../changes/change-log.ts';
import type { By } from '../devices/record-change.ts';
import { WHOLE_FARM } from '../sprinklers/sprinkler-status.service.ts';
import {
  addMembers,
  type ByOnFarm,
  refuseAsLateral,
  removeAllMembers,
  removeMembers,
} from './group-members.ts';
import type { GroupEntry, GroupRow, GroupsRepo } from './groups.repo.ts';
import { removeGroup } from './remove-group.ts';

type Members = BodyOf<typeof addGroupDevices>;
type Changed = { success: boolean; changed: number };

export function createGroupsService(groups: GroupsRepo) {
  /** In one transaction, alone with the farm's groups. Throws notFound when somebody deleted the group meanwhile. */
  function change<T>(farm: FarmRow, uid: string, work: (trx: Db, group: GroupRow) => Promise<T>): Promise<T> {
    return groups.inTransaction(async (trx) => {
      await groups.lockFarm(trx, farm.id);
      const group = await groups.one(trx, farm.id, uid.toLowerCase());
      if (!group) throw notFound();
      return work(trx, group);
    });
  }

  async function changeMembers(
    farm: FarmRow,
    uid: string,
    work: (trx: Db, group: GroupRow) => Promise<number>,
  ): Promise<Changed> {
    return { success: true, changed: await change(farm, uid, work) };
  }

  async function refuseTakenName(trx: Db, farmId: number, name: string, besides: number | null) {
    if (await groups.hasName(trx, farmId, name, besides))
      throw conflict(`The farm has a group named ${name} already. Please choose another name.`, 'name');
  }

  const find = async (farm: FarmRow, uid: string): Promise<GroupRow> => {
    const group = await groups.find(farm.id, uid.toLowerCase());
    if (!group) throw notFound();
    return group;
  };

  return {
    async list(farm: FarmRow): Promise<Group[]> {
      const rows = await groups.list(farm.id);
      return inNaturalOrder(rows).map((row) => toGroup(farm, row));
    },

    get: async (farm: FarmRow, uid: string): Promise<Group> => toGroup(farm, await find(farm, uid)),

    /** Throws conflict when the name is in use, invalid when it is FARM or blank. */
    async create(farm: FarmRow, body: BodyOf<typeof createGroup>, by: By): Promise<string> {
      const entry = entered(body, { description: '', is_lateral: false, wal_config: null });
      const uid = newUid(by.now);
      await groups.inTransaction(async (trx) => {
        await groups.lockFarm(trx, farm.id);
        await refuseTakenName(trx, farm.id, entry.name, null);
        await groups.insert(trx, farm.id, uid, entry, by.now);
        await logChanges(trx, [logged(farm, by, { uid, name: entry.name }, 'created')], by.now);
      });
      return uid;
    },

    /**
     * What isn't given stays. Throws conflict, with the group as it is, when somebody was quicker; and conflict when the
     * name is in use or a sprinkler would be in two lateral groups.
     */
    async update(farm: FarmRow, body: BodyOf<typeof updateGroup>, by: By): Promise<Group> {
      return change(farm, body.id, async (trx, group) => {
        if (body.version !== undefined && body.version !== group.version) throw stale(toGroup(farm, group));
        const before = entryOf(group);
        const entry = entered(body, before);
        const fields = fieldChanges(published(before), published(entry));
        if (fields.length === 0) return toGroup(farm, group);
        await refuseTakenName(trx, farm.id, entry.name, group.id);
        await groups.lock(trx, farm.id, group.id);
        if (entry.is_lateral && !group.is_lateral) await refuseAsLateral(trx, group, farm.id);
        await groups.update(trx, farm.id, group, entry, by.now);
        const what = { uid: group.uid, name: entry.name };
        await logChanges(trx, [{ ...logged(farm, by, what, 'changed'), fields }], by.now);
        return toGroup(farm, { ...group, ...entry, version: group.version + 1, updated_at: by.now });
      });
    },

    /** Its devices stay on the farm. What undoes it. */
    async remove(farm: FarmRow, uid: string, by: By): Promise<string | null> {
      const { batchId } = await change(farm, uid, (trx, group) =>
        inBatch(trx, farm.id, by, { act: 'delete group', title: `Group ${group.name} deleted` }, (batched) =>
          removeGroup(trx, farm.id, group, batched),
        ),
      );
      return batchId;
    },

    async devices(farm: FarmRow, uid: string): Promise<ReplyOf<typeof groupDevices>> {
      const group = await find(farm, uid);
      const members = await groups.members(farm.id, group.id);
      const of = (kind: 'sprinkler' | 'poi') =>
        inNaturalOrder(members.filter((member) => member.kind === kind).map(named)).map(({ id }) => id);
      return {
        id: group.uid,
        name: group.name,
        description: group.description,
        farmLocation: { lat: farm.lat, lng: farm.lng },
        farmBoundary: farm.boundary,
        ipcs: of('sprinkler'),
        pois: of('poi'),
      };
    },

    add: (farm: FarmRow, body: Members, by: By) =>
      changeMembers(farm, body.groupId, (trx, group) => addMembers(trx, group, body, onFarm(farm, by))),

    takeOut: (farm: FarmRow, body: Members, by: By) =>
      changeMembers(farm, body.groupId, (trx, group) => removeMembers(trx, group, body, onFarm(farm, by))),

    takeAllOut: (farm: FarmRow, uid: string, by: By) =>
      changeMembers(farm, uid, (trx, group) => removeAllMembers(trx, group, onFarm(farm, by))),
  };
}
export type GroupsService = ReturnType<typeof createGroupsService>;

const onFarm = (farm: FarmRow, by: By): ByOnFarm => ({ ...by, farmId: farm.id });

type Given = Pick<BodyOf<typeof createGroup>, 'name' | 'description' | 'isLateral' | 'walConfig'>;

/** Throws invalid when the name is blank or means the whole farm. */
function entered(given: Given, before: Omit<GroupEntry, 'name'>): GroupEntry {
  const name = given.name.trim();
  if (name === '') throw invalid('Name is required.', 'name');
  if (name.toUpperCase() === WHOLE_FARM)
    throw invalid(`${WHOLE_FARM} means the whole farm. Please choose another name.`, 'name');
  // It stands in addresses, where these two mean the folder and the one above.
  if (name === '.' || name === '..') throw invalid('Dots alone are no name. Please choose another.', 'name');
  return {
    name,
    description: given.description?.trim() ?? before.description,
    is_lateral: given.isLateral ?? before.is_lateral,
    wal_config: given.walConfig ?? before.wal_config,
  };
}

const entryOf = ({ name, description, is_lateral, wal_config }: GroupRow): GroupEntry => ({
  name,
  description,
  is_lateral,
  wal_config,
});

/** By the names that people know from the API. */
const published = ({ name, description, is_lateral, wal_config }: GroupEntry) => ({
  name,
  description,
  isLateral: is_lateral,
  walConfig: wal_config,
});

const named = ({ uid, name }: { uid: string; name: string }) => ({ id: uid, name });

function logged(
  farm: FarmRow,
  { accountId, page }: By,
  { uid, name }: { uid: string; name: string },
  what: LoggedChange['what'],
): LoggedChange {
  return { farmId: farm.id, accountId, kind: 'group', uid, name, what, fields: [], page };
}

/** A group without water application of its own has its farm's. */
function toGroup(farm: FarmRow, row: GroupRow): Group {
  return {
    _id: row.uid,
    id: row.uid,
    farmUID: farm.uid,
    name: row.name,
    description: row.description,
    isLateral: row.is_lateral,
    walConfig: row.wal_config ?? farm.wal_config,
    amountOfIpc: row.sprinklers,
    amountOfIpcInhibited: row.inhibited,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
