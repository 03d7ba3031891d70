import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceKind, DeviceRow } from '../../db/schema.ts';
import { isHeard } from './heard-devices.ts';

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

/** The device of entry `r` was heard on the farm that says so. */
const isProven = sql<boolean>`exists (select from device d where d.farm_id = r.claimed_by and d.mac = r.mac
  and d.deleted_at is null and ${isHeard})`;
/** The word of a farm of theirs, or of one that is shared with them. */
const isOf = ({ accountId, now }: Asking) => sql<boolean>`(r.claimed_by is not null and (
  exists (select from farm f where f.id = r.claimed_by and f.owner_id = ${accountId}::int)
  or exists (select from share s join farm f on f.id = r.claimed_by
    where (s.farm_id = f.id or (s.farm_id is null and s.owner_id = f.owner_id)) and s.agent_id = ${accountId}::int
      and s.state = 'accepted' and (s.ends_at is null or s.ends_at > ${now}))))`;
/** Nothing that a stranger could have made up. */
const isToldTo = (asking: Asking) => sql<boolean>`(r.claimed_by is null or ${isOf(asking)} or ${isProven})`;

export function createRegistryRepo(db: Db) {
  const entries = ({ kinds, type, ...asking }: RegistryQuery) =>
    db
      .selectFrom('registry as r')
      .selectAll()
      .where('kind', 'in', kinds)
      .where(isToldTo(asking))
      .$if(type !== undefined, (query) => query.where('type', '=', type ?? 0));

  return {
    /** In either case. The operator's word first, then the asker's own; of several kinds the first by name. */
    exact(query: RegistryQuery): Promise<RegistryEntry | undefined> {
      return entries(query)
        .where(sql`lower(serial_number)`, '=', query.serialNumber.toLowerCase())
        .orderBy(sql`claimed_by is not null, not ${isOf(query)}`)
        .orderBy('kind')
        .executeTakeFirst();
    },

    /** Those whose serial number begins like this: two at most, since only one counts. */
    beginning(query: RegistryQuery): Promise<RegistryEntry[]> {
      const pattern = `${query.serialNumber.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
      return entries(query)
        .where(sql<boolean>`lower(serial_number) like ${pattern}`)
        .distinctOn([sql`lower(serial_number)`, 'kind'])
        .orderBy(sql`lower(serial_number), kind, claimed_by is not null, not ${isOf(query)}`)
        .limit(2)
        .execute();
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
          and (claimed_by is null or claimed_by = ${farmId} or ${isProven})
        order by lower(serial_number), claimed_by is not null, claimed_by <> ${farmId}, kind`.execute(db);
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
