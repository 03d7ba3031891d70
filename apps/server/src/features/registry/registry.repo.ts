import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceKind, DeviceRow } from '../../db/schema.ts';

export type RegistryKind = 'ipc' | 'repeater' | 'gateway' | 'sensor';
export interface RegistryEntry {
  serial_number: string;
  mac: string;
  kind: RegistryKind;
  type: number;
  channel: number;
  spfactor: number;
}

export interface RegistryQuery {
  readonly serialNumber: string;
  readonly kinds: readonly RegistryKind[];
  /** Of this type only. */
  readonly type?: number;
}

/** A device in use, with its farm. */
export type Holder = Pick<DeviceRow, 'name' | 'kind' | 'settings'> & { farm_uid: string; farm_id: number };

export function createRegistryRepo(db: Db) {
  const entries = ({ kinds, type }: RegistryQuery) =>
    db
      .selectFrom('registry')
      .selectAll()
      .where('kind', 'in', kinds)
      .$if(type !== undefined, (query) => query.where('type', '=', type ?? 0));

  return {
    /** In either case. Of several kinds the first by name. */
    exact(query: RegistryQuery): Promise<RegistryEntry | undefined> {
      return entries(query)
        .where(sql`lower(serial_number)`, '=', query.serialNumber.toLowerCase())
        .orderBy('kind')
        .executeTakeFirst();
    },

    /** Those whose serial number begins like this: two at most, since only one counts. */
    beginning(query: RegistryQuery): Promise<RegistryEntry[]> {
      const pattern = `${query.serialNumber.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
      return entries(query).where(sql<boolean>`lower(serial_number) like ${pattern}`).limit(2).execute();
    },

    /** The MACs of sprinklers by whole serial numbers, in lower case, as keys. A repeater's only where no sprinkler has it. */
    async unitMacs(serials: readonly string[]): Promise<Map<string, string>> {
      const lower = serials.map((serial) => serial.toLowerCase());
      const { rows } = await sql<{ serial: string; mac: string }>`select distinct on (lower(serial_number))
          lower(serial_number) as serial, mac from registry
        where kind in ('ipc', 'repeater') and lower(serial_number) = any(${lower})
        order by lower(serial_number), kind`.execute(db);
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
