import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceKind, DeviceRow } from '../../db/schema.ts';
import { holds, isShut } from '../access/share-holds.ts';

export type RegistryKind = 'ipc' | 'repeater' | 'gateway' | 'sensor';
export interface RegistryEntry {
  serial_number: string;
  mac: string;
  kind: RegistryKind;
  type: number;
  channel: number;
  spfactor: number;
  claimed_by: number | null;
}

export interface RegistryQuery extends Asking {
  readonly serialNumber: string;
  readonly kinds: readonly RegistryKind[];
  /** Of this type only. */
  readonly type?: number;
}

/** Who asks, and when; null: anybody. */
export interface Asking {
  readonly accountId: number | null;
  readonly now: Date;
}

/** A device in use, with its farm. */
export type Holder = Pick<DeviceRow, 'name' | 'kind' | 'settings'> & { farm_uid: string; farm_id: number };

/** Farms of theirs, and those that are shared with them and not shut. */
async function farmsOf(db: Db, { accountId, now }: Asking): Promise<number[]> {
  if (accountId === null) return [];
  const { rows } = await sql<{
    id: number;
  }>`select id from farm where owner_id = ${accountId} and deleted_at is null
    union select farm.id from share
      join farm on farm.id = share.farm_id or (share.farm_id is null and farm.owner_id = share.owner_id)
      where share.agent_id = ${accountId} and ${holds('share', now)} and not ${isShut(accountId, 'farm', now)}
        and farm.deleted_at is null`.execute(db);
  return rows.map(({ id }) => id);
}

/** Entries that are looked at for what begins like a text: those of one serial number from several farms are told as one. */
const BEGINNINGS = 20;

/** Nothing is told that a stranger could have made up: a report says nothing of the serial number that somebody typed beside it. */
export function createRegistryRepo(db: Db) {
  const entries = ({ kinds, type }: RegistryQuery) =>
    db
      .selectFrom('registry as r')
      .selectAll()
      .where('kind', 'in', kinds)
      .$if(type !== undefined, (query) => query.where('type', '=', type ?? 0));

  return {
    /** In either case. The operator's word first, then the asker's own; of several kinds the first by name. */
    async exact(query: RegistryQuery): Promise<RegistryEntry | undefined> {
      const own = await farmsOf(db, query);
      return entries(query)
        .where(sql`lower(serial_number)`, '=', query.serialNumber.toLowerCase())
        .where(sql<boolean>`(claimed_by is null or claimed_by = any(${own}))`)
        .orderBy(sql`claimed_by is not null`)
        .orderBy('kind')
        .executeTakeFirst();
    },

    /** Those whose serial number begins like this, by the operator's word or the asker's own: two at most, since only one counts. */
    async beginning(query: RegistryQuery): Promise<RegistryEntry[]> {
      const own = await farmsOf(db, query);
      const pattern = `${query.serialNumber.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
      const rows = await entries(query)
        .where(sql<boolean>`lower(serial_number) like ${pattern}`)
        .where(sql<boolean>`(claimed_by is null or claimed_by = any(${own}))`)
        .limit(BEGINNINGS)
        .execute();
      const ofOthersFirst = rows.toSorted(
        (one, other) => Number(one.claimed_by === null) - Number(other.claimed_by === null),
      );
      const byNumber = new Map(
        ofOthersFirst.map((row) => [`${row.kind} ${row.serial_number.toLowerCase()}`, row]),
      );
      return [...byNumber.values()].slice(0, 2);
    },

    /**
     * The MACs of sprinklers by whole serial numbers, in lower case, as keys, as far as a farm is told. A repeater's only where no
     * sprinkler has it.
     */
    async unitMacs(farmId: number, serials: readonly string[]): Promise<Map<string, string>> {
      const lower = serials.map((serial) => serial.toLowerCase());
      const { rows } = await sql<{ serial: string; mac: string }>`select distinct on (lower(serial_number))
          lower(serial_number) as serial, mac from registry r
        where kind in ('ipc', 'repeater') and lower(serial_number) = any(${lower})
          and (claimed_by is null or claimed_by = ${farmId})
        order by lower(serial_number), claimed_by is not null, kind`.execute(db);
      return new Map(rows.map(({ serial, mac }) => [serial, mac]));
    },

    /** On whichever farm. */
    async holder(mac: string, kinds: readonly DeviceKind[]): Promise<Holder | undefined> {
      return db
        .selectFrom('device as d')
        .innerJoin('farm as f', 'f.id', 'd.farm_id')
        .select(['d.name', 'd.kind', 'd.settings', 'd.farm_id', 'f.uid as farm_uid'])
        .where('d.mac', '=', mac)
        .where('d.kind', 'in', kinds)
        .where('d.deleted_at', 'is', null)
        .where('f.deleted_at', 'is', null)
        .orderBy('d.farm_id')
        .executeTakeFirst();
    },
  };
}
export type RegistryRepo = ReturnType<typeof createRegistryRepo>;
