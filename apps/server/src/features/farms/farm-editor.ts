import { defaultWaterApplication, type FarmEntry } from '@headrace/contract/farms';
import { FARMS_PER_ACCOUNT } from '@headrace/contract/limits';
import { addUsualAlerts } from '../alerts/usual-alerts.ts';
import type { Db } from '../../db/client.ts';
import { claimOnce } from '../../db/once.ts';
import { newUid } from '../../db/ids.ts';
import type { FarmRow } from '../../db/schema.ts';
import type { Caller } from '../../http/access-gate.ts';
import { conflict, notFound } from '../../http/errors.ts';
import { type FieldChange, type LoggedChange, logChanges } from '../changes/change-log.ts';
import type { By } from '../devices/record-change.ts';
import { type ClockColumns, clockOfPlace, clockWithDst, noteClockChange } from './farm-clock.ts';
import { asStored, type FarmColumns, readEntry, withSize } from './farm-entry.ts';
import { agentsOfAccount, ownerOfNewFarm } from './farm-owners.ts';
import { clockChanges, entryChanges } from './present-farm.ts';

/** Somebody else changed the farm since the version that the caller saw. */
export class StaleFarm extends Error {
  constructor(readonly current: FarmRow) {
    super('the farm has a newer version');
  }
}

/** The one way in which people's entries get into `farm`: judged, locked, logged, each in one transaction. */
export function createFarmEditor(db: Db) {
  const change = (farmId: number, work: (trx: Db, before: FarmRow) => Promise<FarmRow>): Promise<FarmRow> =>
    db.transaction().execute(async (trx) => work(trx, await lockFarm(trx, farmId)));

  return {
    /** The new farm, and the accounts that have a share in it by a share of the owner's whole account. */
    create(
      entry: FarmEntry,
      accountUid: string | undefined,
      caller: Caller,
      now: Date,
    ): Promise<{ farm: FarmRow; sharedWith: number[] }> {
      const columns = readEntry(entry);
      return db.transaction().execute(async (trx) => {
        await claimOnce(trx);
        const owner = await ownerOfNewFarm(trx, caller, accountUid, now);
        await refuseTooMany(trx, owner.id);
        const farm = await addFarm(trx, owner.id, columns, { accountId: caller.accountId, now });
        const sharedWith = await agentsOfAccount(trx, owner.id, now);
        return { farm, sharedWith };
      });
    },

    /** Throws StaleFarm when `version` is not the newest. Nothing is written when nothing differs. */
    change(farmId: number, entry: FarmEntry, version: number | undefined, by: By): Promise<FarmRow> {
      const columns = readEntry(entry);
      return change(farmId, async (trx, before) => {
        if (version !== undefined && version !== before.version) throw new StaleFarm(before);
        return update(trx, before, columns, by);
      });
    },

    /** The zone of the farm's place, looked up anew. */
    refreshClock: (farmId: number, by: By) =>
      change(farmId, (trx, before) => updateClock(trx, before, clockOfPlace(before, before, by.now), by)),

    setDst: (farmId: number, dstEnabled: boolean, by: By) =>
      change(farmId, (trx, before) => updateClock(trx, before, clockWithDst(before, dstEnabled), by)),
  };
}

/** The owner's row is locked, so that two calls at once can't pass the limit. */
export async function refuseTooMany(trx: Db, ownerId: number): Promise<void> {
  await trx.selectFrom('account').select('id').where('id', '=', ownerId).forNoKeyUpdate().execute();
  const { count } = await trx
    .selectFrom('farm')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(count) >= FARMS_PER_ACCOUNT)
    throw conflict(`An account can have ${FARMS_PER_ACCOUNT} farms. Please delete one that is not used.`);
}

/** A farm of `ownerId`, logged as made by `by`; shares and limits are the caller's. */
export async function addFarm(trx: Db, ownerId: number, columns: FarmColumns, by: By): Promise<FarmRow> {
  const farm = await insertFarm(trx, ownerId, columns, by.now);
  await addUsualAlerts(trx, farm.id, by.accountId, by.now);
  await log(trx, farm, 'created', [], by);
  return farm;
}

function insertFarm(trx: Db, ownerId: number, columns: FarmColumns, now: Date): Promise<FarmRow> {
  const { wal_config = defaultWaterApplication, ...rest } = withSize(columns);
  return trx
    .insertInto('farm')
    .values({
      uid: newUid(now),
      owner_id: ownerId,
      ...asStored(rest),
      wal_config: JSON.stringify(wal_config),
      ...clockOfPlace(columns, null, now),
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Throws notFound when somebody else has deleted it meanwhile. */
export async function lockFarm(trx: Db, farmId: number): Promise<FarmRow> {
  const farm = await trx
    .selectFrom('farm')
    .selectAll()
    .where('id', '=', farmId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!farm) throw notFound();
  return farm;
}

async function update(trx: Db, before: FarmRow, columns: FarmColumns, by: By): Promise<FarmRow> {
  const isRedrawn = JSON.stringify(columns.boundary) !== JSON.stringify(before.boundary);
  const isMoved = columns.lat !== before.lat || columns.lng !== before.lng;
  const set = isRedrawn ? withSize(columns) : columns;
  const fields = entryChanges(before, { ...before, ...set });
  if (fields.length === 0) return before;
  const after = await trx
    .updateTable('farm')
    .set({ ...asStored(set), version: before.version + 1, updated_at: by.now })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await log(trx, after, 'changed', fields, by);
  return isMoved ? updateClock(trx, after, clockOfPlace(after, before, by.now), by) : after;
}

/** The version stays: the clock is no part of the form, which may be open beside it. */
async function updateClock(trx: Db, before: FarmRow, clock: ClockColumns, by: By): Promise<FarmRow> {
  const fields = clockChanges(before, { ...before, ...clock });
  if (fields.length === 0) return before;
  const after = await trx
    .updateTable('farm')
    .set({ ...clock, updated_at: by.now })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await noteClockChange(trx, before, by.now);
  await log(trx, after, 'changed', fields, by);
  return after;
}

export function log(
  trx: Db,
  farm: FarmRow,
  what: LoggedChange['what'],
  fields: readonly FieldChange[],
  { accountId, now, page }: By,
): Promise<void> {
  const { id: farmId, uid, name } = farm;
  return logChanges(trx, [{ farmId, accountId, kind: 'farm', uid, name, what, fields, page }], now);
}
