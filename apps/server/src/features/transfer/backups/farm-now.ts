import { sql } from 'kysely';
import type { Db } from '../../../db/client.ts';
import type { DeviceRow, FarmRow } from '../../../db/schema.ts';
import { macHolders, macHoldersNow } from '../../devices/taken-macs.ts';
import { type KnownSet, knownSets } from '../../schedules/known-sets.ts';
import type { FarmContentRepo } from '../farm-content.repo.ts';
import { devicesOf, type Snapshot, takeSnapshot } from './snapshot.ts';

/** A farm as far as a backup is compared with it. */
export interface FarmNow {
  readonly snapshot: Snapshot;
  readonly farm: FarmRow;
  /** By uid; those of the backup that left the farm, too. */
  readonly devices: ReadonlyMap<string, DeviceRow>;
  readonly groups: ReadonlyMap<string, { readonly id: number; readonly version: number }>;
  /** Uids of templates that were deleted and are still known, since when. */
  readonly deletedTemplates: ReadonlyMap<string, Date>;
  readonly sets: ReadonlyMap<string, KnownSet>;
  readonly codecs: ReadonlySet<number>;
  /** Of the backup's: those that devices of other farms have by now. */
  readonly takenMacs: ReadonlySet<string>;
}

/** What the farm is read for. */
export type ReadFor =
  /** It is about to be restored: devices are locked, and what is found stays true to the end of the transaction. */
  | 'restore'
  /** Somebody looks: nothing is locked, so that commands go out meanwhile. */
  | 'plan'
  /** A copy of the farm: devices on the farm itself have its MACs. */
  | 'trial';

export async function readFarmNow(
  trx: Db,
  content: FarmContentRepo,
  farm: FarmRow,
  { snapshot: backup, reads }: { readonly snapshot: Snapshot; readonly reads: ReadFor },
): Promise<FarmNow> {
  const kept = devicesOf(backup);
  const holders = await holdersFor(
    reads,
    trx,
    kept.flatMap(({ macAddress }) => (macAddress === '' ? [] : macAddress)),
  );
  const rows = await trx
    .selectFrom('device')
    .selectAll()
    .where('farm_id', '=', farm.id)
    .where((eb) =>
      eb.or([
        eb('deleted_at', 'is', null),
        sql<boolean>`uid = any(${kept.map(({ _id }) => _id)})`,
        sql<boolean>`kind = 'gateway'`,
      ]),
    )
    .orderBy('id')
    // What refers to a device, such as a command that is sent to it, may still be written.
    .$if(reads === 'restore', (query) => query.forNoKeyUpdate())
    .execute();
  const groups = await trx
    .selectFrom('device_group')
    .select(['uid', 'id', 'version'])
    .where('farm_id', '=', farm.id)
    .execute();
  const templates = await trx
    .selectFrom('schedule_template')
    .select(['uid', 'deleted_at'])
    .where('farm_id', '=', farm.id)
    .where('deleted_at', 'is not', null)
    .execute();
  const codecs = await trx.selectFrom('codec').select('id').where('farm_id', '=', farm.id).execute();
  return {
    snapshot: await takeSnapshot(trx, content, farm),
    farm,
    devices: new Map(rows.map((row) => [row.uid, row])),
    groups: new Map(groups.map(({ uid, ...group }) => [uid, group])),
    deletedTemplates: new Map(
      templates.flatMap(({ uid, deleted_at: at }) => (at === null ? [] : [[uid, at] as const])),
    ),
    sets: await knownSets(trx, farm.id),
    codecs: new Set(codecs.map(({ id }) => id)),
    takenMacs: new Set(holders.flatMap(({ mac, farm_id }) => (farm_id === farm.id ? [] : mac))),
  };
}

/** A trial takes no MAC from anybody: it needs none of the locks, which are those of all farms. */
const holdersFor = (reads: ReadFor, trx: Db, macs: readonly string[]) =>
  reads === 'trial' ? [] : reads === 'plan' ? macHoldersNow(trx, macs) : macHolders(trx, macs);
